#!/usr/bin/env python3
"""Writes a C++ file that holds pages as bytes: embed_pages.py FUNCTION OUTPUT FILE..."""
import hashlib
import pathlib
import sys

PIECE = 4096  # bytes per literal: compilers know longer ones, people's tools do not


def literal(data):
    """Bytes as string literals; three octal digits cannot run into what follows."""
    lines = []
    for at in range(0, len(data), PIECE):
        text = "".join(
            chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
            for byte in data[at:at + PIECE])
        lines.append(f'    "{text}"')
    return "\n".join(lines) or '    ""'


def main():
    function, output, *files = sys.argv[1:]
    pages = sorted((pathlib.Path(file) for file in files), key=lambda path: path.name)
    names = [page.name for page in pages]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"embed_pages.py: two pages are called {name}")
    parts = ["#include <array>\n", '#include "proto/http/static_files.h"\n',
             "namespace linkmeter {", "namespace {\n"]
    rows = []
    for number, page in enumerate(pages):
        data = page.read_bytes()
        etag = hashlib.sha256(data).hexdigest()[:32]
        parts.append(f"constexpr char page_{number}[] =\n{literal(data)};\n")
        rows.append(f'    {{"{page.name}", "\\"{etag}\\"", {{page_{number}, {len(data)}}}}},')
    parts.append(f"constexpr std::array<StaticFile, {len(pages)}> pages = {{{{")
    parts += rows
    parts += ["}};\n", "}  // namespace\n", f"std::span<const StaticFile> {function}();",
              f"std::span<const StaticFile> {function}() {{ return pages; }}\n",
              "}  // namespace linkmeter\n"]
    pathlib.Path(output).write_text("\n".join(parts), encoding="ascii")


main()
