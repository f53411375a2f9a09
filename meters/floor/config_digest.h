// Table terms: everything that decides or pays at one table, as one text: the table's own terms,
// and those of its links with the rules of their chapter. An agent and its controller compare them
// by the text's SHA-256 (Hello.floor): one that was started with an old floor file is found before
// it tells a player something else than the controller counts.
//
// Law: the same terms give the same text in every run of a release. A release that changes the text
// changes its version, and two releases that do not write the same text do not compare.
#pragma once

#include <string>
#include <string_view>

#include "meters/floor/floor.h"

namespace linkmeter {

inline constexpr char table_terms_version = 1;

std::string table_terms_text(const Floor& floor, const FloorRules& rules, TableIndex table);

// As it is told: the version, then the digest.
std::string table_terms_mark(const Digest& digest);
// May the two be compared, and do they differ?
bool table_terms_differ(std::string_view told, std::string_view own);

}  // namespace linkmeter
