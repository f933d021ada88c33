"""What we add to Typer's help: options that belong together stand together."""

from typing import Any

from typer.core import TyperCommand

#: Options that have another name now; their old one is read for one release.
RENAMED = {"--engine": "--plane", "--patience-s": "--timeout-s"}


class Help(TyperCommand):
    """A command whose options stand under their headings, also without Rich, which is slow to
    import and takes `[[fault]]` for markup."""

    def parse_args(self, context: Any, words: list[str]) -> list[str]:
        return super().parse_args(context, [_renamed(word) for word in words])

    def format_options(self, context: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(context):
            heading = getattr(parameter, "rich_help_panel", None) or "Options"
            record = parameter.get_help_record(context)
            if record is None:
                continue  # it is hidden
            name, text = record
            if parameter.param_type_name == "argument":
                heading, (name, *_) = "Arguments", name.split()  # without its type
            sections.setdefault(heading, []).append((name, text))
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _renamed(word: str) -> str:
    name, equals, value = word.partition("=")
    return RENAMED.get(name, name) + equals + value
