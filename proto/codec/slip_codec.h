// Slip codec: a slip as the state tables hold it, and what became of claims and slips as the
// journal writes it; a part of state_codec and journal_codec.
#pragma once

#include <optional>

#include "meters/facts/entry.h"
#include "meters/state/slip.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal
namespace linkmeter::state {
class Slip;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_slip(const Slip& slip, state::Slip& message);
std::optional<Slip> decode_slip(const state::Slip& message);

void encode_fact(const ClaimValidated& fact, journal::Entry& entry);
void encode_fact(const ClaimCountersigned& fact, journal::Entry& entry);
void encode_fact(const ClaimPaid& fact, journal::Entry& entry);
void encode_fact(const SlipIssued& fact, journal::Entry& entry);
void encode_fact(const SlipVoided& fact, journal::Entry& entry);
void encode_fact(const SlipStored& fact, journal::Entry& entry);

// REQUIRES: the entry holds one of these.
std::optional<Fact> decode_slip_fact(const journal::Entry& message);

}  // namespace linkmeter::parts
