"""The layers of src/ point one way: base <- io <- protocol <- server <- php, and only php knows PHP."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ["base", "io", "protocol", "server", "php"]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<quoted>[^"]+)"|<(?P<angled>[^>]+)>)', re.MULTILINE)
PHP_HEADER = re.compile(r"(^|/)(php\w*|zend\w*|SAPI|TSRM|ext/.*)\.h$")
SOCKET_HEADER = re.compile(r"^(sys/(socket|epoll|select|un)|netinet/.*|arpa/.*|net/.*|netdb|poll|openssl/ssl)(\.h)?$")
OUTSIDE_WORLD_HEADER = re.compile(r"^(chrono|fstream|iostream|filesystem|thread|unistd\.h|fcntl\.h|sys/(time|stat|mman)\.h)$")


def broken_rules(source, layer, text):
    """What the includes of one file break, as sentences; `layer` is the folder of src/ that holds it."""
    own = LAYERS.index(layer)
    for match in INCLUDE.finditer(text):
        header = match["quoted"] or match["angled"]
        folder = header.split("/")[0]
        if match["quoted"] and folder not in LAYERS:
            yield f'{source} includes "{header}": ours are included by their path below src/, others in angle brackets'
        elif match["quoted"]:
            if LAYERS.index(folder) > own:
                yield f"{source} includes {header}: {layer} may not know {folder}, which is above it"
        elif layer != "php" and PHP_HEADER.search(header):
            yield f"{source} includes {header}: only src/php may include headers of PHP"
        elif layer in ("base", "protocol") and SOCKET_HEADER.search(header):
            yield f"{source} includes {header}: {layer} has no sockets"
        elif layer == "protocol" and OUTSIDE_WORLD_HEADER.search(header):
            yield f"{source} includes {header}: protocol turns bytes into messages and does no I/O and asks no clock"


def sources():
    return sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".h", ".cc"))


def test_no_layer_includes_one_above_it():
    complaints = []
    for path in sources():
        relative = path.relative_to(ROOT)
        complaints += broken_rules(relative, relative.parts[1], path.read_text())
    assert not complaints, "\n" + "\n".join(complaints)


def test_every_source_is_in_a_layer():
    strays = [str(path.relative_to(ROOT)) for path in sources() if path.relative_to(ROOT).parts[1] not in LAYERS]
    assert not strays


def test_the_check_sees_what_it_is_for():
    def complaints(layer, line):
        return list(broken_rules("file", layer, f"// a comment\n{line}\n"))

    for layer, line in [
        ("base", '#include "io/event_loop.h"'),
        ("protocol", '#  include "server/reactor.h"'),
        ("server", '#include "php/module.h"'),
        ("server", "#include <php.h>"),
        ("io", "#include <Zend/zend_API.h>"),
        ("base", "#include <ext/standard/info.h>"),
        ("protocol", "#include <sys/socket.h>"),
        ("protocol", "#include <chrono>"),
        ("io", '#include "unique_fd.h"'),
    ]:
        assert len(complaints(layer, line)) == 1, (layer, line)
    for layer, line in [
        ("base", "#include <cstdint>"),
        ("io", '#include "base/unique_fd.h"'),
        ("io", "#include <sys/socket.h>"),
        ("server", '#include "server/reactor.h"'),
        ("php", '#include "server/reactor.h"'),
        ("php", "#include <php.h>"),
    ]:
        assert complaints(layer, line) == [], (layer, line)
