"""A strict reader of Prometheus' text format 0.0.4 and of OpenMetrics 1.0: it refuses what the formats do not allow."""

import re

NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
LABEL = re.compile(rf'({NAME})="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
SAMPLE = re.compile(rf"({NAME})(?:\{{([^\n]*)\}})? (\S+)$")
SUFFIXES = {"counter": {"_total"}, "gauge": {""}, "histogram": {"_bucket", "_sum", "_count"}}


class Metrics:
    """Samples by name and labels, types by family."""

    def __init__(self, text, openmetrics=False):
        self.types, self.help, self.units, self.samples = {}, {}, {}, {}
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
                    series.setdefault(frozenset(labels - {("le", bounds["le"])}), []).append((float(bounds["le"]), value))
            for labels, buckets in series.items():
                counts = [count for _, count in sorted(buckets)]
                assert sorted(buckets)[-1][0] == float("inf") and counts == sorted(counts), f"buckets of {family}"
                assert self.samples[f"{family}_count", labels] == counts[-1]
                assert self.samples[f"{family}_sum", labels] >= 0

    def value(self, name, **labels):
        """The sum of all samples of this name that have these labels, or None when there are none."""
        found = [value for (one, its), value in self.samples.items() if one == name and labels.items() <= dict(its).items()]
        return sum(found) if found else None
