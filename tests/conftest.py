"""What all tests share."""

from hypothesis import settings

# No deadline: how long an example takes says something about the machine, not about the rule.
settings.register_profile("house", max_examples=40, deadline=None)
settings.load_profile("house")
