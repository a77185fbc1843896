"""What ``train_crf.py`` trains: lines (pretraining, seeds) with tasks (fine-tuning, tests), then students.

Times are shares of the time that a run may take. A test on a fold leaves its documents out of training, in
all languages. Settings are compared on folds of the training sentences (group ``inner``), never on what is
reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Line = dict[str, Any]
Plan = list[list[Line]]  # rounds, one after the other

AUTO = 0.3  # lambda of automatic links
MANUAL = 2.0
JA = ("kftt30k", "tatoeba-ja", "ntrex-ja")
HEAD_FINAL = (
    "tatoeba-ko",
    "tatoeba-tr",
    "tatoeba-hi",
    "ntrex-ko",
    "ntrex-tr",
    "ntrex-hi",
    "ntrex-zh",
    "atis-train",
)
PUD = ("pud-ja", "pud-ko", "pud-zh")
LARGE = {"units": 256, "word_size": 128}
FINE = {"passes": 15, "rate": 1e-3, "batch": 16, "average": 0.99}


def task(name: str, manual: tuple[str, ...], test: tuple[str, ...], **more: Any) -> Line:
    strength = more.pop("strength", MANUAL)
    return {"task": name, "manual": [(one, strength) for one in manual], "test": test, "fine": FINE, **more}


def inner(folds: int = 2, group: str = "inner", **more: Any) -> list[Line]:
    """Folds of the training sentences of KFTT, of five."""
    return [
        task(f"{group}{k}", ("kftt-dev",), ("kftt-dev",), fold=[k, 5], group=group, **more)
        for k in range(folds)
    ]


def seeds(count: int, start: float, first: float, second: float, /, **line: Any) -> list[Line]:
    times = {"start": start, "pretrain_until": first, "tasks_until": second}
    return [{"seed": seed, "stage": {"passes": 0}, **times, **line} for seed in range(1, count + 1)]


def full(start: float, total: float) -> Plan:
    """All data, four seeds; ablations of the network on KFTT alone; students."""
    at = [start, 0.36 * total, 0.66 * total]
    devtest = task("kftt", ("kftt-dev",), ("kftt-devtest",))
    stage = {"passes": 8, "rate": 1.5e-3, "batch": 128}
    joint = {**FINE, "passes": 10, "batch": 32}
    lines = [
        *seeds(
            4,
            *at,
            name="ja",
            shape=LARGE,
            pretrain=[(one, AUTO) for one in JA],
            stage=stage,
            tasks=[
                devtest,
                *inner(1),
                *inner(1, "inner-l1", strength=1.0),
                *inner(1, "inner-l4", strength=4.0),
            ],
        ),
        *seeds(
            3,
            *at,
            name="multi",
            tagged=True,
            shape=LARGE,
            pretrain=[(one, AUTO) for one in JA + HEAD_FINAL],
            stage=stage,
            tasks=[
                task("all", ("kftt-dev", *PUD), ("kftt-devtest", "atis-dev", "wpt-hi"), fine=joint),
                *(
                    task(f"pud{k}", ("kftt-dev", *PUD), PUD, fold=[k, 5], group="pud", fine=joint)
                    for k in range(5)
                ),
            ],
        ),
        *seeds(4, *at, name="alone", tasks=[devtest, *inner(1)]),
        *seeds(2, *at, name="alone-np", shape={"pair_size": 0}, tasks=inner(1)),
        *seeds(2, *at, name="alone-nv", vectors=False, tasks=inner(1)),
    ]
    at = [start, 0.90 * total, 0.95 * total]
    stage = {"passes": 6, "rate": 1.5e-3, "batch": 128, "average": 0.999}
    gentle = {"passes": 3, "rate": 2e-4, "batch": 32, "average": 0.99}
    students = [
        *seeds(
            1,
            *at,
            name="student",
            dropout=0.2,
            pretrain=("kftt-dev", "kftt30k", "ntrex-ja", "tatoeba-ja"),
            stage=stage,
            teachers=[teacher("ja", seed, "kftt", shape=LARGE) for seed in (1, 2, 3, 4)],
            tasks=[
                task("plain", (), ("kftt-devtest",), keep=True),
                task("tuned", ("kftt-dev",), ("kftt-devtest",), fine=gentle, keep=True),
            ],
        ),
        *seeds(
            1,
            *at,
            name="student-m",
            tagged=True,
            dropout=0.2,
            pretrain=("kftt-dev", *PUD, "kftt30k", *HEAD_FINAL, "ntrex-ja"),
            stage=stage,
            teachers=[teacher("multi", seed, "all", shape=LARGE, tagged=True) for seed in (1, 2, 3)],
            tasks=[
                task("plain", (), ("kftt-devtest", "atis-dev", "wpt-hi"), keep=True),
            ],
        ),
    ]
    return [lines, students]


def teacher(name: str, seed: int, done: str, **line: Any) -> Line:
    return {"file": f"{name}.{seed}.{done}.safetensors", "line": {"shape": {}, "tagged": False, **line}}


def small(start: float, total: float) -> Plan:
    """A few minutes on a CPU: one seed, small, KFTT alone, and its student."""
    shape = {"units": 16, "word_size": 16, "piece_size": 16, "span_size": 16, "edge_size": 16, "pair_size": 8}
    at = [start, 0.3 * total, 0.6 * total]
    lines = seeds(
        2,
        *at,
        name="small",
        shape=shape,
        dropout=0.1,
        pretrain=[("kftt30k", AUTO)],
        stage={"passes": 2, "rate": 5e-3, "batch": 16},
        tasks=[
            task("kftt", ("kftt-dev",), ("kftt-devtest",), fine={**FINE, "rate": 5e-3, "passes": 5}),
            *inner(1),
        ],
    )
    students = seeds(
        1,
        start,
        0.8 * total,
        total,
        name="student",
        shape=shape,
        dropout=0.1,
        pretrain=("kftt-dev",),
        stage={"passes": 4, "rate": 5e-3, "batch": 16, "average": 0.9},
        teachers=[teacher("small", seed, "kftt", shape=shape) for seed in (1, 2)],
        tasks=[task("plain", (), ("kftt-devtest",), keep=True)],
    )
    return [lines, students]


def kftt(start: float, total: float) -> Plan:
    """KFTT alone, one seed of half the size: how far a CPU comes."""
    shape = {
        "units": 80,
        "word_size": 64,
        "piece_size": 32,
        "span_size": 64,
        "edge_size": 48,
        "pair_size": 32,
    }
    devtest = task("kftt", ("kftt-dev",), ("kftt-devtest",), fine={**FINE, "rate": 2e-3})
    return [seeds(1, start, 0.0, 0.75 * total, name="alone", shape=shape, dropout=0.3, tasks=[devtest])]


NP = {"pair_size": 0}
LNP = {**LARGE, **NP}


def explore(start: float, total: float) -> Plan:
    """Settings compared on five folds of the training sentences."""
    stage = {"passes": 8, "rate": 1.5e-3, "batch": 128}
    reading = [
        line
        for name, shape in (("read", NP), ("read-l", LNP))
        for line in seeds(1, start, 0.2 * total, 0.2 * total, name=name, shape=shape, read=8, tasks=[])
    ]
    at = [start, 0.5 * total, 0.97 * total]

    def some(name: str, count: int = 2, **line: Any) -> list[Line]:
        fine = {**FINE, **line.pop("fine", {})}
        tasks = inner(5, fine=fine, strength=line.pop("strength", 2.0))
        return seeds(count, *at, name=name, tasks=tasks, **{"shape": NP, **line})

    alone = [
        *some("base"),
        *some("r", **{"from": "read.1"}),
        *some("r-l", shape=LNP, **{"from": "read-l.1"}),
        *some("r-25", fine={"passes": 25}, **{"from": "read.1"}),
        *some("r-d33", dropout=0.33, **{"from": "read.1"}),
        *some("r-in-place", attach=False, stay=0.03, **{"from": "read.1"}),
        *some("r-slow", fine={"rate": 5e-4}, **{"from": "read.1"}),
    ]
    full = [
        *some("ja", 1, shape=LNP, pretrain=[(one, AUTO) for one in JA], stage=stage),
        *some(
            "ja-r", 1, shape=LNP, pretrain=[(one, AUTO) for one in JA], stage=stage, **{"from": "read-l.1"}
        ),
        *some(
            "ja-r+",
            1,
            shape=LNP,
            pretrain=[(one, AUTO) for one in (*JA, "small-enja")],
            stage=stage,
            **{"from": "read-l.1"},
        ),
        *some(
            "ja-r5", 1, shape=LNP, pretrain=[(one, 0.6) for one in JA], stage=stage, **{"from": "read-l.1"}
        ),
        *some("ja-rk", 1, shape=LNP, pretrain=[("kftt30k", AUTO)], stage=stage, **{"from": "read-l.1"}),
    ]
    return [reading, full + alone]


FIVE = ["hi", "ja", "ko", "tr", "zh"]


def explore2(start: float, total: float) -> Plan:
    """More of the same: what to learn from together, what raw text gives when models label it."""
    stage = {"passes": 8, "rate": 1.5e-3, "batch": 128}
    reading = [
        *seeds(1, start, 0.15 * total, 0.15 * total, name="read", shape=NP, read=8, tasks=[]),
        *seeds(
            1, start, 0.15 * total, 0.15 * total, name="read-5", shape=LNP, languages=FIVE, read=8, tasks=[]
        ),
    ]
    at = [start, 0.35 * total, 0.66 * total]
    longer = {**FINE, "passes": 25}
    joint = {**FINE, "passes": 12, "batch": 32}

    def folds(
        group: str, count: int, manual: tuple[str, ...], test: tuple[str, ...], **more: Any
    ) -> list[Line]:
        return [task(f"{group}{k}", manual, test, fold=[k, 5], group=group, **more) for k in range(count)]

    k30 = [("kftt30k", AUTO)]
    lines = [
        *seeds(2, *at, name="r-25", shape=NP, tasks=inner(5, fine=longer), **{"from": "read.1"}),
        *seeds(
            1, *at, name="r-60", shape=NP, tasks=inner(5, fine={**FINE, "passes": 60}), **{"from": "read.1"}
        ),
        *seeds(1, *at, name="k", shape=LNP, pretrain=k30, stage=stage, tasks=inner(5)),
        *seeds(1, *at, name="k-s", shape=NP, pretrain=k30, stage=stage, tasks=inner(5)),
        *seeds(1, *at, name="k-16", shape=LNP, pretrain=k30, stage={**stage, "passes": 16}, tasks=inner(5)),
        *seeds(1, *at, name="k-25", shape=LNP, pretrain=k30, stage=stage, tasks=inner(5, fine=longer)),
        *seeds(1, *at, name="k-6", shape=LNP, pretrain=[("kftt30k", 0.6)], stage=stage, tasks=inner(5)),
        *seeds(
            1,
            *at,
            name="ja",
            shape=LNP,
            pretrain=[(one, AUTO) for one in JA],
            stage=stage,
            tasks=[
                *folds("both", 3, ("kftt-dev", "pud-ja"), ("kftt-dev", "pud-ja")),
                *folds("kftt", 3, ("kftt-dev",), ("kftt-dev",)),
                *folds("pud", 3, ("pud-ja",), ("pud-ja",)),
            ],
        ),
        *[
            line
            for name, more in (("multi", {}), ("multi-r", {"from": "read-5.1"}))
            for line in seeds(
                1,
                *at,
                name=name,
                shape=LNP,
                languages=FIVE,
                pretrain=[(one, AUTO) for one in JA + HEAD_FINAL],
                stage=stage,
                tasks=[
                    *folds("all", 3, ("kftt-dev", *PUD), ("kftt-dev", *PUD), fine=joint),
                    *folds("pud", 3, PUD, PUD, fine=joint),
                ],
                **more,
            )
        ],
    ]
    at = [start, 0.85 * total, 0.97 * total]
    students = [
        line
        for k in range(5)
        for line in seeds(
            1,
            *at,
            name=f"self{k}",
            system="self",
            shape=NP,
            dropout=0.33,
            pretrain=[("kftt30k", 0.0)],
            stage={"passes": 5, "rate": 1.5e-3, "batch": 128, "average": 0.999},
            teachers=[teacher("r-25", seed, f"inner{k}", shape=NP) for seed in (1, 2)],
            tasks=[
                task("plain", (), ("kftt-dev",), fold=[k, 5], group="plain"),
                task("tuned", ("kftt-dev",), ("kftt-dev",), fold=[k, 5], group="tuned"),
            ],
            **{"from": "read.1"},
        )
    ]
    return [reading, lines, students]


def explore3(start: float, total: float) -> Plan:
    """Parallel UD: pairs, words without links, how much of automatic links."""
    at = [start, 0.42 * total, 0.97 * total]
    joint = {**FINE, "passes": 12, "batch": 32}
    auto = [(one, AUTO) for one in JA + HEAD_FINAL]

    def stage(passes: int) -> Line:
        return {"passes": passes, "rate": 1.5e-3, "batch": 128}

    def pud(name: str, **line: Any) -> list[Line]:
        fine = {**joint, **line.pop("fine", {})}
        tasks = [task(f"pud{k}", PUD, PUD, fold=[k, 5], group="pud", fine=fine) for k in range(3)]
        line = {"shape": LNP, "languages": FIVE, "pretrain": auto, "stage": stage(2), **line}
        return seeds(1, *at, name=name, tasks=tasks, **line)

    still = {"attach": False, "stay": 0.03}
    return [
        [
            *pud("p2"),
            *pud("p2-still", **still),
            *pud("p2-pairs", shape=LARGE),
            *pud("p2-pairs-still", shape=LARGE, **still),
            *pud("p8-pairs-still", shape=LARGE, stage=stage(8), **still),
            *pud("p2-long", fine={"passes": 25, "batch": 16}),
            *pud("read-only", pretrain=[], read=4, fine={"passes": 25, "batch": 16}),
            *seeds(
                1,
                *at,
                name="ko",
                shape=LNP,
                pretrain=[("tatoeba-ko", AUTO), ("ntrex-ko", AUTO)],
                stage=stage(3),
                tasks=[task(f"pud{k}", ("pud-ko",), ("pud-ko",), fold=[k, 5], group="pud") for k in range(3)],
            ),
            *seeds(
                1, *at, name="k-32", shape=LNP, pretrain=[("kftt30k", AUTO)], stage=stage(32), tasks=inner(5)
            ),
            *seeds(
                1,
                *at,
                name="k-16p",
                shape=LARGE,
                pretrain=[("kftt30k", AUTO)],
                stage=stage(16),
                tasks=inner(5),
            ),
            *seeds(1, *at, name="r-100", shape=NP, read=8, tasks=inner(5, fine={**FINE, "passes": 100})),
        ]
    ]


PLANS: dict[str, Callable[[float, float], Plan]] = {
    "explore": explore,
    "explore2": explore2,
    "explore3": explore3,
    "full": full,
    "small": small,
    "kftt": kftt,
}
