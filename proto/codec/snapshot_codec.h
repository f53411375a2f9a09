// Snapshot codec: bytes <-> a copy of the state, for people who may not read the data folder of a
// running controller. The request needs no badge and no PIN, changes nothing and is not journaled.
// Total: any bytes give a value or nullopt.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// Without secrets (disclosure.h). Everything is of the same moment.
struct Snapshot {
  Head head;
  std::vector<Row> rows;                       // of the state tables, in key order
  std::map<EntryNumber, std::string> entries;  // the head, and the configuration in force
  std::string controller_key;                  // public
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

std::string encode_snapshot_request();
bool is_snapshot_request(std::string_view bytes);
// The answer, a Reply of proto/control.proto: at most limits::snapshot_bytes_max.
std::string encode(const Snapshot& snapshot);
std::optional<Snapshot> decode_snapshot_reply(std::string_view bytes);

}  // namespace linkmeter
