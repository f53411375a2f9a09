// System fact codec: what the controller found of itself, as the journal writes it; a part of
// journal_codec.
#pragma once

#include <optional>

#include "meters/entry.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_fact(const SelfChecked& fact, journal::Entry& entry);
void encode_fact(const ClockChanged& fact, journal::Entry& entry);

// REQUIRES: the entry holds one of these.
std::optional<Fact> decode_system_fact(const journal::Entry& message);

}  // namespace linkmeter::parts
