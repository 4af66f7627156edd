"""A DocumentRoot serves a folder as nginx and php-fpm do, and never sends PHP source."""

import os
import subprocess

import pytest

from harness import Server, php_command
from http_client import get
from nginx import nginx_and_fpm

SHOWS = """<?php
echo json_encode([
    'script' => array_map(fn($name) => ($_SERVER[$name] ?? null) ?: null, ['SCRIPT_NAME' => 'SCRIPT_NAME', 'PHP_SELF' => 'PHP_SELF', 'PATH_INFO' => 'PATH_INFO', 'QUERY_STRING' => 'QUERY_STRING']),
    'file' => $_SERVER['SCRIPT_FILENAME'] === __FILE__, 'root' => $_SERVER['DOCUMENT_ROOT'], 'folder' => getcwd() === __DIR__, 'get' => $_GET, 'post' => $_POST,
]);
"""
SOURCE = "<?php $secret = 'the secret';"
FILES = {
    "index.php": SHOWS, "app/index.php": SHOWS, "app/page.php": SHOWS, "sp ace/p\u00e4ge.php": SHOWS, "style.css": "p {}", "plain": "no source", "pages/index.html": "<p>pages</p>",
    "nothing/here.txt": "here", "folder.php/inside.txt": "inside", ".well-known/security.txt": "security",
    "index.PHP": SOURCE, "a.Php": SOURCE, "a.phtml": SOURCE, "a.phar": SOURCE, "a.phps": SOURCE, "wp-config.php.bak": SOURCE, "wp-config.php~": SOURCE, "settings.inc": SOURCE, "copy.php.txt": SOURCE,
    "artisan": "#!/usr/bin/env php\n" + SOURCE, "views.module": SOURCE, ".htaccess": "the secret", ".git/config": "the secret", "app/.env": "the secret",
}


def fill(folder):
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (folder.parent / "outside.php").write_text(SHOWS)
    (folder.parent / "outside.txt").write_text("the secret")
    (folder / "leads-out.php").symlink_to(folder.parent / "outside.php")
    (folder / "leads-out.txt").symlink_to(folder.parent / "outside.txt")
    (folder / "stays.txt").symlink_to("nothing/here.txt")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("root") / "public"
    folder.mkdir()
    fill(folder)
    return folder.resolve()


@pytest.fixture(scope="module", params=["", "index.php"], ids=["plain", "front"])
def front(request):
    return request.param


@pytest.fixture(scope="module")
def server(mode, root, front):
    with Server("document_root.php", mode, env={"FOLDER": str(root), "FRONT": front}) as started:
        yield started


@pytest.fixture(scope="module")
def nginx(root, front):
    with nginx_and_fpm(root, front) as started:
        yield started


@pytest.mark.parametrize("target", [
    "/", "/index.php", "/?a=b", "/app/", "/app/page.php", "/app/page.php?x=y&z=1", "/app/page.php/more/of%20it", "/index.php/a", "/sp%20ace/p%C3%A4ge.php", "//app//page.php",
    "/style.css", "/plain", "/pages/", "/missing", "/missing/", "/missing.php", "/app/missing.php/x", "/stays.txt", "/.well-known/security.txt"])
def test_what_nginx_and_php_fpm_answer(server, nginx, target):
    own, other = get(server, target), get(nginx, target)
    assert own.status == other.status
    if own.status == 200:
        assert own.text == other.text


def test_a_folder_without_a_slash_is_redirected(server, nginx):
    for target in ("/app", "/pages?x=y"):
        own, other = get(server, target), get(nginx, target)
        assert own.status == other.status == 301
        assert other.header("Location").endswith(own.header("Location").removeprefix("http:"))


def test_forms(server, nginx):
    form = dict(method="POST", body=b"name=value", headers=[("Content-Type", "application/x-www-form-urlencoded")])
    assert get(server, "/app/page.php", **form).json() == get(nginx, "/app/page.php", **form).json()


@pytest.mark.parametrize("target", [
    "/index.PHP", "/a.Php", "/a.phtml", "/a.phar", "/a.phps", "/wp-config.php.bak", "/wp-config.php~", "/settings.inc", "/copy.php.txt", "/artisan", "/views.module", "/%61.Php", "/index%2EPHP",
    "/.htaccess", "/.git/config", "/app/.env", "/%2Ehtaccess", "/leads-out.txt", "/leads-out.php", "/../outside.txt", "/%2e%2e/outside.txt", "/app/..%2f..%2foutside.txt", "/app%2Fpage.php", "/style.css%00.php",
    "/index.php%00", "/..%5coutside.txt"])
def test_source_and_secrets_never_leave(server, front, target):
    response = get(server, target)
    assert "secret" not in response.text and "<?php" not in response.text
    assert response.status in ((404, 400, 200) if front else (404, 400))
    if response.status == 200:
        assert response.json()["script"]["SCRIPT_NAME"] == "/index.php", "the front controller says what it likes"


@pytest.mark.parametrize("target", ["/.htaccess", "/../outside.txt", "/app%2Fpage.php", "/style.css%00.php"])
def test_what_is_no_path_of_a_file_reaches_no_front_controller(server, target):
    assert get(server, target).status in (404, 400)


def test_a_folder_may_be_called_like_a_script(server):
    assert get(server, "/folder.php/inside.txt").text == "inside"


def test_files_are_read_only(server):
    assert get(server, "/style.css", method="POST", body=b"x").status == 405
    assert get(server, "/style.css", method="HEAD").header("Content-Length") == "4"
    assert get(server, "/style.css").header("Content-Type").startswith("text/css")


@pytest.mark.parametrize("folder, sentence", [("/does/not/exist", "The folder \"/does/not/exist\" cannot be read: No such file or directory"), (__file__, "cannot be read: Not a directory")])
def test_a_folder_that_is_missing_is_a_sentence(folder, sentence):
    command, env = php_command()
    code = f"new Sluice\\Http\\DocumentRoot('{folder}');"
    ended = subprocess.run([*command, "-r", code], env=os.environ | env, capture_output=True, text=True)
    assert ended.returncode != 0 and sentence in ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def linked(tmp_path_factory):
    """A folder with links to one that they may lead to, and to what they may not."""
    top = tmp_path_factory.mktemp("linked").resolve()
    for name, content in {
        "public/index.php": SHOWS, "library/script.js": "script", "library/index.html": "library", "library/page.php": SHOWS, "library/copy.phtml": SOURCE,
        "library-of-others/secret.txt": "the secret", "outside.txt": "the secret",
    }.items():
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(content)
    for name, target in {
        "public/library": "../library", "public/absolute": str(top / "library"), "public/again": "library", "public/page.php": "../library/page.php",
        "library/out.txt": "../outside.txt", "public/others": "../library-of-others", "public/up": "..",
    }.items():
        (top / name).symlink_to(target)
    return top


@pytest.fixture(scope="module")
def linked_server(mode, linked):
    with Server("document_root.php", mode, env={"FOLDER": str(linked / "public"), "FRONT": "", "LINKS_TO": f"{linked}/library:{linked}/public"}) as started:
        yield started


@pytest.fixture(scope="module")
def linked_nginx(linked):
    with nginx_and_fpm(linked / "public") as started:
        yield started


@pytest.mark.parametrize("target", ["/library/script.js", "/library/", "/absolute/script.js", "/again/script.js", "/page.php", "/page.php/more", "/library/page.php?x=y", "/again/missing.js"])
def test_links_lead_where_they_may(linked_server, linked_nginx, target):
    own, other = get(linked_server, target), get(linked_nginx, target)
    assert own.status == other.status
    if own.status == 200:
        assert own.text == other.text


def test_a_linked_folder_without_a_slash_is_redirected(linked_server):
    response = get(linked_server, "/library")
    assert (response.status, response.header("location")) == (301, "/library/")


@pytest.mark.parametrize("target", ["/library/out.txt", "/others/secret.txt", "/up/outside.txt", "/library/copy.phtml", "/library/../outside.txt"])
def test_links_lead_nowhere_else(linked_server, target):
    response = get(linked_server, target)
    assert response.status in (404, 400) and "secret" not in response.text


def test_a_link_that_is_changed_is_followed_as_it_is_now(linked_server, linked):
    link = linked / "public/current.txt"
    for target, answer in {"../library/script.js": (200, "script"), "../outside.txt": (404, None), "../library/index.html": (200, "library")}.items():
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        response = get(linked_server, "/current.txt")
        assert response.status == answer[0] and answer[1] in (response.text, None)


@pytest.mark.parametrize("handler", ["DocumentRoot", "Files"])
@pytest.mark.parametrize("folders, sentence", [
    ("['/does/not/exist']", "The folder \"/does/not/exist\" cannot be read: No such file or directory"), ("[1]", "($linksTo) must be a list of paths of folders"), ("['']", "($linksTo) must be a list of paths of folders")])
def test_folders_of_links_that_cannot_be_are_a_sentence(tmp_path, handler, folders, sentence):
    command, env = php_command()
    ended = subprocess.run([*command, "-r", f"new Sluice\\Http\\{handler}('{tmp_path}', linksTo: {folders});"], env=os.environ | env, capture_output=True, text=True)
    assert ended.returncode != 0 and sentence in ended.stdout + ended.stderr, ended.stdout
