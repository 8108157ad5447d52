"""The page in a real browser."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from substrait_sql.reporting.facts import facts
from substrait_sql.reporting.page import gathering
from substrait_sql.reporting.report import report
from tests.support.build import ASC, eq, gt, lit, plan, sum_, table, upper

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.reporting.conftest import Open

pytestmark = pytest.mark.slow

people = table("people", "id:i64 name:str? age:i32?")
orders = table("orders", "number:i64 person:i64 price:i64?")
GROUPED = plan(
    (
        people.filter(lambda r: gt(r[2], lit(18, "i32")))
        .join(orders, "LEFT", lambda r: eq(r[0], r[4]))
        .aggregate(lambda r: [r[1]], lambda r: [sum_(r[5])])
        .sort(lambda r: [(r[1], ASC)])
        .fetch(count=10),
        "name total",
    )
)
UPPER = plan((people.select(lambda r: [upper(r[1])]), "shout"))
REFUSED = {
    "version": {"minorNumber": 85, "producer": "hand-written"},
    "relations": [
        {
            "root": {
                "names": ["a"],
                "input": {
                    "fetch": {
                        "input": {"extensionLeaf": {"detail": {"@type": "x/y", "value": ""}}},
                        "countExpr": {"literal": {"i64": "5"}},
                    }
                },
            }
        }
    ],
}
PLANS = {"folder/grouped.pb": GROUPED, "folder/upper.pb": UPPER, "folder/refused.json": REFUSED}


@pytest.fixture(scope="module")
def text() -> str:
    return report(PLANS, title="Three plans")


def row(page: Page, word: str) -> Any:
    return page.locator(f"[role=treeitem]:has(b:text-is('{word}'))").first


def lit_text(page: Page, name: str = "on") -> str:
    lines = page.locator(f".line.{name}").evaluate_all(
        "(lines, name) => lines.map(l => [...l.querySelectorAll('span.' + name)].map(s => s.textContent).join(''))",
        name,
    )
    return " ".join(" ".join(lines).split())


def selected(page: Page) -> str:
    found = page.locator("[role=treeitem][aria-selected=true] b").all_text_contents()
    assert len(found) == 1
    return found[0]


def comes(page: Page, heading: str) -> None:
    """Waits for the page that has this heading: a browser follows a link within a page some time after the click."""
    page.locator(f"h2:text-is('{heading}')").wait_for()


def test_a_relation_lights_its_text(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    for word, expected in (
        ("filter", "people.age > 18"),
        ("join", "LEFT JOIN orders ON people.id = orders.person"),
        ("sort", "ORDER BY total NULLS LAST"),
    ):
        row(page, word).hover()
        assert lit_text(page, "hover") == expected
        row(page, word).click()
        assert lit_text(page) == expected
        assert selected(page) == word
        assert page.url.endswith(f".{row(page, word).get_attribute('id')[1:]}")


def test_the_text_lights_its_relation(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    for shown, word in (("18", "filter"), ("LIMIT", "fetch"), ("sum", "aggregate")):
        segment = page.locator(f".sql span:text-is('{shown}')").first
        segment.hover()
        assert page.locator("[role=treeitem].hover b").all_text_contents() == [word]
        segment.click()
        assert selected(page) == word


def test_lines_by_keyboard(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    page.locator(".sql").focus()
    for _ in range(page.locator(".line").count()):
        page.keyboard.press("ArrowDown")
    assert page.locator(".line.cursor").inner_text().endswith("LIMIT 10")
    assert selected(page) == "fetch"


def test_the_tree_by_keyboard(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    row(page, "fetch").focus()
    page.keyboard.press("ArrowDown")
    assert selected(page) == "sort"
    page.keyboard.press("ArrowRight")
    assert selected(page) == "aggregate"
    before = page.locator("[role=treeitem]:visible").count()
    page.keyboard.press("ArrowLeft")
    assert row(page, "aggregate").get_attribute("aria-expanded") == "false"
    assert page.locator("[role=treeitem]:visible").count() == 3 < before
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    assert selected(page) == "read"
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    page.keyboard.press("ArrowLeft")
    assert selected(page) == "join"
    page.keyboard.press("Home")
    assert selected(page) == "fetch"
    page.keyboard.press("]")
    assert page.locator("h2").inner_text() == "folder/upper.pb"
    page.keyboard.press("[")
    assert page.locator("h2").inner_text() == "folder/grouped.pb"


def test_roles(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    assert page.locator("[role=tree] [role=treeitem][tabindex='0']").count() == 1
    levels = page.locator("[role=treeitem]").evaluate_all(
        "rows => rows.map(r => [r.ariaLevel, r.ariaPosInSet, r.ariaSetSize].map(Number))"
    )
    assert levels[0] == [1, 1, 1]
    assert levels[3:] == [[4, 1, 1], [5, 1, 2], [6, 1, 1], [5, 2, 2]]
    ids = page.locator("[id]").evaluate_all("all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    names = page.locator("button, input, [role=tree], [role=group], [role=region]")
    for each in names.all():
        assert each.get_attribute("aria-label") or each.inner_text().strip()


def test_search(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    page.keyboard.press("/")
    page.keyboard.type("upper")
    page.locator("#hits [role=option]").first.wait_for()
    assert page.locator("#status").inner_text().endswith("hits")
    kinds = page.locator("#hits [role=option] i").all_text_contents()
    assert {"plan", "project", "SQL"} <= set(kinds)
    assert page.locator("#index a.dim").count() == 2
    while page.locator("#hits [aria-selected=true] i").inner_text() != "project":
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("h2").inner_text() == "folder/upper.pb"
    assert selected(page) == "project"
    assert page.locator("#hits").is_hidden()
    page.keyboard.press("/")
    page.keyboard.type("no such thing")
    page.locator("text=Nothing found").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#hits").is_hidden()


def test_columns_are_traced(open_page: Open, text: str) -> None:
    page = open_page(text, "#0")
    result = page.locator("section[aria-labelledby=s-result] tbody tr")
    assert result.all_inner_texts() == [
        "name\tstring?\tSTRING\tpeople.name\t",
        "total\ti64?\tBIGINT\torders.price\tsum",
    ]
    result.nth(1).locator("button").click()
    traced = page.locator("[role=treeitem].trace b").all_text_contents()
    assert traced == ["fetch", "sort", "aggregate", "join", "read"]
    assert lit_text(page, "trace") == "sum(orders.price)"
    assert page.locator("#status").inner_text() == "total comes from orders.price"


def test_a_refused_plan_has_its_tree(open_page: Open, text: str) -> None:
    page = open_page(text, "#2")
    assert page.locator(".verdict").inner_text() == "refused"
    marked = page.locator("[role=treeitem].wrong")
    assert marked.locator("b").all_text_contents() == ["extension leaf"]
    code = marked.locator(".badge").inner_text()
    assert selected(page) == "extension leaf"
    assert code in page.locator(".wrongs").inner_text()
    assert page.locator(".sql").count() == 0


def test_the_index_and_the_way_back(open_page: Open, text: str) -> None:
    page = open_page(text)
    assert page.locator("main tbody tr").count() == 3
    assert "2 have SQL, 1 are refused." in page.locator("main").inner_text()
    page.locator("#index a").nth(1).click()
    comes(page, "folder/upper.pb")
    assert page.locator("#index [aria-current]").count() == 1
    page.go_back()
    comes(page, "3 plans")
    assert page.locator("main tbody tr").count() == 3


def test_light_and_dark(open_page: Open, text: str) -> None:
    def back(page: Page) -> str:
        return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    page = open_page(text, color_scheme="light")
    light = back(page)
    page.locator("#theme").click()
    dark = back(page)
    assert light != dark
    page.reload()
    assert back(page) == dark
    page.locator("#theme").click()
    assert back(page) == light
    assert back(open_page(text, color_scheme="dark")) == dark


def test_a_narrow_screen(open_page: Open, text: str) -> None:
    page = open_page(text, viewport={"width": 380, "height": 740})
    headings = {"": "3 plans", "#0": "grouped.pb", "#1.0": "upper.pb", "#2": "refused.json"}
    for hash, heading in headings.items():
        page.evaluate("hash => { location.hash = hash; }", hash)
        page.locator("h2", has_text=heading).wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        assert page.locator("main").evaluate("e => e.getBoundingClientRect().width") <= 380


def test_print(open_page: Open, text: str) -> None:
    page = open_page(text, "#0", color_scheme="dark")
    row(page, "aggregate").focus()
    row(page, "aggregate").click()
    page.keyboard.press("ArrowLeft")
    page.emulate_media(media="print", color_scheme="light")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("header").is_hidden()
    assert (
        page.locator("[role=treeitem]:visible").count() == page.locator("[role=treeitem]").count()
    )
    for pane in (".tree", ".sql"):
        assert page.locator(pane).evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    assert len(page.pdf()) > 10_000


MARKUP = "</script><script>window.pwned=1;alert(1)</script><img src=x onerror=window.pwned=2>"
UNSEEN = "a\u202eb\u2028c\u200bd"


def test_what_plans_say_stays_text(open_page: Open) -> None:
    hostile = {
        "version": {"minorNumber": 85, "producer": MARKUP},
        "relations": [
            {
                "root": {
                    "names": [f"{MARKUP}<!--", UNSEEN],
                    "input": {
                        "read": {
                            "baseSchema": {
                                "names": [f"{MARKUP}&lt;", "b"],
                                "struct": {
                                    "types": [{"string": {}}, {"i64": {}}],
                                    "nullability": "NULLABILITY_REQUIRED",
                                },
                            },
                            "namedTable": {"names": [f"<b>{UNSEEN}{MARKUP}"]},
                            "common": {"hint": {"alias": MARKUP}},
                        }
                    },
                }
            }
        ],
    }
    unread = f"{MARKUP}{{"
    text = report({f"<i>{MARKUP}": hostile, "unread": unread}, title=f"{MARKUP}{UNSEEN}")
    page = open_page(text, "#0")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img, iframe, object, link").count() == 0
    # Ours: the shared data, two plans, the code.
    assert page.locator("script").count() == 4
    assert page.locator("h2").inner_text() == f"<i>{MARKUP}"
    assert MARKUP in page.locator(".sql").inner_text()
    assert MARKUP.partition("onerror")[0] in page.locator(".tree").text_content()
    shown = page.locator("main").inner_text()
    assert "\u202e" not in shown
    assert "\\u202e" in shown
    page.keyboard.press("/")
    page.keyboard.type("onerror")
    page.locator("#hits [role=option]").first.wait_for()
    assert MARKUP in page.locator("#hits").inner_text()
    page.goto(page.url.replace("#0", "#1"))
    page.locator(".problem").first.wait_for()
    assert page.evaluate("window.pwned") is None


def test_scripts_of_others_are_not_run(open_page: Open, text: str) -> None:
    """Even if something became markup, the policy of the page names the one script that may run."""
    page = open_page(text)
    page.evaluate(
        "() => {const s = document.createElement('script'); s.textContent = 'window.pwned = 3';"
        "document.body.append(s); document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.pwned=4>')}"
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.pwned") is None
    # An attempt to load is told of before the policy stops it.
    said = [each for each in open_page.found if not each.endswith("/x")]
    assert len(said) == 3
    assert all("Content Security Policy" in each for each in said)
    open_page.found.clear()


def test_two_hundred_plans(open_page: Open) -> None:
    """Each is drawn when somebody looks at it."""
    said = [facts("x", made, "spark") for made in PLANS.values()]
    many = [{**said[i % 3], "label": f"folder {i % 7}/plan {i}.pb"} for i in range(200)]
    with gathering() as gathered:
        for each in many:
            gathered.add(each)
        page = open_page("".join(gathered.html("200 plans")))
    assert page.locator("#index a").count() == 200
    assert page.locator("[role=treeitem]").count() == 0
    begin = time.monotonic()
    page.keyboard.press("/")
    # Enter may come sooner than the results of the last letter, which are then those that it is about.
    page.keyboard.type("plan 19")
    page.locator("#hits [role=option]", has_text="plan 19").first.wait_for()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.locator("h2", has_text="folder 3/plan 199.pb").wait_for()
    assert time.monotonic() - begin < 10
    assert page.locator("*").count() < 3_000


def test_a_deep_plan(open_page: Open) -> None:
    deep = people
    for _ in range(150):
        deep = deep.sort(lambda r: [(r[0], ASC)]).fetch(count=10)
    page = open_page(report({"deep": plan((deep, "a b c"))}), "#0")
    assert page.locator("[role=treeitem]").count() == 301
    page.locator(".tree [role=treeitem]").first.focus()
    page.keyboard.press("End")
    assert selected(page) == "read"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1300
