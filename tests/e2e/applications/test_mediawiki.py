"""Debian's MediaWiki, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import re

import pytest

from debian_applications import Visitor, differences, form_with, picture, submit
from debian_sites import MediaWiki
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

PAGES = ("/index.php?title=Fruit", "/index.php/Fruit", "/index.php?title=Fruit&action=history", "/index.php?title=Fruit&action=raw", "/index.php?title=Fruit&action=edit", "/index.php?title=Nothing",
         "/index.php?title=Special:RecentChanges&hidebots=0", "/index.php?title=Special:Version", "/index.php?search=pears&fulltext=1", "/index.php?title=File:Red.png", "/api.php?action=query&titles=Fruit&format=json&prop=revisions",
         "/api.php?action=nothing&format=json", "/load.php?lang=en&modules=site.styles&only=styles&skin=vector",
         "/rest.php/v1/page/Fruit", "/opensearch_desc.php", "/resources/assets/poweredby_mediawiki_88x31.png", "/LocalSettings.php", "/includes/WebStart.php", "/no-such-page")
# It has sums of what modules have, and those have the server's name.
STARTUP = "/load.php?lang=en&modules=startup&only=scripts&raw=1&skin=vector"
# How long a page has taken, and in which of its parts.
VARYING = r'"wgBackendResponseTime":\d+', r'"(cpu|wall)time":"[\d.]+"', r'"timingprofile":\[[^]]*\]', r"(?m)^ *\d+\.\d\d% +[\d.]+ .*$"


@pytest.mark.both_modes
def test_mediawiki(mode, mariadb, tmp_path):
    site = MediaWiki("mediawiki", f"mediawiki_{mode}", mariadb, tmp_path)
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=site.settings) as server:
        site.install(server.address)
        anna = site.log_in(server.address)
        use(anna, server)
        with nginx_and_fpm(site.folder, "index.php", site.settings) as nginx:
            differ = differences(Visitor(server.address), Visitor(nginx.address), PAGES, VARYING) + differences(anna, site.log_in(nginx.address), PAGES, VARYING)
            assert not differ, "\n".join(differ)
            name = {"Host": anna.origin.removeprefix("http://")}
            assert Visitor(nginx.address, name).get(STARTUP).text == Visitor(server.address).get(STARTUP).text
        assert "Fatal" not in server.output(), server.output()


def use(anna, server):
    for text in ("Apples", "Apples and '''pears'''"):
        page = submit(anna, anna.get("/index.php?title=Fruit&action=edit"), "wpTextbox1", {"wpTextbox1": text, "wpSummary": "more", "wpSave": "Save"})
        assert page.status == 200, page
    assert "<b>pears</b>" in Visitor(server.address).get("/index.php?title=Fruit").text
    assert anna.get("/index.php?title=Fruit&action=history").text.count('class="mw-changeslist-date"') == 2

    action, fields = form_with(anna.get("/index.php?title=Special:Upload"), "wpDestFile")
    page = anna.upload(action, {name: values[0] for name, values in fields.items() if values} | {"wpDestFile": "Red.png", "wpUpload": "Upload file"}, "wpUploadFile", "red.png", picture(), "image/png")
    assert page.status == 200 and "File:Red.png" in page.url, page
    image = anna.get(re.search(r'href="(/images/[^"]*Red.png)', page.text).group(1))
    assert (image.status, image.fields["Content-Type"], image.body) == (200, "image/png", picture())
