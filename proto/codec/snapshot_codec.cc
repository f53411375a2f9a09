#include "proto/codec/snapshot_codec.h"

#include <algorithm>
#include <utility>

#include "meters/values/limits.h"
#include "proto/control.pb.h"

namespace linkmeter {

namespace {

constexpr std::size_t request_bytes_max = 16;

}  // namespace

std::string encode_snapshot_request() {
  control::Request message;
  message.mutable_snapshot();
  return message.SerializeAsString();
}

bool is_snapshot_request(std::string_view bytes) {
  control::Request message;
  return bytes.size() <= request_bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) &&
         message.has_snapshot();
}

std::string encode(const Snapshot& snapshot) {
  control::Reply message;
  control::Snapshot& body = *message.mutable_snapshot();
  body.set_entry(snapshot.head.entry.value());
  body.set_hash(snapshot.head.hash.data(), snapshot.head.hash.size());
  for (const Row& row : snapshot.rows) {
    control::SnapshotRow& added = *body.add_rows();
    added.set_key(row.key);
    if (row.value) added.set_value(*row.value);
  }
  for (const auto& [number, content] : snapshot.entries) {
    control::SnapshotEntry& added = *body.add_entries();
    added.set_number(number.value());
    added.set_content(content);
  }
  body.set_controller_key(snapshot.controller_key);
  return message.SerializeAsString();
}

std::optional<Snapshot> decode_snapshot_reply(std::string_view bytes) {
  control::Reply message;
  if (bytes.size() > limits::snapshot_bytes_max ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !message.has_snapshot()) {
    return std::nullopt;
  }
  control::Snapshot& body = *message.mutable_snapshot();
  Snapshot snapshot;
  snapshot.head.entry = EntryNumber(body.entry());
  if (body.hash().size() != snapshot.head.hash.size()) return std::nullopt;
  std::copy(body.hash().begin(), body.hash().end(), snapshot.head.hash.begin());
  for (control::SnapshotRow& row : *body.mutable_rows()) {
    snapshot.rows.push_back({std::move(*row.mutable_key()), std::move(*row.mutable_value())});
  }
  for (control::SnapshotEntry& entry : *body.mutable_entries()) {
    snapshot.entries.emplace(EntryNumber(entry.number()), std::move(*entry.mutable_content()));
  }
  snapshot.controller_key = body.controller_key();
  return snapshot;
}

}  // namespace linkmeter
