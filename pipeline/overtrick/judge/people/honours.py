"""Honours of a session beside its ranking: the rankings of strata and clubs, and masterpoints."""

from overtrick.core.config import Config
from overtrick.core.frames import Session


def honour(session: Session, config: Config) -> Session:
    """Add the rankings of strata and clubs, and masterpoints, where the settings or the files have any."""
    stated = session.contestants["stated_awards"].is_not_null().any()
    if not (config.people.strata or config.scoring.clubs or config.awards or stated):
        return session
    from overtrick.judge.people import awards, divisions  # noqa: PLC0415 - few clubs have masterpoints

    return awards.award(divisions.divide(session, config.people, config.scoring.clubs), config.awards)
