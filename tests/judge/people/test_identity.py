"""Who is who: by number, else by name or alias; nobody by guess."""

import pytest

from overtrick.core.config.members import Member
from overtrick.judge.people.identity import Mention, fold_name, identify, is_person, split_pair

ADA = Member("Ada Quill", "7", aliases=("A. Quill",), national=("00123",), line=2)
BEN = Member("Ben Moss", "8", line=3)


def keys(*mentions: Mention, members: tuple[Member, ...] = (ADA, BEN)) -> list[str]:
    known = identify([("1", mention) for mention in mentions], members)
    return [known.keys[mention] for mention in mentions]


def doubts(*mentions: Mention, members: tuple[Member, ...] = (ADA, BEN)) -> list[str]:
    return [doubt.kind for doubt in identify([("1", mention) for mention in mentions], members).doubts]


@pytest.mark.parametrize(
    "mention",
    [("Ada Quill", ""), ("ADA  QUÍLL", ""), ("a quill", ""), ("Ada Moss", "7"), ("?", "7"), ("Ada Quil", "123")],
)
def test_number_name_and_alias_decide(mention: Mention) -> None:
    assert ["member 2"] == keys(mention)
    assert [] == doubts(mention)


def test_a_near_miss_is_somebody_else() -> None:
    assert ["name ada quil"] == keys(("Ada Quil", ""))


def test_without_a_list_the_number_of_the_file_decides() -> None:
    assert ["number 4", "number 4", "number 4"] == keys(
        ("Ada Quill", "4"), ("Ada Q", "4"), ("Ada Quill", ""), members=()
    )
    assert ["number 4", "number 5", "name eva"] == keys(("Eva", "4"), ("Eva", "5"), ("Eva", ""), members=())


def test_a_number_of_another_member_is_doubtful() -> None:
    assert ["member 2"] == keys(("Ben Moss", "7"))
    assert ["number taken"] == doubts(("Ben Moss", "7"))


def test_two_members_of_one_name_need_numbers() -> None:
    two = (Member("Eva Holm", "1", line=2), Member("Eva Holm", "2", line=3))
    assert ["name eva holm", "member 3"] == keys(("Eva Holm", ""), ("Eva Holm", "2"), members=two)
    assert ["same name"] == doubts(("Eva Holm", ""), members=two)


def test_two_unknown_numbers_are_not_one_member() -> None:
    assert ["member 2"] == keys(("Ada Quill", "900"))
    assert ["number 900", "number 901"] == keys(("Ada Quill", "900"), ("Ada Quill", "901"))
    assert ["two numbers", "two numbers"] == doubts(("Ada Quill", "900"), ("Ada Quill", "901"))


def test_the_usual_spelling_is_the_name() -> None:
    mentions = [("1", ("EVA HOLM", "")), ("2", ("Eva Holm", "")), ("3", ("Eva Holm", ""))]
    known = identify(mentions, ())
    assert ["Eva Holm"] == [person.name for person in known.people.values()]
    assert ("Eva Holm", "EVA HOLM") == known.people["name eva holm"].spellings


@pytest.mark.parametrize("name", ["Pair 3", "?", "12", "Phantom", "South", "", "sit-out"])
def test_what_programs_write_for_nobody_is_nobody(name: str) -> None:
    assert not is_person(name)


def test_case_accents_and_signs_do_not_matter() -> None:
    assert fold_name("Łucja O’Neill-Šimić") == fold_name("LUCJA oneill simic")


def test_numbers_that_are_not_one_each_are_nobodys() -> None:
    assert [("Ada", "7"), ("Ben", "")] == list(split_pair("Ada - Ben", "007 - "))
    assert [("Ada", ""), ("Ben", "")] == list(split_pair("Ada - Ben", "007"))


def test_members_are_listed_first_and_others_by_their_names() -> None:
    mentions = [("1", ("Zoe Wren", "")), ("1", ("Mia Lark", "5")), ("2", ("Abe Finch", "")), ("2", ("Ben Moss", ""))]
    expected = ["member 2", "member 3", "name abe finch", "number 5", "name zoe wren"]
    assert expected == [*identify(mentions, (ADA, BEN)).people]
