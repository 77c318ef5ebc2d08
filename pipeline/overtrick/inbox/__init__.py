"""A folder that files are put into, and bulletins come out of: nothing lost, nothing done twice, whatever is cut."""

from overtrick.inbox.folders import Inbox, WatchedError
from overtrick.inbox.watcher import Outcome, Watcher, once, watch

__all__ = ["Inbox", "Outcome", "WatchedError", "Watcher", "once", "watch"]
