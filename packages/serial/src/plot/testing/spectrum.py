"""Reads parts of curves as JSON from standard input and prints their spectra, computed by numpy.

Input: a list of {"times": [ms], "values": [...]}. Output: for each, {"step": Hz, "amplitudes": [...]}.
"""

import json
import sys

import numpy

found = []
for part in json.load(sys.stdin):
    times = numpy.array(part["times"], dtype=float)
    values = numpy.array(part["values"], dtype=float)
    samples = 8
    while samples < len(times):
        samples *= 2
    even = numpy.linspace(times[0], times[-1], samples)
    read = numpy.interp(even, times, values)
    window = numpy.hanning(samples)
    lines = numpy.abs(numpy.fft.rfft((read - read.mean()) * window)) / window.sum()
    lines[1:-1] *= 2
    spacing = (times[-1] - times[0]) / 1000 / (samples - 1)
    found.append({"step": float(numpy.fft.rfftfreq(samples, spacing)[1]), "amplitudes": lines.tolist()})
json.dump(found, sys.stdout)
