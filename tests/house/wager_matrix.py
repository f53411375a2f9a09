"""The table in tests/README.md that names a test for every clause of every wager.

It has a row for each wager of config/catalogue and a column for each clause. A cell names one or
more tests: `NAME` for tests/golden/NAME.ledger and `FOLDER/FILE` for a file below tests/. A named
ledger must play the wager. If the chapter has no such clause, the cell says "none N", and reason N
below the table names the section.
"""

import re
import tomllib

README = "tests/README.md"
CLAUSES = ["Accrual", "Lines", "Envy", "Order", "Sharing", "Verification", "Payment source", "Fold",
           "Void", "Limit"]


def wagers_of(files):
    """The id of every wager of the catalogue."""
    for path, text in files.items():
        if path.startswith("config/catalogue/") and path.endswith(".toml"):
            for wager in tomllib.loads(text).get("wager", []):
                yield wager["id"]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_matrix(readme):
    """(line, cells) of every row of the table, the heading first; and the reasons by number."""
    rows, reasons = [], {}
    for line, content in enumerate(readme.splitlines(), start=1):
        inside = rows and line == rows[-1][0] + 1
        if content.startswith("|") and (inside or cells(content)[0] == "Wager"):
            rows.append((line, cells(content)))
        elif rows and (match := re.match(r"(\d+)\. (.+)", content)):
            reasons[match[1]] = match[2]
        elif rows and content.startswith("#"):
            break
    return [row for row in rows if set("".join(row[1])) - set("-: ")], reasons


def cell_complaints(files, wager, cell):
    """The mistakes in a cell that names tests."""
    if re.sub(r"`[^`]+`|[, ]", "", cell) or "`" not in cell:
        yield f'"{cell}" is neither tests in backticks nor "none N"'
    for name in re.findall(r"`([^`]+)`", cell):
        path = f"tests/{name}" if "/" in name else f"tests/golden/{name}.ledger"
        if path not in files:
            yield f"{path} does not exist"
        elif path.endswith(".ledger") and f'"{wager}"' not in files[path]:
            yield f"{path} does not play the wager"


def complaints(files):
    if README not in files:
        return
    rows, reasons = read_matrix(files[README])
    if not rows or rows[0][1] != ["Wager"] + CLAUSES:
        yield f"{README}: no table of wagers with the columns {', '.join(CLAUSES)}"
        return
    known, seen, given = set(wagers_of(files)), [], set()
    for line, (name, *clauses) in rows[1:]:
        wager = name.strip("`")
        seen.append(wager)
        if wager not in known:
            yield f"{README}:{line}: {wager}: the catalogue has no such wager"
        if len(clauses) != len(CLAUSES):
            yield f"{README}:{line}: {wager}: {len(clauses)} cells, not {len(CLAUSES)}"
        for clause, cell in zip(CLAUSES, clauses):
            if match := re.fullmatch(r"none (\d+)", cell):
                given.add(match[1])
                continue
            for complaint in cell_complaints(files, wager, cell):
                yield f"{README}:{line}: {wager}, {clause}: {complaint}"
    for wager in sorted(known.difference(seen)):
        yield f"{README}: no row for {wager}"
    for wager in sorted({wager for wager in seen if seen.count(wager) > 1}):
        yield f"{README}: {wager} has two rows"
    for number in sorted(given | set(reasons)):
        if number not in given:
            yield f"{README}: reason {number} is given for no cell"
        elif "§" not in reasons.get(number, ""):
            yield f"{README}: none {number}: no reason below the table that names its section"
