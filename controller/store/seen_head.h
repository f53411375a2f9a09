// Witness: the journal's head as a table's agent last saw it. A hash chain cannot detect entries
// that were cut from its end, or a replaced history; the tables can. A witness
// file contains the output of agents, one JSON object a line:
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

// All witnesses of a file. Throws Fault with file and line if it cannot be read, is empty, or has
// an invalid line.
std::vector<Witness> read_witnesses(const std::filesystem::path& file);

// How the journal contradicts the witness, as a sentence. "": it does not.
std::string contradiction(const Journal& journal, const Witness& witness);

// How the journal differs from what the table has seen of it, as a sentence. nullopt: it does not.
[[nodiscard]] std::optional<std::string> history_mismatch(const Journal& journal,
                                                          const Hello& hello);

}  // namespace linkmeter
