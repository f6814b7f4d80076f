"""A request that leaves a choice is no request for either."""

import pytest

from turnout.system1.choice import leaves_a_choice


@pytest.mark.parametrize(
    "text",
    [
        "transfer 50 euros to Ann or refund 20 to Bob",
        "Pay the plumber, or please send him a reminder",
        "either cancel my order or ship it today",
        "approve or reject invoice 12",
        "stop or restart the api",
        "block my card or else call me",
        "Überweise Anna 20 Euro oder sperre meine Karte",
        "send 5 to Ann; or send Bob 10",
    ],
)
def test_two_requests_with_an_or_between_them_leave_a_choice(text: str) -> None:
    assert leaves_a_choice(text)


@pytest.mark.parametrize(
    "text",
    [
        "recommend a film or book about Rome",
        "turn it up or down",
        "play something by Queen or Abba",
        'note "pay Ann or refund Bob"',
        "block my card",
        "order 2 or 3 pizzas",
        "send it today or tomorrow",
        "",
    ],
)
def test_an_or_between_things_leaves_no_choice_between_requests(text: str) -> None:
    assert not leaves_a_choice(text)
