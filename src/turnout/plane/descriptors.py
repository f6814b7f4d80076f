"""The descriptors of a request's actions, as they travel in its context."""

from turnout.model import Context, Descriptors


def with_action_descriptors(context: Context, descriptors: Descriptors) -> Context:
    """A context that carries the descriptors of the actions that its request may ask for."""
    return context.with_(descriptors, Descriptors)


def action_descriptors(context: Context) -> Descriptors:
    """The descriptors that the context carries, `()` when no step has put any there."""
    return context.get(Descriptors, ())
