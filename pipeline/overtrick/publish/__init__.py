"""Publishing a folder to a club's website: every file whole, in an order that never shows readers a broken link."""

from overtrick.publish.address import Address, parse_address
from overtrick.publish.errors import AddressError, NeedsConsentError, PublishError
from overtrick.publish.run import Plan, plan, publish, publish_index
from overtrick.publish.site import check_made
from overtrick.publish.targets import TargetBelow, open_target

__all__ = [
    "Address",
    "AddressError",
    "NeedsConsentError",
    "Plan",
    "PublishError",
    "TargetBelow",
    "check_made",
    "open_target",
    "parse_address",
    "plan",
    "publish",
    "publish_index",
]
