// linkmeter-table-agent: runs one table from its sensors, its dealer's panel, a script or simulated
// players. No message is lost or counted twice.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "config/reader/floor_file.h"
#include "meters/floor/config_digest.h"
#include "meters/values/hex.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/head_text.h"
#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"
#include "proto/host/uptime.h"
#include "table-agent/link/lmdb_outbox.h"
#include "table-agent/link/table_credentials.h"
#include "table-agent/live_driver.h"
#include "table-agent/options.h"
#include "table-agent/panel/panel.h"
#include "table-agent/panel/panel_http.h"
#include "table-agent/round/script_driver.h"
#include "table-agent/session.h"
#include "table-agent/simulator/deal_driver.h"
#include "table-agent/simulator/simulated_device.h"

namespace linkmeter {
namespace {

constexpr int exit_done = 0, exit_failed = 1;

void log(const std::string& line) { std::cerr << "linkmeter-table-agent: " << line << std::endl; }

FloorFile load_floor(const AgentOptions& options) {
  const std::filesystem::path catalogue = options.catalogue.empty()
                                              ? default_catalogue_directory()
                                              : std::filesystem::path(options.catalogue);
  auto read = read_floor(options.floor, catalogue);
  if (auto* file = std::get_if<FloorFile>(&read)) return std::move(*file);
  std::string lines;
  for (const Violation& violation : std::get<Violations>(read)) {
    lines += (lines.empty() ? "" : "\n") + violation.text();
  }
  throw Fault(lines);
}

// "DATA/C4-01.outbox".
std::filesystem::path path_of(const AgentOptions& options, const char* what) {
  std::string name;  // a table id may hold a slash, and never a percent sign
  for (const char letter : options.table) name += letter == '/' ? '%' : letter;
  return std::filesystem::path(options.data) / (name + what);
}

std::filesystem::path outbox_path(const AgentOptions& options) {
  return path_of(options, ".outbox");
}

// {"table":"C4-01","entry":812,"hash":"5f1c..."}, for linkmeter audit --witness. A table id that
// has an outbox is a name of a floor file: nothing in it needs an escape.
int print_witness(const AgentOptions& options) {
  const Head head = LmdbOutbox::witness_in(outbox_path(options), TableId(options.table));
  std::cout << R"({"table":")" << options.table << R"(","entry":)" << head.entry.value()
            << R"(,"hash":")" << hex(head.hash) << "\"}" << std::endl;
  if (!std::cout) throw Fault("standard output cannot be written");
  return exit_done;
}

// Prepares an existing outbox, on which no agent runs, for a restored controller. Witness and
// messages then match the restored journal, which the controller checks at every Hello.
int mark_for_resend(const AgentOptions& options) {
  const TableId table(options.table);
  (void)LmdbOutbox::witness_in(outbox_path(options), table);
  const Head head = *parse_head(options.resend_after);
  const std::uint64_t count = LmdbOutbox(outbox_path(options), table).resend_after(head);
  std::cout << "table " << options.table << ": " << count
            << (count == 1 ? " message is" : " messages are") << " to be sent again after entry "
            << head.entry.value() << std::endl;
  if (!std::cout) throw Fault("standard output cannot be written");
  return exit_done;
}

std::filesystem::path outbox_folder(const AgentOptions& options) {
  const std::filesystem::path data(options.data);
  std::error_code error;
  if (std::filesystem::create_directories(data, error)) {
    std::filesystem::permissions(data, std::filesystem::perms::owner_all);
  }
  if (!std::filesystem::is_directory(data)) {
    const bool is_there = std::filesystem::exists(data);
    throw Fault(options.data +
                (is_there ? " is no folder" : " cannot be made: " + error.message()) +
                "; --data names a folder for the outbox");
  }
  return outbox_path(options);
}

std::unique_ptr<RoundDriver> script_driver(const AgentOptions& options, Script script,
                                           const Outbox& outbox) {
  auto driver =
      std::make_unique<ScriptDriver>(std::move(script), outbox.places(ScriptDriver::prefix));
  const std::size_t played = driver->resumed_after();
  if (played == driver->event_count()) {
    log(options.script + " was already played to its end: nothing to do");
  } else if (played > 0) {
    log(options.script + ": continues after event " + std::to_string(played));
  }
  return driver;
}

// 32 random bits as hexadecimal digits.
std::string new_word() {
  return hexadecimal(big_endian(SecureRandom().below(std::uint64_t{1} << 32U), 4));
}

// An outbox gets its agent's identity once.
void name_agent(Outbox& outbox) {
  if (!outbox.place(TableAgent::identity).empty()) return;
  outbox.append({}, {TableAgent::identity, new_word() + new_word()});
}

std::unique_ptr<LiveDriver> live_driver(TableOffers offers, BytePort* device, PanelInbox* panel,
                                        const Outbox& outbox) {
  return std::make_unique<LiveDriver>(LiveDriver::Setup{std::move(offers), device, panel,
                                                        outbox.place(LiveDriver::name),
                                                        outbox.unacknowledged(), new_word, log});
}

std::vector<std::string> controllers(const AgentOptions& options, const FloorFile& floor) {
  if (!options.controllers.empty()) return options.controllers;
  const char* set = std::getenv("LINKMETER_CONTROLLER");
  if (set == nullptr || *set == '\0') return floor.endpoints.controllers;
  const std::string wrong = endpoint_mistake(set, EndpointUse::connect);
  if (!wrong.empty()) throw Fault("$LINKMETER_CONTROLLER " + wrong);
  return {set};
}

// Half of lost_after at most: then another node may still take the table before it locks.
std::int64_t silence_us(std::chrono::microseconds lost_after) {
  constexpr std::int64_t most_us = 1'000'000;
  return std::min(most_us, lost_after.count() / 2);
}

// "tcp://a:6057, tcp://b:6057"
std::string text_of(const std::vector<std::string>& endpoints) {
  std::string text;
  for (const std::string& one : endpoints) text += (text.empty() ? "" : ", ") + one;
  return text;
}

// Publishes the panel's address: in the log, and in DATA/TABLE.panel while the panel is served.
class PanelAddress {
 public:
  PanelAddress(std::filesystem::path file, const std::string& url) : file_(std::move(file)) {
    log("panel at " + url);
    replace_atomically(file_, url + "\n", readable_by_all);
  }
  PanelAddress(const PanelAddress&) = delete;
  PanelAddress& operator=(const PanelAddress&) = delete;
  ~PanelAddress() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

 private:
  std::filesystem::path file_;
};

WebServer::Setup panel_setup(const AgentOptions& options) {
  WebServer::Setup setup{*WebAddress::parse(options.panel)};
  if (!setup.address.secure) return setup;
  if (!options.certificate.empty()) {
    setup.certificate = read_certificate(options.certificate, options.key);
    return setup;
  }
  const std::filesystem::path folder = path_of(options, ".certificate");
  if (!has_certificate(folder)) {
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    std::vector<std::string> hosts = own_hosts();
    hosts.push_back(setup.address.host);
    write_certificate(folder, make_certificate(hosts));
  }
  setup.certificate = read_certificate(folder);
  log("the panel's certificate: SHA-256 " + certificate_fingerprint(*setup.certificate));
  return setup;
}

// Prints its account at the end.
int simulate_device(const AgentOptions& options, TableOffers table, const ShutdownSignal& stop) {
  SimulatedDevice device(std::move(table),
                         {*options.seed, options.rounds, options.pace_ms, options.plants_faults});
  host(device, options.simulated_at.substr(std::string_view("unix:").size()), stop.descriptor());
  std::cout << json_text(device.account()) << std::endl;
  return device.account().complaints.empty() ? exit_done : exit_failed;
}

// Reads the script before anything is made or sent.
std::optional<Script> script_of(const AgentOptions& options) {
  if (options.script.empty()) return std::nullopt;
  auto read = read_script(options.script);
  if (const auto* error = std::get_if<ScriptError>(&read)) throw Fault(error->message);
  return std::move(std::get<Script>(read));
}

// Returns the number of refused messages.
std::uint64_t run_session(Session::Setup setup, const TableId& table) {
  SystemdNotify notice;
  setup.lockout_changed = [&notice, &table](const Lockout& lockout) {
    notice.status("table " + table.text() + (lockout.is_open() ? ": open" : ": locked, ") +
                  (lockout.is_open() ? "" : std::string(name(lockout.cause))));
  };
  setup.alive = [&notice] { notice.beat(uptime()); };
  Session session(setup);
  notice.ready("table " + table.text());
  const std::uint64_t refused = session.run();
  notice.stopping();
  return refused;
}

LocalCounters counters_at(const Floor& floor, TableIndex table) {
  std::vector<LinkConfig> links;
  for (const LinkIndex link : floor.links_of(table)) links.push_back(floor.link(link));
  return LocalCounters(std::move(links));
}

int run(const AgentOptions& options) {
  const ShutdownSignal stop;
  const FloorFile floor = load_floor(options);
  const TableId table(options.table);
  const std::optional<TableIndex> index = floor.floor.find_table(table);
  if (!index) throw Fault(options.floor + " has no table " + options.table);
  if (!options.simulated_at.empty()) {
    return simulate_device(options, TableOffers::at(floor.floor, floor.rules, *index), stop);
  }
  if (options.panel == "none") throw Fault("--panel none: leave the option out");
  std::optional<Script> script = script_of(options);

  LmdbOutbox outbox(outbox_folder(options), table);
  name_agent(outbox);
  std::unique_ptr<PanelHttp> web;
  std::optional<PanelAddress> panel_address;
  std::unique_ptr<Panel> panel;
  std::optional<TableOffers> offers;  // with a panel or a device
  if (!options.panel.empty() || !options.device.empty()) {
    offers = TableOffers::at(floor.floor, floor.rules, *index);
  }
  if (!options.panel.empty()) {
    web = std::make_unique<PanelHttp>(panel_setup(options), table, path_of(options, ".homes"));
    panel = std::make_unique<Panel>(*web, floor.floor.house);
    panel_address.emplace(path_of(options, ".panel"), web->url());
  }
  std::unique_ptr<BytePort> port;
  std::unique_ptr<RoundDriver> driver;
  const bool drives_itself = script || options.seed;
  if (!drives_itself) {
    if (!options.device.empty()) port = open_byte_port(options.device);
    driver = live_driver(*offers, port.get(), panel.get(), outbox);
  } else if (script) {
    driver = script_driver(options, std::move(*script), outbox);
  } else if (options.seed) {
    driver = std::make_unique<DealDriver>(
        TableOffers::at(floor.floor, floor.rules, *index),
        DealDriver::Plan{*options.seed, options.rounds, options.pace_ms},
        outbox.place(DealDriver::name(*options.seed)),
        BonusDraw(BonusDraw::terms_at(floor.floor, floor.rules, *index), SecureRandom()));
  }
  const std::chrono::microseconds lost_after = floor.lost_after;
  const std::string terms = table_config_text(floor.floor, floor.rules, *index);
  TableAgent agent(table, outbox, {.lost_after_us = lost_after.count()},
                   table_config_digest(sha256(terms)));
  agent.count_by(counters_at(floor.floor, *index));
  const std::vector<std::string> endpoints = controllers(options, floor);
  Uplink uplink(
      PeerChoice(endpoints, silence_us(lost_after)),
      TableCredentials(options.table, {options.credentials, options.data, endpoints}, log),
      agent.nodes());
  Session::Setup setup{agent, uplink, *driver, stop.descriptor(), text_of(endpoints), log};
  setup.panel = panel.get();
  setup.table = offers ? &*offers : nullptr;
  const std::uint64_t refused = run_session(setup, table);
  if (refused > 0) {
    log("table " + options.table + ": refused messages: " + std::to_string(refused));
  }
  return refused > 0 ? exit_failed : exit_done;
}

}  // namespace
}  // namespace linkmeter

int main(int count, char** arguments) {
  // The reader of the log may go away; the table goes on.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Linkmeter table agent: one table's side of the link", "linkmeter-table-agent");
  linkmeter::add_version(app);
  linkmeter::AgentOptions options;
  linkmeter::add_options(app, options);
  linkmeter::refuse_empty_values(app);
  try {
    app.parse(count, arguments);
    linkmeter::require_complete(options);
  } catch (const CLI::ParseError& error) {
    return linkmeter::print_usage_error(app, error);
  }
  try {
    if (options.print_witness) return linkmeter::print_witness(options);
    if (!options.resend_after.empty()) return linkmeter::mark_for_resend(options);
    return linkmeter::run(options);
  } catch (const std::exception& error) {
    linkmeter::log(error.what());
    return linkmeter::exit_failed;
  }
}
