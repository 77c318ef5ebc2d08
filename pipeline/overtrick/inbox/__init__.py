"""An inbox: files go in and bulletins come out. Nothing is lost or done twice, whenever the program is interrupted."""

from overtrick.inbox.folders import Inbox, WatchedError
from overtrick.inbox.watcher import Outcome, Watcher, run_once, watch
from overtrick.inbox.worker import Worker

__all__ = ["Inbox", "Outcome", "WatchedError", "Watcher", "Worker", "run_once", "watch"]
