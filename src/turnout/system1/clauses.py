"""A request cut into clauses."""


def clauses(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of the clauses of a text, in order, without the joints between them; one at least for any words."""
    raise NotImplementedError(text)
