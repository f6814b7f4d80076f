"""Classifiers are evaluated on labelled requests, by rules as by anything else, and a build can depend on it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

DESK = """
import turnout

@turnout.action(patterns=[r"pay (?P<amount>[\\d.]+) to (?P<whom>\\w+)", r"pay (?P<whom>\\w+)"])
def pay(amount: float, whom: str) -> str:
    \"\"\"Pay somebody.\"\"\"
    raise AssertionError("nothing may run here")

@turnout.action(patterns=[r"(?:refund|pay back) (?P<whom>\\w+)"])
def refund(whom: str) -> str:
    \"\"\"Pay back.\"\"\"
    raise AssertionError("nothing may run here")

app = turnout.App()
app.add(pay, refund)
app.reason_with(lambda request: "the model")
"""

CASES = [
    {"text": "pay 12.50 to ada", "actions": [{"id": "pay", "parameters": {"amount": 12.5, "whom": "Ada"}}]},
    {"text": "pay bob", "actions": ["pay"]},
    {"text": "please refund ada", "actions": ["refund"]},
    {"text": "give ada her money back", "actions": ["refund"]},
    {"text": "pay attention", "actions": []},
    {"text": "what is a refund?", "actions": []},
    {"text": "how do I pay ada?"},
    {"text": "hello", "actions": None, "seen": "elsewhere"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "desk.py").write_text(DESK)
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "turnout", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.states("P-079")
def test_the_rules_are_evaluated_on_labelled_requests(folder: Path) -> None:
    told = json.loads(run(folder, "eval", "cases.jsonl", "desk:app", "--json").stdout)
    assert (told["rows"], told["asking"], told["acts"], told["wrong"]) == (8, 4, 4, 1)
    assert told["coverage"] == 0.75
    assert told["reasoning_recall"] == 0.75
    assert told["values_right"] == 1.0
    assert {each["id"]: each["recall"] for each in told["actions"]} == {"pay": 1.0, "refund": 0.5}
    assert told["confused"] == [{"gold": "(model)", "picked": "pay", "rows": 1, "example": "pay attention"}]


@pytest.mark.states("P-079")
def test_a_person_reads_what_is_wrong_and_which_requests_were_missed(folder: Path) -> None:
    done = run(folder, "eval", "cases.jsonl", "desk:app", "--failures", "9")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("8 requests: 4 for actions, 4 for the model\nacts on 4, wrongly on 1\n")
    assert "(model) -> pay   'pay attention'" in done.stdout
    assert "'give ada her money back': refund -> the model" in done.stdout


def test_a_build_can_depend_on_figures(folder: Path) -> None:
    held = run(
        folder,
        "eval",
        "cases.jsonl",
        "desk:app",
        "--require",
        "coverage>=0.7",
        "--require",
        "precision.refund >= 1",
    )
    assert held.returncode == 0, held.stderr
    missed = run(folder, "eval", "cases.jsonl", "desk:app", "--require", "wrong_upper<=.05", "--json")
    assert missed.returncode == 1
    assert "wrong_upper<=0.05 does not hold" in missed.stderr
    assert json.loads(missed.stdout)["required"] == {"wrong_upper<=0.05": False}


def test_a_figure_that_there_is_nothing_to_take_from_does_not_hold(folder: Path) -> None:
    (folder / "model.jsonl").write_text('{"text": "hello"}\n')
    done = run(folder, "eval", "model.jsonl", "desk:app", "--require", "coverage>=0")
    assert done.returncode == 1
    assert "coverage>=0 does not hold: -" in done.stderr


def test_a_conversation_may_come_before_the_text(folder: Path) -> None:
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yes?"}]
    said.append({"role": "user", "content": "pay bob"})
    (folder / "talk.jsonl").write_text(json.dumps({"messages": said, "actions": ["pay"]}) + "\n")
    told = json.loads(run(folder, "eval", "talk.jsonl", "desk:app", "--json").stdout)
    assert (told["acts"], told["wrong"]) == (1, 0)


def test_cases_may_be_yaml(folder: Path) -> None:
    (folder / "cases.yaml").write_text("- {text: pay bob, actions: [pay]}\n- text: hello\n")
    told = json.loads(run(folder, "eval", "cases.yaml", "desk:app", "--json").stdout)
    assert (told["rows"], told["coverage"], told["reasoning_recall"]) == (2, 1.0, 1.0)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("eval", "none.jsonl", "desk:app"), "none.jsonl: cannot be read"),
        (("eval", "odd.jsonl", "desk:app"), "odd.jsonl:2: there is no action 'sing'"),
        (("eval", "broken.jsonl", "desk:app"), "broken.jsonl:1: "),
        (("eval", "empty.jsonl", "desk:app"), "empty.jsonl:1: a row needs a text"),
        (("eval", "broken.yaml", "desk:app"), "broken.yaml: "),
        (("eval", "cases.jsonl", "desk:app", "--require", "coverage"), "is not METRIC>=NUMBER"),
        (("eval", "cases.jsonl", "desk:app", "--require", "beauty>=1"), "expected one of coverage, "),
        (("eval", "cases.jsonl", "desk:app", "--label", "x"), "--label needs --shadow"),
        (("calibrate", "cases.jsonl", "desk:app"), 'only classifier = "local" has thresholds'),
        (("calibrate", "cases.jsonl", "desk:app", "--max-wrong", "1.5"), "1.5 is not in the range"),
    ],
)
def test_what_cannot_be_read_is_named_and_status_2(folder: Path, words: tuple[str, ...], says: str) -> None:
    (folder / "odd.jsonl").write_text('{"text": "hello"}\n{"text": "la la", "actions": ["sing"]}\n')
    (folder / "broken.jsonl").write_text("{")
    (folder / "empty.jsonl").write_text("{}")
    (folder / "broken.yaml").write_text("- [")
    done = run(folder, *words)
    assert done.returncode == 2, done.stdout
    assert says in done.stderr
    assert "Traceback" not in done.stderr


# ---- a record of live traffic ----------------------------------------------------------------------------------

WATCHED = DESK.replace("turnout.App()", 'turnout.App(shadow="shadow.jsonl")')
TALK = """
import watched
for text in ("pay bob", "please refund ada", "hello", "pay bob"):
    assert watched.app.process_sync(text).text == "the model"
"""


@pytest.fixture
def watched(folder: Path) -> Path:
    (folder / "watched.py").write_text(WATCHED)
    subprocess.run([sys.executable, "-c", TALK], cwd=folder, check=True, timeout=60)
    return folder


def test_a_record_shows_what_would_have_been_answered(watched: Path) -> None:
    done = run(watched, "eval", "--shadow", "shadow.jsonl", "watched:app")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 requests: 3 (75.0%) would have been answered")
    assert "pay: 2\n  'pay bob'\n" in done.stdout
    assert "0 differ from the record" in done.stdout
    told = json.loads(run(watched, "eval", "--shadow", "shadow.jsonl", "watched:app", "--json").stdout)
    assert told["actions"] == {"pay": 2, "refund": 1}


def test_a_record_is_compared_with_the_application_as_it_is_now(watched: Path) -> None:
    (watched / "later.py").write_text(WATCHED.replace("refund|pay back", "reimburse"))
    done = run(watched, "eval", "--shadow", "shadow.jsonl", "later:app")
    assert "as it is now, 2 would be answered; 1 differ from the record" in done.stdout
    assert "'please refund ada': refund -> the model" in done.stdout


def test_a_record_becomes_rows_to_label(watched: Path) -> None:
    done = run(watched, "eval", "--shadow", "shadow.jsonl", "watched:app", "--label", "rows.jsonl")
    assert "3 rows to correct are in rows.jsonl" in done.stderr
    rows = [json.loads(line) for line in (watched / "rows.jsonl").read_text().splitlines()]
    assert {row["text"]: row["actions"] for row in rows} == {
        "pay bob": ["pay"],
        "please refund ada": ["refund"],
        "hello": [],
    }
    again = run(watched, "eval", "--shadow", "shadow.jsonl", "watched:app", "--label", "rows.jsonl")
    assert again.returncode == 2
    assert "rows.jsonl: cannot be written: File exists" in again.stderr
    assert json.loads(run(watched, "eval", "rows.jsonl", "watched:app", "--json").stdout)["coverage"] == 1.0


@pytest.mark.parametrize(
    ("record", "says"),
    [("none.jsonl", "none.jsonl: cannot be read"), ("cases.jsonl", "cases.jsonl:1: no record of a decision")],
)
def test_what_is_no_record_is_named(watched: Path, record: str, says: str) -> None:
    done = run(watched, "eval", "--shadow", record, "watched:app")
    assert done.returncode == 2
    assert says in done.stderr


def test_a_record_has_no_labels_to_require_anything_of(watched: Path) -> None:
    done = run(watched, "eval", "--shadow", "shadow.jsonl", "watched:app", "--require", "coverage>=0")
    assert done.returncode == 2
    assert "--require needs labels" in done.stderr


BARE = """
import turnout

@turnout.agent("echo")
async def echo(request, emit):
    await emit.text("hi")

@turnout.action(patterns=[r"pay (?P<whom>\\w+)"])
def pay(whom: str) -> str:
    \"\"\"Pay somebody.\"\"\"
    return whom

bare = turnout.App()
bare.add(pay)
both = turnout.App()
both.add(echo, pay)
both.model("m", lambda request: "the model")
"""


@pytest.mark.parametrize(
    "words", [("try", "pay ada", "bare:bare"), ("eval", "cases.jsonl", "bare:bare")], ids=["try", "eval"]
)
def test_a_target_without_models_is_told_in_one_line(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "bare.py").write_text(BARE)
    (folder / "cases.jsonl").write_text('{"text": "pay ada", "actions": ["pay"]}\n')
    done = run(folder, *words)
    assert done.returncode == 1
    assert done.stderr.startswith("turnout: ")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_model_behind_actions_is_asked_before_an_agent(folder: Path) -> None:
    (folder / "bare.py").write_text(BARE)
    assert run(folder, "try", "pay ada", "bare:both").stdout.startswith("runs: pay(")
