"""PHP's headers work in one order only, which php/zend/php_api.h has: no file includes another header of PHP's before it. Precompiled headers
would hide that; where there are none, as with phpize, it does not compile."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
API = "src/php/zend/php_api.h"
# These headers begin with php.h themselves.
STAND_ALONE = {"php.h", "SAPI.h", "main/php_network.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<((?:ext|main|Zend|TSRM)/[^>]+|php[^/>]*\.h|SAPI\.h)>)', re.MULTILINE)


def sources():
    return {str(path.relative_to(ROOT)): path.read_text()
            for path in sorted((ROOT / "src").rglob("*")) if path.suffix in (".h", ".cc")}


def too_early(path, files, seen=None):
    """The first header of PHP's own that this file gets before those of php_api.h: (who includes it, what); or None. `seen` is
    what the compiler has had already."""
    seen = set() if seen is None else seen
    seen.add(path)
    if path == API:
        return None
    for ours, theirs in INCLUDE.findall(files[path]):
        if API in seen:
            return None
        if theirs in STAND_ALONE:
            seen.add(API)
        elif theirs:
            return path, theirs
        header = f"src/{ours}"
        if header in files and header not in seen:
            found = too_early(header, files, seen)
            if found:
                return found
    return None


def test_php_api_comes_first():
    files = sources()
    wrong = {path: found for path in files if path.endswith(".cc") and (found := too_early(path, files))}
    assert wrong == {}, wrong


def test_the_check_finds_what_comes_too_early():
    files = {
        API: "#include <php.h>\n",
        "src/php/good.h": '#include "php/zend/php_api.h"\n#include <ext/standard/info.h>\n',
        "src/php/good.cc": '#include "php/good.h"\n\n#include <main/php_output.h>\n',
        "src/php/bad.cc": '#include <main/php_output.h>\n\n#include "php/good.h"\n',
        "src/php/bad.h": "#include <Zend/zend_API.h>\n",
        "src/php/worse.cc": '#include "php/bad.h"\n\n#include "php/good.h"\n',
        "src/io/other.cc": "#include <string>\n",
    }
    found = {path: too_early(path, files) for path in files if path.endswith(".cc")}
    assert found == {"src/php/good.cc": None, "src/io/other.cc": None, "src/php/bad.cc": ("src/php/bad.cc", "main/php_output.h"),
                     "src/php/worse.cc": ("src/php/bad.h", "Zend/zend_API.h")}
