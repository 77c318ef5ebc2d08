"""Templates with translated texts in their code."""

from types import SimpleNamespace

from jinja2 import DictLoader
from markupsafe import Markup

from overtrick.render.languages import add_language
from overtrick.render.quick_templates import QuickTemplates


def fill(text: str, code: str = "en", **values: object) -> str:
    environment = QuickTemplates(loader=DictLoader({"page": text}), autoescape=True)
    add_language(environment, code)
    return environment.get_template("page").render(**values)


def test_fixed_texts_are_in_the_language_of_the_pages() -> None:
    text = """{{ _("Contract") }}, {{ _("100 %% of %(count)s", count=n) }}, {{ _("5 %%") }}"""
    assert "Contract, 100 % of &lt;3, 5 %" == fill(text, n="<3")
    assert "Contrat" == fill('{{ _("Contract") }}', "fr")


def test_values_are_escaped_unless_they_are_html() -> None:
    text = "{{ one }} {{ two }} {{ one }} {{ three }}"
    assert "&lt;b&gt; <b> &lt;b&gt; 7" == fill(text, one="<b>", two=Markup("<b>"), three=7)


def test_attributes_macros_and_plurals_are_escaped_like_other_values() -> None:
    bold = "{% macro bold(word) %}<b>{{ word }}</b>{% endmacro %}"
    text = """{{ bold(one.name.upper()) }} {{ ngettext("%(num)s board", "%(num)s boards", 2) }}"""
    assert "<b>&lt;A&gt;</b> 2 boards" == fill(bold + text, one=SimpleNamespace(name="<a>"))
