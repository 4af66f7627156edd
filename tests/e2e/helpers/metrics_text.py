"""A strict reader of Prometheus' text format 0.0.4 and of OpenMetrics 1.0: it refuses what the formats do not allow."""

import re

NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
LABEL = re.compile(rf'({NAME})="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{([^\n]*)\}})? (\S+)$")
EXEMPLAR = re.compile(r"\{([^\n}]*)\} (\S+) (\S+)$")
SUFFIXES = {"counter": {"_total"}, "gauge": {""}, "histogram": {"_bucket", "_sum", "_count"}}


class Metrics:
    """Samples by name and labels, types by family, and exemplars by the names and labels of their buckets: labels, value and time."""

    def __init__(self, text, openmetrics=False):
        self.types, self.help, self.units, self.samples, self.exemplars = {}, {}, {}, {}, {}
        assert text.endswith("\n")
        lines = text[:-1].split("\n")
        if openmetrics:
            assert lines.pop() == "# EOF"
        family, order = None, []
        for line in lines:
            assert line and line != "# EOF", "an empty line, or what follows the end"
            if line.startswith("# "):
                _, kind, name, rest = (*line.split(" ", 3), "")[:4]
                assert kind in ("HELP", "TYPE", "UNIT"), line
                table = {"HELP": self.help, "TYPE": self.types, "UNIT": self.units}[kind]
                assert name not in table, f"{kind} of {name} twice"
                table[name] = rest
                if name != family:
                    assert name not in order, f"{name} is not in one piece"
                    order.append(name)
                    family = name
                if kind == "UNIT":
                    assert openmetrics and name.endswith(f"_{rest}"), line
                continue
            line, mark, exemplar = line.partition(" # ")
            found = SAMPLE.match(line)
            assert found, line
            name, labels, value = found.groups()
            kind = self.types[family]
            base = family.removesuffix("_total") if kind == "counter" and not openmetrics else family
            assert name.removeprefix(base) in SUFFIXES[kind] and name.startswith(base), f"{name} in the family {family}"
            parsed = self._labels(labels or "")
            key = (name, frozenset(parsed.items()))
            assert key not in self.samples, f"{line}: twice"
            self.samples[key] = float(value)
            if mark:
                assert openmetrics and name.endswith("_bucket"), f"an exemplar of {line}"
                found = EXEMPLAR.match(exemplar)
                assert found, exemplar
                about = self._labels(found[1])
                assert sum(len(name) + len(value) for name, value in about.items()) <= 128
                self.exemplars[key] = (about, float(found[2]), float(found[3]))
        assert set(self.types) == set(self.help) and set(self.units) <= set(self.types)
        self._check_histograms()

    @staticmethod
    def _labels(text):
        labels = {}
        while text:
            found = LABEL.match(text)
            assert found, f"labels: {text}"
            assert found[1] not in labels
            labels[found[1]] = re.sub(r"\\(.)", lambda escape: {"n": "\n"}.get(escape[1], escape[1]), found[2])
            text = text[found.end():]
        return labels

    def _check_histograms(self):
        for family, kind in self.types.items():
            if kind != "histogram":
                continue
            series = {}
            for (name, labels), value in self.samples.items():
                if name == f"{family}_bucket":
                    bounds = dict(labels)
                    bucket = float(bounds["le"]), value, self.exemplars.get((name, labels), ())
                    series.setdefault(frozenset(labels - {("le", bounds["le"])}), []).append(bucket)
            for labels, buckets in series.items():
                counts = [count for _, count, _ in sorted(buckets)]
                assert sorted(buckets)[-1][0] == float("inf") and counts == sorted(counts), f"buckets of {family}"
                assert self.samples[f"{family}_count", labels] == counts[-1]
                assert self.samples[f"{family}_sum", labels] >= 0
                least, below = float("-inf"), 0
                for bound, count, exemplar in sorted(buckets):
                    # It has counted in this bucket, and in no lower one.
                    assert not exemplar or (least < exemplar[1] <= bound and count > below), f"an exemplar of {family} up to {bound}: {exemplar}"
                    least, below = bound, count

    def value(self, name, **labels):
        """The sum of all samples of this name that have these labels, or None when there are none."""
        found = [value for (one, its), value in self.samples.items() if one == name and labels.items() <= dict(its).items()]
        return sum(found) if found else None
