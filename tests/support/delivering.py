"""A club that delivers its results: settings, members, and an evening."""

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from overtrick.apps.deliver import Order, Outcome, deliver, find_destinations
from overtrick.core.config import load_config
from tests.support.commands import FIXTURES, Ran, run
from tests.support.evaluating import evaluate

PASSWORD = "a void in hearts"
CLUB = """
[club]
name = "Lantern Street"
[deliver]
server = "{mail}"
sender = "results@club.example"
scorer = "Ada Quill"
telephone = "01234 567890"
[deliver.bridgewebs]
club = "lantern"
address = "{web}"
pdf = false
[deliver.ebu]
club = "123456"
[deliver.ecats]
country = "England"
[deliver.mail]
leave = "leave@club.example"
link = "https://club.example/{{evening}}/"
[[deliver.files]]
name = "union"
to = "results@union.example"
subject = "{{club}}: {{title}}"
[[awards]]
colour = "green"
places = [0.42, 0.07]
"""
MEMBERS = """number,name,ebu,abf,email,scorecard,privacy
7,Ada Quill,00123,123456,ada@home.example,yes,
8,Ben Moss,,2288,ben@home.example,,
9,Dora Finch,,,dora@home.example,YES,hidden
10,Eli Stone,,88249,not an address,yes,
11,Nobody Here,,,nobody@home.example,yes,
"""


class Club:
    """A folder with an evening, settings and members, and the places that take its results."""

    def __init__(self, folder: Path, web: str = "https://127.0.0.1:1/api", mail: str = "smtps://127.0.0.1:1") -> None:
        self.evening = folder / "tuesday.csv"
        self.receipts = folder / "tuesday.delivered"
        self._settings = folder / "club.toml"
        self._web, self._mail = web, mail
        shutil.copy(FIXTURES / "spring-pairs.csv", self.evening)
        self._settings.write_text(CLUB.format(web=web, mail=mail), "utf-8")
        (folder / "members.csv").write_text(MEMBERS, "utf-8")

    def run(self, to: str, *options: str) -> Ran:
        """Deliver with the command line."""
        ran = run("deliver", self.evening, "--to", to, "--config", self._settings, *options)
        self.check(ran.out + ran.err)
        return ran

    def deliver(self, to: str, *, again: bool = False, corrected: bool = False) -> Outcome:
        """Deliver to one place; with one result corrected if that is wanted."""
        order = make_order(corrected=corrected)
        stated = order.config.deliver
        places = {"server": self._mail, "bridgewebs": stated.bridgewebs.model_copy(update={"address": self._web})}
        config = order.config.model_copy(update={"deliver": stated.model_copy(update=places)})
        base, order = order, replace(order, config=config, event="2", number="9")
        # What pages show does not depend on these settings.
        vars(order).update(shown=base.shown, page=base.page)
        (outcome,) = deliver(find_destinations([to], config), order, self.receipts, again=again)
        self.check(f"{outcome.errors}{outcome.answer}")
        return outcome

    def check(self, said: str) -> None:
        """Check that neither the password nor an address of a member is in a message or a receipt."""
        kept = "".join(path.read_text("utf-8") for path in self.receipts.rglob("*") if path.is_file())
        for secret in (PASSWORD, "ada@home.example", "dora@home.example"):
            assert secret not in said + kept


@cache
def make_order(*, corrected: bool = False) -> Order:
    """Return the evening, read only once."""
    with TemporaryDirectory() as folder:
        club = Club(Path(folder))
        if corrected:
            text = club.evening.read_text("utf-8")
            club.evening.write_text(text.replace("1,1,1,4,3NT,S,=,HQ", "1,1,1,4,3NT,S,+1,HQ"), "utf-8")
        config = load_config(Path(folder, "club.toml"))
        return Order("tuesday", evaluate([str(club.evening)], config), config)
