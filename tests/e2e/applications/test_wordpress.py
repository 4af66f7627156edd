"""Debian's WordPress, by a DocumentRoot without a line of glue: its pages are those of nginx and php-fpm."""

import json
import re

import pytest

from debian_applications import Visitor, differences, field_of, picture
from debian_sites import WordPress
from harness import Server
from nginx import nginx_and_fpm

pytestmark = pytest.mark.slow

ADMIN = ("index.php", "edit.php", "post-new.php", "upload.php", "media-new.php", "edit-comments.php", "themes.php", "plugins.php", "users.php", "profile.php", "tools.php",
         "options-general.php", "options-permalink.php", "site-health.php")
# They have passwords by chance, numbers of drafts, times since then, and what WordPress thinks of the server's name.
NEVER_THE_SAME = ("edit-comments.php", "post-new.php", "profile.php", "options-permalink.php", "site-health.php")
PAGES = ("/", "/?p=1", "/?page_id=2", "/?s=hello", "/?feed=rss2", "/of-fruit/", "/hello-world", "/of-fruit/feed/", "/no-such-page", "/?rest_route=/wp/v2/posts", "/?rest_route=/wp/v2/nothing", "/wp-login.php", "/wp-config.php",
         "/xmlrpc.php", "/wp-includes/css/dashicons.css", "/wp-content/", "/readme.html")


@pytest.mark.both_modes
def test_wordpress(mode, mariadb, tmp_path):
    site = WordPress("wordpress", f"wordpress_{mode}", mariadb, tmp_path)
    with Server("document_root.php", mode, workers=2, env={"FOLDER": str(site.folder), "FRONT": "index.php"}, settings=site.settings) as server:
        site.install(server.address)
        use(site, server)
        with nginx_and_fpm(site.folder, "index.php", site.settings) as nginx:
            differ = [*differences(Visitor(server.address), Visitor(nginx.address), PAGES),
                      *differences(site.log_in(server.address), site.log_in(nginx.address), [f"/wp-admin/{name}" for name in ADMIN if name not in NEVER_THE_SAME])]
            assert not differ, "\n".join(differ)
        assert "Fatal" not in server.output(), server.output()


def use(site, server):
    admin = site.log_in(server.address)
    for name in ADMIN:
        page = admin.get(f"/wp-admin/{name}")
        assert page.status == 200 and page.text.rstrip().endswith("</html>"), page

    # An upload by the form, and one by REST.
    form = admin.get("/wp-admin/media-new.php?browser-uploader")
    page = admin.upload("/wp-admin/media-new.php", {"_wpnonce": field_of(form, "_wpnonce"), "html-upload": "Upload"}, "async-upload", "red.png", picture(), "image/png")
    assert page.status == 200 and "upload.php" in page.url, page
    page = site.ask(admin, "/wp/v2/media", picture(), {"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="rest.png"'})
    assert page.status == 201, page
    for address in (json.loads(page.text)["source_url"], *re.findall(r"http://[^\"']+/red[^\"']*\.png", admin.get("/?rest_route=/wp/v2/media").text.replace("\\/", "/"))):
        image = admin.get(address)
        assert (image.status, image.fields["Content-Type"], image.body) == (200, "image/png", picture())

    # A post by REST, and comments.
    page = site.ask(admin, "/wp/v2/posts", json.dumps({"title": "Of fruit", "content": "<p>Pears</p>", "status": "publish"}).encode(), {"Content-Type": "application/json"})
    assert page.status == 201, page
    post = json.loads(page.text)["id"]
    guest = Visitor(server.address)
    assert "Pears" in guest.get(f"/?p={post}").text
    page = guest.post("/wp-comments-post.php", {"comment": "And apples?", "author": "Anna", "email": "anna@example.com", "comment_post_ID": post})
    assert page.status == 200 and "moderation" in page.text, page
    admin.post("/wp-comments-post.php", {"comment": "Apples, too.", "comment_post_ID": post})
    assert "Apples, too." in guest.get(f"/?p={post}").text and "And apples?" not in Visitor(server.address).get(f"/?p={post}").text

    # A route of its own for pages that have no file.
    nonce = field_of(admin.get("/wp-admin/options-permalink.php"), "_wpnonce")
    page = admin.post("/wp-admin/options-permalink.php", {"_wpnonce": nonce, "selection": "/%postname%/", "permalink_structure": "/%postname%/", "submit": "Save"})
    assert page.status == 200, page
    assert "Pears" in guest.get("/of-fruit/").text
