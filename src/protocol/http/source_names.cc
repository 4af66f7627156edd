#include "protocol/http/source_names.h"

#include "protocol/http/http_syntax.h"

namespace sluice::http {

namespace {

constexpr std::string_view kExtensions[] = {"php",  "phtml", "phar", "phps", "pht",
                                            "php3", "php4",  "php5", "php7", "php8"};

bool is_source_extension(std::string_view word) {
    // Editors leave copies: `a.php~`, `a.php_`, `a.php#`.
    while (!word.empty() && std::string_view("~_#").find(word.back()) != word.npos)
        word.remove_suffix(1);
    for (const std::string_view extension : kExtensions)
        if (equals_caseless(word, extension)) return true;
    return false;
}

}  // namespace

SourceKind source_kind(std::string_view name) {
    if (name.ends_with(".php")) return SourceKind::kScript;
    for (size_t dot = name.find('.'); dot != name.npos;) {
        const size_t next = name.find('.', dot + 1);
        const std::string_view word = name.substr(dot + 1, next == name.npos ? next : next - dot - 1);
        if (is_source_extension(word) || (next == name.npos && equals_caseless(word, "inc")))
            return SourceKind::kOther;
        dot = next;
    }
    return SourceKind::kNone;
}

bool begins_as_source(std::string_view beginning) {
    if (beginning.starts_with("#!")) {
        const std::string_view line = beginning.substr(0, beginning.find('\n'));
        if (line.find("php") != line.npos) return true;
    }
    constexpr std::string_view kOpening = "<?php";
    for (size_t at = beginning.find('<'); at != beginning.npos; at = beginning.find('<', at + 1))
        if (equals_caseless(beginning.substr(at, kOpening.size()), kOpening) ||
            beginning.substr(at, 3) == "<?=")
            return true;
    return false;
}

}  // namespace sluice::http
