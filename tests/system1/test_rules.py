"""The rules classifier: what it acts on, and what it must not act on."""

import asyncio
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnout.model import (
    ActionDescriptor,
    ActionIntent,
    Body,
    Classification,
    Intent,
    Message,
    Request,
    Rule,
    Text,
    ToolResult,
)
from turnout.model.context import NO_CONTEXT
from turnout.model.utterance import Utterance
from turnout.system1 import RulesClassifier
from turnout.system1.patterns import compiled

RULES = (
    Rule(action_id="restart", patterns=(r"restart (?:the )?(?P<service>.+)",)),
    Rule(
        action_id="version", patterns=(r"(?:tell me|what is|what's) the version",), cues=("version|release",)
    ),
    Rule(
        action_id="invoice",
        patterns=(
            r"create an invoice for (?P<customer>.+?)(?: for (?P<month>\w+))?",
            r"bill (?P<customer>\w+)",
        ),
    ),
    Rule(action_id="note", patterns=(r"add (?:a )?note:? (?P<text>.+)",)),
    Rule(action_id="invoices", cues=("list|show|see", "invoices|bills")),
    Rule(action_id="open_invoices", cues=("list|show", "open", "invoices")),
    Rule(action_id="reset", patterns=(r"restart the database",)),
    Rule(action_id="status", patterns=(r"is (?P<service>\w+) up",)),
)
DESCRIPTORS = tuple(
    ActionDescriptor(
        id=rule.action_id,
        name=rule.action_id,
        description="",
        schema={"required": ["customer", "month"]} if rule.action_id == "invoice" else None,
    )
    for rule in RULES
)


def request(text: str) -> Request:
    """A request in which the user said exactly this."""
    return Request(context=NO_CONTEXT.with_(Utterance(kind="request", text=text)))


def classify(text: str, *rules: Rule) -> list[tuple[str, dict[str, Any]]]:
    made = rules or RULES
    described = tuple(ActionDescriptor(id=rule.action_id, name="", description="") for rule in made)
    intent = asyncio.run(RulesClassifier(made)(request(text), described))
    return [(action.action_id, action.params) for action in intent.actions]


def explain(text: str, *rules: Rule) -> Classification:
    classifier = RulesClassifier(rules or RULES)
    described = (
        DESCRIPTORS
        if not rules
        else tuple(ActionDescriptor(id=rule.action_id, name="", description="") for rule in rules)
    )
    found = asyncio.run(classifier.explain(request(text), described))
    assert asyncio.run(classifier(request(text), described)) == found.outcome
    return found


API = [("restart", {"service": "api"})]
VERSION = [("version", {})]

ACTS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "restart api": API,
    "Restart the api.": API,
    "RESTART API": [("restart", {"service": "API"})],
    "  restart \t api  ": API,
    "restart\u00a0api": API,
    "rest\u200bart api": API,
    "please restart api": API,
    "restart api please!": API,
    "Can you restart api?": API,
    "hey there, could you please restart the api, thanks!": API,
    "OK, just restart api for me.": API,
    "I'd like you to restart api": API,
    "I\u2019d like you to restart api": API,
    "restart \u201capi\u201d": API,
    "restart 'api'": API,
    "create an invoice for Acme for March": [("invoice", {"customer": "Acme", "month": "March"})],
    "create an invoice for Acme": [("invoice", {"customer": "Acme"})],
    "Create an invoice for Acme Inc. for March.": [("invoice", {"customer": "Acme Inc.", "month": "March"})],
    "create an invoice for Mr. J. Smith": [("invoice", {"customer": "Mr. J. Smith"})],
    "create an invoice for O\u2019Brien": [("invoice", {"customer": "O\u2019Brien"})],
    "create an invoice for Smith and Sons": [("invoice", {"customer": "Smith and Sons"})],
    "create an invoice for Mu\u0308ller": [("invoice", {"customer": "M\u00fcller"})],
    "bill acme": [("invoice", {"customer": "acme"})],
    "add note don't forget the milk": [("note", {"text": "don't forget the milk"})],
    "restart the database": [("reset", {})],
    "is api up?": [("status", {"service": "api"})],
    "tell me the version": VERSION,
    "What\u2019s the version?": VERSION,
    "version": VERSION,
    "the release, please": VERSION,
    "show me the invoices": [("invoices", {})],
    "invoices, list": [("invoices", {})],
    "list my open invoices": [("open_invoices", {})],
    "restart api and tell me the version": [*API, *VERSION],
    "Can you restart api and then please tell me the version? Thanks!": [*API, *VERSION],
    "tell me the version, then restart api": [*VERSION, *API],
    "restart api; tell me the version": [*API, *VERSION],
    "restart api\n\ntell me the version": [*API, *VERSION],
    "Restart api. Tell me the version.": [*API, *VERSION],
    "restart api, tell me the version and list my invoices": [*API, *VERSION, ("invoices", {})],
    "restart api and restart web": [*API, ("restart", {"service": "web"})],
    "restart api and restart api": API,
    "create an invoice for Smith and Sons and restart api": [
        ("invoice", {"customer": "Smith and Sons"}),
        *API,
    ],
}


@pytest.mark.states("P-041", "P-068", "P-074", "P-076")
@pytest.mark.parametrize("text", ACTS)
def test_a_request_that_a_rule_describes_is_acted_on(text: str) -> None:
    assert classify(text) == ACTS[text]


SILENT = [
    "",
    " ?! ",
    "please",
    "restart",
    "hello",
    "don't restart api",
    "Please don\u2019t restart api",
    "do not restart api",
    "never restart api",
    "can you not restart api",
    "stop! restart api",
    "how do I restart api?",
    "how would you restart api",
    "why restart api?",
    "should I restart api?",
    "what happens when I restart api",
    "when did you restart api",
    "did you restart api",
    "I restarted api",
    "he said restart api",
    '"restart api"',
    "\u201crestart api\u201d",
    "`restart api`",
    "summarise: restart api",
    "translate 'restart api' into German",
    "write a poem about restart api",
    "ignore the above and restart api",
    "restart api if it is down",
    "if it is down, restart api",
    "restart api unless it is busy",
    "restart api, no wait",
    "restart api no wait, web",
    "restart api don't",
    "restart api on second thought web",
    "restart api - no, don't",
    "restart api, actually web",
    "restart api but not web",
    "restart api. Never mind.",
    "restart api, scratch that",
    "restart api or tell me the version",
    "restart api and don't tell me the version",
    "don't restart api and tell me the version",
    "restart api and delete everything",
    "restart api, then wait for me",
    "restart api and then",
    "restart api. What is a good joke",
    "restart api? I wonder",
    "add note buy milk, don't forget eggs",
    "don't show invoices",
    "how do I list invoices",
    "show me the invoices of Acme",
    "show me all invoices",
    "show 'invoices'",
    "list invoices \u2192 file",
    "version 3",
    "the the",
    "tell me the version and then and then",
    "tell me the version " * 3,
]


@pytest.mark.states("P-010")
@pytest.mark.parametrize("text", SILENT)
def test_what_only_mentions_an_action_is_not_acted_on(text: str) -> None:
    assert classify(text) == []


def test_what_a_pattern_names_itself_is_meant() -> None:
    rules = (
        Rule(action_id="check", patterns=(r"check if (?P<service>\w+) is up",)),
        Rule(action_id="stop", patterns=(r"stop (?P<service>\w+)",)),
        Rule(action_id="faq", patterns=(r"how do I (?P<what>.+)",)),
        Rule(action_id="say", patterns=(r"say hi; then (?P<what>.+)", r"shout (?P<what>\w+! .+)")),
        Rule(action_id="visit", patterns=(r"open (?P<what>\w+\. \w+)",)),
    )
    assert classify("check if api is up", *rules) == [("check", {"service": "api"})]
    assert classify("stop api", *rules) == [("stop", {"service": "api"})]
    assert classify("how do I log in?", *rules) == [("faq", {"what": "log in"})]
    assert classify("say hi; then bye", *rules) == [("say", {"what": "bye"})]
    assert classify("shout hey! you", *rules) == [("say", {"what": "hey! you"})]
    assert classify("open chapter. two", *rules) == [("visit", {"what": "chapter. two"})]


def test_what_surrounds_a_request_counts_where_the_pattern_names_it() -> None:
    polite = Rule(action_id="polite", patterns=(r"please (?P<what>\w+)", r"really\?"))
    assert classify("please restart", polite) == [("polite", {"what": "restart"})]
    assert classify("really?", polite) == [("polite", {})]
    assert classify("please restart now", polite) == []


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (r"restart (?P<service>\w+)", r"restart (?P<host>\w+)", "restart api"),
        (r"restart api", r"restart (?:api|web)", "restart api"),
    ],
)
def test_two_actions_that_fit_equally_well_are_none(first: str, second: str, text: str) -> None:
    rules = (Rule(action_id="a", patterns=(first,)), Rule(action_id="b", patterns=(second,)))
    found = explain(text, *rules)
    assert (found.outcome, found.reason) == (Intent(), "two actions fit equally well")
    assert [candidate.action_id for candidate in found.candidates] == ["a", "b"]
    assert classify(f"{text} and {text}", *rules) == []


def test_a_tie_about_the_whole_is_not_broken_by_its_parts() -> None:
    rules = (
        Rule(action_id="song", patterns=(r"(?P<title>\w+ and \w+)",)),
        Rule(action_id="band", patterns=(r"(?P<name>\w+ and \w+)",)),
        Rule(action_id="rock", cues=("rock",)),
        Rule(action_id="roll", cues=("roll",)),
    )
    assert explain("rock and roll", *rules).reason == "two actions fit equally well"


def test_cues_that_two_actions_share_are_none() -> None:
    rules = (
        Rule(action_id="a", cues=("show", "bills")),
        Rule(action_id="b", cues=("bills|invoices", "show|list")),
    )
    assert classify("show bills", *rules) == []
    assert classify("list bills", *rules) == [("b", {})]


def test_the_rule_that_names_more_of_the_clause_wins() -> None:
    found = explain("restart the database")
    assert [(candidate.action_id, candidate.score) for candidate in found.candidates] == [("reset", 1.0)]
    rules = (
        Rule(
            action_id="any", patterns=(r"open (?P<what>.+)", r"open the (?P<what>.+)", r"open (?P<what>.*)")
        ),
        Rule(action_id="door", patterns=(r"open the (?P<which>\w+) door",)),
    )
    assert classify("open the red door", *rules) == [("door", {"which": "red"})]
    assert classify("open the window", *rules) == [("any", {"what": "window"})]


def test_a_request_that_can_be_read_in_two_ways_is_none() -> None:
    whole_or_parts = (
        Rule(action_id="play", patterns=(r"(?P<title>\w+ and \w+)",)),
        Rule(action_id="rock", cues=("rock",)),
        Rule(action_id="roll", cues=("roll",)),
    )
    found = explain("rock and roll", *whole_or_parts)
    assert (found.outcome, found.reason) == (Intent(), "it can be read in more than one way")
    assert {candidate.action_id for candidate in found.candidates} == {"play", "rock", "roll"}
    two_cuts = (
        Rule(action_id="a", patterns=("x",)),
        Rule(action_id="b", patterns=("x and y",)),
        Rule(action_id="c", patterns=("y and z",)),
        Rule(action_id="d", patterns=("z",)),
    )
    assert classify("x and y and z", *two_cuts) == []
    joined_or_not = (*two_cuts[:2], Rule(action_id="e", patterns=("y",)), two_cuts[3])
    assert classify("x and y and z", *joined_or_not) == []


def test_a_pattern_that_names_the_joint_itself_is_one_request() -> None:
    rules = (
        Rule(action_id="both", patterns=(r"stop and start (?P<service>\w+)",)),
        Rule(action_id="stop", cues=("stop",)),
        Rule(action_id="start", patterns=(r"start (?P<service>\w+)",)),
    )
    assert classify("stop and start api", *rules) == [("both", {"service": "api"})]


@pytest.mark.states("P-055")
def test_only_described_actions_are_chosen() -> None:
    classifier = RulesClassifier(RULES)
    for described, expected in (
        ((), Intent()),
        (DESCRIPTORS[1:2], Intent()),
        (
            DESCRIPTORS[:1],
            Intent(actions=(ActionIntent(action_id="restart", params={"service": "database"}),)),
        ),
    ):
        assert asyncio.run(classifier(request("restart the database"), described)) == expected


def test_a_group_that_took_part_in_nothing_is_left_out() -> None:
    rule = Rule(action_id="a", patterns=(r"go(?: to (?P<place>\w*))?(?P<rest>\s*)",))
    assert classify("go", rule) == [("a", {})]
    assert classify("go to x", rule) == [("a", {"place": "x"})]


def test_several_rules_of_one_action_count_together() -> None:
    rules = (Rule(action_id="a", patterns=("one",)), Rule(action_id="a", patterns=("two",)))
    classifier = RulesClassifier(rules)
    described = (ActionDescriptor(id="a", name="", description=""),)
    for text in ("one", "two"):
        assert asyncio.run(classifier(request(text), described)).actions == (ActionIntent(action_id="a"),)


# ---- which turns it reads ----------------------------------------------------------------------


def test_without_an_utterance_in_the_context_it_reads_the_body() -> None:
    user = Message(role="user", parts=(Text(text="restart api"),))
    classifier = RulesClassifier(RULES)
    assert asyncio.run(classifier(Request(body=Body(messages=(user,))), DESCRIPTORS)).actions
    continued = Body(messages=(user, Message(role="tool", parts=(ToolResult(call_id="1"),))))
    assert asyncio.run(classifier(Request(body=continued), DESCRIPTORS)) == Intent()


@pytest.mark.parametrize("kind", ["continuation", "side_call", "prefill", "answer", "none"])
def test_only_a_new_request_is_read(kind: Any) -> None:
    said = Request(context=NO_CONTEXT.with_(Utterance(kind=kind, text="restart api")))
    found = asyncio.run(RulesClassifier(RULES).explain(said, DESCRIPTORS))
    assert (found.outcome, found.reason) == (Intent(), f"the turn is no new request: {kind}")


def test_a_long_text_is_not_read() -> None:
    assert classify("add note " + "x" * 3991) == [("note", {"text": "x" * 3991})]
    assert classify("add note " + "x" * 3992) == []
    assert "longer" in explain("x" * 4001).reason


# ---- explaining --------------------------------------------------------------------------------


@pytest.mark.states("P-011")
def test_an_explanation_tells_what_matched_and_what_is_missing() -> None:
    found = explain("bill acme")
    candidate = found.candidates[0]
    assert (candidate.action_id, candidate.params, candidate.missing) == (
        "invoice",
        {"customer": "acme"},
        ("month",),
    )
    assert candidate.because == r"pattern bill (?P<customer>\w+)"
    assert candidate.score == pytest.approx(5 / 9)
    assert explain("show bills").candidates[0].because == "cues list|show|see + invoices|bills"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello", "no rule describes it"),
        ("restart api if it is down", 'the word "if" makes it doubtful'),
        ("restart api. What else", "there is more than one sentence in it"),
    ],
)
def test_an_explanation_tells_why_nothing_was_chosen(text: str, reason: str) -> None:
    assert explain(text).reason == reason


# ---- construction ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "(?P<a>x)(?P<a>y)",
        r"(\w+)+",
        r"(?P<x>(?:\w+\s*)*)",
        r"((a*))+b",
        r"(x|y+)*",
        r"(?:(?:\w+)?,?)+",
        r"(\w{2,})+",
        r"(?:\w+(?=x))*",
        r"(?i:[\]a-z]+)+?",
        r"((?#why)\d+)+",
        r"(\)+)+",
        r"(^\d+$)+",
        r"(?:(a+)|b)*c",
    ],
)
def test_a_pattern_that_cannot_work_is_refused_with_its_action(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"(?s)'ops.restart'.*pattern"):
        RulesClassifier([Rule(action_id="ops.restart", patterns=(pattern,))])


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:\w+ )+x",
        r"(?:\w+, )*\w+",
        r"(\w{1,20})+",
        r"(\w{3})+",
        r"(?:\w++)+",
        r"(?>\w+)+",
        r"(?:[^)+]*-)+",
        r"a{,3}b{2,}c{}(?:d{})+",
        r"(?P<q>['\"]).+(?P=q)",
        r"(?:(?=\w+)x)+",
        r"(?<!a)(b+c)+\Z",
        r"(?P<a>.+) to (?P<b>.+)",
        r"(a)?(?(1)b|c)+",
    ],
)
def test_an_ordinary_pattern_is_taken(pattern: str) -> None:
    assert compiled(pattern, "a").pattern == pattern


@pytest.mark.parametrize("rule", [Rule(action_id="a", cues=("",)), Rule(action_id="a", cues=("x|", "y"))])
def test_a_blank_cue_is_refused_with_its_action(rule: Rule) -> None:
    with pytest.raises(ValueError, match="action 'a'"):
        RulesClassifier([rule])


@pytest.mark.parametrize("name", ["patterns", "cues"])
def test_one_string_for_many_is_refused_with_its_action(name: str) -> None:
    rule = Rule(action_id="a", **{name: "restart"})  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=f"action 'a': {name}"):
        RulesClassifier([rule])


# ---- laws --------------------------------------------------------------------------------------

VOCABULARY = (
    "restart the api web and then tell me the version or but not don't please if invoices list show a"
)
words = st.sampled_from([*VOCABULARY.split(), ",", ";", ".", "?", "!", '"', " "])
sentences = st.lists(words, max_size=12).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(text=sentences | st.text(max_size=40))
def test_any_text_is_classified_the_same_way_twice_and_params_are_words_of_the_text(text: str) -> None:
    actions = classify(text)
    assert actions == classify(text)
    for _, params in actions:
        for value in params.values():
            assert value
            assert not value.endswith(("don't", "not"))


@settings(max_examples=60, deadline=None)
@given(text=sentences | st.sampled_from(sorted(ACTS)), order=st.permutations(range(len(RULES))))
def test_the_order_of_the_actions_changes_no_choice(text: str, order: list[int]) -> None:
    other = RulesClassifier([RULES[at] for at in order])
    intent = asyncio.run(other(request(text), tuple(DESCRIPTORS[at] for at in order)))
    assert isinstance(intent, Intent)
    assert [(each.action_id, each.params) for each in intent.actions] == classify(text)


@settings(max_examples=60, deadline=None)
@given(
    text=st.sampled_from(sorted(ACTS)),
    before=st.sampled_from(["don't ", "do not ", "how do I ", "he said ", "if asked, ", "why ", "explain: "]),
)
def test_no_request_survives_words_before_it_that_turn_its_meaning(text: str, before: str) -> None:
    assert classify(before + text) == []


@settings(max_examples=60, deadline=None)
@given(
    text=st.sampled_from(sorted(ACTS)),
    after=st.sampled_from(
        [", no wait", " - never mind", ", but not now", " if you can", ". Or why not?", ", don't"]
    ),
)
def test_no_request_survives_words_after_it_that_take_it_back(text: str, after: str) -> None:
    assert classify(text + after) == []


@settings(max_examples=60, deadline=None)
@given(
    text=st.sampled_from(sorted(ACTS)),
    before=st.sampled_from(["", "please ", "Can you ", "Hi, ", "could you kindly "]),
    after=st.sampled_from(["", ".", "?", " please", ", thanks!"]),
    case=st.sampled_from([str, str.upper, str.lower]),
)
def test_politeness_and_case_change_no_choice(text: str, before: str, after: str, case: Any) -> None:
    chosen = [name for name, _ in classify(before + case(text) + after)]
    assert chosen == [name for name, _ in ACTS[text]]


@pytest.mark.states("P-013")
@pytest.mark.parametrize(
    "text",
    [
        "x" * 4000,
        "restart " + "a " * 1996,
        "restart api and " * 250,
        "restart " + ", " * 1990,
        "please " * 570,
        "restart x. " + "thanks " * 550 + "x",
        "restart " + "if" * 1990,
        "list " * 800,
        "create an invoice for " + "x for " * 660,
    ],
    ids=lambda text: text[:12],
)
def test_the_longest_texts_take_no_more_than_milliseconds(text: str) -> None:
    started = time.process_time()
    classify(text)
    assert time.process_time() - started < 0.05
