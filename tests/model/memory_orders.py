#!/usr/bin/env python3
"""Checks the memory orders of opening and publishing, which the spin model takes for granted.

Each test is a few atomic operations per thread, as stubs/ has them. For each, every execution that
C++20 allows is listed (which store each load reads, and in which order the stores to each variable
come) and checked. Tests named "without ..." weaken one order and must fail, so that this program
is known to see what it is for. Exit status: 0 if all is as expected, otherwise 1.

The rules are those of [intro.races] and [atomics.order] in C++20, for programs without fences:
coherence, release sequences, one total order of the seq_cst operations, no values out of thin air.
"""
import itertools
import sys

NA, RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = "na", "relaxed", "acquire", "release", "acq_rel", "seq_cst"
ACQUIRES, RELEASES = {ACQUIRE, ACQ_REL, SEQ_CST}, {RELEASE, ACQ_REL, SEQ_CST}


class Event:
    def __init__(self, thread, kind, place, order, read=None, written=None):
        self.thread, self.kind, self.place, self.order = thread, kind, place, order
        self.read, self.written = read, written  # Values; None if it does not read, or does not write.


def load(place, order):
    return ("load", place, order, None, None)


def store(place, value, order):
    return ("store", place, order, None, value)


def exchange(place, value, order):
    return ("exchange", place, order, None, value)


def compare_exchange(place, expected, value, success, failure):
    return ("compare", place, (success, failure), expected, value)


def runs_of(thread, number, values):
    """Every way in which a thread can run, whatever its loads read: (events, what it returned)."""
    def go(answers):
        events, running = [], thread()
        answers_left, answer = list(answers), None
        try:
            while True:
                kind, place, order, expected, value = running.send(answer)
                if kind == "store":
                    events.append(Event(number, kind, place, order, None, value))
                    answer = None
                    continue
                if not answers_left:
                    for read in values[place]:
                        yield from go([*answers, read])
                    return
                answer = answers_left.pop(0)
                if kind == "load":
                    events.append(Event(number, kind, place, order, answer))
                elif kind == "exchange":
                    events.append(Event(number, kind, place, order, answer, value))
                elif answer == expected:
                    events.append(Event(number, "exchange", place, order[0], answer, value))
                else:
                    events.append(Event(number, "load", place, order[1], answer))
        except StopIteration as ended:
            yield events, ended.value
    yield from go([])


def closure(pairs, count):
    reach = [set() for _ in range(count)]
    for a, b in pairs:
        reach[a].add(b)
    for middle in range(count):
        for row in reach:
            if middle in row:
                row |= reach[middle]
    return reach


def is_cyclic(reach):
    return any(number in row for number, row in enumerate(reach))


def executions(threads, start):
    """(what each thread returned, the last value of each place, whether there is a data race)"""
    values = {place: {value} for place, value in start.items()}
    changed = True
    while changed:  # The values that may be read are those that may be written.
        changed = False
        for number, thread in enumerate(threads):
            for events, _ in list(runs_of(thread, number, values)):
                for event in events:
                    if event.written is not None and event.written not in values[event.place]:
                        values[event.place].add(event.written)
                        changed = True
    for runs in itertools.product(*(list(runs_of(thread, number, values)) for number, thread in enumerate(threads))):
        events = [Event(-1, "store", place, NA, None, value) for place, value in start.items()]
        sequenced = []
        for thread_events, _ in runs:
            first = len(events)
            events += thread_events
            sequenced += [(a, b) for a in range(first, len(events)) for b in range(a + 1, len(events))]
        sequenced += [(a, b) for a in range(len(start)) for b in range(len(start), len(events))]
        yield from orders_of(events, sequenced, [result for _, result in runs])


def orders_of(events, sequenced, results):
    count = len(events)
    writes = {}
    for number, event in enumerate(events):
        if event.written is not None:
            writes.setdefault(event.place, []).append(number)
    reads = [number for number, event in enumerate(events) if event.read is not None]
    sources = [[write for write in writes[events[read].place]
                if write != read and events[write].written == events[read].read] for read in reads]
    for chosen in itertools.product(*sources):
        reads_from = dict(zip(reads, chosen))
        if is_cyclic(closure(sequenced + [(write, read) for read, write in reads_from.items()], count)):
            continue  # Out of thin air.
        happens = closure(sequenced + synchronisations(events, reads_from), count)
        # The first store to each place is that of the start.
        for order in itertools.product(*([[w[0], *rest] for rest in itertools.permutations(w[1:])]
                                         for w in writes.values())):
            place_of = {write: (list_number, index) for list_number, places in enumerate(order)
                        for index, write in enumerate(places)}
            if is_allowed(events, sequenced, reads_from, happens, order, place_of):
                last = {events[places[0]].place: events[places[-1]].written for places in order}
                yield results, last, has_race(events, happens)


def synchronisations(events, reads_from):
    pairs = []
    for read, write in reads_from.items():
        if events[read].order not in ACQUIRES:
            continue
        while True:  # Up the release sequence.
            if events[write].order in RELEASES:
                pairs.append((write, read))
            if write not in reads_from:
                break
            write = reads_from[write]
    return pairs


def is_allowed(events, sequenced, reads_from, happens, order, place_of):
    count = len(events)
    coherence = [(a, b) for places in order for a, b in itertools.combinations(places, 2)]
    for read, write in reads_from.items():
        list_number, index = place_of[write]
        coherence.append((write, read))
        coherence += [(read, later) for later in order[list_number][index + 1:] if later != read]
        # An exchange reads the store just before its own.
        if read in place_of and place_of[read] != (list_number, index + 1):
            return False
    communication = closure(coherence, count)
    if is_cyclic(communication) or is_cyclic(happens):
        return False
    if any(a in communication[b] for a in range(count) for b in happens[a]):
        return False
    total = {number for number, event in enumerate(events) if event.order == SEQ_CST}
    strong = closure(sequenced + [(a, b) for a, b in synchronisations(events, reads_from)
                                  if a in total and b in total], count)
    return not is_cyclic(closure([(a, b) for a in total for b in total if b in strong[a] or b in communication[a]],
                                 count))


def has_race(events, happens):
    for a, b in itertools.combinations(range(len(events)), 2):
        one, other = events[a], events[b]
        if one.place == other.place and NA in (one.order, other.order) and one.thread != other.thread and \
                (one.written is not None or other.written is not None) and b not in happens[a] and a not in happens[b]:
            return True
    return False


# ---- The tests. Values of a slot: cold 1, MUSA's function 2, the fallback of the end 3. ----
COLD, FUNCTION, ENDED = 1, 2, 3


def publishing(published=RELEASE, seen=ACQUIRE):
    """backend.cpp: two threads have opened MUSA; `storage` and `published`."""
    def opener():
        if not (yield exchange("claimed", 1, ACQ_REL)):
            yield store("storage", 7, NA)
            yield store("published", 1, published)

    def reader():
        if (yield load("published", seen)):
            return (yield load("storage", NA))
        return 7
    return [opener, opener, reader], {"claimed": 0, "storage": 0, "published": 0}, \
        lambda results, last: results[2] == 7


def handle(kept=RELEASE, seen=ACQUIRE):
    """backend.cpp, `siblings`; companion.cpp and trace.cpp do the same: what lies behind a handle."""
    def opener():
        yield store("library", 7, NA)
        yield store("handle", 1, kept)

    def reader():
        if (yield load("handle", seen)):
            return (yield load("library", NA))
        return 7
    return [opener, reader], {"library": 0, "handle": 0}, lambda results, last: results[1] == 7


def adapted(kept=RELEASE, seen=ACQUIRE):
    """resolver.cpp: torchada_callees before the slot; the adapter reads it after the trampoline."""
    def resolver():
        slot = yield load("slot", ACQUIRE)
        yield store("adapted", 7, RELEASE)
        yield compare_exchange("slot", slot, FUNCTION, kept, RELAXED)

    def caller():
        if (yield load("slot", seen)) == FUNCTION:
            return (yield load("adapted", ACQUIRE))
        return 7
    return [resolver, caller], {"slot": COLD, "adapted": 0}, lambda results, last: results[1] == 7


def table(kept=RELEASE, seen=ACQUIRE):
    """kept_tables.cpp: two threads keep the same table; a reader that sees its hash sees the rest."""
    def keeper():
        yield store("symbols", 7, RELAXED)
        yield store("hash", 1, kept)

    def reader():
        if (yield load("hash", seen)):
            return (yield load("symbols", RELAXED))
        return 7
    return [keeper, keeper, reader], {"symbols": 0, "hash": 0}, lambda results, last: results[2] == 7


def end_order(seen=ACQUIRE, ended=RELEASE, is_over=ACQUIRE):
    """lifetime.cpp, end, while resolver.cpp resolves and a caller goes through the slot."""
    def end():
        yield store("over", 1, RELEASE)
        yield store("slot", ENDED, ended)

    def resolver():
        slot = yield load("slot", seen)
        found = ENDED if (yield load("over", is_over)) else FUNCTION
        yield compare_exchange("slot", slot, found, RELEASE, RELAXED)

    def caller():
        first = yield load("slot", ACQUIRE)
        return first, (yield load("slot", ACQUIRE))
    return [end, resolver, caller], {"slot": COLD, "over": 0}, \
        lambda results, last: last["slot"] == ENDED and results[2] != (ENDED, FUNCTION)


def end_order_by_stores(ended=SEQ_CST):
    """How it was: a plain store, and another one if the end had come. Only the last value counts."""
    def end():
        yield store("over", 1, SEQ_CST)
        yield store("slot", ENDED, ended)

    def resolver():
        yield store("slot", FUNCTION, SEQ_CST)
        if (yield load("over", SEQ_CST)):
            yield store("slot", ENDED, SEQ_CST)
    return [end, resolver], {"slot": COLD, "over": 0}, lambda results, last: last["slot"] == ENDED


# Name, test, whether it holds.
TESTS = [
    ("publishing", publishing(), True),
    ("publishing without release", publishing(published=RELAXED), False),
    ("publishing without acquire", publishing(seen=RELAXED), False),
    ("handle", handle(), True),
    ("handle without release", handle(kept=RELAXED), False),
    ("handle without acquire", handle(seen=RELAXED), False),
    ("adapted", adapted(), True),
    ("adapted without release", adapted(kept=RELAXED), False),
    ("adapted without acquire", adapted(seen=RELAXED), False),
    ("table", table(), True),
    ("table without release", table(kept=RELAXED), False),
    ("table without acquire", table(seen=RELAXED), False),
    ("end", end_order(), True),
    ("end without acquire of the slot", end_order(seen=RELAXED), False),
    ("end without release of the slot", end_order(ended=RELAXED), False),
    ("end without acquire of `over`", end_order(is_over=RELAXED), True),
    ("end by stores, all seq_cst", end_order_by_stores(), True),
    ("end by stores, without seq_cst of the slot", end_order_by_stores(ended=RELEASE), False),
]


def main():
    failures = 0
    for name, (threads, start, is_right), expected in TESTS:
        total = wrong = races = 0
        for results, last, race in executions(threads, start):
            total += 1
            races += race
            wrong += not is_right(results, last)
        holds = not wrong and not races
        as_expected = total > 0 and holds == expected
        failures += not as_expected
        print(f"{'as expected' if as_expected else 'FAILED'}: {name} {'holds' if holds else 'does not hold'}: "
              f"{total} executions, {wrong} wrong, {races} with a data race")
    print(f"{len(TESTS)} tests, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
