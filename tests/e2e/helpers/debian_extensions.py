"""Extensions of PHP that Debian has and this machine has not: taken out of their packages into a folder, so that no other PHP here loads them."""

import atexit
import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from harness import php_command


def run(*words, cwd=None):
    return subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True, timeout=300).stdout


@functools.cache
def loaded_with(name):
    """PHP's options and the environment with which it loads the extension `name`."""
    version = run(php_command()[0][0], "-r", "echo PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;").splitlines()[-1]
    folder = Path(tempfile.mkdtemp(prefix=f"sluice-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    try:
        missing = re.findall(r"^Inst (\S+)", run("apt-get", "--simulate", "--no-install-recommends", "install", f"php{version}-{name}"), re.MULTILINE)
        run("apt-get", "download", *missing, cwd=folder)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        pytest.skip(f"Debian's package of {name} is not to be had: {error}")
    for package in folder.glob("*.deb"):
        run("dpkg-deb", "-x", package, folder)
    library = next(folder.glob(f"usr/lib/php/*/{name}.so"), None)
    if library is None:
        pytest.skip(f"the extension {name} is installed already")
    return ["-d", f"extension={library}"], {"LD_LIBRARY_PATH": ":".join(str(path) for path in folder.glob("usr/lib/*-linux-gnu"))}
