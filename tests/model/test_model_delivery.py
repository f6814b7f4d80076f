"""A reply is told once that its answer reached the end, and then tells those who wanted to know."""

from turnout.model import Answer, Reply, Text


def whole() -> Reply:
    return Reply.of(Answer(parts=(Text(text="a"),), stop="end"))


async def test_those_who_want_to_know_are_told_once_and_in_order() -> None:
    told: list[str] = []
    reply = whole()

    async def first() -> None:
        told.append("first")

    async def second() -> None:
        told.append("second")

    reply.on_delivery(first)
    reply.on_delivery(second)
    await reply.answer()
    assert told == []
    await reply.delivered()
    await reply.delivered()
    assert told == ["first", "second"]


async def test_closing_a_reply_tells_nobody() -> None:
    told: list[str] = []
    reply = whole()

    async def note() -> None:
        told.append("x")

    reply.on_delivery(note)
    await reply.aclose()
    assert told == []
