"""Runs the demo: a stand-in model, the gateway in front of it, a tour through both lanes, and a table."""

import asyncio
import contextlib
import signal

import click

from ..listen import listening
from .billing import Desk
from .speakers import SPEAKERS, Speaker
from .standin import NAME, StandIn
from .tour import TOUR, Seen, ride, turns


@click.command(name="demo", short_help="The main job, offline: actions first, a stand-in model for the rest.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8787, show_default=True, help="0 picks a free one."
)
@click.option(
    "--exit", "exit_", is_flag=True, help="End after the table; status 0 only if all went as it should."
)
def command(port: int, exit_: bool) -> None:
    """Start the gateway with sample actions and a built-in stand-in model, and show what happens."""
    try:
        right = asyncio.run(_demo(port, exit_))
    except OSError as error:
        raise click.ClickException(f"{error}; another --port may be free") from error
    raise SystemExit(0 if right else 1)


async def _demo(port: int, leave: bool) -> bool:
    from turnout import App, Server, provider

    standin, desk = StandIn(), Desk()
    async with listening(Server(standin), "127.0.0.1", 0) as model_port:
        app = App()
        app.add(*desk.actions())
        model = provider("openai-chat", name=NAME, base_url=f"http://127.0.0.1:{model_port}/v1")
        app.model("demo", model)  # for clients that ask which models there are
        app.reason_with(model)
        async with listening(app, "127.0.0.1", port) as bound:
            seen = [one for speaker in SPEAKERS for one in await _tour(speaker, bound, standin, desk)]
            _show(seen)
            if not leave:
                await _stay(bound)
            return all(one.right for one in seen)


async def _tour(speaker: Speaker, port: int, standin: StandIn, desk: Desk) -> list[Seen]:
    """All stops in one protocol, with books of their own."""
    desk.open_books()
    seen: list[Seen] = []
    for stop in TOUR:
        conversation = turns(stop, seen[-1] if seen else None)
        calls = standin.calls
        found = await ride(stop, conversation, speaker, port)
        seen.append(
            Seen(
                stop=stop,
                protocol=speaker.protocol,
                turns=conversation,
                lane=found.lane,
                actions=found.actions,
                reply=found.reply,
                milliseconds=found.milliseconds,
                asked=standin.calls > calls,
            )
        )
    return seen


def _show(seen: list[Seen]) -> None:
    click.echo(f"{'':2}{'request':57} {'protocol':18} {'form':7} {'lane':8} {'action':24} {'ms':>6}")
    for one in seen:
        stop = one.stop
        asked = stop.text + (" (after a tool result)" if stop.tool else "")
        form = "stream" if stop.stream else "whole"
        mark = " " if one.right else "!"
        click.echo(
            f"{mark} {asked[:56]:57} {one.protocol:18} {form:7} {one.lane:8} {one.actions:24} {one.milliseconds:6.1f}"
        )
        click.secho(f"    {' '.join(one.reply.split())[:110]}", dim=True)
    avoided = sum(not one.asked for one in seen)
    click.echo(
        f"\n{avoided} of {len(seen)} requests were answered by your own code: as many model calls avoided."
    )
    if wrong := sum(not one.right for one in seen):
        click.echo(f"{wrong} requests did not go as they should, marked with !")


async def _stay(port: int) -> None:
    """Keep serving until the reader has seen enough."""
    base = f"http://127.0.0.1:{port}/v1"
    click.echo(f"\nturnout: serving http://127.0.0.1:{port} (Ctrl-C ends it). Point any OpenAI client at it:")
    click.echo(f"  base_url = {base}   api_key = anything   model = anything")
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # not on Windows, where Ctrl-C raises instead
            loop.add_signal_handler(number, stopped.set)
    await stopped.wait()
