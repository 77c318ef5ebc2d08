"""Delivering an evening to the places that take its results, each with a dry run, a receipt, and never twice."""

from overtrick.apps.deliver.destinations import NAMES, find_destinations, list_ready
from overtrick.apps.deliver.order import Order, OrderError
from overtrick.apps.deliver.report import Outcome, deliver, plan

__all__ = ["NAMES", "Order", "OrderError", "Outcome", "deliver", "find_destinations", "list_ready", "plan"]
