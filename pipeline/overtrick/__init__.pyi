from overtrick.api import Chart as Chart
from overtrick.api import bulletin as bulletin
from overtrick.api import chart as chart
from overtrick.api import check as check
from overtrick.api import convert as convert
from overtrick.api import evaluate as evaluate
from overtrick.api import read as read
from overtrick.core import frames as frames
from overtrick.core.config import Config as Config
from overtrick.core.config import ConfigError as ConfigError
from overtrick.core.config import load_config as load_config
from overtrick.core.frames import Session as Session
from overtrick.core.notebook import Board as Board

__all__ = [
    "Board",
    "Chart",
    "Config",
    "ConfigError",
    "Session",
    "__version__",
    "bulletin",
    "chart",
    "check",
    "convert",
    "evaluate",
    "frames",
    "load_config",
    "read",
]

__version__: str
