"""What a findings.toml states is what the functions that it names make of it."""

import pytest

from model.ground.errors import InputError
from model.papers.cases import Case
from model.papers.findings import claim, claiming
from model.papers.measurements import Measurements
from model.papers.statements import Terms, read_findings
from model.papers.text import page_text, text_of, unwrapped
from model.sweeps.statistics import Estimate, estimate
from model.sweeps.sweep import BUNDLED
from tests.model.papers.made_up import measured

SLOW, FAST = (Case(name, {"mean_mb": mb}) for name, mb in (("slow", 1), ("fast", 4)))


@claiming
def _nothing(measured: Measurements, low: float, high: float, *, words: str = "nothing, {}"):
    yield claim(words, [], low, high)


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Reads one finding with these lines, of a paper whose terms are made up."""
    monkeypatch.setitem(BUNDLED, "made-up", tmp_path / "made-up.toml")
    terms = Terms(
        cases={"slow": SLOW, "both": (SLOW, FAST)},
        designs={"those that borrow": lambda case: ["CLI", "MAN"] if case.name == "slow" else []},
        kinds={"nothing": _nothing},
        numbers={"mean_s": lambda found: found.mean(SLOW, "DP"), "list": lambda _: [3.0, 1.0]},
        numbers_of={"names": lambda _, cases: ", ".join(map(str, cases))},
    )

    def read(lines):
        (tmp_path / "text").mkdir(exist_ok=True)
        text = (
            f'[sentences]\nslow = "It takes {{{{ mean_s | digits(1) }}}} s."\n[[finding]]\n{lines}'
        )
        (tmp_path / "text" / "findings.toml").write_text(text, encoding="utf-8")
        (finding,) = read_findings("made-up", terms)
        return finding

    return read


HEAD = 'topic = "T"\nstatement = """\nIt is\nso.\n"""\n'
FOUND = measured("memory", (FAST, "DP", 1, 1234.0))


def words_of(finding) -> list[str]:
    return [claim.words for claim in finding.direction(FOUND).claims]


def test_a_claim_is_what_its_kind_makes_of_cases_designs_and_a_range(read):
    finding = read(
        HEAD + 'claims = [{ kind = "ratios", cases = { of = "both", fault_pct = [0, 50] }, '
        'design = "DP", others = "those that borrow", low = 2 }]'
    )
    assert finding.statement == "It is so."
    claims = finding.direction(FOUND).claims
    cases = ("slow, fault_pct 0", "slow, fault_pct 50", "fast, fault_pct 0", "fast, fault_pct 50")
    assert words_of(finding) == [f"{case}: DP in multiples of others, above 2" for case in cases]
    assert [[part.name for part in one.parts] for one in claims] == [["CLI", "MAN"]] * 2 + [[]] * 2


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ("near = 4, within_pct = 25", "3 to 5"),
        ("factor = 2", "0.5 to 2"),
        ("high = 3", "below 3"),
        ("low = 0, high = 1", "0 to 1"),
    ],
)
def test_a_range_is_stated_by_its_limits_or_around_a_number(read, limits, words):
    assert words_of(read(HEAD + f'claims = [{{ kind = "nothing", {limits} }}]')) == [
        f"nothing, {words}"
    ]


def test_an_entry_with_each_stands_for_every_combination(read):
    finding = read(
        HEAD + 'claims = [{ kind = "nothing", each = { low = [0, 1], words = ["a {}", "b {}"] } }]'
    )
    assert words_of(finding) == ["a above 0", "b above 0", "a above 1", "b above 1"]


def test_a_case_is_named_or_stated_by_its_parameters(read):
    claims = 'claims = [{ kind = "means", cases = CASES, words = "s", designs = ["DP"], low = 0 }]'
    one = read(HEAD + claims.replace("CASES", '["slow", { fault_pct = 0 }]'))
    assert words_of(one) == ["slow: s, above 0", "fault_pct 0: s, above 0"]


def test_a_reason_names_numbers_and_sentences_and_is_left_out_if_one_was_not_run(read):
    finding = read(
        HEAD + 'why = """\n{{ slow }} From {{ list | span }}:\n{{ names }}."""\nwhy_cases = "both"'
    )
    found = measured("memory", (SLOW, "DP", 1, 1234.5))
    assert finding.judge(found).why == "It takes 1,234.5 s. From 1 to 3: slow, fast."
    assert finding.judge(FOUND).why == ""


@pytest.mark.parametrize(
    ("lines", "culprit"),
    [
        ('claims = [{ kind = "bettre" }]', "bettre: no such kind; give one of ratios; means"),
        ('claims = [{ kind = "ratios", cases = "slwo" }]', "slwo: no such case; give one of slow"),
        ('claims = [{ kind = "nothing", lwo = 2 }]', "kind nothing: "),
        ("claims = [{ high = 2 }]", "no 'kind'"),
        ('claims = [{ kind = "nothing", near = 2 }]', "no 'within_pct'"),
        ('claim = [{ kind = "nothing" }]', "claim: no such entry; give claims"),
        ('why = "{{ mean_s"', "line 1: unexpected end of template"),
        ('why = "{{ men_s }}"', "{{ men_s }}: no such name; give one of mean_s"),
    ],
)
def test_a_mistake_is_named_with_the_finding_that_has_it(read, lines, culprit):
    with pytest.raises(InputError) as error:
        read(HEAD + lines)
    assert culprit in str(error.value)
    assert "findings.toml" in str(error.value)
    assert "It is" in str(error.value)


def test_paragraphs_and_items_are_unwrapped_but_no_tables_headings_or_templates():
    text = "# H\n\nOne\ntwo {{ x }}\n{{ y }}.\n\n- a\n  b\n- c\n\n| t |\n|---|\n{% if x %}\nd\n"
    assert unwrapped(text) == (
        "# H\n\nOne two {{ x }} {{ y }}.\n\n- a b\n- c\n\n| t |\n|---|\n{% if x %}\nd\n"
    )


def test_a_number_reads_as_its_filter_says():
    text = text_of(
        "{{ n | digits }}, {{ n | digits(2) }}, {{ ns | span(1) }}, {{ one | span }}",
        {
            "n": lambda _: 1234.567,
            "ns": lambda _: [2.0, 1.26],
            "one": lambda _: [3.1, 3.2],
        },
    )
    assert text(FOUND) == "1,235, 1,234.57, 1.3 to 2.0, 3"


def test_a_number_of_a_claim_is_told_with_its_interval_and_those_of_a_finding_by_their_span():
    numbers = {
        "1.1.1": Estimate(0.5, 0.4, 0.6, 3),
        "1.1.2": Estimate(2.0, 1.5, 3.5, 3),
        "1.2.1": Estimate(7.0, 6.5, 7.5, 3),
        "11.1.1": Estimate(99.0, 98.5, 99.5, 3),
        "2.1.1": estimate([]),  # its runs are missing
    }
    text = text_of(
        "{{ n['1.1.1'] | with_interval }}; {{ n['1.1.2'] | with_interval }}; "
        "{{ n['1.1.2'].low | digits(1) }}; "
        "{{ n | means_of('1') | span(1) }}; {{ n | means_of('1.1') | max | digits }}; "
        "{{ n['2.1.1'] | with_interval }}, {{ (1 / n['2.1.1'].mean) | digits }}, "
        "{{ n | means_of('2') | span }}",
        {"n": lambda _: numbers},
    )
    told = "0.50 ± 0.10; 2.00 (1.50 to 3.50); 1.5; 0.5 to 7.0; 2; not run, not known, not known"
    assert text(FOUND) == told


@pytest.mark.parametrize(
    ("text", "culprit"),
    [("{{ n['1.1.2'].mean | digits }}", r"1\.1\.2"), ("{{ n | means_of('11') | span }}", "11: no")],
)
def test_a_number_that_no_claim_has_is_a_mistake_in_one_line(text, culprit):
    numbers = {"1.1.1": Estimate(0.5, 0.4, 0.6, 3)}
    with pytest.raises(InputError, match=culprit):
        text_of(text, {"n": lambda _: numbers})(FOUND)


def test_a_page_that_is_not_there_or_names_nothing_is_a_mistake_in_one_line(read, tmp_path):
    (tmp_path / "text").mkdir()
    with pytest.raises(InputError, match=r"page\.md: No such file"):
        page_text("made-up", "page.md", {})
    (tmp_path / "text" / "page.md").write_text("# H\n\n{{ runz }}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"page\.md: {{ runz }}: no such name; give one of runs"):
        page_text("made-up", "page.md", {"runs": lambda _: "3 runs"})
