"""README.md as a reader of CommonMark sees it."""

import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]


def tokens_of(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(text)


def test_a_comment_is_a_mark_on_a_line_of_its_own() -> None:
    for page in ("README.md", "docs/precision.md"):
        text = (ROOT / page).read_text()
        for token in tokens_of(text):
            assert token.type != "html_inline", f"{page}: {token.content}"
            if token.type == "html_block":
                assert re.fullmatch(r"<!-- (rows|output|table|beside|single|end)\b[^>]*-->\s*", token.content), (
                    token.content
                )
            for child in token.children or []:
                assert child.type != "html_inline", f"{page}: {child.content}"


def test_it_would_be_found() -> None:
    found = [token.content for token in tokens_of("<!-- cell A @ B -->399 us.\n") if token.type == "html_block"]
    assert found == ["<!-- cell A @ B -->399 us.\n"]


def test_the_three_findings_are_a_paragraph_each() -> None:
    text = (ROOT / "README.md").read_text()
    findings = text.split("## Three findings")[1].split("\n## ")[0]
    paragraphs = [token for token in tokens_of(findings) if token.type == "paragraph_open"]
    assert len(paragraphs) == 3
