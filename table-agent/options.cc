#include "table-agent/options.h"

#include <CLI/CLI.hpp>

#include "meters/values/limits.h"
#include "proto/codec/head_text.h"
#include "proto/host/byte_port.h"
#include "proto/host/command_line.h"
#include "proto/host/web_address.h"

namespace linkmeter {

void add_options(CLI::App& app, AgentOptions& options) {
  app.add_option("--floor", options.floor, "The floor file");
  app.add_option("--table", options.table, "The table's id in the floor file")->required();
  app.add_option("--data", options.data, "Folder for the table's outbox; made if missing")
      ->check([](const std::string& folder) {
        return folder.empty() ? "is empty; it names a folder" : "";
      });
  auto* script = app.add_option("--script", options.script, "Play this floor script (JSON Lines)");
  auto* deal = app.add_option("--deal", options.seed, "Deal rounds from this seed")
                   ->transform(a_number(0))
                   ->excludes(script);
  app.add_option("--rounds", options.rounds, "Number of new rounds (default: no limit)")
      ->transform(a_number(0))
      ->needs(deal);
  app.add_option("--pace", options.pace_ms, "Milliseconds between dealt rounds")
      ->transform(a_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->needs(deal);
  app.add_option(
         "--simulate-device", options.simulated_at,
         "Run a simulated device with players and dealer at unix:PATH, no agent; with --deal")
      ->needs(deal)
      ->check([](const std::string& address) {
        const std::string unix_only = "is \"" + address + "\"; it must be unix:PATH";
        return address.starts_with("unix:") ? device_address_mistake(address) : unix_only;
      });
  app.add_flag("--plant-faults", options.plants_faults,
               "The simulated device loses, doubles, delays and damages lines, and more")
      ->needs("--simulate-device");
  app.add_option("--device", options.device,
                 "The sensors of the table: unix:PATH, tcp:127.0.0.1:PORT or serial:/dev/ttyUSB0")
      ->excludes(script)
      ->excludes(deal)
      ->check(device_address_mistake);
  auto* panel = app.add_option("--panel", options.panel,
                               "Serve the dealer's panel: http://127.0.0.1:PORT on this machine, "
                               "https://HOST:PORT on the network; port 0: any free port")
                    ->check(web_address_mistake);
  auto* certificate = app.add_option("--certificate", options.certificate,
                                     "The panel's certificate (PEM; default: the agent makes one "
                                     "beside the outbox)")
                          ->needs(panel);
  certificate->needs(app.add_option("--key", options.key, "Its key (PEM)")->needs(certificate));
  app.add_option("--controller", options.controllers,
                 "Endpoint, once for each node of the house (default: $LINKMETER_CONTROLLER, then "
                 "the floor file)")
      ->check(is_endpoint(EndpointUse::connect))
      ->allow_extra_args(false);
  app.add_option("--credentials", options.credentials,
                 "The table's key file (default: TABLE.credentials in --data, then, on the "
                 "controller's own machine, where init made it)");
  app.add_option("--catalogue", options.catalogue, "Folder of the game rules");
  app.add_flag("--print-witness", options.print_witness,
               "Print the journal's head that this table saw last, and end (linkmeter audit)");
  app.add_option("--hand-over-again-after", options.resend_after,
                 "The controller was restored from a backup that ends with this entry, as "
                 "812:5f1c...: mark all later messages to be sent again, and end")
      ->check([](const std::string& head) {
        return parse_head(head) ? "" : "\"" + head + "\" is not an entry and its hash";
      });
}

void require_complete(const AgentOptions& options) {
  if (options.floor.empty() && !options.is_of_outbox()) throw CLI::RequiredError("--floor");
  if (options.data.empty() && options.simulated_at.empty()) {
    throw CLI::RequiredError("--data");
  }
  if (options.script.empty() && !options.seed && options.device.empty() && options.panel.empty() &&
      !options.is_of_outbox()) {
    throw CLI::RequiredError("a table needs something to do: --script, --deal, --device or --panel",
                             CLI::ExitCodes::RequiredError);
  }
  const std::string wrong = endpoint_list_mistake(options.controllers, limits::nodes_max);
  if (!wrong.empty()) throw CLI::ValidationError("--controller", wrong);
}

}  // namespace linkmeter
