"""Sessions whose players are all named in full, as pages take them."""

from overtrick.core.config import Config
from overtrick.core.config.site import Privacy
from overtrick.core.frames import Session
from overtrick.judge.privacy import PublicSession, apply_privacy
from overtrick.show.history.publications import History
from overtrick.show.html import session_page
from overtrick.show.html.session_page import SessionPage


def public(session: Session) -> PublicSession:
    """Return a session to be published; one that is public already stays as it is."""
    return session if isinstance(session, PublicSession) else apply_privacy(session, Privacy())


def make_session_page(
    session: Session, config: Config, folder: str = "", history: History | None = None
) -> SessionPage:
    """Return the pages of a session in which nobody hides."""
    return session_page.make_session_page(public(session), config, folder, history)
