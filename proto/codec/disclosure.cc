#include "proto/codec/disclosure.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proto/codec/act_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/journal.pb.h"
#include "proto/state.pb.h"

namespace linkmeter {

namespace {

void hide(std::vector<Digest>& codes) { std::fill(codes.begin(), codes.end(), Digest{}); }

void hide(Person& person) {
  person.pin.clear();
  person.pin_before.clear();
}

// Finds members by their names, so that a new kind of act or fact with a PIN hash is covered too.
template <class Part>
void hide_in(Part& part) {
  if constexpr (requires { part.pin.clear(); }) part.pin.clear();
  if constexpr (requires { hide(part.person); }) hide(part.person);
  if constexpr (requires { part.old_pin.clear(); }) part.old_pin.clear();
  if constexpr (requires { hide(part.recovery_codes); }) hide(part.recovery_codes);
  if constexpr (requires { hide(part.people.front()); }) {
    for (Person& person : part.people) hide(person);
  }
  if constexpr (requires { part.act.index(); }) {
    std::visit([](auto& act) { hide_in(act); }, part.act);
  }
}

template <class Message>
bool read_message(std::string_view content, Message& message) {
  return message.ParseFromArray(content.data(), static_cast<int>(content.size()));
}

template <class Message>
void keep(Row& row, const Message& message) {
  const std::string content = message.SerializeAsString();
  row.value = row_checksum(row.key, content) + content;
}

bool hide_in_person(Row& row, std::string_view content) {
  acts::Person message;
  if (!read_message(content, message)) return false;
  message.clear_pin();
  message.clear_pin_before();
  keep(row, message);
  return true;
}

bool hide_in_proposal(Row& row, std::string_view content) {
  state::Proposal message;
  if (!read_message(content, message)) return false;
  DualControlCommand act;
  if (!serialize(act, message.act())) return false;
  std::visit([](auto& one) { hide_in(one); }, act);
  message.clear_act();
  serialize(std::as_const(act), *message.mutable_act());
  keep(row, message);
  return true;
}

bool hide_in_recovery(Row& row, std::string_view content) {
  state::Recovery message;
  if (!read_message(content, message)) return false;
  for (std::string& code : *message.mutable_codes()) code.assign(code.size(), '\0');
  keep(row, message);
  return true;
}

}  // namespace

std::optional<Row> without_secrets(Row row) {
  constexpr std::string_view person = "person/", proposal = "proposal/", recovery = "recovery";
  const bool has_secrets = row.key.starts_with(person) || row.key == recovery ||
                           (row.key.starts_with(proposal) && row.key.size() > proposal.size());
  if (!has_secrets) return row;
  const std::string value = *row.value;
  if (value.size() < row_checksum_size) return std::nullopt;
  const std::string_view content = std::string_view(value).substr(row_checksum_size);
  const bool is_done = row.key == recovery           ? hide_in_recovery(row, content)
                       : row.key.starts_with(person) ? hide_in_person(row, content)
                                                     : hide_in_proposal(row, content);
  return is_done ? std::optional(std::move(row)) : std::nullopt;
}

Entry without_secrets(Entry entry) {
  std::visit([](auto& fact) { hide_in(fact); }, entry.fact);
  return entry;
}

}  // namespace linkmeter
