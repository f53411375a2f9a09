// A wager as one line of text: in the agent's stored round, and in the lines of the device
// protocol.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/table_command.h"
#include "table-agent/link/word_reader.h"

namespace linkmeter {

// "2 crazy-4/five-card 500 own": seat, wager, cents, and the hand that it is on. REQUIRES: whole
// cents.
std::string wager_text(const AskedWager& wager);
AskedWager read_wager(WordReader& in);
// Returns nullopt if the text is malformed.
std::optional<AskedWager> parse_wager_text(std::string_view text);

}  // namespace linkmeter
