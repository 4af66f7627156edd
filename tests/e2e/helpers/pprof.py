"""A strict reader of profile.proto, and a client that fetches profiles from the admin listener.

https://github.com/google/pprof/blob/main/proto/profile.proto"""

import gzip
import http.client
from collections import Counter
from dataclasses import dataclass, field

from admin import TOKEN

VARINT, BYTES = 0, 2


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            assert value < 1 << 64
            return value, at


def fields(data):
    """Number, type and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = varint(data, at)
        else:
            assert kind == BYTES, f"field {number} has the wire type {kind}"
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size, f"field {number} is cut off"
        yield number, kind, value


def message(data, **names):
    """A message with these fields: `name=(number, type)`; a list as type is a repeated field."""
    by_number = {number: (name, kind) for name, (number, kind) in names.items()}
    found = {name: [] if isinstance(kind, list) else 0 if kind == VARINT else b"" for name, (_, kind) in names.items()}
    for number, kind, value in fields(data):
        assert number in by_number, f"field {number} is not known"
        name, wanted = by_number[number]
        repeated = isinstance(wanted, list)
        wanted = wanted[0] if repeated else wanted
        if repeated and wanted == VARINT and kind == BYTES:
            at = 0
            while at < len(value):
                one, at = varint(value, at)
                found[name].append(one)
        else:
            assert kind == wanted, f"{name} has the wire type {kind}"
            if repeated:
                found[name].append(value)
            else:
                found[name] = value
    return found


@dataclass
class Frame:
    function: str
    file: str
    line: int
    start_line: int


@dataclass
class Sample:
    stack: list  # leaf first
    values: dict  # by type
    labels: dict


@dataclass
class Profile:
    types: list
    samples: list = field(default_factory=list)
    period: int = 0
    duration_ns: int = 0
    time_ns: int = 0
    default: str = ""
    comments: list = field(default_factory=list)

    def total(self, kind, wanted=lambda sample: True):
        return sum(sample.values[kind] for sample in self.samples if wanted(sample))

    def by_leaf(self, kind):
        sums = Counter()
        for sample in self.samples:
            sums[sample.stack[0].function] += sample.values[kind]
        return sums

    def having(self, kind, function):
        """What has `function` anywhere on its stack."""
        return self.total(kind, lambda sample: any(frame.function == function for frame in sample.stack))


def decode(data):
    raw = message(
        gzip.decompress(data),
        sample_type=(1, [BYTES]),
        sample=(2, [BYTES]),
        location=(4, [BYTES]),
        function=(5, [BYTES]),
        strings=(6, [BYTES]),
        time=(9, VARINT),
        duration=(10, VARINT),
        period_type=(11, BYTES),
        period=(12, VARINT),
        comment=(13, [VARINT]),
        default=(14, VARINT),
    )
    strings = [text.decode() for text in raw["strings"]]
    assert strings[0] == "" and len(set(strings)) == len(strings)

    def type_of(data):
        one = message(data, type=(1, VARINT), unit=(2, VARINT))
        return strings[one["type"]], strings[one["unit"]]

    functions = {}
    for data in raw["function"]:
        one = message(data, id=(1, VARINT), name=(2, VARINT), system=(3, VARINT), file=(4, VARINT), start=(5, VARINT))
        assert one["id"] and one["id"] not in functions
        functions[one["id"]] = (strings[one["name"]], strings[one["file"]], one["start"])
    locations = {}
    for data in raw["location"]:
        one = message(data, id=(1, VARINT), line=(4, [BYTES]))
        assert one["id"] and one["id"] not in locations and len(one["line"]) == 1
        line = message(one["line"][0], function=(1, VARINT), line=(2, VARINT))
        name, file, start = functions[line["function"]]
        locations[one["id"]] = Frame(name, file, line["line"], start)
    types = [type_of(data) for data in raw["sample_type"]]
    profile = Profile(
        types,
        period=raw["period"],
        duration_ns=raw["duration"],
        time_ns=raw["time"],
        default=strings[raw["default"]],
        comments=[strings[number] for number in raw["comment"]],
    )
    for data in raw["sample"]:
        one = message(data, location=(1, [VARINT]), value=(2, [VARINT]), label=(3, [BYTES]))
        assert len(one["value"]) == len(types)
        labels = [message(label, key=(1, VARINT), text=(2, VARINT)) for label in one["label"]]
        named = {strings[label["key"]]: strings[label["text"]] for label in labels}
        assert len(named) == len(labels)
        profile.samples.append(
            Sample([locations[place] for place in one["location"]], dict(zip([name for name, _ in types], one["value"])), named)
        )
    return profile


def fetch(port, path, token=TOKEN, timeout=60):
    """Status and bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def profile_of(server, path):
    """A profile of the server's admin listener, its second port."""
    status, data = fetch(server.ports[1], "/debug/pprof/" + path)
    assert status == 200, data
    return decode(data)
