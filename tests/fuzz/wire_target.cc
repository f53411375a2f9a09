// Frames on the wire: of tables, of the controller, and of people's programs. What is decoded can
// be encoded, decodes again to the same, and is encoded to the same bytes from then on.
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

std::string encode_from_table(const FromTable& said) {
  return std::visit([](const auto& one) { return encode(one); }, said);
}

bool is_same(const TableMessage& left, const TableMessage& right) {
  return left.table == right.table && left.number == right.number &&
         left.sent_at == right.sent_at && left.command == right.command;
}
template <class Other>
bool is_same(const Other& left, const Other& right) {
  return left == right;
}

}  // namespace

void judge_from_table(std::string_view bytes) {
  const auto said = decode_from_table(bytes);
  if (!said) return;
  const std::string written = encode_from_table(*said);
  const auto again = decode_from_table(written);
  INVARIANT(again.has_value());
  INVARIANT(again->index() == said->index());
  const bool same = std::visit(
      [&again](const auto& one) {
        return is_same(one, std::get<std::decay_t<decltype(one)>>(*again));
      },
      *said);
  INVARIANT(same);
  INVARIANT(encode_from_table(*again) == written);
  if (std::holds_alternative<TableSignIn>(*said)) INVARIANT(may_be_sign_in(written));
  if (const auto* hello = std::get_if<Hello>(&*said)) {
    INVARIANT(hello->history.size() <= limits::reported_restorations_max);
  }
  if (const auto* beat = std::get_if<Heartbeat>(&*said)) {
    INVARIANT(beat->people.size() <= panel_people_max);
    INVARIANT(!beat->counts || beat->counts->links.size() <= limits::links_per_table_max);
  }
}

void judge_to_table(std::string_view bytes) {
  const auto told = decode_to_table(bytes);
  if (!told) return;
  const std::string written = encode(*told);
  const auto again = decode_to_table(written);
  INVARIANT(again.has_value());
  INVARIANT(*again == *told);
  INVARIANT(encode(*again) == written);
  if (const auto* list = std::get_if<Acknowledgements>(&*told)) {
    for (const Acknowledgement& one : list->list)
      INVARIANT(one.awards.size() <= reported_awards_max);
  }
  if (const auto* welcome = std::get_if<Welcome>(&*told)) {
    INVARIANT(welcome->nodes.size() <= limits::nodes_max);
  }
  if (const auto* answer = std::get_if<HeartbeatAnswer>(&*told)) {
    INVARIANT(answer->claims.size() <= reported_claims_max);
    INVARIANT(!answer->hands || answer->hands->size() <= reported_rounds_max);
  }
}

void judge_control(std::string_view bytes) {
  if (const auto request = decode_control_request(bytes)) {
    const auto again = decode_control_request(encode(*request));
    INVARIANT(again.has_value());
    INVARIANT(*again == *request);
  }
  if (const auto reply = decode_control_reply(bytes)) {
    const auto again = decode_control_reply(encode(*reply));
    INVARIANT(again.has_value());
    INVARIANT(*again == *reply);
  }
  if (const auto status = decode_status_reply(bytes)) {
    const auto again = decode_status_reply(encode(*status));
    INVARIANT(again.has_value());
    INVARIANT(*again == *status);
    INVARIANT(status->tables.size() <= limits::tables_max);
  }
  static_cast<void>(is_status_request(bytes));
}

}  // namespace linkmeter::fuzz
