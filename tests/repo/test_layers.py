"""The components of src/ and the arrows between them: a component knows what is listed for it and what those know, and nothing else.

Checked are the includes themselves, what they reach through other headers, and that no two things need each other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each component with those that it may include directly; it may also include what those may.
COMPONENTS = {
    "core": [],
    "io": ["core"],
    "shared": ["core"],
    "protocol/http": ["io"],
    "protocol/http2": ["protocol/http"],
    "protocol/websocket": ["protocol/http"],
    "protocol/framing": ["io"],
    "server/config": ["protocol/http", "protocol/websocket", "protocol/framing"],
    "server/sharing": ["io"],
    "server/profile": ["core"],
    "server/seam": ["server/config", "server/sharing", "server/profile"],
    "server/rings": ["server/seam"],
    "server/inline": ["server/seam"],
    "server/reactor": ["server/seam"],
    "server/sessions": ["server/reactor", "protocol/http2"],
    "server/observer": ["server/seam", "shared"],
    "server/master": ["server/observer", "server/sessions", "server/rings", "server/inline", "shared"],
    "php/stubs": [],
    "php/zend": ["php/stubs", "io"],
    "php/library": ["php/zend"],
    "php/options": ["php/zend", "server/config"],
    "php/coroutine": ["php/zend"],
    "php/hooks": ["php/coroutine"],
    "php/tasks": ["php/coroutine"],
    "php/shared": ["php/coroutine", "shared"],
    "php/profile": ["php/hooks", "server/profile"],
    "php/worker": ["shared", "php/profile", "php/options", "server/seam"],
    "php/leaks": ["php/worker"],
    "php/http": ["php/worker"],
    "php/websocket": ["php/http"],
    "php/sockets": ["php/worker"],
    "php/server": ["php/websocket", "php/sockets", "php/tasks", "php/shared", "php/library", "php/leaks", "server/master"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<quoted>[^"]+)"|<(?P<angled>[^>]+)>)', re.MULTILINE)
PHP_HEADER = re.compile(r"(^|/)(php\w*|zend\w*|SAPI|TSRM|ext/.*)\.h$")
SOCKET_HEADER = re.compile(r"^(sys/(socket|epoll|select|un)|netinet/.*|arpa/.*|net/.*|netdb|poll|openssl/ssl)(\.h)?$")
OUTSIDE_WORLD_HEADER = re.compile(r"^(chrono|fstream|iostream|filesystem|thread|unistd\.h|fcntl\.h|sys/(time|stat|mman)\.h)$")


def component_of(path):
    return str(Path(path).parent)


def permitted(components):
    """For each component all that it may know: itself, what is listed, and what those may know."""
    known = {}

    def of(component):
        if component not in known:
            known[component] = {component}.union(*(of(below) for below in components[component]))
        return known[component]

    for component in components:
        of(component)
    return known


def includes(text):
    """The includes of a file's text: ours, by their path below src/, and others."""
    matches = list(INCLUDE.finditer(text))
    return [match["quoted"] for match in matches if match["quoted"]], [match["angled"] for match in matches if match["angled"]]


def broken_rules(files, components=COMPONENTS):
    """What the files break, as sentences; `files`: their texts by their path below src/."""
    allowed = permitted(components)
    ours, others = {}, {}
    for path, text in files.items():
        ours[path], others[path] = includes(text)
    for path in files:
        component = component_of(path)
        if component not in components:
            yield f"{path} stands in no component: there are {', '.join(components)}"
            continue
        for header in ours[path]:
            if component_of(header) not in components:
                yield f'{path} includes "{header}": ours are included by their path below src/, others in angle brackets'
            elif component_of(header) not in allowed[component]:
                yield f"{path} includes {header}: {component} may not know {component_of(header)}"
        for header, way in reached(path, ours, others).items():
            shown = f"{path} includes {' → '.join([*way, header])}"
            layer = component.split("/")[0]
            if layer != "php" and PHP_HEADER.search(header):
                yield f"{shown}: only src/php may include headers of PHP"
            elif not way and layer in ("core", "protocol") and SOCKET_HEADER.search(header):
                yield f"{shown}: {layer} has no sockets"
            elif not way and layer == "protocol" and OUTSIDE_WORLD_HEADER.search(header):
                yield f"{shown}: protocol turns bytes into messages and does no I/O and asks no clock"


def reached(path, ours, others):
    """The foreign headers that a file gets, each with one way to it through headers of ours."""
    found, seen, ahead = {}, {path}, [(path, [])]
    while ahead:
        current, way = ahead.pop(0)
        for header in others.get(current, []):
            found.setdefault(header, way)
        for header in ours.get(current, []):
            if header not in seen:
                seen.add(header)
                ahead.append((header, [*way, header]))
    return found


def circles(files):
    """Groups of nouns, a header and its sources each, that cannot do without each other."""
    needs = {}
    for path, text in files.items():
        noun = str(Path(path).with_suffix(""))
        needs.setdefault(noun, set()).update(str(Path(header).with_suffix("")) for header in includes(text)[0])
        needs[noun].discard(noun)

    def reach(noun):
        seen, ahead = set(), [noun]
        while ahead:
            for next_noun in needs.get(ahead.pop(), ()):
                if next_noun not in seen:
                    seen.add(next_noun)
                    ahead.append(next_noun)
        return seen

    all_reached = {noun: reach(noun) for noun in needs}
    groups = {frozenset(other for other in all_reached[noun] if noun in all_reached.get(other, ())) for noun in needs}
    return sorted(sorted(group) for group in groups if group)


def sources():
    src = ROOT / "src"
    return {str(path.relative_to(src)): path.read_text() for path in sorted(src.rglob("*")) if path.suffix in (".h", ".cc")}


def test_no_room_knows_more_than_it_may():
    assert list(broken_rules(sources())) == []


def test_nothing_needs_each_other():
    assert circles(sources()) == []


def test_every_room_is_there():
    components = {component_of(path) for path in sources()}
    assert components == set(COMPONENTS)


def test_the_check_sees_a_wrong_include():
    def complaints(path, line):
        return list(broken_rules({path: f"// a comment\n{line}\n"}))

    for path, line in [
        ("core/a.h", '#include "io/event_loop.h"'),
        ("protocol/http/a.h", '#  include "server/reactor/reactor.h"'),
        ("protocol/http/a.h", '#include "protocol/http2/http2_server.h"'),
        ("server/seam/a.cc", '#include "server/reactor/reactor.h"'),
        ("server/reactor/a.cc", '#include "server/sessions/http_session.h"'),
        ("server/rings/a.cc", '#include "server/inline/inline_port.h"'),
        ("server/reactor/a.cc", '#include "php/server/module.h"'),
        ("php/zend/a.cc", '#include "php/coroutine/coroutine.h"'),
        ("php/coroutine/a.cc", '#include "php/hooks/hooks.h"'),
        ("server/seam/a.cc", "#include <php.h>"),
        ("io/a.cc", "#include <Zend/zend_API.h>"),
        ("core/a.cc", "#include <ext/standard/info.h>"),
        ("protocol/http/a.cc", "#include <sys/socket.h>"),
        ("protocol/http/a.cc", "#include <chrono>"),
        ("io/a.cc", '#include "unique_fd.h"'),
        ("server/a.cc", ""),
    ]:
        assert len(complaints(path, line)) == 1, (path, line)
    for path, line in [
        ("core/a.cc", "#include <cstdint>"),
        ("io/a.cc", '#include "core/unique_fd.h"'),
        ("io/a.cc", "#include <sys/socket.h>"),
        ("server/sessions/a.cc", '#include "server/reactor/reactor.h"'),
        ("php/server/a.cc", '#include "server/master/launch.h"'),
        ("php/zend/a.cc", "#include <php.h>"),
    ]:
        assert complaints(path, line) == [], (path, line)


def test_the_check_looks_through_headers():
    files = {
        "php/zend/php_api.h": "#include <php.h>",
        "io/a.h": '#include "core/b.h"',
        "core/b.h": "#include <zend.h>",
    }
    assert [sentence.split(":")[0] for sentence in broken_rules(files)] == [
        "io/a.h includes core/b.h → zend.h", "core/b.h includes zend.h"]


def test_the_check_sees_a_circle():
    files = {"io/a.h": "", "io/a.cc": '#include "io/a.h"\n#include "io/b.h"', "io/b.h": '#include "io/c.h"', "io/b.cc": '#include "io/b.h"'}
    assert circles(files) == []
    files["io/c.h"] = '#include "io/a.h"'
    assert circles(files) == [["io/a", "io/b", "io/c"]]
