"""A prompt for a model, built block by block as plain Markdown.

Strategy: each block remembers whether it is a bullet point and whether bullet points may follow it on the next line;
the text is only put together when it is asked for.
"""


class Prompt:
    """Paragraphs, titled sections and bullet points, in the order in which they were added.

    Bullet points that follow one another or a section stand on consecutive lines, since a list belongs to the
    section above it; a blank line separates everything else. Every method returns the prompt, so that calls can be
    chained. One prompt must not be changed by several threads at once.
    """

    __slots__ = ("_pieces", "_takes_bullets")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._takes_bullets = False

    def add_paragraph(self, text: str) -> "Prompt":
        """Add `text` exactly as it is; nothing when it is blank."""
        return self._add_block(text, takes_bullets=False) if text.strip() else self

    def add_section(self, title: str, content: str = "") -> "Prompt":
        """Add a heading with `title` and below it `content`, unless that is blank; nothing without a title."""
        if not title.strip():
            return self
        block = f"## {title}"
        if content.strip():
            block += "\n" + content.strip("\n")
        return self._add_block(block, takes_bullets=True)

    def add_bullet_point(self, text: str) -> "Prompt":
        """Add one bullet point, whose further lines are indented under it; nothing when `text` is blank."""
        if not text.strip():
            return self
        if self._pieces:
            self._pieces.append("\n" if self._takes_bullets else "\n\n")
        first, *further = text.strip("\n").split("\n")
        self._pieces.append("\n".join([f"- {first}", *(f"  {line}" if line else "" for line in further)]))
        self._takes_bullets = True
        return self

    def add_labeled_bullet_point(self, label: str, text: str) -> "Prompt":
        """Add the bullet point `label: text`, or `label` alone when `text` is blank; nothing without a label."""
        if not label.strip():
            return self
        return self.add_bullet_point(f"{label}: {text}" if text.strip() else label)

    def __str__(self) -> str:
        return "".join(self._pieces)

    def __repr__(self) -> str:
        # The text may hold what a user said.
        return f"Prompt({sum(map(len, self._pieces))} characters)"

    def _add_block(self, text: str, *, takes_bullets: bool) -> "Prompt":
        if self._pieces:
            self._pieces.append("\n\n")
        self._pieces.append(text)
        self._takes_bullets = takes_bullets
        return self
