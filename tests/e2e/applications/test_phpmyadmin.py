"""Debian's phpMyAdmin, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import gzip
import re

import pytest

from debian_applications import Visitor, copy, differences, field_of, submit, unpacked
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

CONFIGURATION = """<?php
$cfg['blowfish_secret'] = 'a secret of thirty-two characters';
$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '127.0.0.1', 'port' => '{port}', 'hide_db' => '^(?!{name}$)'];
$cfg['SendErrorReports'] = 'never';
$cfg['DefaultLang'] = 'en';
"""
GZIP = {"Accept-Encoding": "gzip"}


def log_in(address):
    visitor = Visitor(address, GZIP)
    form = visitor.get("/")
    assert "pma_username" in form.text, form
    page = visitor.post("/index.php?route=/", {name: field_of(form, name) for name in ("token", "set_session", "server")} | {"pma_username": "sluice", "pma_password": "secret"})
    assert page.status == 200 and page.fields["Content-Encoding"] == "gzip" and "Database server" in page.text, page
    visitor.token = re.search(r'token:"([0-9a-f]+)"', page.text).group(1)
    return visitor


def export(visitor, name, **changes):
    page = visitor.get(f"/index.php?route=/database/export&db={name}")
    return submit(visitor, page, "export_method", {"quick_or_custom": "custom", "output_format": "sendit", "filename_template": "@DATABASE@"} | changes)


@pytest.fixture
def site(mode, mariadb, tmp_path):
    root = unpacked("phpmyadmin")
    folder = copy(tmp_path / "phpmyadmin", root / "usr/share/phpmyadmin")
    name = f"phpmyadmin_{mode}"
    vendor = folder / "libraries/vendor_config.php"
    vendor.write_text(vendor.read_text().replace("/etc/phpmyadmin/", f"{folder}/").replace("/var/lib/phpmyadmin/tmp/", f"{tmp_path}/"))
    (folder / "config.inc.php").write_text(CONFIGURATION.format(name=name, port=mariadb.port))
    mariadb.execute(f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}")
    settings = f"include_path=.:{root}/usr/share/php:/usr/share/php", "memory_limit=256M", f"session.save_path={tmp_path}"
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(folder), "FRONT": "index.php"}, settings=settings) as server:
        yield server, folder, settings, name


@pytest.mark.both_modes
def test_phpmyadmin(site):
    server, folder, settings, name = site
    visitor = log_in(server.address)
    page = visitor.post("/index.php?route=/import", {
        "token": visitor.token, "db": name, "ajax_request": "true", "is_js_confirmed": "0", "sql_delimiter": ";",
        "sql_query": "CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20)); INSERT INTO fruit VALUES (1, 'pear'), (2, 'quince')"})
    assert page.status == 200 and '"success":true' in page.text, page
    page = visitor.get(f"/index.php?route=/sql&db={name}&table=fruit")
    assert "quince" in page.text and "(2 total" in page.text, page

    page = export(visitor, name)
    assert page.fields["Content-Disposition"] == f'attachment; filename="{name}.sql"' and "(2, 'quince');" in page.text, page
    page = export(visitor, name, compression="gzip")
    assert page.fields["Content-Disposition"] == f'attachment; filename="{name}.sql.gz"' and b"(2, 'quince')" in gzip.decompress(page.body), page

    pages = ("/", "/index.php?route=/server/databases", "/index.php?route=/server/variables", f"/index.php?route=/database/structure&db={name}", f"/index.php?route=/sql&db={name}&table=fruit",
             f"/index.php?route=/table/structure&db={name}&table=fruit", f"/index.php?route=/table/change&db={name}&table=fruit", f"/index.php?route=/database/export&db={name}",
             f"/index.php?route=/database/sql&db={name}", "/index.php?route=/navigation&ajax_request=1", "/index.php?route=/preferences/manage", "/index.php?route=/nothing", "/js/messages.php",
             "/js/dist/ajax.js", "/themes/pmahomme/css/theme.css", "/libraries/vendor_config.php", "/config.inc.php", "/url.php?url=https://example.com/", "/no-such-page")
    # The number of a table of rows, by chance.
    number = r'(_|Radio[A-Z][a-z]*|data-for="|data-uniqueId=")\d+'
    with nginx_and_fpm(folder, "index.php", settings) as nginx:
        differ = differences(log_in(server.address), log_in(nginx.address), pages, [number])
        assert not differ, "\n".join(differ)
    assert "Fatal" not in server.output(), server.output()
