"""Debian's DokuWiki, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import re
from pathlib import Path

import pytest

from debian_applications import Visitor, copy, differences, field_of, unpacked
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

PAGES = ("/", "/doku.php?id=fruit", "/doku.php?id=fruit&do=revisions", "/doku.php?id=nothing", "/doku.php/fruit", "/doku.php?do=index", "/doku.php?do=search&q=pears", "/feed.php",
         "/lib/exe/css.php?t=dokuwiki", "/lib/exe/fetch.php?media=wiki:dokuwiki-128.png", "/lib/exe/ajax.php?call=qsearch&q=pears", "/data/pages/fruit.txt", "/no-such-page")


@pytest.fixture
def folder(tmp_path):
    """As the archive of DokuWiki's authors has it: configuration and data are in its own folder."""
    root = unpacked("dokuwiki")
    wiki = copy(tmp_path / "wiki", root / "usr/share/dokuwiki")
    copy(wiki / "conf", root / "etc/dokuwiki")
    copy(wiki / "data", root / "var/lib/dokuwiki/data")
    for path in [path for path in wiki.rglob("*.php") if path.is_file()]:
        text = path.read_text(errors="surrogateescape")
        changed = text.replace("'/etc/dokuwiki/", f"'{wiki}/conf/").replace('"/etc/dokuwiki/', f'"{wiki}/conf/').replace("'/var/lib/dokuwiki/", f"'{wiki}/")
        changed = re.sub(r"(['\"])/usr/share/(php-geshi|php)/", rf"\1{root}/usr/share/\2/", changed)
        if changed != text:
            path.write_text(changed, errors="surrogateescape")
    for name in ("pages", "attic", "media", "media_attic", "media_meta", "meta", "cache", "index", "locks", "tmp"):
        Path(wiki, "data", name).mkdir(exist_ok=True)
    (wiki / "conf/local.php").write_text("<?php $conf['title'] = 'A wiki'; $conf['useacl'] = 1; $conf['superuser'] = 'anna'; $conf['disableactions'] = ''; $conf['updatecheck'] = 0;\n")
    (wiki / "conf/acl.auth.php").write_text("# <?php exit()?>\n*\t@ALL\t8\n")
    (wiki / "conf/users.auth.php").write_text("# <?php exit()?>\nanna:$1$salt$qJH7.N4xYta3aEG/dfqo/0:Anna:anna@example.com:user,admin\n")  # "password"
    return wiki


@pytest.mark.both_modes
def test_dokuwiki(mode, folder):
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(folder), "FRONT": "index.php"}) as server:
        guest = Visitor(server.address)
        assert "A wiki" in guest.get("/").text
        form = guest.get("/doku.php?id=fruit&do=edit")
        fields = {name: field_of(form, name) for name in ("sectok", "id", "rev", "date", "prefix", "suffix", "changecheck", "target")}
        page = guest.post("/doku.php?id=fruit", fields | {"wikitext": "====== Fruit ======\n\nApples and **pears**.", "summary": "first", "do[save]": "1"})
        assert page.status == 200 and "<strong>pears</strong>" in page.text, page
        assert "pears" in (folder / "data/pages/fruit.txt").read_text()

        anna = Visitor(server.address)
        form = anna.get("/doku.php?id=start&do=login")
        page = anna.post("/doku.php?id=start", {"sectok": field_of(form, "sectok"), "do": "login", "u": "anna", "p": "password"})
        assert "do=logout" in page.text, page
        assert anna.get("/doku.php?do=admin").status == 200 and "Administration" in anna.get("/doku.php?do=admin").text

        with nginx_and_fpm(folder, "index.php") as nginx:
            differ = differences(Visitor(server.address), Visitor(nginx.address), PAGES)
            assert not differ, "\n".join(differ)
        assert "Fatal" not in server.output(), server.output()
