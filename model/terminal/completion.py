"""What a shell completes: names of designs, policies, topologies, several with commas between."""

from collections.abc import Callable, Iterable

from model.core.names import listed

Complete = Callable[[str], list[str]]


def one_of(names: Callable[[], Iterable[str]]) -> Complete:

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.lower().startswith(incomplete.lower())]

    return complete


def several_of(names: Callable[[], Iterable[str]]) -> Complete:
    """Completes the last of names with commas between, with one that is not there yet."""

    def complete(incomplete: str) -> list[str]:
        *before, last = listed(incomplete)
        left = (name for name in names() if name not in before)
        return [",".join([*before, name]) for name in left if name.lower().startswith(last.lower())]

    return complete


def designs() -> list[str]:
    """The bundled designs; of one that takes a number, and of one around another, the beginning."""
    from model.core.names import known

    managers = [name.upper() for name in known("managers")]
    return [*managers, *(f"{name.upper()}(" for name in known("wrappers"))]


def topologies() -> list[str]:
    from model.core.names import known

    return [name.replace("_", "-") for name in known("networks")]


def papers() -> list[str]:
    from model.papers.paper import paper_names

    return paper_names()


def policies() -> list[str]:
    """The policies that the systems of load sharing compare by default."""
    from model.sharing.scenarios import SHARING

    listed = (kind.model_fields["policies"].default for kind in SHARING.values())
    return [*dict.fromkeys(name for names in listed for name in names)]


#: By the name of the option or argument.
BY_NAME = {
    "design": one_of(designs),
    "designs": several_of(designs),
    "against": one_of(designs),
    "paper": one_of(papers),
    "policies": several_of(policies),
    "topology": one_of(topologies),
}
