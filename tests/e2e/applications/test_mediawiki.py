"""Debian's MediaWiki, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import re
import shutil

import pytest

from debian_applications import Visitor, differences, form_with, submit, unpacked
from harness import Server
from nginx import nginx_and_fpm
from test_wordpress import picture

pytestmark = pytest.mark.slow

PASSWORD = "a secret of anna's"
PAGES = ("/index.php?title=Fruit", "/index.php/Fruit", "/index.php?title=Fruit&action=history", "/index.php?title=Fruit&action=raw", "/index.php?title=Fruit&action=edit", "/index.php?title=Nothing",
         "/index.php?title=Special:RecentChanges&hidebots=0", "/index.php?title=Special:Version", "/index.php?search=pears&fulltext=1", "/index.php?title=File:Red.png", "/api.php?action=query&titles=Fruit&format=json&prop=revisions",
         "/api.php?action=nothing&format=json", "/load.php?lang=en&modules=site.styles&only=styles&skin=vector",
         "/rest.php/v1/page/Fruit", "/opensearch_desc.php", "/resources/assets/poweredby_mediawiki_88x31.png", "/LocalSettings.php", "/includes/WebStart.php", "/no-such-page")
# It has sums of what modules have, and those have the server's name.
STARTUP = "/load.php?lang=en&modules=startup&only=scripts&raw=1&skin=vector"
# How long a page has taken, and in which of its parts.
VARYING = r'"wgBackendResponseTime":\d+', r'"(cpu|wall)time":"[\d.]+"', r'"timingprofile":\[[^]]*\]', r"(?m)^ *\d+\.\d\d% +[\d.]+ .*$"


def install(visitor, name, port):
    """Goes through the installer's pages, and returns the configuration that it makes."""
    answers = {
        "DBConnect": {"DBType": "mysql", "mysql_wgDBserver": f"127.0.0.1:{port}", "mysql_wgDBname": name, "mysql__InstallUser": "sluice", "mysql__InstallPassword": "secret"},
        "Name": {"config_wgSitename": "A wiki", "config__AdminName": "Anna", "config__AdminPassword": PASSWORD, "config__AdminPasswordConfirm": PASSWORD, "config__SkipOptional": "continue"},
    }
    page = visitor.get("/mw-config/index.php")
    while "localsettings=1" not in page.text:
        assert page.status == 200, page
        here = re.search(r'<form method="post" action="[^"]*page=(\w+)', page.text).group(1)
        page = submit(visitor, page, None, answers.get(here, {}) | {"submit-continue": "Continue"})
    return visitor.get("/mw-config/index.php?localsettings=1").text


def log_in(address):
    visitor = Visitor(address)
    page = submit(visitor, visitor.get("/index.php?title=Special:UserLogin"), "wpLoginToken", {"wpName": "Anna", "wpPassword": PASSWORD, "wploginattempt": "Log in"})
    assert page.status == 200 and "pt-logout" in page.text, page
    return visitor


@pytest.fixture
def site(mode, mariadb, tmp_path):
    root = unpacked("mediawiki")
    folder = tmp_path / "mediawiki"
    shutil.copytree(root / "usr/share/mediawiki", folder, ignore=shutil.ignore_patterns("extensions*", "overrides"))
    (folder / "extensions").mkdir()
    name = f"mediawiki_{mode}"
    mariadb.execute(f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}")
    settings = "memory_limit=256M", f"session.save_path={tmp_path}"
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(folder), "FRONT": "index.php"}, settings=settings) as server:
        yield server, folder, settings, name, mariadb.port


@pytest.mark.both_modes
def test_mediawiki(site):
    server, folder, settings, name, port = site
    configuration = install(Visitor(server.address), name, port)
    # What the installer has made is of the server that it was asked of.
    configuration = re.sub(r"\$wgServer = .*", "$wgServer = 'http://' . $_SERVER['HTTP_HOST'];", configuration)
    (folder / "LocalSettings.php").write_text(configuration + "$wgEnableUploads = true;\n$wgMainCacheType = CACHE_NONE;\n$wgJobRunRate = 0;\n")

    anna = log_in(server.address)
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

    with nginx_and_fpm(folder, "index.php", settings) as nginx:
        differ = differences(Visitor(server.address), Visitor(nginx.address), PAGES, VARYING) + differences(anna, log_in(nginx.address), PAGES, VARYING)
        assert not differ, "\n".join(differ)
        name = {"Host": Visitor(server.address).origin.removeprefix("http://")}
        assert Visitor(nginx.address, name).get(STARTUP).text == Visitor(server.address).get(STARTUP).text
    assert "Fatal" not in server.output(), server.output()
