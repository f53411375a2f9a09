// Witness: the journal's head as a table's agent last saw it. A hash chain cannot see entries that
// were cut from its end, nor a whole history that was put in its place; the tables can (DESIGN
// section 5). A witness file holds what agents print, a JSON object a line:
//
//   {"table":"C4-01","entry":812,"hash":"5f1c..."}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/values/identity.h"

namespace linkmeter {

struct Witness {
  TableId table;
  Head head;  // entry 0: it has seen nothing yet
  friend bool operator==(const Witness&, const Witness&) = default;
};

// All witnesses of a file. Throws Fault with file and line if it cannot be read, holds none, or a
// line is anything else.
std::vector<Witness> read_witnesses(const std::filesystem::path& file);

// What the journal does not bear out, as a sentence; "": it holds what the witness saw.
std::string contradiction(const Journal& journal, const Witness& witness);

// Where the journal is not what the table has seen of it: why, as a sentence.
[[nodiscard]] std::optional<std::string> other_history(const Journal& journal, const Hello& hello);

}  // namespace linkmeter
