"""The page in one script: modules joined as they are, or a clear word why they cannot be."""

import pytest

from othellier.page.server.bundle import BundleError, join_modules, join_sheets, rest_of_page
from othellier.page.server.static_files import Pages

A = 'import { b } from "./b.js";\n\nexport function a() {\n  return b;\n}\n'


def test_the_page_as_it_is_can_be_joined() -> None:
    pages = Pages()
    html = pages.index().data.decode()
    assert "assets/page-" in html
    assert "static/shell/main.js" not in html
    assert '"./"' in pages.worker().data.decode()


def test_modules_give_and_take() -> None:
    script = join_modules({"x/a.js": A, "x/b.js": "export const b = 1;\n"}, "x/a.js", {"en": "{}"})
    assert 'const { b } = take("x/b.js");' in script
    assert 'give("x/a.js", { a: () => a });' in script
    assert "import" not in script
    assert "export" not in script.replace("exports", "")


def test_languages_share_their_keys() -> None:
    words = {"en": '{"yes": "Yes", "no": "No"}', "fr": '{"no": "Non", "yes": "Oui"}', "de": '{"no": "Nein"}'}
    script = join_modules({"a.js": "export const a = 1;\n"}, "a.js", words)
    assert 'const keys = ["yes","no"];' in script
    assert '{"en":["Yes","No"],"fr":["Oui","Non"],"de":[null,"Nein"]}' in script


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ("export const c = 1;\n", "imports b, which b.js does not export"),
        ('import { a } from "./a.js";\nexport const b = a;\n', "b would have to be a function"),
        ("export const b = 1;\nexport default b;\n", "export default b;"),
        ("export const b = 1;\nasync function take() {}\n", "calls something take, as the loader does"),
        ('import * as all from "./a.js";\nexport const b = 1;\n', "import \\* as all"),
    ],
)
def test_what_cannot_be_joined_is_named(other: str, words: str) -> None:
    with pytest.raises(BundleError, match=words):
        join_modules({"a.js": A, "b.js": other}, "a.js", {})


def test_a_page_without_marks_is_refused() -> None:
    with pytest.raises(BundleError, match="does not mark"):
        rest_of_page("<html></html>", "")


def test_a_script_is_sent_without_its_comments() -> None:
    source = """// Why.
const place = "a; // b"; // where
/** So. */
export function told() { // and how
  return `${place}; // c`;
}
const link = "https://b.c"; // it's kept
"""
    script = join_modules({"a.js": source}, "a.js", {})
    body = script[script.index("const place") : script.index("\n}\n};")]
    assert (
        body
        == """const place = "a; // b";
function told() {
  return `${place}; // c`;
}
const link = "https://b.c"; // it's kept"""
    )


def test_a_style_sheet_is_sent_without_its_comments() -> None:
    sheets = ["/* Why\n * so. */\na {\n  top: 0; /* not 1 */\n  left: 0;\n}\n", 'b::before {\n  content: "/ *";\n}\n']
    assert join_sheets(sheets) == 'a {\ntop: 0; left: 0;\n}\nb::before {\ncontent: "/ *";\n}\n'
