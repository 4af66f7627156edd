"""Debian's DokuWiki, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import pytest

from debian_applications import Visitor, differences, field_of
from debian_sites import DokuWiki
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

PAGES = ("/", "/doku.php?id=fruit", "/doku.php?id=fruit&do=revisions", "/doku.php?id=nothing", "/doku.php/fruit", "/doku.php?do=index", "/doku.php?do=search&q=pears", "/feed.php",
         "/lib/exe/css.php?t=dokuwiki", "/lib/exe/fetch.php?media=wiki:dokuwiki-128.png", "/lib/exe/ajax.php?call=qsearch&q=pears", "/data/pages/fruit.txt", "/no-such-page")


@pytest.mark.both_modes
def test_dokuwiki(mode, tmp_path):
    site = DokuWiki("dokuwiki", None, None, tmp_path)
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=site.settings) as server:
        guest = Visitor(server.address)
        assert "A wiki" in guest.get("/").text
        form = guest.get("/doku.php?id=fruit&do=edit")
        fields = {name: field_of(form, name) for name in ("sectok", "id", "rev", "date", "prefix", "suffix", "changecheck", "target")}
        page = guest.post("/doku.php?id=fruit", fields | {"wikitext": "====== Fruit ======\n\nApples and **pears**.", "summary": "first", "do[save]": "1"})
        assert page.status == 200 and "<strong>pears</strong>" in page.text, page
        assert "pears" in (site.folder / "data/pages/fruit.txt").read_text()

        anna = site.log_in(server.address)
        assert anna.get("/doku.php?do=admin").status == 200 and "Administration" in anna.get("/doku.php?do=admin").text

        with nginx_and_fpm(site.folder, "index.php", site.settings) as nginx:
            differ = differences(Visitor(server.address), Visitor(nginx.address), PAGES)
            assert not differ, "\n".join(differ)
        assert "Fatal" not in server.output(), server.output()
