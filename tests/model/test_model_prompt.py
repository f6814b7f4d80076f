"""The builder of prompts: P-163 to P-171."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnout.model import Prompt

BLANKS = ["", " ", "\n", "\t \n"]
Build = Callable[[Prompt], Prompt]


@pytest.mark.states("P-163")
def test_a_new_prompt_is_empty() -> None:
    assert str(Prompt()) == ""


@pytest.mark.states("P-164")
@given(text=st.text(min_size=1).filter(str.strip))
def test_a_paragraph_stands_as_it_is(text: str) -> None:
    assert str(Prompt().add_paragraph(text)) == text


@pytest.mark.states("P-164", "P-165", "P-166", "P-167")
@pytest.mark.parametrize("blank", BLANKS)
@pytest.mark.parametrize(
    "add",
    [
        lambda prompt, blank: prompt.add_paragraph(blank),
        lambda prompt, blank: prompt.add_section(blank),
        lambda prompt, blank: prompt.add_section(blank, "content"),
        lambda prompt, blank: prompt.add_bullet_point(blank),
        lambda prompt, blank: prompt.add_labeled_bullet_point(blank, "text"),
    ],
)
def test_blank_texts_titles_and_labels_are_ignored(add: Callable[[Prompt, str], Prompt], blank: str) -> None:
    assert str(add(Prompt(), blank)) == ""
    assert str(add(Prompt().add_bullet_point("a"), blank).add_bullet_point("b")) == "- a\n- b"
    assert str(add(Prompt().add_paragraph("a"), blank).add_paragraph("b")) == "a\n\nb"


@pytest.mark.states("P-165", "P-166", "P-167")
@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda p: p.add_section("Rules"), "## Rules"),
        (lambda p: p.add_section("Rules", " "), "## Rules"),
        (lambda p: p.add_section("Rules", "Be brief."), "## Rules\nBe brief."),
        (lambda p: p.add_section("Rules", "One.\n\nTwo.\n"), "## Rules\nOne.\n\nTwo."),
        (lambda p: p.add_bullet_point("one"), "- one"),
        (lambda p: p.add_bullet_point("one\ntwo\nthree"), "- one\n  two\n  three"),
        (lambda p: p.add_bullet_point("one\n\ntwo\n"), "- one\n\n  two"),
        (lambda p: p.add_labeled_bullet_point("pay", "pays a bill"), "- pay: pays a bill"),
        (lambda p: p.add_labeled_bullet_point("pay", "pays\na bill"), "- pay: pays\n  a bill"),
        (lambda p: p.add_labeled_bullet_point("pay", ""), "- pay"),
        (lambda p: p.add_labeled_bullet_point("pay", " \n"), "- pay"),
    ],
)
def test_sections_and_bullet_points_are_markdown(build: Build, expected: str) -> None:
    assert str(build(Prompt())) == expected


@pytest.mark.states("P-168", "P-169")
@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda p: p.add_paragraph("a").add_paragraph("b"), "a\n\nb"),
        (lambda p: p.add_bullet_point("a").add_labeled_bullet_point("b", "c"), "- a\n- b: c"),
        (lambda p: p.add_section("S").add_bullet_point("a").add_bullet_point("b"), "## S\n- a\n- b"),
        (lambda p: p.add_section("S", "c").add_bullet_point("a"), "## S\nc\n- a"),
        (
            lambda p: p.add_section("S", "c\n").add_bullet_point("a\n").add_bullet_point("b"),
            "## S\nc\n- a\n- b",
        ),
        (lambda p: p.add_paragraph("a").add_bullet_point("b"), "a\n\n- b"),
        (lambda p: p.add_bullet_point("a").add_paragraph("b"), "- a\n\nb"),
        (lambda p: p.add_bullet_point("a").add_section("S"), "- a\n\n## S"),
        (lambda p: p.add_section("S").add_paragraph("a"), "## S\n\na"),
        (lambda p: p.add_section("S").add_section("T"), "## S\n\n## T"),
        (lambda p: p.add_section("S").add_paragraph("a").add_bullet_point("b"), "## S\n\na\n\n- b"),
    ],
)
def test_only_bullet_points_after_bullet_points_or_sections_need_no_blank_line(
    build: Build, expected: str
) -> None:
    assert str(build(Prompt())) == expected


@pytest.mark.states("P-168", "P-169")
@given(
    blocks=st.lists(
        st.tuples(
            st.sampled_from(["paragraph", "section", "bullet"]), st.text("abc", min_size=1, max_size=3)
        ),
        min_size=1,
        max_size=8,
    )
)
def test_blocks_come_out_in_the_order_added(blocks: list[tuple[str, str]]) -> None:
    prompt = Prompt()
    lines: list[str] = []
    before = ""
    for kind, text in blocks:
        if before and not (kind == "bullet" and before in {"bullet", "section"}):
            lines.append("")
        if kind == "paragraph":
            prompt.add_paragraph(text)
            lines.append(text)
        elif kind == "section":
            prompt.add_section(text)
            lines.append(f"## {text}")
        else:
            prompt.add_bullet_point(text)
            lines.append(f"- {text}")
        before = kind
    assert str(prompt).split("\n") == lines


@pytest.mark.states("P-170")
@pytest.mark.parametrize("text", ["text", ""])
def test_every_method_returns_the_prompt(text: str) -> None:
    prompt = Prompt()
    assert prompt.add_paragraph(text) is prompt
    assert prompt.add_section(text, text) is prompt
    assert prompt.add_bullet_point(text) is prompt
    assert prompt.add_labeled_bullet_point(text, text) is prompt


@pytest.mark.states("P-171")
def test_that_a_prompt_is_for_one_thread_is_documented() -> None:
    assert "several threads" in (Prompt.__doc__ or "")


def test_reading_a_prompt_does_not_change_it() -> None:
    prompt = Prompt().add_paragraph("a")
    assert str(prompt) == str(prompt) == "a"
    assert str(prompt.add_bullet_point("b")) == "a\n\n- b"


def test_printing_a_prompt_shows_no_text() -> None:
    assert repr(Prompt().add_paragraph("secret")) == "Prompt(6 characters)"
