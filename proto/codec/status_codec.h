// Status codec: bytes <-> what a running controller tells of itself to who may read its folder. The
// question needs no badge and no PIN, changes nothing and is not journaled. Total: any bytes give a
// value or nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// How a table stands with the controller (L9).
enum class Standing : std::uint8_t {
  never_seen,  // nothing heard, ever
  linked,
  lost,      // nothing heard for the floor's lost_after
  not_seen,  // nothing heard since the controller started; the journal knows the table
};
// "never_seen"
std::string_view name(Standing standing);
std::optional<Standing> parse_standing(std::string_view name);

struct TableStanding {
  TableId table;
  Standing standing = Standing::never_seen;
  Timestamp since;                    // when it began to stand so
  std::optional<Timestamp> heard_at;  // the last word
  friend bool operator==(const TableStanding&, const TableStanding&) = default;
};

struct ControllerStatus {
  Timestamp started_at;
  std::vector<TableStanding> tables;  // all of the floor, in its order
  Timestamp now = {};                 // recorded time; 0 from an older release, which tells none
  friend bool operator==(const ControllerStatus&, const ControllerStatus&) = default;
};

std::string encode_status_request();
bool is_status_request(std::string_view bytes);
// The answer, a Reply of proto/control.proto: at most limits::status_bytes_max.
std::string encode(const ControllerStatus& status);
std::optional<ControllerStatus> decode_status_reply(std::string_view bytes);

}  // namespace linkmeter
