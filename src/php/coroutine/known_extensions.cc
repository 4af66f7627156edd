#include "php/coroutine/known_extensions.h"

#include <algorithm>
#include <string_view>

namespace sluice::php {

namespace {

/// By their names for PHP, in any case. imap and snmp are not among them: they keep what a call is about,
/// such as a password, in one place while they wait for a server.
constexpr std::string_view kKnown[] = {
    // PHP's own
    "core", "standard", "date", "pcre", "spl", "json", "hash", "random", "reflection", "ctype", "tokenizer",
    "bcmath", "bz2", "calendar", "curl", "dba", "dom", "enchant", "exif", "ffi", "fileinfo", "filter", "ftp",
    "gd", "gettext", "gmp", "iconv", "intl", "ldap", "libxml", "mbstring", "mysqli", "mysqlnd", "odbc",
    "openssl", "pcntl", "pdo", "pdo_firebird", "pdo_mysql", "pdo_odbc", "pdo_pgsql", "pdo_sqlite",
    "pdo_dblib", "pgsql", "phar", "posix", "pspell", "readline", "session", "shmop", "simplexml", "soap",
    "sockets", "sodium", "sqlite3", "sysvmsg", "sysvsem", "sysvshm", "tidy", "uri", "lexbor", "xml",
    "xmlreader", "xmlwriter", "xsl", "zend opcache", "zip", "zlib",
    // Others
    "apcu", "igbinary", "memcached", "msgpack", "pcov", "redis", "ssh2", "xdebug",
    // This one
    "sluice"};

bool is_same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

bool is_known(const zend_module_entry& extension) {
    return std::any_of(std::begin(kKnown), std::end(kKnown),
                       [&](std::string_view name) { return is_same(name, extension.name); });
}

}  // namespace sluice::php
