"""The whole story: text in, bulletin out. Each line of `evaluate` is a stage, a plain function Session -> Session."""

from collections.abc import Sequence
from pathlib import Path

from overtrick.audit import Audit
from overtrick.audit import audit as compare
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.parse import read
from overtrick.parse.text import Text, decode
from overtrick.rank import rank
from overtrick.rank.units import shown
from overtrick.score import score
from overtrick.validate import validate


def evaluate(paths: Sequence[str], config: Config, *, verified: bool = False) -> Session:
    """Read files and folders into one session, check it, score it and rank it.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        verified: whether files are held against the standard of their format too.

    Returns:
        The session with all its frames filled. Whatever is wrong with the data is in `problems`; nothing raises for it.
    """
    session = read(paths, verified=verified)
    session = validate(session)
    session = score(session, config.scoring)
    session = rank(session, config.scoring)
    return shown(session, config.scoring)


def audit(paths: Sequence[str], config: Config) -> tuple[Session, Audit]:
    """Read files and folders into one session, evaluate it, and compare what it states with what we compute."""
    session = validate(read(paths))
    return rank(score(session, config.scoring), config.scoring), compare(session, config.scoring)


def bulletin(paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True) -> Session:
    """Evaluate a session and write its website, and its PDF unless `pdf` is false, to the folder `out`.

    The folder is replaced as a whole when everything is written: a run that dies leaves the old site as it was.
    """
    from overtrick.render import write_bulletin  # noqa: PLC0415 - what renders nothing loads no template engine

    session = evaluate(paths, config)
    write_bulletin(session, out, config, pdf=pdf)
    return session


def source_lines(source: str) -> list[str]:
    """Read a file's lines again, as problems number them; none for standard input and for what can't be read."""
    try:
        text = decode(Path(source).read_bytes())
    except (OSError, ValueError):
        return []
    return text.content.split("\n") if isinstance(text, Text) else []
