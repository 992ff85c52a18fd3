"""Small charts as inline SVG: lines, steps and bars, with axes.

Our own, since a library's bundle is larger (1 to 5 MB) than all else in the page, and draws by
script what here is there without one. Colours are classes (``s0``, ``s1``, ...) of the page's style
sheet; nothing is styled inline, which the page's content security policy would forbid. Sizes are in
the units of the view box, which is about as wide as a phone's screen in CSS pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

SERIES = 8
"""How many series have a colour of their own; further ones begin again."""

_WIDTH = 340
_HEIGHT = 215
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 14, 12, 42
_LETTER = 6.0  # the width of a character of the page's chart text, on average


@dataclass(frozen=True)
class Series:
    """One line: points from left to right, and intervals ``(x, low, high)`` if there are any."""

    name: str
    points: tuple[tuple[float, float], ...]
    intervals: tuple[tuple[float, float, float], ...] = ()
    dashed: bool = False
    steps: bool = False
    colour: int = 0


@dataclass(frozen=True)
class Axis:
    """An axis: its label, marks with their texts, and where a value lies between 0 and 1."""

    label: str
    marks: tuple[tuple[float, str], ...]
    place: Callable[[float], float] = field(repr=False)


@dataclass(frozen=True)
class Bar:
    """One bar: a fraction of the longest there can be, its text, and an interval if it has one."""

    value: float
    text: str
    low: float | None = None
    high: float | None = None
    colour: int = 0


@dataclass(frozen=True)
class Bars:
    """The bars of one group, one a series, side by side."""

    name: str
    bars: tuple[Bar, ...]
    note: str = ""


def fraction_axis(label: str, top: float = 1.0) -> Axis:
    """From 0 to ``top`` in percent, with four or five marks."""
    top = next(limit for limit in (0.05, 0.1, 0.2, 0.5, 1.0) if top <= limit or limit == 1.0)
    steps = 4 if top in (0.2, 1.0) else 5
    marks = tuple(
        (top * step / steps, f"{100 * top * step / steps:g}%") for step in range(steps + 1)
    )
    return Axis(label, marks, lambda value: value / top)


def count_axis(label: str, top: float) -> Axis:
    """From 0 to at least ``top``, with marks at whole numbers."""
    step = _step(max(top, 1.0) / 4)
    last = step * math.ceil(max(top, 1.0) / step)
    marks = tuple((step * n, _number(step * n)) for n in range(round(last / step) + 1))
    return Axis(label, marks, lambda value: value / last)


def power_axis(label: str, last: int) -> Axis:
    """From 1 to ``last`` by powers of two: for numbers of samples."""
    marks = [2**power for power in range(last.bit_length()) if 2**power <= last]
    if last > marks[-1] * 1.25:
        marks.append(last)
    elif last != marks[-1]:
        marks[-1] = last
    top = math.log2(last) if last > 1 else 1.0
    return Axis(
        label,
        tuple((mark, str(mark)) for mark in marks),
        lambda value: math.log2(value) / top if last > 1 else 0.5,
    )


def time_axis(label: str, low: float, high: float) -> Axis:
    """From ``low`` to ``high`` by a logarithm, with marks at times that have a name."""
    return _log_axis(label, low, high, _TIMES)


def money_axis(label: str, low: float, high: float) -> Axis:
    """The same for US dollars."""
    named = tuple((10.0**power, f"${10.0**power:g}") for power in range(-6, 7))
    return _log_axis(label, low, high, named)


_TIMES = (
    *((10.0**power, f"{10.0**power:g} s") for power in range(-4, 1)),
    (10.0, "10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3600.0, "1 h"),
    (36000.0, "10 h"),
    (360000.0, "100 h"),
)


def _log_axis(label: str, low: float, high: float, named: Sequence[tuple[float, str]]) -> Axis:
    values = [value for value, _ in named]
    first = max((value for value in values if value <= low), default=values[0])
    last = min((value for value in values if value >= high), default=values[-1])
    if last <= first:
        last = next((value for value in values if value > first), first * 10)
    span = math.log(last / first)
    marks = [(value, text) for value, text in named if first <= value <= last]
    every = math.ceil(len(marks) / 6)

    def place(value: float) -> float:
        return min(max(math.log(max(value, 1e-9) / first) / span, 0.0), 1.0)

    return Axis(label, tuple(marks[::every]), place)


def _step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20, ... that is at least ``least``."""
    power = 10.0 ** max(0, math.floor(math.log10(max(least, 1.0))))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def line_chart(title: str, series: Sequence[Series], x: Axis, y: Axis) -> Markup:
    """Lines or steps over two axes, with points at the values and whiskers at intervals."""
    draw = _Drawing(_WIDTH, _HEIGHT)
    draw.axes(x, y)
    with_intervals = [line for line in series if line.intervals]
    for line in series:
        colour = f"s{line.colour % SERIES}"
        for at, low, high in line.intervals:
            # Beside each other, where several are at one place.
            left = draw.x(x.place(at)) + 4 * with_intervals.index(line)
            draw.whisker(left, draw.y(y.place(low)), draw.y(y.place(high)), colour)
        places = [(draw.x(x.place(px)), draw.y(y.place(py))) for px, py in line.points]
        if line.steps:
            places = [
                place
                for before, here in zip([places[0], *places], places, strict=False)
                for place in ((here[0], before[1]), here)
            ]
        kind = f"line {colour} dashed" if line.dashed else f"line {colour}"
        if len(places) > 1:
            draw.polyline(places, kind)
        if not line.steps and len(line.points) <= 40:
            for (px, py), (left, top) in zip(line.points, places, strict=True):
                draw.point(left, top, f"point {colour}", f"{line.name}: {px:g}, {100 * py:.1f} %")
    return draw.markup(title)


def column_chart(title: str, groups: Sequence[Bars], y: Axis, label: str) -> Markup:
    """Upright bars: for few groups in an order, such as buckets."""
    draw = _Drawing(_WIDTH, _HEIGHT)
    draw.axes(Axis(label, (), lambda value: value), y)
    room = (_WIDTH - _LEFT - _RIGHT) / max(len(groups), 1)
    for index, group in enumerate(groups):
        left = _LEFT + room * index
        width = min(room * 0.76, 32.0 * max(len(group.bars), 1)) / max(len(group.bars), 1)
        start = left + (room - width * len(group.bars)) / 2
        for number, bar in enumerate(group.bars):
            at = start + width * number
            top = draw.y(y.place(bar.value))
            draw.rectangle(at + 1, top, width - 2, draw.bottom - top, bar.colour, bar.text)
            if bar.low is not None and bar.high is not None:
                low, high = draw.y(y.place(bar.low)), draw.y(y.place(bar.high))
                draw.whisker(at + width / 2, low, high, "over")
        draw.text(left + room / 2, draw.bottom + 14, _short(group.name, room), "middle")
    return draw.markup(title)


def bar_chart(title: str, groups: Sequence[Bars]) -> Markup:
    """Lying bars with their texts beside them: for many groups, or long names."""
    thick = 13.0
    heights = [thick * len(group.bars) + (23 if len(group.bars) > 1 else 21) for group in groups]
    draw = _Drawing(_WIDTH, round(sum(heights) + 6))
    texts = [bar.text for group in groups for bar in group.bars]
    right = _WIDTH - 4 - 6.5 * max(map(len, texts), default=0)
    top = 4.0
    for group, height in zip(groups, heights, strict=True):
        note = f" ({group.note})" if group.note else ""
        draw.text(2, top + 9, _short(group.name + note, _WIDTH - 4.0), "start")
        for number, bar in enumerate(group.bars):
            at = top + 14 + thick * number
            draw.rectangle(2, at, right - 8, thick - 3, None, "")
            length = (right - 8) * min(max(bar.value, 0.0), 1.0)
            draw.rectangle(2, at, length, thick - 3, bar.colour, f"{group.name}: {bar.text}")
            if bar.low is not None and bar.high is not None:
                middle = at + (thick - 3) / 2
                low, high = (2 + (right - 8) * value for value in (bar.low, bar.high))
                draw.across(low, high, middle)
            draw.text(right, at + 9, bar.text, "start")
        top += height
    return draw.markup(title)


def _short(text: str, room: float) -> str:
    most = max(int(room / _LETTER), 3)
    return text if len(text) <= most else text[: most - 1] + "…"


class _Drawing:
    """Elements in order; coordinates of the plot's edges are fixed."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.bottom = height - _BOTTOM
        self._parts: list[Markup] = []

    def x(self, place: float) -> float:
        return _LEFT + (self.width - _LEFT - _RIGHT) * place

    def y(self, place: float) -> float:
        return self.bottom - (self.bottom - _TOP) * min(max(place, 0.0), 1.0)

    def axes(self, x: Axis, y: Axis) -> None:
        for value, text in y.marks:
            at = self.y(y.place(value))
            self._add('<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/>', _LEFT, at, self.width - 14)
            self.text(_LEFT - 6, at + 4, text, "end")
        for value, text in x.marks:
            at = self.x(x.place(value))
            if at + len(text) * _LETTER / 2 > self.width:
                self.text(self.width - 1, self.bottom + 15, text, "end")
            else:
                self.text(at, self.bottom + 15, text, "middle")
        middle = _LEFT + (self.width - _LEFT - _RIGHT) / 2
        self.text(middle, self.height - 6, x.label, "middle", "label")
        self._add('<path class="axis" d="M{} {:.1f}H{}"/>', _LEFT, self.bottom, self.width - 14)

    def text(self, x: float, y: float, text: str, anchor: str, kind: str = "mark") -> None:
        form = '<text class="{}" x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>'
        self._add(form, kind, x, y, anchor, text)

    def polyline(self, places: Sequence[tuple[float, float]], kind: str) -> None:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        self._add('<path class="{}" d="M{}"/>', kind, path)

    def point(self, x: float, y: float, kind: str, told: str) -> None:
        form = '<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="3"><title>{}</title></circle>'
        self._add(form, kind, x, y, told)

    def whisker(self, x: float, low: float, high: float, kind: str) -> None:
        form = '<path class="whisker {}" d="M{:.1f} {:.1f}V{:.1f}m-3 0h6M{:.1f} {:.1f}h6"/>'
        self._add(form, kind, x, low, high, x - 3, low)

    def across(self, low: float, high: float, y: float) -> None:
        form = '<path class="whisker over" d="M{:.1f} {:.1f}H{:.1f}m0 -3v6M{:.1f} {:.1f}v6"/>'
        self._add(form, low, y, high, low, y - 3)

    def rectangle(
        self, x: float, y: float, width: float, height: float, colour: int | None, told: str
    ) -> None:
        if width <= 0 or height <= 0:
            return
        kind = "track" if colour is None else f"bar s{colour % SERIES}"
        form = '<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2">'
        self._add(form, kind, x, y, width, height)
        if told:
            self._add("<title>{}</title>", told)
        self._parts.append(Markup("</rect>"))

    def markup(self, title: str) -> Markup:
        head = Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
            self.width, self.height, title
        )
        return head + Markup("").join(self._parts) + Markup("</svg>")

    def _add(self, form: str, *values: object) -> None:
        self._parts.append(Markup(form).format(*values))
