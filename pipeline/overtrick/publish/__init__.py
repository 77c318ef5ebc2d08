"""From a folder to a club's website: every file whole, in an order that readers never see broken."""

from overtrick.publish.address import Address, AddressError, parse_address
from overtrick.publish.errors import NeedsConsentError, PublishError
from overtrick.publish.plan import Plan
from overtrick.publish.run import plan, publish
from overtrick.publish.targets import open_target
from overtrick.publish.targets.below import TargetBelow

__all__ = [
    "Address",
    "AddressError",
    "NeedsConsentError",
    "Plan",
    "PublishError",
    "TargetBelow",
    "open_target",
    "parse_address",
    "plan",
    "publish",
]
