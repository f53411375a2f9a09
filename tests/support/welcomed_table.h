// Welcomed table: a table's agent in a test, and frames as from a controller.
#pragma once

#include <doctest/doctest.h>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "table-agent/link/table_agent.h"
#include "tests/support/memory_outbox.h"

namespace linkmeter::welcomed_table {

inline const TableId table("C4-01");
inline constexpr std::int64_t interval_us = 500'000;

inline Timestamp at_ms(std::int64_t milliseconds) {
  return Timestamp::from_microseconds(milliseconds * 1'000);
}

inline Head head(std::uint64_t entry, std::uint8_t mark = 0) {
  Head made;
  made.entry = EntryNumber(entry);
  made.hash.fill(static_cast<std::uint8_t>(entry + mark));
  return made;
}

// The answer to the agent's Hello of this number.
inline std::string welcome(std::uint64_t last_number, const Head& at, std::uint64_t hello = 1) {
  Welcome welcome{table, MessageNumber(last_number), at, Refusal::none};
  welcome.question = hello;
  return encode(ToTable(welcome));
}

struct Reply {
  std::uint64_t number;
  std::uint64_t entry;
  Refusal refusal = Refusal::none;
  std::uint64_t mark = 0;
};

inline std::string acknowledgements(const std::vector<Reply>& replies, const Head& at) {
  Acknowledgements made;
  for (const Reply& reply : replies) {
    made.list.push_back(
        {MessageNumber(reply.number), EntryNumber(reply.entry), reply.refusal, reply.mark});
  }
  made.head = at;
  return encode(ToTable(made));
}

inline CloseRound close(const std::string& round) { return CloseRound{RoundId(round), Badge()}; }
inline const Position somewhere{"test", "1"};

// Ignores the heads that the table has seen; the witness has its own test.
inline bool is_hello(const std::string& frame) {
  const auto decoded = decode_from_table(frame);
  const auto* hello = decoded ? std::get_if<Hello>(&*decoded) : nullptr;
  return hello != nullptr && hello->table == table;
}

inline bool is_heartbeat(const std::vector<std::string>& frames) {
  if (frames.size() != 1) return false;
  const auto decoded = decode_from_table(frames.front());
  const auto* heartbeat = decoded ? std::get_if<Heartbeat>(&*decoded) : nullptr;
  return heartbeat != nullptr && heartbeat->table == table;
}

inline std::uint64_t number_of(const std::string& frame) {
  const auto decoded = decode_from_table(frame);
  REQUIRE(decoded);
  REQUIRE(std::holds_alternative<TableMessage>(*decoded));
  return std::get<TableMessage>(*decoded).number.value();
}

inline std::vector<std::uint64_t> numbers_of(const std::vector<std::string>& frames) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& frame : frames) numbers.push_back(number_of(frame));
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

// An agent that sent Hello and got a Welcome for a journal that ends at entry 1.
struct Welcomed {
  MemoryOutbox outbox;
  TableAgent agent{table, outbox, {interval_us}};

  Welcomed() {
    REQUIRE(agent.to_send(at_ms(0)).size() == 1);
    CHECK(agent.receive(welcome(0, head(1)), at_ms(1)).answered.empty());
    REQUIRE(agent.is_welcome());
  }
  void submit(const std::string& round) { agent.submit(close(round), somewhere, at_ms(0)); }
};

}  // namespace linkmeter::welcomed_table
