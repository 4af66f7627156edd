"""What changing a header compiles anew: limits and configuration are changed often, and most files are to do without them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILED = ("src", "tests/unit", "bench")
# Where an include is looked for, besides the including file's folder.
INCLUDED_FROM = ("src", "tests/unit/helpers")
LARGEST_SHARE = 0.25
CHANGED_OFTEN = ("src/server/config/limits.h", "src/server/config/config.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def sources():
    return {str(path.relative_to(ROOT)): path.read_text()
            for folder in COMPILED for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".h", ".cc")}


def includes(files):
    """By file: the headers of ours that it includes itself."""
    def places(path, header):
        return [f"{folder}/{header}" for folder in (*INCLUDED_FROM, str(Path(path).parent))]

    return {path: [place for header in INCLUDE.findall(text) for place in places(path, header) if place in files]
            for path, text in files.items()}


def rebuilt_by(header, files):
    """The compiled files that get the header, directly or through others."""
    needs = includes(files)
    reached, ahead = set(), [header]
    users = {path: [user for user, used in needs.items() if path in used] for path in files}
    while ahead:
        for user in users[ahead.pop()]:
            if user not in reached:
                reached.add(user)
                ahead.append(user)
    return sorted(path for path in reached if path.endswith(".cc"))


def test_few_files_need_the_limits_or_the_configuration():
    files = sources()
    for folders in (COMPILED, ("src",)):
        compiled = [path for path in files if path.endswith(".cc") and path.startswith(tuple(f"{folder}/" for folder in folders))]
        for header in CHANGED_OFTEN:
            rebuilt = [path for path in rebuilt_by(header, files) if path in compiled]
            assert rebuilt and len(rebuilt) <= LARGEST_SHARE * len(compiled), \
                f"{header} is in {len(rebuilt)} of {len(compiled)} files below {', '.join(folders)}"


def test_a_mutex_needs_no_connections():
    files = sources()
    for header in ("src/io/tls_context.h", "src/io/tls_options.h", "src/server/sessions/access_log.h", "src/server/config/endpoint_spec.h",
                   "src/protocol/websocket/websocket_deflate.h"):
        assert "src/php/coroutine/mutex_class.cc" not in rebuilt_by(header, files), header


def test_the_check_looks_through_headers():
    files = {"src/a/limits.h": "", "src/a/b.h": '#include "a/limits.h"\n', "src/a/b.cc": '#include "a/b.h"\n', "src/a/c.cc": "#include <a/limits.h>\n",
             "tests/unit/b_test.cc": '#include "helper.h"\n', "tests/unit/helpers/helper.h": '#include "a/b.h"\n'}
    assert rebuilt_by("src/a/limits.h", files) == ["src/a/b.cc", "tests/unit/b_test.cc"]
