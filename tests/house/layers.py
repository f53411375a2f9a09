"""Layers: which folder of the product may include which, and that no includes form a cycle.

LAYERS is the structure of controller/README.md as a table. A folder may include itself, the folders
that its row names, and what those may include.
"""

import re

# Folder: the folders directly below it.
LAYERS = {
    "meters/values": (),
    "meters/game": ("meters/values",),
    "meters/floor": ("meters/game",),
    "meters/balances": ("meters/floor",),
    "meters/facts": ("meters/balances",),
    "meters/state": ("meters/facts",),
    "meters/rules": ("meters/state",),

    "proto/host": ("meters/values",),
    "proto/codec": ("meters/rules", "proto/host"),
    "proto/http": ("proto/host",),
    "config/reader": ("meters/rules", "proto/host"),

    "controller/time": ("meters/facts", "proto/host"),
    "controller/store": ("controller/time", "proto/codec", "config/reader"),
    "controller/cluster": ("controller/store",),
    "controller/view": ("controller/cluster",),
    "controller/turn": ("controller/view",),
    "controller/slips": ("controller/turn",),
    "controller/auth": ("controller/turn", "proto/http"),
    "controller/signs": ("controller/slips",),
    "controller/integrity": ("controller/auth",),
    "controller/odds": ("meters/rules", "proto/host"),
    "controller/sockets": ("controller/auth",),
    "controller/telemetry": ("controller/integrity",),
    "controller/accounting/day": ("controller/turn",),
    "controller/accounting/export": ("controller/turn",),
    "controller/accounting/evidence": ("controller/integrity", "controller/slips"),
    "controller/accounting/explain": ("controller/accounting/export",),
    "controller/web": ("controller/accounting/day", "controller/accounting/explain",
                       "controller/signs", "controller/telemetry"),
    "controller/cli/shell": ("controller/sockets",),
    "controller/cli/operate": ("controller/cli/shell", "controller/accounting/day",
                               "controller/integrity"),
    "controller/cli/inspect": ("controller/cli/shell", "controller/accounting/explain",
                               "controller/odds", "controller/signs"),
    "controller/cli/prove": ("controller/cli/shell", "controller/accounting/evidence",
                             "controller/accounting/export"),
    "controller/cli": ("controller/cli/operate", "controller/cli/inspect",
                       "controller/cli/prove"),
    "controller": ("controller/web", "controller/cli", "controller/sockets"),

    "table-agent/link": ("proto/codec", "config/reader"),
    "table-agent/round": ("table-agent/link",),
    "table-agent/device": ("table-agent/round",),
    "table-agent/panel": ("table-agent/device", "proto/http"),
    "table-agent/simulator": ("table-agent/device",),
    "table-agent": ("table-agent/panel", "table-agent/simulator"),
}
PRODUCT = tuple(sorted({layer.split("/")[0] + "/" for layer in LAYERS}))


def below(layer):
    """The layer and all that it may include."""
    reached, todo = set(), [layer]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo.extend(LAYERS[here])
    return reached


def folder(path):
    return path.rsplit("/", 1)[0]


def own_includes(tree, includes):
    """(path, line, included file) of the product's C++ files; generated files are left out."""
    for path, text in tree.sources(*PRODUCT):
        for line, what in includes(text):
            name = what[1:-1]
            if what[0] == '"' and name.startswith(PRODUCT) and not name.endswith(".pb.h"):
                yield path, line, name


def upward(tree, includes):
    """Files outside every layer, and includes of a folder that is not below the file's own."""
    for path, _ in tree.sources(*PRODUCT):
        if folder(path) not in LAYERS:
            yield f"{path}: {folder(path)}/ has no row in tests/house/layers.py"
    for path, line, name in own_includes(tree, includes):
        here, there = folder(path), folder(name)
        if here in LAYERS and there not in below(here):
            yield f"{path}:{line}: {name}: {here}/ may not include {there}/"


def cycles(tree, includes):
    """Files that include each other, a header and its .cc taken as one."""
    arrows = {}
    for path, _, name in own_includes(tree, includes):
        here, there = stem(path), stem(name)
        if here != there:
            arrows.setdefault(here, {}).setdefault(there, None)
    for cycle in circles(arrows):
        first = cycle[0] + (".h" if f"{cycle[0]}.h" in tree.files else ".cc")
        yield f"{first}: a cycle of includes: {' -> '.join([*cycle, cycle[0]])}"


def stem(path):
    """A header, its .cc and their private ..._impl files are one."""
    return re.sub(r"(_impl)?\.(h|cc)$", "", path)


def circles(arrows):
    """Every strongly connected set of more than one node, sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(root):
        work = [(root, iter(arrows.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        while work:
            node, following = work[-1]
            for target in following:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    work.append((target, iter(arrows.get(target, ()))))
                    break
                if target in stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    part = sorted(stack[at:])
                    del stack[at:]
                    if len(part) > 1:
                        found.append(part)

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found
