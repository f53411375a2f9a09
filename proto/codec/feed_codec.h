// Feed codec: a MeterUpdate, which the controller publishes to signs, as bytes and back
// (proto/wire.proto).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/timestamp.h"

namespace linkmeter {

// What one link showed at one moment. Amounts are whole cents, rounded down (M2).
struct MeterUpdate {
  struct Level {
    std::string level;
    std::int64_t amount_cents = 0;
    friend bool operator==(const Level&, const Level&) = default;
  };
  struct Table {
    std::string table;
    std::string state;  // "linked", "lost", "never_seen", "not_seen", "frozen"
    std::int64_t since_us = 0;
    friend bool operator==(const Table&, const Table&) = default;
  };
  struct Share {
    std::uint32_t seat = 0;
    std::int64_t amount_cents = 0;
    friend bool operator==(const Share&, const Share&) = default;
  };
  // One hit of a meter, or a fixed award. What several seats share is one award.
  struct Award {
    std::uint64_t claim = 0;  // of a shared award: the first
    std::string table;
    std::string asset;
    std::uint32_t seat = 0;
    std::string line;
    std::string level;  // "": a fixed award
    std::int64_t amount_cents = 0;
    std::string state;  // of the claim: "raised", "validated", "paid", "rejected"
    std::int64_t raised_at_us = 0;
    std::optional<std::int64_t> new_amount_cents = {};  // of the meter, after this award
    std::vector<Share> shares = {};                     // empty: one seat has all of it
    friend bool operator==(const Award&, const Award&) = default;
  };

  std::string link;
  std::uint64_t sequence = 0;  // the journal's last entry; never decreases
  std::int64_t as_of_us = 0;
  std::uint32_t maximum_age_ms = 0;  // an older update must not be shown as current
  std::string status;                // "operating", or "suspended: REASON"
  bool pending_adjustment = false;   // § 553.20(h)
  bool collecting_ended = false;     // wagers no longer contribute
  bool discontinued = false;
  std::string went_to = {};  // the destination of a discontinued link's amount; "": none
  std::optional<std::int64_t> unit_cents = {};
  std::vector<Level> levels = {};
  std::vector<Table> tables = {};
  std::optional<Award> last_award = {};
  std::vector<Award> awards = {};           // hits of meters, latest first
  std::optional<std::string> node = {};     // of several; that sends this
  std::optional<std::int64_t> lag_us = {};  // since that node had every entry
  friend bool operator==(const MeterUpdate&, const MeterUpdate&) = default;
};

[[nodiscard]] std::string encode(const MeterUpdate& update);
// nullopt: the bytes are not a MeterUpdate, or hold a time before 1970 or an amount that no meter
// can have.
[[nodiscard]] std::optional<MeterUpdate> decode_meter_update(std::string_view bytes);

}  // namespace linkmeter
