"""The applications of bench/applications, as they are installed in production: with an autoloader that knows all classes, and caches of configuration and routes."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from measuring import PROGRAMS, ROOT, Failure, php

FRAMEWORKS = {"psr15": "PSR-15", "symfony": "Symfony", "laravel": "Laravel"}
# Tools for tests, which no application has.
NOT_COPIED = ("phpstan", "phpunit", "amphp")


def vendor():
    """A folder with what Packagist has, and an autoloader as `composer install --no-dev --optimize-autoloader` makes it."""
    subprocess.run([ROOT / "tools/install-packages"], check=True, timeout=600)
    source, folder = ROOT / "build/packages", PROGRAMS / "vendor"
    stamp, wanted = PROGRAMS / "vendor.installed", (source / "installed").read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source / "vendor", folder, symlinks=True, ignore=lambda path, names: NOT_COPIED if Path(path).parent == source else ())
        command = [*php(), shutil.which("composer"), "dump-autoload", "--no-dev", "--optimize", "--no-interaction", "--quiet"]
        env = os.environ | {"COMPOSER_VENDOR_DIR": str(folder), "COMPOSER_ALLOW_SUPERUSER": "1"}
        done = subprocess.run(command, check=False, cwd=ROOT / "packages", env=env, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Failure(f"composer dump-autoload failed:\n{done.stdout}{done.stderr}")
        stamp.write_text(wanted)
    return folder


@contextlib.contextmanager
def applications():
    """Gives the folder of each, by its name, in copies that are written to; sets what they want of the environment."""
    os.environ["VENDOR"] = str(vendor())
    os.environ["APP_KEY"] = "base64:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
    os.environ |= {"APP_ENV": "production", "APP_DEBUG": "false", "LOG_CHANNEL": "stderr", "CACHE_STORE": "array", "SESSION_DRIVER": "array"}
    with tempfile.TemporaryDirectory() as temporary:
        folders = {}
        for name in FRAMEWORKS:
            folder = Path(temporary) / name
            shutil.copytree(ROOT / "bench/applications" / name, folder)
            folders[name] = folder
        laravel = folders["laravel"]
        (laravel / "vendor").symlink_to(os.environ["VENDOR"])
        for name in ("bootstrap/cache", "storage/framework/views", "storage/framework/cache/data", "storage/logs"):
            (laravel / name).mkdir(parents=True)
        for command in ("config:cache", "route:cache"):
            done = subprocess.run([*php(), laravel / "artisan", command], check=False, capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                raise Failure(f"artisan {command} failed:\n{done.stdout}{done.stderr}")
        yield folders
