"""The version of code: a hash of what a module does and of all modules of ours that it imports.

Results and compiled code are valid for the code that made them. That code is not listed by hand: a
walk goes from a module to what it imports, at its top or in functions. A module's digest is made of
its meaning and of the digests of the modules that it imports (a Merkle tree):

- comments, docstrings, layout, the order of imports and what stands under `if TYPE_CHECKING:` do
  not count;
- names of files do not count, so that a file may move: an import stands for the code that it finds;
- packages count if their `__init__.py` has code.

The walk does not see imports by computed names. Whoever imports so passes the module to
`version_of` as well, as is done with systems, or hashes its product, as with topologies' graphs.
"""

import ast
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from model.ground.errors import InputError

_IMPORTS = (ast.Import, ast.ImportFrom)
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Code:
    """The code in a folder that holds our packages; each file is read once, when first met.

    `digests` are those of all files read so far.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.digests: dict[Path, str] = {}

    def version_of(self, *modules: str) -> str:
        """The version of these modules of ours (dotted names, in any order): 16 hex digits.

        Raises InputError for a module that does not exist, and for imports that form a circle.
        """
        walk = _Walk((self._root,), self.digests)
        return _hash(sorted(walk.module(name) for name in modules))[:16]

    def version_of_file(self, file: Path) -> str:
        """The version of a file, perhaps a user's, with what it imports of ours and from beside it.

        Python finds what is beside it only if its folder is on the path. Such files are read anew
        each time, but for those in packages of ours. Raises InputError for one that is not Python.
        """
        file = file.resolve()
        if self._is_in_a_package(file):
            return _Walk((self._root,), self.digests).file(file)[:16]
        return _Walk((self._root, file.parent), dict(self.digests)).file(file)[:16]

    def _is_in_a_package(self, file: Path) -> bool:
        """Whether a file is in one of the folders beside each other that are our packages."""
        if not file.is_relative_to(self._root):
            return False
        package = self._root / file.relative_to(self._root).parts[0]
        return (package / "__init__.py").is_file()


#: The code that is running.
OURS = Code(Path(__file__).parents[2])
version_of, version_of_file = OURS.version_of, OURS.version_of_file


class _Walk:
    """Digests of modules and files, from the leaves up."""

    def __init__(self, places: tuple[Path, ...], digests: dict[Path, str]) -> None:
        self._places = places  # where modules are looked for
        self._digests = digests  # those that are known
        self._does: dict[Path, bool] = {}
        self._trail: list[Path] = []  # the chain of imports that the walk is in

    def module(self, name: str) -> str:
        """The digest of a module, which must exist, and of the packages around it."""
        files = _find(name.split("."), self._places)
        if not files:
            raise InputError(f"{name}: there is no such module in {self._places[0]}")
        return self._digest(files)

    def file(self, file: Path) -> str:
        """The digest of a file: of its meaning and of what it imports."""
        if file not in self._digests:
            if file in self._trail:
                circle = [*self._trail[self._trail.index(file) :], file]
                raise InputError(f"imports form a circle: {' -> '.join(map(str, circle))}")
            self._trail.append(file)
            self._digests[file] = _hash(self._meaning(_parse(file), file))
            self._trail.pop()
        return self._digests[file]

    def _digest(self, files: list[Path], importer: Path | None = None) -> str:
        """The digest of a module and of the packages around it that have code and are imported."""
        *packages, module = files
        around = importer.parents if importer else ()
        packages = [package for package in packages if package.parent not in around]
        counted = [*filter(self._does_something, packages), module]
        return _hash([self.file(path) for path in counted])

    def _does_something(self, package: Path) -> bool:
        """Whether an `__init__.py` holds more than a docstring."""
        if package not in self._does:
            self._does[package] = bool(_body(_parse(package)))
        return self._does[package]

    def _meaning(self, code: object, file: Path) -> str:
        """Parsed code as text, the same from every version of Python."""
        if isinstance(code, ast.AST):
            fields = vars(code)
            if isinstance(code, _Documented):
                fields = {**fields, "body": _body(code)}
            parts = [
                f"{name}={self._meaning(fields[name], file)}"
                for name in code._fields
                if name != "ctx" and fields.get(name) not in (None, [])  # ctx: its place shows it
            ]
            return f"{type(code).__name__}({','.join(parts)})"
        if isinstance(code, list):
            return f"[{','.join(self._meanings(code, file))}]"
        return repr(code)

    def _meanings(self, codes: Iterable[object], file: Path) -> Iterator[str]:
        for are_imports, group in groupby(_run(codes), lambda code: isinstance(code, _IMPORTS)):
            if are_imports:  # sorted: a file that moves may change their order
                imports = (code for code in group if isinstance(code, _IMPORTS))
                yield from sorted(text for code in imports for text in self._imported(code, file))
            else:
                yield from (self._meaning(code, file) for code in group)

    def _imported(self, code: ast.Import | ast.ImportFrom, file: Path) -> Iterator[str]:
        """What is imported and under which name; our modules count by digest, not by name."""
        if isinstance(code, ast.Import):
            for alias in code.names:
                found = _find(alias.name.split("."), self._places)
                source = self._digest(found, file) if found else alias.name
                yield f"import {source} as {alias.asname or alias.name}"
            return
        places, parts = self._places, code.module.split(".") if code.module else []
        if code.level:
            package = file.parents[code.level - 1]
            places, parts = (package.parent,), [package.name, *parts]
        files = _find(parts, places)
        is_module = bool(files) and files[-1].name != "__init__.py"
        for alias in code.names:
            if not is_module and (found := _find([*parts, alias.name], places)):
                source = f"import {self._digest(found, file)}"
            elif files:
                source = f"from {self._digest(files, file)} import {alias.name}"
                if alias.name == "*" and not is_module:  # which may mean modules
                    others = sorted(files[-1].parent.glob("*.py"))
                    source += "".join(self.file(other) for other in others if other != file)
            else:
                source = f"from {code.level} {code.module} import {alias.name}"
            yield f"{source} as {alias.asname or alias.name}"


def _find(parts: list[str], places: Iterable[Path]) -> list[Path]:
    """The files that an import of a module runs: its packages' and its own; [] if there is none."""
    for place in places:
        folder = place.joinpath(*parts)
        for module in (folder / "__init__.py", folder.with_name(f"{parts[-1]}.py")):
            if module.is_file():
                packages = (place.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts)))
                return [*(package for package in packages if package.is_file()), module]
    return []


def _parse(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; give a readable Python file") from None
    except SyntaxError as error:
        raise InputError(f"{file}, line {error.lineno}: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{file}: is no Python file: {error}") from None


def _body(code: _Documented) -> list[ast.stmt]:
    """The statements without docstrings, its own and those of its attributes."""
    return [part for part in code.body if not _is_text(part)]


def _is_text(code: ast.stmt) -> bool:
    return (
        isinstance(code, ast.Expr)
        and isinstance(code.value, ast.Constant)
        and isinstance(code.value.value, str)
    )


def _run(codes: Iterable[object]) -> Iterator[object]:
    """The statements that run, without those that serve types only."""
    for code in codes:
        if isinstance(code, ast.If) and "TYPE_CHECKING" in (
            getattr(code.test, "id", None),
            getattr(code.test, "attr", None),
        ):
            yield from code.orelse
        else:
            yield code


def _hash(value: str | list[str]) -> str:
    return sha256("\n".join([value] if isinstance(value, str) else value).encode()).hexdigest()
