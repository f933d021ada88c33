"""The interactive page, opened from the disk: what a person does, and sees."""

import re
from itertools import pairwise

import pytest

from model.core.journal.words import short
from model.interactive import Page
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views.page.html import write
from model.views.recording import Selection, over_network, record
from tests.browser.conftest import DRAWN

JOBS = [
    {"number": 7, "processes": 2, "memory_mb": 40, "demand_s": 2},
    {"number": 9, "processes": 1, "memory_mb": 8, "demand_s": 0.02, "submit_s": 0.01},
]
SMALL = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001, "job": JOBS}

#: The first item of a kind in the run above, and where the space-time lane shows it.
FIND = """(kind) => {
    const run = page.shown[0];
    let item = 0;
    while (run.name(item) !== kind) item++;
    const where = page.lanes.find((one) => one.run === run && one.name === "space-time");
    where.element.scrollIntoView({block: "center"});
    const [x, y] = where.place(item);
    const box = where.canvas.getBoundingClientRect();
    return {id: run.id(item), x: box.x + x, y: box.y + y};
}"""
#: How many items of the run above are lit.
LIT = "page.shown[0].lit?.reduce((sum, one) => sum + one, 0) ?? null"
WHOLE = "&from=0&to=1000"  # more than the runs have


@pytest.fixture(scope="module")
def recordings():
    scenario = make_scenario(**SMALL, designs=["CLI", "MAN"])
    return [record(scenario, design, "all") for design in ("CLI", "MAN")]


@pytest.fixture(scope="module")
def file(recordings, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "page.html"
    write(recordings, Selection(), file)
    return file


@pytest.fixture
def opened(visit, file):
    """Opens the page of both runs, at a place in it."""
    return lambda place="", **options: visit(file.as_uri() + place, **options)


def window_s(page):
    return tuple(page.evaluate("[page.from, page.to].map((at) => page.timeOf(at) / 1e9)"))


def find(page, kind):
    page.evaluate(FIND, kind)
    page.evaluate(DRAWN)
    return page.evaluate(FIND, kind)


def test_it_opens_on_the_story_and_a_click_leads_to_the_whole_run_and_back(opened):
    page = opened()
    sentences = page.locator("#story p").all_inner_texts()
    assert sentences[0].startswith("CLI and MAN diverge at ")
    assert "under CLI and" in sentences[0]
    first_s, last_s = window_s(page)
    # its clients ask and are answered in the first milliseconds of a run of seconds
    assert (first_s, last_s > 0.0001, last_s < 0.1) == (0, True, True)
    page.get_by_role("button", name="whole run").click()
    assert window_s(page)[1] > 2
    page.keyboard.press("s")
    assert window_s(page) == pytest.approx((first_s, last_s))


def test_the_first_next_difference_is_the_first_other_lender(opened, recordings):
    page = opened()
    window = window_s(page)
    assert page.locator(".lane.space-time h2").all_inner_texts()[0].startswith("CLI: ")
    page.get_by_role("button", name="next difference").click()
    assert page.evaluate("page.selected.run.name(page.selected.item)") == "borrowed"
    time, node, lender = page.evaluate(
        "(([run, i]) => [run.items.time[i], run.items.node[i], run.items.peer[i]])"
        "([page.selected.run, page.selected.item])"
    )
    loans = [
        {
            (row.time_ns, row.node, row.peer, row.amount_bytes)
            for row in recording.records.itertuples()
            if row.kind == "borrowed"
        }
        for recording in recordings
    ]
    ways = [{loan[1:] for loan in its} for its in loans]
    alone = min(
        loan
        for its, others in zip(loans, ways[::-1], strict=True)
        for loan in its
        if loan[1:] not in others
    )
    assert (time, node, lender) == alone[:3]
    assert f"node {node} borrows" in page.locator("#details").inner_text()
    assert window_s(page) == pytest.approx(window)  # it is where one looks
    page.keyboard.press("d")  # the next of them
    assert f"node {node} borrows" not in page.locator("#details h2 + p").inner_text()


def test_enter_goes_to_the_start_of_a_job_and_once_more_to_its_life(opened, recordings):
    page = opened("#runs=MAN" + WHOLE)
    page.get_by_role("searchbox").fill("job 7")
    page.keyboard.press("Enter")
    its = recordings[1].records
    times = its[its["job"] == 7].groupby("kind", observed=True)["time_ns"]
    first_s, last_s = window_s(page)
    assert first_s <= times.min()["placed"] / 1e9
    assert last_s >= times.max()["started"] / 1e9
    assert last_s < 0.1
    assert page.locator("#details .waterfall tr").count() > 1
    page.keyboard.press("Enter")
    assert window_s(page) == pytest.approx((0, times.max()["ended"] / 1e9))


def test_the_wheel_zooms_about_the_pointer_and_dragging_moves(opened, recordings):
    page = opened()
    last_s = max(int(one.records["time_ns"].max()) for one in recordings) / 1e9
    page.get_by_role("button", name="whole run").click()
    assert window_s(page) == pytest.approx((0, last_s))
    canvas = page.locator(".lane.space-time canvas").first
    box = canvas.bounding_box()
    x = box["x"] + 600
    at = "(x) => page.timeOf(page.position(x)) / 1e9"
    before = page.evaluate(at, 600)
    page.mouse.move(x, box["y"] + 40)
    page.mouse.wheel(0, -400)
    first, last = window_s(page)
    assert last - first < 0.8 * last_s
    assert page.evaluate(at, 600) == pytest.approx(before)
    page.mouse.down()
    page.mouse.move(x - 100, box["y"] + 40)
    page.mouse.up()
    assert window_s(page)[0] > first
    assert page.evaluate(at, 500) == pytest.approx(before)
    page.get_by_role("button", name="whole run").click()
    assert window_s(page) == pytest.approx((0, last_s))


def test_a_click_lights_the_chain_of_causes_and_escape_leaves(opened):
    page = opened("#runs=MAN&from=0&to=0.0008")
    place = find(page, "ServerRequest")
    page.mouse.click(place["x"], place["y"])
    details = page.locator("#details")
    assert f"id\t{place['id']}" in details.inner_text()
    led = details.locator("h3:has-text('Causes:') + ol > li").all_inner_texts()
    assert "sends RamRequest to node" in led[0]
    assert [line.split(" s ")[1][:15] for line in led[1:]] == ["job 7 is placed", "job 7 is submit"]
    assert "{" not in details.inner_text()  # words, not JSON
    assert page.evaluate(LIT) < page.evaluate("page.shown[0].count")
    page.keyboard.press("Escape")
    assert not details.is_visible()
    assert page.evaluate(LIT) is None


def test_a_search_finds_by_job_node_kind_and_id(opened, recordings):
    page = opened("#runs=MAN")
    sent = recordings[1].records
    sent = sent[sent["kind"] == "sent"]
    asked = sent[sent["what"] == "RamRequest"]
    for text, expected in (
        ("job 7 RamRequest", (asked["job"] == 7).sum()),
        ("node 1 ramrequest", ((asked["node"] == 1) | (asked["peer"] == 1)).sum()),
        (f"id {short(int(asked['id'].iloc[0]))}", 1),
        (short(int(asked["id"].iloc[0])), 1),  # as `--kind story` tells it
        ("nonesuch", 0),
    ):
        page.get_by_role("searchbox").fill(text)
        assert page.locator("#found").inner_text() == f"{expected} found"
        assert page.evaluate(LIT) == expected
    page.get_by_role("searchbox").fill("RamRequest")
    page.keyboard.press("Enter")
    assert page.locator("#found").inner_text() == f"1 of {len(asked)}"
    first_s, last_s = window_s(page)
    assert first_s <= asked["time_ns"].iloc[0] / 1e9 < last_s
    assert last_s - first_s < 0.001


def test_a_click_on_a_kind_or_phase_hides_it_and_shows_it_again(opened):
    page = opened("#runs=MAN")
    kind = page.locator("#filters button[data-kind=RamGrant]")
    shown = "d3.sum(page.shown[0].visible, (one, i) => one * page.shown[0].counts(i))"
    all_of_them = page.evaluate(shown)
    grants = int(kind.inner_text().split()[-1])
    kind.click()
    assert page.evaluate(shown) == all_of_them - grants
    assert kind.get_attribute("aria-pressed") == "false"
    kind.click()
    assert page.evaluate(shown) == all_of_them
    page.locator("#filters button.group", has_text="page messages").click()
    assert page.locator("#filters button[data-kind=PageReply]").get_attribute("aria-pressed") == (
        "false"
    )
    kind.click(modifiers=["Alt"])
    assert page.evaluate(shown) == grants


def test_what_the_legend_points_at_is_lit_and_it_keeps_the_focus_after_a_click(opened):
    page = opened(f"#runs=CLI|MAN{WHOLE}")
    kind = page.locator("#filters button[data-kind=ServerReply]")
    title = kind.locator("xpath=..").locator(".group").inner_text()
    counts = "page.shown.map((run) => d3.sum(run.lit, (lit, i) => lit * run.counts(i)))"
    kind.hover()
    assert page.evaluate(counts) == [int(it) for it in kind.inner_text().split()[-2:]]
    page.locator("#query").hover()
    assert page.evaluate(LIT) is None
    page.locator("#filters .group", has_text=title).hover()
    assert title == " | ".join(map(str, page.evaluate(counts))) + " start messages"
    kind.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert kind.evaluate("(it) => it === document.activeElement && it.ariaPressed") == "true"


def test_both_designs_are_in_sight(visit, tmp_path):
    runs = [record(make_scenario(**SMALL | {"nodes": 64}), it, "protocol") for it in ("CLI", "MAN")]
    write(runs, Selection(), tmp_path / "page.html")
    page = visit((tmp_path / "page.html").as_uri(), viewport={"width": 1600, "height": 1000})
    ends = page.locator(".lane.space-time").evaluate_all(
        "(them) => them.map((it) => it.getBoundingClientRect().bottom)"
    )
    assert ends[1] <= 1000


def test_of_several_runs_another_one_can_be_chosen_and_what_was_told_goes(opened):
    page = opened()
    captions = page.locator("#captions").inner_text().split(" · ")
    assert captions[-2:] == ["above: design CLI", "below: design MAN"]
    assert len({*captions}) == len(captions)  # what both runs share is said once
    page.get_by_label("run below").select_option("")
    page.locator("#captions", has_text=re.compile("· design CLI ·")).wait_for()
    assert page.locator(".lane.space-time").count() == 1
    assert page.locator("#story p").first.inner_text().startswith("Job 7 lost most: ")
    place = find(page, "ServerRequest")
    page.mouse.click(place["x"], place["y"])
    assert page.locator("#details").is_visible()
    page.get_by_label("run above").select_option("MAN")
    page.locator("#captions", has_text="design MAN").wait_for()
    assert page.evaluate("page.shown.map((run) => run.about.design)") == ["MAN"]
    assert page.locator("#details").is_hidden()


def test_the_address_keeps_window_selection_search_and_filters(opened):
    page = opened("#runs=MAN&from=0&to=0.0008")
    place = find(page, "ServerRequest")
    page.mouse.click(place["x"], place["y"])
    page.get_by_role("searchbox").fill("job 7")
    place = find(page, "ServerRequest")
    page.mouse.click(place["x"], place["y"])
    page.locator("#filters button[data-kind=PageReply]").click()
    page.locator("#paced").check()
    page.wait_for_url(lambda url: "paced" in url and "PageReply" in url)
    again = opened(page.evaluate("location.hash"))
    state = """[page.from, page.to, page.query, page.off(), page.selected.item, page.axis.end]"""
    one, other = page.evaluate(state), again.evaluate(state)
    assert other[:2] == pytest.approx(one[:2], abs=1e-3)
    assert other[2:] == one[2:]
    assert f"id\t{place['id']}" in again.locator("#details").inner_text()
    page.get_by_role("button", name="whole run").click()
    whole = window_s(page)
    assert window_s(opened("#runs=MAN&from=x&to=1e300&item=0 m9")) == pytest.approx(whole)


def test_paced_by_events_each_time_has_the_same_width(opened):
    page = opened("#runs=MAN")
    linear = window_s(page)
    page.locator("#paced").check()
    assert window_s(page) == pytest.approx(linear)
    widths = page.evaluate("d3.pairs(page.axis.times, (one, other) => page.x(other) - page.x(one))")
    assert widths == pytest.approx([widths[0]] * len(widths))
    page.locator("#paced").uncheck()
    assert window_s(page) == pytest.approx(linear)


@pytest.mark.parametrize(
    "window",
    ["&from=0.0001&to=1.2", "&from=1.99995&to=2.011", "&paced=1&from=2.0000001&to=2.0000009"],
)
def test_ticks_are_times_that_rise_however_close_they_are(opened, window):
    page = opened(f"#runs=MAN{window}")
    told = page.evaluate(
        "import('page/axis').then(({ticksOf}) => {"
        " const {origin, ticks} = ticksOf(page.axis, page.scale);"
        " return [origin, ticks.map(([x, text]) => [page.timeOf(page.position(x)), text])]; })"
    )
    origin, ticks = told
    units = {"s": 10**9, "ms": 10**6, "µs": 10**3, "ns": 1}
    values = [text.replace(",", "").replace("−", "-").split() for _, text in ticks]
    times = [origin + float(number) * units[unit] for number, unit in values]
    assert len(times) > 1
    assert all(before < after for before, after in pairwise(times))
    assert len({unit for _, unit in values}) == 1
    for (at, _), (number, unit), told_ns in zip(ticks, values, times, strict=True):
        last_digit = units[unit] / 10 ** len(number.partition(".")[2])
        assert told_ns == pytest.approx(at, abs=0.5 * last_digit + 1)


def test_in_a_notebook_it_is_a_page_as_elsewhere(visit, file, tmp_path):
    notebook = tmp_path / "notebook.html"
    cell = Page(file.read_text("utf-8"))._repr_html_()
    notebook.write_text(f"<!doctype html><body data-ready=yes data-waits=false>{cell}", "utf-8")
    inner = visit(notebook.as_uri()).frames[1]
    inner.wait_for_function("() => location.hash.startsWith('#runs=CLI%7CMAN')")


@pytest.mark.parametrize("pace", ["", "&paced=1"])
def test_stations_tell_how_busy_they_are_and_how_many_wait(opened, recordings, pace):
    """Each column's share, times how long that column is, adds up to the time in the journal."""
    page = opened(f"#runs=MAN{pace}{WHOLE}")
    hops = recordings[1].records
    hops = hops[hops["kind"] == "hop"]
    sum_ns = """(row) => {
        const lane = page.lanes.find((one) => one.name === "stations");
        const left = page.x(page.timeOf(page.from));
        const time = (column) => page.timeOf(page.position(left + column));
        return d3.sum(lane[row][0], (share, column) => share * (time(column + 1) - time(column)));
    }"""
    station = page.evaluate("page.lanes.find((one) => one.name === 'stations').rows[0]")
    its = hops[hops["station"] == station]
    served_ns = int((its["end_ns"] - its["start_ns"]).sum())
    waits = its["start_ns"] - its["time_ns"]
    assert page.evaluate(sum_ns, "busy") == pytest.approx(served_ns, rel=1e-3)
    assert page.evaluate(sum_ns, "queue") == pytest.approx(int(waits.sum()), rel=1e-3, abs=1)
    told = page.evaluate("page.lanes.find((one) => one.name === 'stations').at(400, 5).text")
    assert f"of {len(its):,} that come in this window {(waits > 0).sum():,} wait" in told


def test_stations_tell_without_hops_how_many_came_and_waited(visit, tmp_path):
    scenario = make_scenario(**SMALL, topology="bus")
    made = record(scenario, "CLI", "protocol")
    write([made], Selection(), tmp_path / "windows.html")
    page = visit((tmp_path / "windows.html").as_uri() + "#hidden=" + WHOLE)
    rows = page.evaluate("page.lanes.find((one) => one.name === 'stations').numbers().rows")
    table = made.queues.groupby("station")
    sums = table[["services", "delay_ns"]].sum().join(table["peak_ns"].max())
    assert {name for name, *_ in rows} == {*sums.index}
    for name, came, delay_ms, peak_ms in rows:
        its = sums.loc[name]
        assert came == its["services"]
        assert (delay_ms, peak_ms) == pytest.approx((its["delay_ns"] / 1e6, its["peak_ns"] / 1e6))


def test_a_click_on_a_job_compares_it_under_both_designs(opened, recordings):
    page = opened("#runs=CLI|MAN" + WHOLE)
    gantt = page.locator(".lane.gantt canvas").first
    gantt.scroll_into_view_if_needed()
    where = "(([lane]) => [page.x(1e9), lane.block(0)[0] + 4])(page.lanes.filter(IS))"
    x, y = page.evaluate(where.replace("IS", "(one) => one.name === 'gantt'"))
    gantt.click(position={"x": x, "y": y})
    rows = {}
    for table in page.locator("#details table").all():
        rows |= dict(
            line.split("\t", 1) for line in table.inner_text().splitlines() if "\t" in line
        )
    asked = []
    for recording in recordings:
        its = recording.records[recording.records["job"] == 7]
        its = its[(its["kind"] == "sent") & (its["node"] != its["peer"])]
        asked.append(int((its["what"] == "ServerRequest").sum()))
        lent = recording.records[recording.records["kind"] == "borrowed"]["amount_bytes"].sum()
        assert f"{lent / 2**20:.2f} MB" in rows["borrowed"]
    assert rows[""].split() == ["CLI", "MAN"]
    assert rows["ServerRequest"].split() == [str(count) for count in asked]
    assert "-" not in rows["computing"] + rows["waiting for a grant"]


def test_kinds_and_classes_of_messages_are_counted_as_elsewhere(opened, recordings):
    page = opened(f"#runs=CLI|MAN{WHOLE}")
    sent = [over_network(it.records)["what"] for it in recordings]  # none of a node to itself
    uses = [it.use_of.values() for it in recordings]
    for names, counted in (
        ({*sent[0], *sent[1]}, lambda run, name: (sent[run] == name).sum()),
        ({*uses[0], *uses[1]}, lambda run, name: [*uses[run]].count(name)),
    ):
        for name in sorted(names):
            told = page.locator(f"#filters button[data-kind={name}]").inner_text()
            assert told.split()[-3:] == [name, f"{counted(0, name):,}", f"{counted(1, name):,}"]
    heading = page.locator(".lane.space-time h2").first.inner_text()
    assert heading.startswith(f"CLI: {len(sent[0])} messages")


def test_what_broke_is_told_and_found_with_a_click(visit, tmp_path):
    """Job 7's client on node 1 hears of no grant; which message was lost, the page says at once."""
    faults = [{"kind": "loss", "messages": ["RamGrant"], "nodes": [1], "rate": 1}]
    faults += [{"kind": "servent", "nodes": [3], "from_s": 0.5, "restart_s": 1}]
    runs = [record(make_scenario(**SMALL, fault=faults), it, "protocol") for it in ("CEN", "DP")]
    (lost,) = runs[0].records.query("kind == 'lost'").itertuples()
    write(runs, Selection(), tmp_path / "broken.html")
    page = visit((tmp_path / "broken.html").as_uri())
    loss = f"since {lost.time_ns / 1e9:.6f} s, when RamGrant from node 0 to node 1 was lost"
    assert loss in page.locator("#story").inner_text()
    assert page.evaluate("[...page.shown[0].outages.node]") == [3]
    assert "grey: the node" in page.locator(".lane.space-time h2").first.inner_text()
    button = page.locator("#filters button[data-kind=lost]")
    assert button.inner_text().split() == ["✕", "lost", "1", "0"]
    button.click(modifiers=["Alt"])
    seen = "d3.range(page.shown[0].count).filter((i) => page.shown[0].isMessage[i] && "
    seen += (
        "page.shown[0].visible[i] && page.shown[0].word('use', i)).map((i) => page.shown[0].id(i))"
    )
    assert page.evaluate(seen) == [short(lost.id)]
    button.click(modifiers=["Alt"])
    page.get_by_role("searchbox").fill("job 7 lost")
    assert page.evaluate(LIT) == 1
    page.get_by_role("button", name="job 7").first.click()
    panel = page.locator("#details").inner_text()
    assert "1 message: RamGrant from node 0 to node 1" in panel
    assert loss in panel


def test_nodes_are_as_large_as_their_ram_and_the_network_shows_a_moment_of_the_window(
    visit, tmp_path
):
    node = [{"ram_mb": 32, "count": 2}, {"ram_mb": 8}, {"ram_mb": 32, "joins_s": 1}]
    scenario = make_scenario(**SMALL, node=node)
    write([record(scenario, "MAN", "protocol")], Selection(), tmp_path / "unequal.html")
    page = visit((tmp_path / "unequal.html").as_uri() + "#hidden=&from=1.5&to=1.7")
    of = "page.lanes.find((one) => one.name === '%s')"
    radii = page.evaluate(f"[0, 2].map((node) => {of % 'network'}.radiusOf(node))")
    assert radii[0] == pytest.approx(2 * radii[1])  # four times the area
    assert page.evaluate("page.moment.at / 1e9") == pytest.approx(1.6)


def test_load_sharing_has_its_lanes(visit, tmp_path):
    jobs = [{"memory_mb": 1, "demand_s": 2, "home": 0, "submit_s": at} for at in range(4)]
    scenario = make_sharing_scenario(system="memory", policies="CPU_RE", nodes=2, job=jobs)
    write([record(scenario, "CPU_RE", "all")], Selection(), tmp_path / "shared.html")
    page = visit((tmp_path / "shared.html").as_uri())
    lanes = page.evaluate("page.lanes.map((one) => one.name)")
    assert lanes == ["space-time", "gantt", "memory", "rates", "stations", "events"]
    assert page.evaluate("[...new Set(page.shown[0].jobs.job)].length") == 4


def test_what_a_decision_believed_is_told_with_its_message(opened):
    page = opened("#runs=MAN&from=0&to=0.0008")
    place = find(page, "ServerRequest")
    page.mouse.move(place["x"], place["y"])
    tip = page.locator("#tip").inner_text()
    assert "sends ServerRequest to node" in tip
    assert "for job 7" in tip
    # nobody has told anything before the first request; node 2 or 3 has all of its 32 MB
    assert "without a load report; it has 32.00 MB" in page.locator("#tip").inner_text()
    page.mouse.click(place["x"], place["y"])
    candidates = page.locator("#details h3:has-text('Candidates') + table tr").all_inner_texts()[1:]
    chosen = page.evaluate("page.shown[0].items.peer[page.selected.item]")
    # nodes 0 and 1 run the job, so 2 and 3 are asked, the first of them by chance
    assert {line.split("\t")[0] for line in candidates} == {
        f"{'▸ ' if node == chosen else ''}node {node}" for node in (2, 3)
    }
    assert all("unknown" in line for line in candidates)


def test_a_broadcast_is_one_bar_with_its_count_and_opens_on_a_click(visit, tmp_path):
    made = record(make_scenario(**SMALL | {"nodes": 12}), "MAN", "protocol")
    write([made], Selection(), tmp_path / "page.html")
    page = visit((tmp_path / "page.html").as_uri())
    page.evaluate(DRAWN)
    told = made.records[made.records["what"] == "LoadBroadcast"]
    told = told[told["kind"] == "sent"]
    hub = int(told["node"].iloc[0])
    bar = """() => {
        const lane = page.lanes.find((one) => one.name === "space-time");
        const {left, right, y, its} = lane.fans.bars.find((one) => one.its.length > 10);
        const box = lane.canvas.getBoundingClientRect();
        return {x: box.x + (left + right) / 2, y: box.y + y, count: its.length};
    }"""
    place = page.evaluate(bar)
    assert place["count"] == (told["cause"] == told["cause"].iloc[0]).sum() == 11
    page.mouse.move(place["x"], place["y"])
    assert f"11 LoadBroadcast from node {hub} to 11 nodes" in page.locator("#tip").inner_text()
    bars = "page.lanes.find((one) => one.name === 'space-time').fans.bars.length"
    before = page.evaluate(bars)
    page.mouse.click(place["x"], place["y"])
    page.evaluate(DRAWN)
    assert page.evaluate(bars) == before - 1
    page.keyboard.press("Escape")
    page.evaluate(DRAWN)
    assert page.evaluate(bars) == before


def test_only_nodes_that_take_part_have_a_row_unless_all_are_wanted(visit, tmp_path):
    made = record(make_scenario(**SMALL | {"nodes": 12}), "MAN", "protocol")
    sent = made.records[(made.records["kind"] == "sent") & (made.records["phase"] != "telling")]
    take_part = {*sent["node"], *sent["peer"], *made.records["node"].dropna()}
    heard = made.records[made.records["what"] == "LoadBroadcast"]["peer"]
    take_part -= {*heard} - {*sent["node"], *sent["peer"]}
    write([made], Selection(), tmp_path / "page.html")
    page = visit((tmp_path / "page.html").as_uri())
    rows = "page.lanes.find((one) => one.name === 'space-time').rows"
    assert {int(row) for row in page.evaluate(rows)} == take_part  # all manage, so no ■
    assert len(take_part) < 12
    page.locator("#nodes input").uncheck()
    assert page.evaluate(rows) == [str(node) for node in range(12)]


#: Where the network shows a node, or the first message that it shows, of the run above.
IN_NETWORK = """(node) => {
    const lane = page.lanes.find((one) => one.name === "network");
    const box = lane.canvas.getBoundingClientRect();
    const [x, y] = node === null ? lane.marks[0] : lane.pixel(lane.points[node]);
    return {x: box.x + x, y: box.y + y};
}"""


def test_a_message_stands_on_its_link_at_the_moment_that_the_network_shows(opened):
    """The first hop of a RamRequest is half over, so it is half way from its node to the switch."""
    page = opened("#runs=MAN&hidden=")
    shown = page.evaluate("""() => {
        const run = page.shown[0];
        const hop = run.hops.item.findIndex((item, i) => run.name(item) === "RamRequest");
        const {at, waits, lasts, item, way} = run.hops;
        page.goTo(at[hop] + waits[hop] + lasts[hop] / 2);
        const line = run.about.ways[way[hop]].map((place) => run.about.network.points[place]);
        const where = run.placeOf(item[hop], page.moment.at, run.about.network.points);
        const moving = [...run.underWay(page.moment.at)];
        return {line, where, isMoving: moving.includes(item[hop])};
    }""")
    (x, y), (to_x, to_y) = shown["line"]
    assert shown["where"] == {"foot": None, "at": [(x + to_x) / 2, (y + to_y) / 2]}
    assert shown["isMoving"]


def test_a_click_on_a_node_tells_what_it_holds_lends_borrows_and_believes(opened, recordings):
    page = opened("#runs=CLI&hidden=")
    lent = recordings[0].records
    lent = lent[lent["kind"] == "borrowed"].iloc[0]
    page.evaluate("(time) => page.goTo(time)", int(lent["time_ns"]))
    place = page.evaluate(IN_NETWORK, int(lent["node"]))
    page.mouse.click(place["x"], place["y"])
    told = page.locator("#details").inner_text()
    assert f"node {lent['node']} at" in told
    assert "own processes\t32 MB" in told  # of 40: 8 are borrowed
    assert f"borrows from node {lent['peer']} (8 MB)" in told
    assert "job 7\twaits for a grant" in told
    assert "Beliefs of its manager at its last choice" in told


def test_play_moves_what_is_under_way_through_the_window_and_the_log_folds_a_broadcast(opened):
    page = opened("#runs=MAN&hidden=&from=0&to=0.0008")
    page.get_by_role("button", name="▶ play").click()
    page.wait_for_function("() => page.moment.moves === false && page.moment.at >= 800000")
    lines = page.locator(".lane.network .log li").all_inner_texts()
    (sent,) = [line for line in lines if "sends" in line and "LoadBroadcast" in line]
    assert sent.endswith("node 0 sends 3 LoadBroadcast to nodes 1, 2, 3, for job 7")
    assert any(
        line.endswith("nodes 1, 2, 3 receive 3 LoadBroadcast from node 0, for job 7")
        for line in lines
    )


def test_messages_a_second_and_response_times_are_those_of_the_journal(opened, recordings):
    page = opened("#runs=CLI&hidden=stations|memory&from=0&to=2")
    lane = "page.lanes.find((one) => one.name === 'rates')"
    table = recordings[0].records
    sent = over_network(table[table["time_ns"] <= 2 * 10**9])
    counts = page.evaluate(
        f"(it => d3.sum(it.rates, (rate, bin) => rate * (it.edge(bin + 1) - it.edge(bin))))({lane})"
    )
    assert counts / 1e9 == pytest.approx(len(sent))
    found = page.evaluate(f"{lane}.responses")
    times = table[table["kind"].isin(["submitted", "ended"])].groupby("job")["time_ns"]
    took = {int(job): int(its.max() - its.min()) for job, its in times}
    assert {it["job"]: it["lasts"] for it in found} == took
    page.locator(".lane.rates canvas").scroll_into_view_if_needed()
    page.evaluate("page.search('job 7')")
    x, y = page.evaluate(f"{lane}.placeOf({lane}.responses.find(({{job}}) => job === 9))")
    page.locator(".lane.rates canvas").click(position={"x": x, "y": y})
    assert page.locator("#details h2").inner_text() == "job 9"


BIDDING = """
from agents.pnr.protocol import Manager, Protocol, SetTimer
from topologies.managers.man import man

class Bidding(Manager):
    shows = ("bids", "leader")

    def __init__(self, site):
        super().__init__(site)
        self.bids, self.leader = [], None

    def start(self, now_ns):
        return [SetTimer("bid", (self.node + 1) * 10**8)]

    def timer(self, name, now_ns):
        self.bids.append(len(self.bids))
        self.leader = f"node {self.node}"
        self.gauge("queue", (self.node + 1) * (len(self.bids) % 4))
        return [SetTimer("bid", (self.node + 1) * 10**8)]

def bidding(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "BIDDING", "protocol": Protocol(manager=Bidding)}
    return graph
"""


def test_what_roles_hold_is_told_of_a_node_and_its_gauges_have_a_lane(visit, tmp_path):
    (tmp_path / "mine.py").write_text(BIDDING)
    given = {**SMALL, "fault": [{"kind": "servent", "nodes": [1], "from_s": 1, "restart_s": 1}]}
    recording = record(make_scenario(**given), f"{tmp_path}/mine.py:bidding", "protocol")
    write([recording], Selection(), tmp_path / "own.html")
    page = visit((tmp_path / "own.html").as_uri() + "#linear" + WHOLE)
    # Node 2 bids each 0.3 s: at 1 s for the third time, when its gauge is 3 * 3.
    held = "([node, s]) => page.shown[0].heldAt(node, s * 1e9).map(([role, its]) => [role, its])"
    [[role, rows]] = page.evaluate(held, [2, 1])
    assert (role, [row[:2] for row in rows]) == (
        "manager",
        [["bids", "[0,1,2]"], ["leader", "node 2"], ["queue", "9"]],
    )
    assert rows[2][2].startswith("since 0.9")
    assert page.evaluate(held, [1, 1.5]) == []  # its servent is down
    [[_, rows]] = page.evaluate(held, [1, 2.1])
    assert [row[:2] for row in rows] == [["bids", "[]"], ["leader", "null"]]
    page.evaluate("page.moment.at = 1e9; page.panel.showNode(2)")
    assert "State of its manager\nbids\t[0,1,2]\tsince 0.9" in page.locator("#details").inner_text()
    lane = page.locator("section.levels")
    assert "1 value that roles report" in lane.inner_text()
    assert "manager’s queue 12" in lane.inner_text()  # node 3, each third bid
    place = "page.lanes.find((one) => one.name === 'levels').at(page.x(0.95e9), 5).text"
    told = page.evaluate(place).splitlines()
    assert told[1:] == ["node 2: 9", "node 3: 8", "node 0: 1", "node 1: 0"]


#: The table of a lane, as what reads pages out finds it: lists of texts by the first of each row.
TOLD = """(name) => {
    const lane = page.lanes.find((one) => one.name === name);
    lane.tell();
    return Object.fromEntries(Array.from(lane.table.rows, ({cells}) =>
        [cells[0].innerText, Array.from(cells).slice(1).map((cell) => cell.textContent)]));
}"""


def test_each_lane_has_a_table_with_its_numbers_also_when_a_node_crashes(visit, tmp_path):
    faults = [{"kind": "node", "nodes": [3], "from_s": 0.5, "restart_s": 1}]
    faults.append({"kind": "loss", "messages": ["ServerReply"], "nodes": [1], "rate": 1})
    made = record(make_scenario(**SMALL, fault=faults), "CLI", "protocol")
    write([made], Selection(), tmp_path / "crash.html")
    page = visit((tmp_path / "crash.html").as_uri() + "#hidden=" + WHOLE)
    its = made.records
    end_ns = int(its["time_ns"].max())
    sent, lost = over_network(its), its[its["kind"] == "lost"]
    told = page.evaluate(TOLD, "space-time")
    for node in range(4):
        came = its[(its["kind"] == "delivered") & (its["node"] == node) & (its["peer"] != node)]
        refused = sum(made.use_of.get(it) == "refused" for it in came["id"])
        expected = [(sent["node"] == node).sum(), len(came), refused, (lost["node"] == node).sum()]
        assert [int(it) for it in told[str(node)][:4]] == expected, node
        assert float(told[str(node)][4]) == (1 if node == 3 else 0)  # s that it is down
    assert len(lost) > 0
    told = page.evaluate(TOLD, "memory")
    assert told["node"][1] == "lent to others, MB on average"
    for node in range(4):
        loans = its[its["kind"].isin(["lent", "returned"]) & (its["node"] == node)]
        lent = sum(
            (1 if row.kind == "lent" else -1) * row.amount_bytes * (end_ns - row.time_ns)
            for row in loans.itertuples()
        )
        assert float(told[str(node)][1]) == pytest.approx(lent / end_ns / 2**20, abs=6e-4), node
    told = page.evaluate(TOLD, "gantt")
    placed = its[its["kind"] == "placed"].groupby("job")["time_ns"].min()
    ended_ns = int(its[(its["kind"] == "ended") & (its["job"] == 9)]["time_ns"].iloc[0])
    for job, lasts_ns in ((7, 2 * (end_ns - placed[7])), (9, ended_ns - placed[9])):
        assert sum(map(float, told[str(job)])) == pytest.approx(lasts_ns / 1e9, abs=2e-3)
    assert float(told["7"][2]) > 1  # its grant on node 1 never comes
    told = page.evaluate(TOLD, "events")
    counts = its[its["kind"].isin(["borrowed", "crashed", "placed"])]["kind"].value_counts()
    assert {kind: int(told[kind][0]) for kind in counts.index} == counts.to_dict()
    told = page.evaluate(TOLD, "rates")
    assert sum(int(row[0]) for time, row in told.items() if time != "time") == len(sent)
    page.evaluate("page.goTo(0.7e9)")
    assert [page.evaluate(TOLD, "network")[str(node)][-1] for node in (2, 3)] == ["no", "yes"]
    # all of them are there for those who cannot see them, and seen by a click
    lanes = page.locator(".lane")
    assert page.get_by_role("table").count() >= lanes.count() == 7
    numbers = lanes.nth(1).locator(".numbers")
    assert numbers.bounding_box()["height"] == 1
    lanes.nth(1).get_by_role("button", name="in numbers").click()
    assert numbers.bounding_box()["height"] > 40
