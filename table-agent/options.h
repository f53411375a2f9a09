// Agent options: the command line of linkmeter-table-agent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace linkmeter {

struct AgentOptions {
  std::string floor, table, data, script, device, credentials, catalogue;
  std::vector<std::string> controllers;  // endpoints; {}: those of the floor file
  std::string panel, certificate, key;
  std::string simulated_at;  // where a simulated device listens, instead of an agent
  std::optional<std::uint64_t> seed, rounds;
  std::uint32_t pace_ms = 0;
  bool plants_faults = false;
  bool print_witness = false;
  std::string resend_after;  // a head, as text; "": not given
  // Whether the command is about the outbox only, and runs no table.
  [[nodiscard]] bool is_of_outbox() const { return print_witness || !resend_after.empty(); }
};

// Adds all options to the command line, with checks of their values.
void add_options(CLI::App& app, AgentOptions& options);
// Throws CLI::ParseError if a required option is missing, or given too often.
void require_complete(const AgentOptions& options);

}  // namespace linkmeter
