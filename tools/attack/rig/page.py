"""A strict reader of both exposition formats: what it refuses, Prometheus refuses or misreads."""

import re

from .outcome import held

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
_VALUE = r"(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]?Inf)"
_SAMPLE = re.compile(rf"({_NAME})(?:\{{((?:{_LABEL})?(?:,{_LABEL})*),?\}})? ({_VALUE})(?: -?\d+(?:\.\d+)?)?(?: # \{{.*\}} .*)?")
_COMMENT = re.compile(rf"# (?:HELP {_NAME} .*|TYPE {_NAME} [a-z]+|UNIT {_NAME} .*|EOF)")
_PAIR = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}

PLAIN = "text/plain; version=0.0.4"
OPENMETRICS = "application/openmetrics-text; version=1.0.0"
GPUS = {str(gpu) for gpu in range(8)}
HARDWARE = ("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_DEV_POWER_USAGE", "lapwing_gpu_up")


def _plain(value):
    return re.sub(r'\\["\\n]', lambda match: _ESCAPES[match.group()], value)


class Page:
    """The series of one answer, by name: a list of (labels, value)."""

    def __init__(self, body, openmetrics=False):
        self.bytes = len(body)
        self.text = body.decode("utf-8")  # raises where it is not UTF-8
        self.series = {}
        seen = set()
        lines = self.text.split("\n")
        held(lines[-1] == "", "a page without a line end at its end")
        held(not openmetrics or lines[-2] == "# EOF", "an OpenMetrics page without # EOF")
        for line in lines[:-1]:
            sample = _SAMPLE.fullmatch(line)
            if sample is None:
                held(line == "" or _COMMENT.fullmatch(line), f"a line that is no sample: {line[:200]!r}")
                continue
            name, labels, value = sample.group(1, 2, 3)
            pairs = dict((key, _plain(text)) for key, text in _PAIR.findall(labels or ""))
            key = (name, tuple(sorted(pairs.items())))
            held(key not in seen, f"a series twice: {line[:200]!r}")
            seen.add(key)
            self.series.setdefault(name, []).append((pairs, float(value.replace("Inf", "inf"))))

    def find(self, name, **labels):
        """The samples with these labels."""
        return [s for s in self.series.get(name, []) if all(s[0].get(k) == v for k, v in labels.items())]

    def value(self, name, **labels):
        found = self.find(name, **labels)
        return found[0][1] if found else None

    def count(self):
        return sum(len(samples) for samples in self.series.values())

    def check_hardware(self):
        """All eight GPUs are there, and no source hangs."""
        for name in HARDWARE:
            gpus = {labels.get("gpu") for labels, _ in self.series.get(name, [])}
            held(gpus >= GPUS, f"{name} is missing for GPUs {sorted(GPUS - gpus)}")
        hung = [labels for labels, _ in self.series.get("lapwing_source_hung_seconds", [])]
        held(not hung, f"hung sources: {hung[:3]}")
        return self
