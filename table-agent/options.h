// Agent options: what a table's agent is told at its start, on its command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace linkmeter {

struct AgentOptions {
  std::string floor, table, data, script, device, controller, credentials, catalogue;
  std::string panel, certificate, key;
  std::string simulated_at;  // where a simulated device listens, instead of an agent
  std::optional<std::uint64_t> seed, rounds;
  std::uint32_t pace_ms = 0;
  bool plants_faults = false;
  bool print_witness = false;
  std::string again_after;  // a head, as text; "": not asked
  // Asked about the outbox, and nothing to play.
  [[nodiscard]] bool is_of_outbox() const { return print_witness || !again_after.empty(); }
};

// Adds them all to the command line; what cannot be meant is refused there, by its option.
void add_options(CLI::App& app, AgentOptions& options);
// Throws CLI::ParseError where an option is missing without which there is nothing to do.
void require_whole(const AgentOptions& options);

}  // namespace linkmeter
