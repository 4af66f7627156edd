"""All that names the version names the same one."""

import subprocess

from test_docs import ROOT


def test_the_tree_fits_its_version():
    done = subprocess.run([ROOT / "tools/check-release"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
