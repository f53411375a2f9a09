// Panel codec: sign-ins at a panel, and the people and counters in a heartbeat; a part of
// wire_codec.
#pragma once

#include <optional>
#include <vector>

#include "proto/codec/wire_codec.h"

namespace linkmeter::wire {
class Heartbeat;
class OwnCounts;
class TableSignIn;
class TableSignedIn;
}  // namespace linkmeter::wire

namespace linkmeter::parts {

void encode_sign_in(const TableSignIn& sign_in, wire::TableSignIn& body);
// nullopt: the PIN is too long.
std::optional<TableSignIn> decode_sign_in(const wire::TableSignIn& body);

void encode_signed_in(const TableSignedIn& signed_in, wire::TableSignedIn& body);
// The caller decodes the refusal.
TableSignedIn decode_signed_in(const wire::TableSignedIn& body, Refusal refusal);

void encode_people(const std::vector<PanelPerson>& people, wire::Heartbeat& body);
// People beyond panel_people_max are ignored.
std::vector<PanelPerson> decode_people(const wire::Heartbeat& body);

void encode_own_counts(const ReportedCounts& counts, wire::OwnCounts& body);
// Links beyond limits::links_per_table_max are ignored.
ReportedCounts decode_own_counts(const wire::OwnCounts& body);

}  // namespace linkmeter::parts
