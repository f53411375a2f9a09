// linkmeter-controller: the single writer of one data folder. It checks everything, then serves the
// tables until it is stopped or a fault ends it; the next start recovers. This file builds the
// parts and connects them; event_loop.h runs them.
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/accounting/day/reports.h"
#include "controller/cluster/fenced_log.h"
#include "controller/core.h"
#include "controller/event_loop.h"
#include "controller/integrity/clock_guard.h"
#include "controller/integrity/disk_space.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/key_replacement.h"
#include "controller/integrity/key_rotation.h"
#include "controller/integrity/restore_marker.h"
#include "controller/integrity/startup.h"
#include "controller/integrity/token_key.h"
#include "controller/journal_files.h"
#include "controller/node.h"
#include "controller/open_sockets.h"
#include "controller/options.h"
#include "controller/staff_access.h"
#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "controller/time/clock.h"
#include "controller/turn/controller.h"
#include "controller/worker_threads.h"
#include "controller/writer_services.h"
#include "proto/codec/protobuf_log.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/executable.h"
#include "proto/host/fault.h"
#include "proto/host/local_registry.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {
namespace {

constexpr int role_lost_code = 3;

// Checks the floor file and the journal. Throws Fault if a check fails.
// A standby journals nothing.
Started start(const Options& options, const std::variant<FloorFile, Violations>& floor,
              Journal& journal, const KeyRotation& rotation, Clock& clock) {
  StartSettings settings{options.floor,       options.data,        options.catalogue,
                         options.quick_check, options.check_first, program_version()};
  settings.is_standby = !options.cluster.etcd.empty();
  settings.creates_cluster = options.cluster.creates;
  settings.settle_keys = [&rotation, &clock](const State& state) {
    static_cast<void>(rotation.settle(state, clock.now(), /*is_start=*/true));
  };
  return checked_start(journal, settings, floor, clock);
}

// Journals what happened while the controller was down, before it serves.
void catch_up(Controller& controller, const Journal& journal, const std::filesystem::path& data,
              ClockGuard& clock_guard, DayRolloverService& days, Clock& clock) {
  const Timestamp now = clock_guard.trusted_now(clock).now;
  days.serve({}, now, clock.take_change());
  if (append_restored(controller, journal, data, now)) {
    spdlog::warn(
        "restored from a backup: tables are refused until two managers accept the restore");
  }
}

// What the turn needs from outside: new keys, and what a person sees of a gaming day.
void add_data_sources(Core& core, const OpenSockets& sockets, WorkerThreads& workers,
                      KeyRotation& rotation) {
  if (!core.options.signer.empty()) {
    rotation.set_token_key([&workers] { return workers.signer.public_der(); });
  }
  // A new key is made when it is proposed, and its public half is journaled.
  core.controller.set_key_maker([&rotation](const State& state, PersonMessage& message) {
    const std::string error = rotation.prepare(state, message);
    if (!error.empty()) spdlog::error("no new key: {}", error);
  });
  // Commands about a day are decided with its report and the amounts on the signs.
  core.controller.set_day_data_source([&](const State& state, PersonMessage& message) {
    workers.day_reports.fill(state, message);
    message.shown = &sockets.feed.shown();
  });
}

// Which parts read a replaced key again.
void add_key_users(KeyReplacement& keys, Core& core, OpenSockets& sockets, WorkerThreads& workers,
                   StaffAccess& people) {
  keys.on_replaced(KeyKind::journal, [&] { workers.signer.read_again(); });
  keys.on_replaced(KeyKind::pin, [&] { people.authenticator->set_keys(core.pin_keys()); });
  keys.on_replaced(KeyKind::operator_tool, [&] {
    const std::string key = operator_credentials(core.options.data).keys.public_key;
    sockets.admitted_keys.admit_operator(key);
    core.controller.set_own_keys({controller_credentials(core.options.data).keys.public_key, key});
  });
}

// Publishes the addresses of this controller. `pages`: "": none. "ready" comes last: a program that
// waits for it may start agents at once, and they must find the controller.
void announce_ready(const Core& core, const OpenSockets& sockets, const std::string& pages) {
  const std::filesystem::path& data = core.options.data;
  const std::string tables = sockets.tables.endpoint();
  const std::string& feed = sockets.feed.endpoint();
  write_endpoints(data, tables, feed, pages);
  try {
    // For agents of the same user on this machine: they need no credentials carried to them.
    register_controller(tables, data);
  } catch (const Fault& fault) {
    spdlog::warn("agents on this machine need --credentials: {}", fault.what());
  }
  const EntryNumber entry = core.journal.head().entry;
  spdlog::info("start data={} entry={}", data.string(), entry.value());
  std::cout << "ready " << tables << " feed " << feed << " entry " << entry.value() << std::endl;
}

// Builds the controller on a checked journal, and runs it until the stop signal.
void operate(Core& core, const Started& started, KeyRotation& rotation,
             SystemdNotify& service_manager, Node* node, const ShutdownSignal& stop) {
  const Options& options = core.options;
  const Endpoints listening = listening_endpoints(options, core.floor);
  const bool was_node = node != nullptr;
  const auto catch_up_now = [&] {
    catch_up(core.controller, core.journal, options.data, core.clock_guard, core.days, core.clock);
  };
  if (node == nullptr) catch_up_now();
  HealthMonitor health(
      core.controller, core.journal, core.clock,
      {options.data, options.margins, std::chrono::seconds(options.recount_seconds),
       [&] { service_manager.beat(core.clock.uptime()); }, started.is_proved, started.manifest});
  OpenSockets sockets(core, listening);
  WorkerThreads workers(core);
  add_data_sources(core, sockets, workers, rotation);
  StaffAccess people(core, sockets, workers);
  const std::string pages = people.pages ? people.pages->url() : "";
  std::optional<JournalFiles> files;
  if (node != nullptr) {
    files.emplace(JournalFiles::Parts{core.controller, core.stored, workers.slip_printer,
                                      workers.day_reports, report_maker(), core.own.keys});
  }
  KeyReplacement keys(rotation, core.controller);
  add_key_users(keys, core, sockets, workers, people);
  if (node != nullptr) {
    node->join(core, sockets, pages);
    announce_ready(core, sockets, pages);
    service_manager.ready("standby");
    const auto after = node->follow(core, *files, sockets, people, health, service_manager, stop);
    if (after == AfterStandby::ends) return;
    if (after == AfterStandby::is_alone) {
      node->leave(core, *files, sockets, people);
      node = nullptr;
    }
    // What the start of this process and its audit have verified; follow() verified the others.
    const bool is_quick = started.is_quick && !health.verified_at();
    static_cast<void>(core.controller.record_check({}, started.manifest, program_version(),
                                                   core.clock.now(), Clock::is_synchronised(),
                                                   is_quick));
    catch_up_now();
  }
  WriterServices services(core, sockets, workers, people, node, files ? &*files : nullptr, health,
                          service_manager);
  EventLoop loop({core.controller, core.journal, core.clock, health, core.clock_guard, core.days,
                  sockets.feed.shown(), sockets.presence, sockets.tables, sockets.panels,
                  sockets.operators, *people.authenticator, keys, [&] {
                    if (node != nullptr) node->require_role();
                  }});
  if (node != nullptr && node->entries) loop.add(*node->entries);
  if (files) loop.add(*files);
  services.add_to(loop, sockets, people, keys);
  if (!was_node) announce_ready(core, sockets, pages);
  service_manager.ready("ready");
  loop.run(stop);
  people.origins.finish(core.now());
  if (node != nullptr) static_cast<void>(node->cluster->lease().leave(""));
  service_manager.stopping();
  spdlog::info("stop entry={} dropped={}", core.journal.head().entry.value(),
               sockets.tables.dropped_count());
}

int run(const Options& options) {
  const auto floor = read_floor(options.floor, options.catalogue);
  if (const auto* violations = std::get_if<Violations>(&floor)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
  }
  require_own_folder(options.data);
  SystemdNotify service_manager;
  await_disk_space(options.data, start_bytes_min, [&service_manager](const std::string& status) {
    spdlog::error("{}", status);
    service_manager.status(status);
  });
  const std::unique_ptr<Journal> store =
      LmdbJournal::open(journal_path(options.data), options.map_bytes);
  Clock clock({.not_before = last_recorded(*store)});
  KeyRotation rotation(options.data);
  Started started = start(options, floor, *store, rotation, clock);
  const ShutdownSignal stop;  // before any thread starts, so that none takes the signal
  std::unique_ptr<Node> node;
  if (!options.cluster.etcd.empty()) {
    node = std::make_unique<Node>(options, *store, [&] {
      service_manager.beat(clock.uptime());
      node->require_role();
    });
  }
  Core core(options, std::get<FloorFile>(floor), clock, *store,
            node ? static_cast<Journal&>(node->journal) : *store, std::move(started.state));
  operate(core, started, rotation, service_manager, node.get(), stop);
  return 0;
}

}  // namespace
}  // namespace linkmeter

int main(int count, char** arguments) {
  if (count == 3 && std::string_view(arguments[1]) == linkmeter::token_process_option) {
    linkmeter::run_token_process(arguments[2]);
  }
  // The reader of the log may go away; the controller continues.
  std::signal(SIGPIPE, SIG_IGN);
  linkmeter::Options options;
  CLI::App app("Linkmeter controller: keeps the meters of one floor", "linkmeter-controller");
  linkmeter::add_version(app);
  linkmeter::add_options(app, options);
  linkmeter::refuse_empty_values(app);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return linkmeter::print_usage_error(app, error);
  }
  try {
    linkmeter::silence_protobuf_log();  // the turn log reports rejections at a limited rate
    linkmeter::take_all_files();
    linkmeter::begin_log();
    return linkmeter::run(options);
  } catch (const linkmeter::RoleLost& lost) {
    std::cerr << "linkmeter-controller: " << lost.what() << '\n';
    return linkmeter::role_lost_code;
  } catch (const std::exception& fault) {
    std::cerr << "linkmeter-controller: " << fault.what() << '\n';
  }
  return 1;
}
