// Person fact codec: what people did, as the journal writes it; a part of journal_codec.
#pragma once

#include <optional>

#include "meters/facts/entry.h"

namespace linkmeter::journal {
class Entry;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_fact(const ClaimRejected& fact, journal::Entry& entry);
void encode_fact(const LinkSuspended& fact, journal::Entry& entry);
void encode_fact(const TableFrozen& fact, journal::Entry& entry);
void encode_fact(const NoticePosted& fact, journal::Entry& entry);
void encode_fact(const PinChanged& fact, journal::Entry& entry);
void encode_fact(const SignedIn& fact, journal::Entry& entry);
void encode_fact(const SignInFailed& fact, journal::Entry& entry);
void encode_fact(const Recovered& fact, journal::Entry& entry);
void encode_fact(const RecoveryFailed& fact, journal::Entry& entry);
void encode_fact(const PinsTried& fact, journal::Entry& entry);
void encode_fact(const ActProposed& fact, journal::Entry& entry);
void encode_fact(const ActConfirmed& fact, journal::Entry& entry);
void encode_fact(const CommandRejected& fact, journal::Entry& entry);

// REQUIRES: the entry holds one of these.
std::optional<Fact> decode_person_fact(const journal::Entry& message);

}  // namespace linkmeter::parts
