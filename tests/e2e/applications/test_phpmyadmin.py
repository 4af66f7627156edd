"""Debian's phpMyAdmin, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import gzip

import pytest

from debian_applications import differences, submit
from debian_sites import PhpMyAdmin
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

PAGES = """/
/index.php?route=/server/databases
/index.php?route=/server/variables
/index.php?route=/database/structure&db={name}
/index.php?route=/sql&db={name}&table=fruit
/index.php?route=/table/structure&db={name}&table=fruit
/index.php?route=/table/change&db={name}&table=fruit
/index.php?route=/database/export&db={name}
/index.php?route=/database/sql&db={name}
/index.php?route=/navigation&ajax_request=1
/index.php?route=/preferences/manage
/index.php?route=/nothing
/js/messages.php
/js/dist/ajax.js
/themes/pmahomme/css/theme.css
/libraries/vendor_config.php
/config.inc.php
/url.php?url=https://example.com/
/no-such-page"""
# The number of a table of rows, by chance.
NUMBER = r'(_|Radio[A-Z][a-z]*|data-for="|data-uniqueId=")\d+'


def export(visitor, name, **changes):
    page = visitor.get(f"/index.php?route=/database/export&db={name}")
    return submit(visitor, page, "export_method", {"quick_or_custom": "custom", "output_format": "sendit", "filename_template": "@DATABASE@"} | changes)


@pytest.mark.both_modes
def test_phpmyadmin(mode, mariadb, tmp_path):
    site = PhpMyAdmin("phpmyadmin", f"phpmyadmin_{mode}", mariadb, tmp_path)
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=site.settings) as server:
        use(site, server)
        with nginx_and_fpm(site.folder, "index.php", site.settings) as nginx:
            differ = differences(site.log_in(server.address), site.log_in(nginx.address), PAGES.format(name=site.database).split(), [NUMBER])
            assert not differ, "\n".join(differ)
        assert "Fatal" not in server.output(), server.output()


def use(site, server):
    name = site.database
    visitor = site.log_in(server.address)
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
