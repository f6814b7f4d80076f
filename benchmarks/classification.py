"""What local classification costs: CPU a request by the size of the catalogue, learning, one more action, memory.

    python benchmarks/classification.py [--tier lexical|local] [--actions 10 150 1000] [--rounds 3]

Catalogues and requests are made up: verbs, things and fillings, ten examples for each action. Times are CPU time of
the process, in milliseconds a request and in seconds for learning; each request is decided a few times, and its best
time counts, so that a busy machine does not spoil them much.
"""

import argparse
import random
import resource
import statistics
import sys
import time

from turnout.model import ActionDescriptor
from turnout.model.utterance.words import word_set
from turnout.system1.classifier import System1Classifier, Turn

VERBS = word_set("""
    open close create remove list show send print check update move copy rename archive restore approve reject
    book cancel extend pause resume assign export import merge split lock unlock publish""")
THINGS = word_set("""
    invoice order customer parcel ticket room meeting report backup server service deployment contract
    employee holiday payment refund account card loan flight hotel seat recipe playlist song alarm timer lamp
    heating door camera document folder""")
AROUND = [
    "{} the {} please",
    "can you {} my {}",
    "{} {} number 12 for Acme",
    "I need you to {} a {}",
    "{} the {} of last month",
    "please {} our {} now",
    "would you {} that {} for me",
    "{} a new {} by Friday",
    "{} this {} again",
    "go and {} the blue {}",
]
REQUESTS = 300


def catalogue(size: int, order: random.Random) -> tuple[ActionDescriptor, ...]:
    """Actions with ten examples each."""
    pairs = order.sample([(verb, thing) for verb in sorted(VERBS) for thing in sorted(THINGS)], size)
    return tuple(
        ActionDescriptor(
            id=f"{verb}_{thing}",
            name=f"{verb}_{thing}",
            description=f"To {verb} one {thing}.",
            examples=tuple(form.format(verb, thing) for form in AROUND),
        )
        for verb, thing in pairs
    )


def requests(actions: tuple[ActionDescriptor, ...], order: random.Random) -> list[str]:
    """Requests that no example is the same as."""
    return [
        f"{order.choice(['hey', 'well', 'ok'])}, {order.choice(order.choice(actions).examples)} {order.randrange(99)}"
        for _ in range(REQUESTS)
    ]


def cost(size: int, *, local: bool, rounds: int) -> None:
    """Measures one size of catalogue and prints a row."""
    order = random.Random(size)
    actions = catalogue(size + 1, order)
    began, clock = time.process_time(), time.perf_counter()
    classifier = System1Classifier.fit(actions[:-1], local=local)
    learned, wall = time.process_time() - began, time.perf_counter() - clock
    began = time.process_time()
    System1Classifier.fit(actions, local=local, since=classifier)
    added = time.process_time() - began
    asked = requests(actions[:-1], order)
    spent = sorted(map(min, zip(*(decided(classifier, asked) for _ in range(rounds)), strict=True)))
    row = (statistics.median(spent), spent[len(spent) * 99 // 100], learned, wall, added)
    print(
        f"| {classifier.tier} | {size} | " + " | ".join(f"{figure:.2f}" for figure in row) + " |", flush=True
    )


def decided(classifier: System1Classifier, texts: list[str]) -> list[float]:
    """How long each request takes, in milliseconds."""
    spent: list[float] = []
    for text in texts:
        began = time.process_time()
        classifier.decide([Turn(speaker="user", text=text)])
        spent.append((time.process_time() - began) * 1000)
    return spent


def main() -> None:
    """Prints a table of the tier."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tier", choices=["lexical", "local"], default="lexical")
    parser.add_argument("--actions", type=int, nargs="*", default=[10, 150, 1000])
    parser.add_argument("--rounds", type=int, default=3, help="how often each request is decided")
    told = parser.parse_args()
    print("| tier | actions | p50 ms | p99 ms | learning s | by the clock s | one more action s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for size in told.actions:
        cost(size, local=told.tier == "local", rounds=told.rounds)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    print(f"peak resident {peak:.0f} (KiB on macOS, MiB elsewhere)")


if __name__ == "__main__":
    main()
