"""The pages of docs/internals: numbered steps, each of which begins with the function that takes it.

    ## Process mode                 the mode; its steps are numbered from 1
    ### In the reactor              who takes the steps that follow: one thread of one process
    1. `Reactor::turn` wakes up …
"""

import bisect
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "docs" / "internals"

MODE = re.compile(r"## (Process|Base) mode\b")
ACTOR = re.compile(r"### In (?:the )?((?:(?:old|new|other) )?(?:master|generation|reactor|worker))$")
STEP = re.compile(r"(\d+)\. (.*)")
FUNCTION = re.compile(r"`((?:\w+::)*\w+)(?:\(\))?`")

# Who somebody is, is told by what he has called.
ROLES = {"master": "Master::loop", "generation": "Generation::serve", "reactor": "Reactor::turn", "worker": "run_worker"}


@dataclass(frozen=True)
class Step:
    number: int
    actor: str
    function: str


def parse(text):
    """The steps of each mode that the page speaks of. What is not in the form is an AssertionError."""
    modes, steps, actor = {}, None, None
    for line in text.splitlines():
        if line.startswith("## "):
            mode = MODE.match(line)
            steps, actor = (modes.setdefault(mode[1].lower(), []) if mode else None), None
        elif steps is None:
            continue
        elif line.startswith("### "):
            found = ACTOR.match(line)
            assert found, f"“{line}” names nobody: it should be “### In the” and one of {', '.join(ROLES)}; old, new or other"
            actor = found[1]
        elif step := STEP.match(line):
            number, function = int(step[1]), FUNCTION.match(step[2])
            assert actor, f"step {number} stands below no “### In the …”"
            assert number == len(steps) + 1, f"step {number} follows step {len(steps)}"
            assert function, f"step {number} does not begin with its function: {step[2]}"
            steps.append(Step(number, actor, function[1]))
    return modes


def is_meant(named, called):
    """`HttpSession::dispatch` stands for every function whose name ends so; a name alone only for itself."""
    return called == named or ("::" in named and called.endswith(f"::{named}"))


class Order:
    """The calls of a trace behind a position, ready to be compared with steps."""

    def __init__(self, calls, begin):
        self.begin = begin
        self.calls = calls[begin:]
        self.places = {}  # of each function in each thread, where it was called
        self.threads = {}  # of each role, those who have it
        self.first = {}  # of each process, its first call
        for call in calls:
            thread = (call.process, call.thread)
            self.first.setdefault(call.process, call.position)
            self.places.setdefault(thread, {}).setdefault(call.function, []).append(call.position)
            for role, function in ROLES.items():
                if call.function == function and thread not in self.threads.setdefault(role, []):
                    self.threads[role].append(thread)

    def candidates(self, actor):
        qualifier, _, role = actor.rpartition(" ")
        for thread in self.threads.get(role, []):
            is_new = self.first[thread[0]] >= self.begin
            if qualifier not in ("new", "old") or is_new == (qualifier == "new"):
                yield thread

    def called_after(self, thread, function, position):
        """Where it was called first after that position; None when it was not."""
        found = []
        for called, places in self.places[thread].items():
            if is_meant(function, called):
                place = bisect.bisect_right(places, position)
                found += places[place : place + 1]
        return min(found, default=None)

    def problems(self, steps, page, mode):
        """What is wrong with each step, by its number. Who is who is tried out: the best guess is taken."""
        actors = sorted({step.actor for step in steps})
        for actor in actors:
            if not list(self.candidates(actor)):
                return {step.number: f"step {step.number} of {page} ({mode} mode) is taken in the {actor}, and there is none"
                        for step in steps if step.actor == actor}
        guesses = (dict(zip(actors, threads)) for threads in itertools.product(*map(self.candidates, actors))
                   if len(set(threads)) == len(threads))
        return min((self.problems_of(steps, page, mode, guess) for guess in guesses), key=len)

    def problems_of(self, steps, page, mode, threads):
        problems, position, earlier = {}, self.begin - 1, None
        for step in steps:
            thread = threads[step.actor]
            place = self.called_after(thread, step.function, position)
            if place is not None:
                position, earlier = place, step
                continue
            after = f" after step {earlier.number}, `{earlier.function}`," if earlier else ""
            problems[step.number] = (
                f"step {step.number} of {page} ({mode} mode), `{step.function}`, did not come{after} in the {step.actor}: "
                + self.where_instead(thread, step.function, position))
        return problems

    def where_instead(self, thread, function, position):
        if self.called_after(thread, function, self.begin - 1) is not None:
            return "it was called before that only"
        if any(self.called_after(other, function, self.begin - 1) is not None for other in self.places):
            return "it was called elsewhere"
        return "it was not called at all"
