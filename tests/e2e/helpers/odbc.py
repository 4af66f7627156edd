"""Whether this machine has what tests of ODBC need."""

import configparser
import subprocess
from pathlib import Path

import pytest

from harness import php_command

DRIVERS = {"mariadb": "MariaDB Unicode", "postgresql": "PostgreSQL Unicode"}
PACKAGES = "php-odbc, odbc-mariadb and odbc-postgresql"


def need(driver):
    """Skips a test of `[pdo_]odbc_mariadb` or `[pdo_]odbc_postgresql`."""
    command, _ = php_command()
    loaded = subprocess.run([*command, "-m"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout.split()
    installed = configparser.ConfigParser()
    installed.read(Path("/etc/odbcinst.ini"))
    if ("PDO_ODBC" if driver.startswith("pdo") else "odbc") not in loaded or DRIVERS[driver.split("_")[-1]] not in installed:
        pytest.skip(f"the extension or the driver is not installed (Debian: {PACKAGES})")
