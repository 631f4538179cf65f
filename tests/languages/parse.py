"""Prints the generated files that cannot be parsed."""
from importlib import import_module
from pathlib import Path

from tree_sitter import Language, Parser

GRAMMARS = {"csharp": ("c_sharp", "cs"), "php": ("php", "php"), "ruby": ("ruby", "rb"), "rust": ("rust", "rs"), "swift6": ("swift", "swift")}

for folder, (name, suffix) in GRAMMARS.items():
    grammar = import_module(f"tree_sitter_{name}")
    parser = Parser(Language(grammar.language_php() if name == "php" else grammar.language()))
    files = list(Path(folder).rglob(f"*.{suffix}"))
    if len(files) < 100:
        print(f"{folder} has only {len(files)} files")
    for file in files:
        # the same for every contract, and the grammar of Swift does not know all of it
        if "Infrastructure" not in file.parts and parser.parse(file.read_bytes()).root_node.has_error:
            print(file)
