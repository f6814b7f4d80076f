"""The smallest gateway: one action that needs no model, and a provider for everything else.

Run it with `turnout serve app:app` in this folder, then ask it anything in the OpenAI protocol.
"""

import os

import turnout

app = turnout.App()


@app.action(
    patterns=[r"say hello( to (?P<name>\w+))?", r"(hello|hi)( there)?"],
    examples=["say hello to Ada"],
    template="Hello, {greeted}!",
)
def say_hello(name: str = "world") -> dict[str, str]:
    """Greet somebody by name."""
    return {"greeted": name}


app.reason_with(
    turnout.provider(
        os.environ.get("MODEL_PRESET", "openai"),
        base_url=os.environ.get("MODEL_URL"),
        api_key=os.environ.get("OPENAI_API_KEY", ""),
    )
)
