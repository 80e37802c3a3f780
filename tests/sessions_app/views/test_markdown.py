"""Answers as safe HTML."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.views.markdown import answer_html


class Elements(HTMLParser):
    """The tags, attributes and addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}
        self.addresses += [value or "" for name, value in attrs if name == "href"]


def html(text: str, items: int = 3) -> str:
    return str(answer_html(text, turn_index=7, item_count=items))


def test_markdown_becomes_html():
    assert html("**bold** and `code`") == "<p><strong>bold</strong> and <code>code</code></p>\n"


def test_a_line_break_stays_one():
    assert "<br>" in html("one\ntwo")


def test_a_list_and_a_table_are_kept():
    assert "<li>a</li>" in html("- a\n- b")
    assert "<td>1</td>" in html("|a|b|\n|-|-|\n|1|2|")


@pytest.mark.parametrize(
    "text",
    [
        "29. November 2026 — we met.",
        "1. Mai",
        "29. Mai\n30. Mai",
        "1. Mai\n5. Mai",
        "1. Mai\n2) Juni",
        "**x**\n\n3. Mai",
    ],
)
def test_an_ordinal_that_counts_nothing_is_no_list(text):
    out = html(text)
    assert "<li>" not in out
    assert text.rpartition("\n")[2].partition(".")[0] in out


@pytest.mark.parametrize(
    "text",
    ["1. a\n2. b", "1. a\n\n   more\n2. b", "0) a\n1) b", "1. a\n1. b", "- 1. a\n  2. b", "> 1. a\n> 2. b"],
)
def test_ordinals_that_count_are_a_list(text):
    assert html(text).count("<ol") == 1
    assert html(text).count("<li>") >= 2


def test_a_citation_links_to_its_card():
    assert (
        html("So [2].")
        == '<p>So <a class="cite" href="#cite-7-2" rel="noopener noreferrer nofollow">2</a>.</p>\n'
    )


@pytest.mark.parametrize("text", ["[1, 2]", "[1-2]", "[1][2]", "[1;2]"])
def test_several_citations_together_link_to_a_card_each(text):
    assert [f'href="#cite-7-{n}"' in html(text) for n in (1, 2, 3)] == [True, True, False]
    assert html(text).count("<a ") == 2


@pytest.mark.parametrize("text", ["[0]", "[4]", "[1, 4]", "[1000]", "[a]", "[ 1 ]"])
def test_what_cites_no_item_stays_as_written(text):
    assert html(text) == f"<p>{text}</p>\n"


def test_a_citation_in_code_stays_code():
    assert html("`x[1]`") == "<p><code>x[1]</code></p>\n"
    assert "cite" not in html("```\na[1]\n```")


def test_a_markdown_link_named_by_a_number_stays_a_link():
    assert 'href="https://example.org"' in html("[1](https://example.org)")


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "![x](https://evil.example/pixel.png)",
        "<a href='javascript:alert(1)'>x</a>",
        "<div style='position:fixed'>x</div>",
        "<svg><style><!--</style><img src=x onerror=alert(1)>-->",
        '[1" onclick="alert(1)](x)',
    ],
)
def test_an_attack_comes_out_harmless(attack):
    elements = Elements()
    elements.feed(html(attack))
    assert not {"script", "img", "svg", "div", "style"} & elements.tags
    assert elements.attributes <= {"class", "href", "rel"}
    assert all(address.startswith(("http", "#", "x")) for address in elements.addresses)


@given(st.text(max_size=200))
def test_any_text_renders_without_an_active_element(text):
    out = html(text).lower()
    assert not any(tag in out for tag in ("<script", "<img", "<iframe", "<style", "<form", "<object"))


@given(st.text(alphabet=st.characters(categories=["L", "Nd"]), min_size=1, max_size=50))
def test_plain_words_come_out_unchanged(text):
    assert html(text) == f"<p>{text}</p>\n"
