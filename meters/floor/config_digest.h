// Configuration digest: everything that decides or pays at one table, as one text: the table's
// configuration, and that of its links with the rules of their chapters. An agent and its
// controller compare the SHA-256 of their texts (Hello.floor). So an agent that was started with an
// old floor file is found before it shows a player something other than the controller counts.
//
// Law: the same configuration gives the same text in every run of a release. A release that changes
// the text changes its version, and digests of different versions are not compared.
#pragma once

#include <string>
#include <string_view>

#include "meters/floor/floor.h"

namespace linkmeter {

inline constexpr char table_config_version = 1;

std::string table_config_text(const Floor& floor, const FloorRules& rules, TableIndex table);

// The digest as it is sent: the version, then the digest.
std::string table_config_digest(const Digest& digest);
// Whether the two have the same version and differ.
bool table_configs_differ(std::string_view sent, std::string_view own);

}  // namespace linkmeter
