// Table fact codec: rounds, hands and pots as the journal writes them; a part of fact_codec.
#pragma once

#include <optional>

#include "meters/facts/entry.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_fact(const RoundLocked& fact, journal::Entry& entry);
void encode_fact(const CountMismatched& fact, journal::Entry& entry);
void encode_fact(const CountResolved& fact, journal::Entry& entry);
void encode_fact(const HandsShown& fact, journal::Entry& entry);
void encode_fact(const HandCorrected& fact, journal::Entry& entry);
void encode_fact(const HandVoided& fact, journal::Entry& entry);
void encode_fact(const DealerCorrected& fact, journal::Entry& entry);
void encode_fact(const PotCorrected& fact, journal::Entry& entry);
void encode_fact(const RoundClosed& fact, journal::Entry& entry);
void encode_fact(const RoundVoided& fact, journal::Entry& entry);
void encode_fact(const PotPlayed& fact, journal::Entry& entry);

// nullopt: the entry holds no such fact, or one that does not decode.
std::optional<Fact> decode_table_fact(const journal::Entry& message);

}  // namespace linkmeter::parts
