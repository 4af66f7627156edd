"""packages/symfony with the oldest Symfony that it promises to run: the package's own tests, in a copy with another set of packages."""

import json
import os
import shutil
import subprocess

import pytest

from harness import ROOT

SYMFONY = "6.4.*"
# What these tests of the package need; Laravel and others want a newer Symfony.
OTHERS = ["cache", "console", "dependency-injection", "framework-bundle", "http-foundation", "http-kernel", "routing", "translation"]
LEFT_OUT = ["sluice/laravel", "sluice/revolt", "symfony/dotenv"]
PHP = ROOT / "build" / os.environ.get("SLUICE_FLAVOUR", "release") / "php"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    if not shutil.which("composer"):
        pytest.skip("there is no composer: make deps-test installs it")
    tree = tmp_path_factory.mktemp("symfony-6")
    shutil.copytree(ROOT / "packages", tree / "packages", symlinks=True)
    (tree / "build").mkdir()
    (tree / "build" / PHP.parent.name).symlink_to(PHP.parent)
    path = tree / "packages/composer.json"
    root = json.loads(path.read_text())
    for wanted in (root["require"], root["require-dev"]):
        for name in [name for name in wanted if name in LEFT_OUT or name.startswith("amphp/")]:
            del wanted[name]
        wanted |= {name: SYMFONY for name in wanted if name.startswith("symfony/")}
    root["require"] |= {f"symfony/{name}": SYMFONY for name in OTHERS}
    path.write_text(json.dumps(root))
    env = os.environ | {"COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_NO_AUDIT": "1"}
    done = subprocess.run([PHP, shutil.which("composer"), "update", "--no-interaction", "--no-progress", "--quiet"], cwd=path.parent, env=env,
                          check=False, capture_output=True, text=True, timeout=600)
    if done.returncode and "could not be" in done.stdout + done.stderr:
        pytest.skip(f"Packagist cannot be reached: {done.stderr[-500:]}")
    assert done.returncode == 0, done.stdout + done.stderr
    return tree


@pytest.mark.slow
def test_the_packages_tests_pass(tree):
    """Those of the smaller application; that of all bundles imports a file of the newer profiler."""
    command = [PHP, "-d", "memory_limit=1G", tree / "build/packages/vendor/bin/phpunit", "-c", tree / "packages/symfony", "--filter", "SymfonyTest"]
    done = subprocess.run(command, env=os.environ | {"SLUICE_PHP": str(PHP)}, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "OK (" in done.stdout, done.stdout[-5000:]
    version = subprocess.run([PHP, "-r", f"require '{tree}/build/packages/vendor/autoload.php'; echo Symfony\\Component\\HttpKernel\\Kernel::VERSION;"],
                             check=True, capture_output=True, text=True, timeout=60).stdout
    assert version.startswith("6.4."), version
