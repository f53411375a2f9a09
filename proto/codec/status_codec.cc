#include "proto/codec/status_codec.h"

#include <array>

#include "meters/values/limits.h"
#include "proto/control.pb.h"

namespace linkmeter {

namespace {

constexpr std::array<std::string_view, 4> names = {"never_seen", "linked", "lost", "not_seen"};

template <class Message>
bool parse_status(std::string_view bytes, std::size_t bytes_max, Message& message) {
  return bytes.size() <= bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string_view name(Standing standing) { return names.at(static_cast<std::size_t>(standing)); }

std::optional<Standing> parse_standing(std::string_view name) {
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names.at(at) == name) return static_cast<Standing>(at);
  }
  return std::nullopt;
}

std::string encode_status_request() {
  control::Request message;
  message.mutable_status();
  return message.SerializeAsString();
}

bool is_status_request(std::string_view bytes) {
  control::Request message;
  return parse_status(bytes, limits::control_bytes_max, message) && message.has_status();
}

std::string encode(const ControllerStatus& status) {
  control::Reply message;
  control::Status& body = *message.mutable_status();
  body.set_started_at_us(status.started_at.microseconds());
  body.set_now_us(status.now.microseconds());
  for (const TableStanding& table : status.tables) {
    control::TableStanding& added = *body.add_tables();
    added.set_table(table.table.text());
    added.set_standing(std::string(name(table.standing)));
    added.set_since_us(table.since.microseconds());
    if (table.heard_at) added.set_heard_at_us(table.heard_at->microseconds());
  }
  return message.SerializeAsString();
}

std::optional<ControllerStatus> decode_status_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse_status(bytes, limits::status_bytes_max, message) || !message.has_status()) {
    return std::nullopt;
  }
  ControllerStatus status;
  status.started_at = Timestamp::from_microseconds(message.status().started_at_us());
  status.now = Timestamp::from_microseconds(message.status().now_us());
  for (const control::TableStanding& table : message.status().tables()) {
    const std::optional<Standing> standing = parse_standing(table.standing());
    if (!standing) return std::nullopt;
    TableStanding added{
        TableId(table.table()), *standing, Timestamp::from_microseconds(table.since_us()), {}};
    if (table.has_heard_at_us()) {
      added.heard_at = Timestamp::from_microseconds(table.heard_at_us());
    }
    status.tables.push_back(std::move(added));
  }
  return status;
}

}  // namespace linkmeter
