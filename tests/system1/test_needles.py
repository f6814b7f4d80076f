"""The cheap test before all others never rules out a text that a rule would choose."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import ActionDescriptor, Body, Message, Request, Rule, Text
from turnout.system1 import RulesClassifier, needles

RULES = (
    Rule(action_id="list", patterns=(r"(show|list) (my |the )?(?P<what>invoices|bills)( of (?P<who>\w+))?",)),
    Rule(action_id="pay", patterns=(r"pay (?P<amount>\d+) (?:to|for) (?P<whom>.+)", r"settle (?P<whom>\w+)")),
    Rule(action_id="reset", cues=("reset|restart", "router|modem")),
)
DESCRIPTORS = tuple(
    ActionDescriptor(id=rule.action_id, name=rule.action_id, description="") for rule in RULES
)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"(which|what) invoices of (?P<c>\w+) are (still )?open", {"invoices"}),
        (r"pay|settle", {"pay", "settle"}),
        (r"(refund ){1,3}now", {"refund"}),
        (r"(?:Cancel)+?", {"cancel"}),
        (r"(?>order) \d+", {"order"}),
        (r"(maybe )?\w+", None),
        (r"a|b", None),
        (r"(?P<x>.+)", None),
        (r"über", {"ber"}),
    ],
)
def test_the_words_of_a_pattern_are_those_that_each_match_holds(pattern: str, words: set[str] | None) -> None:
    found = needles.of_pattern(re.compile(pattern, re.IGNORECASE))
    assert found == (None if words is None else frozenset(words))


def test_one_pattern_without_words_of_its_own_rules_nothing_out() -> None:
    free = RulesClassifier([*RULES, Rule(action_id="any", patterns=(r"\w+ \d",))])
    assert free.could_match("anything at all")
    assert RulesClassifier(RULES).could_match("über alles")
    assert not RulesClassifier(RULES).could_match("Tell me about Rome")


ASKING = st.one_of(
    st.builds(
        "{} {}invoices".format, st.sampled_from(["show", "LIST"]), st.sampled_from(["", "my ", "the "])
    ),
    st.builds("pay {} to {}".format, st.integers(0, 999), st.text(string.ascii_letters, min_size=1)),
    st.builds(
        "Please {} the {}!".format,
        st.sampled_from(["reset", "Restart"]),
        st.sampled_from(["router", "MODEM"]),
    ),
    st.text(max_size=30),
)


@given(ASKING, st.text(max_size=20), st.text(max_size=20))
async def test_what_a_rule_chooses_could_match_whatever_stands_around_it(
    said: str, before: str, after: str
) -> None:
    classifier = RulesClassifier(RULES)
    request = Request(body=Body(messages=(Message(role="user", parts=(Text(text=said),)),)))
    intent = await classifier(request, DESCRIPTORS)
    if intent.actions:
        assert classifier.could_match(before + said + after)
