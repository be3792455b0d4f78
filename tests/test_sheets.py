"""Tables and pages: names go in as text, columns stand where they are looked for."""

from othellier.base.sheets import html_figure, html_page, html_table, text_table

SCRIPT = "<script>alert('&')</script>"
SHOWN = "&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;"


def test_what_players_are_called_is_text_wherever_it_stands() -> None:
    table = html_table([["", SCRIPT], ["1", SCRIPT]])
    assert f"<tr><th></th><th>{SHOWN}</th></tr>" in table
    assert f"<tr><td>1</td><td>{SHOWN}</td></tr>" in table
    assert html_figure(SCRIPT, "<?xml?><svg/>") == f"<h2>{SHOWN}</h2>\n<figure><svg/></figure>"
    page = html_page(SCRIPT, [table], language="fr")
    assert SCRIPT not in page
    assert f"<title>{SHOWN}</title>" in page
    assert f"<h1>{SHOWN}</h1>" in page
    assert '<html lang="fr">' in page


def test_a_page_is_loaded_again_only_where_it_changes() -> None:
    assert '<meta http-equiv="refresh" content="5">' in html_page("Live", [], refresh=5)
    assert "refresh" not in html_page("Done", [])


def test_in_text_names_are_to_the_left_and_numbers_to_the_right() -> None:
    assert text_table([["", "player", "points"], ["1", "Ann", "10"], ["10", "Barbara", "9.5"]]).splitlines() == [
        "    player   points",
        " 1  Ann          10",
        "10  Barbara     9.5",
    ]
