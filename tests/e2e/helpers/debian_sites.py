"""Debian's applications made ready to be served from a folder, each with how it is installed, how a user logs in, and what pages of a user have of that user. Tests and benchmarks use them."""

import json
import re
import shutil
from pathlib import Path

from debian_applications import Visitor, copy, field_of, form_with, submit, unpacked

# What MediaWiki and WordPress accept of administrators.
PASSWORD = "a secret word of users"
USERS = ("anna", "ben")


class Site:
    """`folder` is what is served, `settings` are those of php.ini that it needs."""

    def __init__(self, name, database, mariadb, folder):
        self.name, self.database, self.mariadb = name, database, mariadb
        self.folder, self.settings, self.state = folder / name, (f"session.save_path={folder}", "memory_limit=256M"), folder
        self.prepare(unpacked(name))

    def prepare(self, root):
        """Makes the folder from the packages' files."""
        raise NotImplementedError

    def install(self, address):
        """By the application's own pages; also the users."""

    def log_in(self, address, user=USERS[0]):
        raise NotImplementedError

    def is_of(self, user, page):
        """Whether the page says that it is this user's."""
        raise NotImplementedError

    # Of a user.
    pages = ()

    def new_database(self):
        self.mariadb.execute(f"DROP DATABASE IF EXISTS {self.database}; CREATE DATABASE {self.database}")


class WordPress(Site):
    pages = "/wp-admin/profile.php", "/wp-admin/index.php", "/"

    CONFIGURATION = """<?php
define('DB_NAME', '{name}');
define('DB_USER', 'sluice');
define('DB_PASSWORD', 'secret');
define('DB_HOST', '127.0.0.1:{port}');
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']);
define('WP_SITEURL', WP_HOME);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTH_KEY', 'a key'); define('LOGGED_IN_KEY', 'another'); define('NONCE_SALT', 'salt');
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""

    def prepare(self, root):
        copy(self.folder, root / "usr/share/wordpress", root / "var/lib/wordpress")
        (self.folder / "wp-config.php").write_text(self.CONFIGURATION.format(name=self.database, port=self.mariadb.port))
        self.settings += ("sendmail_path=/bin/true",)
        self.new_database()

    def install(self, address):
        anna = Visitor(address)
        assert "already installed" not in anna.get("/").text and "install.php" in anna.get("/").url
        page = anna.post("/wp-admin/install.php?step=2", {"weblog_title": "A site", "user_name": "anna", "admin_password": PASSWORD, "admin_password2": PASSWORD,
                                                          "pw_weak": 1, "admin_email": "anna@example.com", "blog_public": 0, "language": ""})
        assert "Success!" in page.text, page
        page = self.ask(self.log_in(address), "/wp/v2/users", json.dumps({"username": "ben", "email": "ben@example.com", "password": PASSWORD, "roles": ["editor"]}).encode(), {"Content-Type": "application/json"})
        assert page.status == 201, page

    def ask(self, visitor, route, data, headers):
        """By REST."""
        nonce = visitor.get("/wp-admin/admin-ajax.php?action=rest-nonce").text
        return visitor.ask(f"/?rest_route={route}", data, {"X-WP-Nonce": nonce} | headers)

    def log_in(self, address, user=USERS[0]):
        visitor = Visitor(address)
        visitor.get("/wp-login.php")
        page = visitor.post("/wp-login.php", {"log": user, "pwd": PASSWORD, "wp-submit": "Log In", "redirect_to": f"{visitor.origin}/wp-admin/", "testcookie": 1})
        assert page.status == 200 and "Dashboard" in page.text, page
        return visitor

    def is_of(self, user, page):
        return re.findall(r'<span class="display-name">(\w+)</span>', page.text) == [user]


class DokuWiki(Site):
    """As the archive of its authors has it: configuration and data are in its own folder."""

    pages = "/doku.php?id=start", "/doku.php?id=fruit&do=edit", "/doku.php?do=profile"

    def prepare(self, root):
        wiki = copy(self.folder, root / "usr/share/dokuwiki")
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
        # The password is "password".
        (wiki / "conf/users.auth.php").write_text("# <?php exit()?>\n" + "".join(f"{user}:$1$salt$qJH7.N4xYta3aEG/dfqo/0:{user.title()}:{user}@example.com:user,admin\n" for user in USERS))

    def log_in(self, address, user=USERS[0]):
        visitor = Visitor(address)
        form = visitor.get("/doku.php?id=start&do=login")
        page = visitor.post("/doku.php?id=start", {"sectok": field_of(form, "sectok"), "do": "login", "u": user, "p": "password"})
        assert "do=logout" in page.text, page
        return visitor

    def is_of(self, user, page):
        return re.findall(r"Logged in as: <bdi>(\w+)</bdi>", page.text) == [user.title()]


class PhpMyAdmin(Site):
    """Its users are those of the database."""

    pages = "/index.php?route=/", "/index.php?route=/server/variables", "/index.php?route=/preferences/manage"

    CONFIGURATION = """<?php
$cfg['blowfish_secret'] = 'a secret of thirty-two characters';
$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '127.0.0.1', 'port' => '{port}', 'hide_db' => '^(?!{name}$)'];
$cfg['SendErrorReports'] = 'never';
$cfg['DefaultLang'] = 'en';
"""

    def prepare(self, root):
        copy(self.folder, root / "usr/share/phpmyadmin")
        vendor = self.folder / "libraries/vendor_config.php"
        vendor.write_text(vendor.read_text().replace("/etc/phpmyadmin/", f"{self.folder}/").replace("/var/lib/phpmyadmin/tmp/", f"{self.state}/"))
        (self.folder / "config.inc.php").write_text(self.CONFIGURATION.format(name=self.database, port=self.mariadb.port))
        self.settings += (f"include_path=.:{root}/usr/share/php:/usr/share/php",)
        self.new_database()
        for user in USERS:
            self.mariadb.execute(f"CREATE OR REPLACE USER {user}@'%' IDENTIFIED BY 'secret'; GRANT ALL ON {self.database}.* TO {user}@'%'")

    def log_in(self, address, user=USERS[0]):
        visitor = Visitor(address, {"Accept-Encoding": "gzip"})
        page = submit(visitor, visitor.get("/"), "pma_username", {"pma_username": user, "pma_password": "secret"})
        assert page.status == 200 and page.fields["Content-Encoding"] == "gzip" and "Database server" in page.text, page
        visitor.token = re.search(r'token:"([0-9a-f]+)"', page.text).group(1)
        return visitor

    def is_of(self, user, page):
        return re.findall(r',user:"(\w+)"', page.text) == [user]


class MediaWiki(Site):
    pages = "/index.php?title=Main_Page&action=history", "/index.php?title=Special:Preferences", "/index.php?title=Main_Page&action=edit"

    def prepare(self, root):
        shutil.copytree(root / "usr/share/mediawiki", self.folder, ignore=shutil.ignore_patterns("extensions*", "overrides"))
        (self.folder / "extensions").mkdir()
        self.new_database()

    def install(self, address):
        answers = {
            "DBConnect": {"DBType": "mysql", "mysql_wgDBserver": f"127.0.0.1:{self.mariadb.port}", "mysql_wgDBname": self.database, "mysql__InstallUser": "sluice", "mysql__InstallPassword": "secret"},
            "Name": {"config_wgSitename": "A wiki", "config__AdminName": "Anna", "config__AdminPassword": PASSWORD, "config__AdminPasswordConfirm": PASSWORD, "config__SkipOptional": "continue"},
        }
        visitor = Visitor(address)
        page = visitor.get("/mw-config/index.php")
        while "localsettings=1" not in page.text:
            assert page.status == 200, page
            here = re.search(r'<form method="post" action="[^"]*page=(\w+)', page.text).group(1)
            page = submit(visitor, page, None, answers.get(here, {}) | {"submit-continue": "Continue"})
        configuration = visitor.get("/mw-config/index.php?localsettings=1").text
        # What the installer has made is of the server that it was asked of.
        configuration = re.sub(r"\$wgServer = .*", "$wgServer = 'http://' . $_SERVER['HTTP_HOST'];", configuration)
        (self.folder / "LocalSettings.php").write_text(configuration + "$wgEnableUploads = true;\n$wgMainCacheType = CACHE_NONE;\n$wgJobRunRate = 0;\n")
        anna = self.log_in(address)
        page = submit(anna, anna.get("/index.php?title=Special:CreateAccount"), "wpCreateaccountToken", {"wpName": "Ben", "wpPassword": PASSWORD, "retype": PASSWORD, "wpReason": "a friend", "wpCreateaccount": "Create"})
        assert page.status == 200 and form_with(page)[1].get("wpName") is None, page

    def log_in(self, address, user=USERS[0]):
        visitor = Visitor(address)
        page = submit(visitor, visitor.get("/index.php?title=Special:UserLogin"), "wpLoginToken", {"wpName": user.title(), "wpPassword": PASSWORD, "wploginattempt": "Log in"})
        assert page.status == 200 and "pt-logout" in page.text, page
        return visitor

    def is_of(self, user, page):
        return re.findall(r'"wgUserName":"(\w+)"', page.text) == [user.title()]


SITES = {"wordpress": WordPress, "dokuwiki": DokuWiki, "phpmyadmin": PhpMyAdmin, "mediawiki": MediaWiki}
