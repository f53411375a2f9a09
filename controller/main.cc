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
#include <zmq.hpp>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_report_service.h"
#include "controller/accounting/day/day_report_worker.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/accounting/day/reports.h"
#include "controller/auth/authenticator.h"
#include "controller/auth/login_origins.h"
#include "controller/auth/panel_logins.h"
#include "controller/auth/pin_key.h"
#include "controller/event_loop.h"
#include "controller/integrity/clock_guard.h"
#include "controller/integrity/disk_space.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/journal_signer.h"
#include "controller/integrity/journal_signing.h"
#include "controller/integrity/journal_upkeep.h"
#include "controller/integrity/key_rotation.h"
#include "controller/integrity/key_settlement.h"
#include "controller/integrity/restore_marker.h"
#include "controller/integrity/startup.h"
#include "controller/integrity/token_key.h"
#include "controller/options.h"
#include "controller/slips/slip_copies.h"
#include "controller/slips/slip_printer.h"
#include "controller/sockets/admitted_keys.h"
#include "controller/sockets/meter_feed.h"
#include "controller/sockets/operator_socket.h"
#include "controller/sockets/staff_requests.h"
#include "controller/sockets/staff_socket.h"
#include "controller/sockets/status_replies.h"
#include "controller/sockets/table_socket.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/state_snapshot.h"
#include "controller/store/timed_journal.h"
#include "controller/telemetry/telemetry.h"
#include "controller/telemetry/turn_log.h"
#include "controller/time/calendar.h"
#include "controller/time/clock.h"
#include "controller/turn/agent_takeover.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "controller/web/web.h"
#include "proto/codec/protobuf_log.h"
#include "proto/host/certificate.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/executable.h"
#include "proto/host/fault.h"
#include "proto/host/local_registry.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"

namespace linkmeter {
namespace {

// Checks the floor file and the journal. Throws Fault if a check fails.
Started start(const Options& options, const std::variant<FloorFile, Violations>& floor,
              Journal& journal, const KeyRotation& rotation, Clock& clock) {
  StartSettings settings{options.floor,       options.data,        options.catalogue,
                         options.quick_check, options.check_first, program_version()};
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

// nullptr: the controller serves no pages. If nobody requested an address and the default one is
// taken, the meters run without pages. Throws Fault if a requested address cannot be used.
std::unique_ptr<Pages> open_pages(const Options& options, const FloorFile& floor,
                                  const Controller& controller, const Journal& journal,
                                  const TablePresence& presence) {
  const auto [address, is_asked_for] = pages_address(options.web, floor.endpoints);
  if (address.is_none) return nullptr;
  WebServer::Setup setup{address};
  if (address.secure) {
    setup.certificate = pages_certificate(options);
    spdlog::info("certificate sha256={}", certificate_fingerprint(*setup.certificate));
  }
  try {
    auto pages = std::make_unique<Pages>(setup, controller, journal, presence, floor.notices);
    spdlog::info("pages at {}", pages->url());
    return pages;
  } catch (const Fault& fault) {
    if (is_asked_for) throw;
    spdlog::warn("no pages: {}; choose another address with --web, or none", fault.what());
    return nullptr;
  }
}

void prepare(Pages& pages, SlipPrinter& printer, DayReportWorker& reports,
             const DayRolloverService& days, const std::filesystem::path& data, Moment now) {
  pages.api().set_slip_printer(printer);
  pages.api().set_days(reports, days.calendar());
  pages.watch_line_signs(data / "signs");
  pages.serve(now);  // so that the first request finds current values
}

// Publishes the addresses of this controller. `pages`: "": none. "ready" comes last: a program that
// waits for it may start agents at once, and they must find the controller.
void announce_ready(const std::filesystem::path& data, const TableSocket& tables,
                    const MeterFeed& feed, const std::string& pages, EntryNumber entry) {
  write_endpoints(data, tables.endpoint(), feed.endpoint(), pages);
  try {
    // For agents of the same user on this machine: they need no credentials carried to them.
    register_controller(tables.endpoint(), data);
  } catch (const Fault& fault) {
    spdlog::warn("agents on this machine need --credentials: {}", fault.what());
  }
  spdlog::info("start data={} entry={}", data.string(), entry.value());
  std::cout << "ready " << tables.endpoint() << " feed " << feed.endpoint() << " entry "
            << entry.value() << std::endl;
}

// Builds the controller on a checked journal, and runs it until the stop signal.
void operate(const Options& options, const FloorFile& floor, Journal& store, Started started,
             Clock& clock, KeyRotation& rotation, SystemdNotify& service_manager) {
  const std::filesystem::path& data = options.data;
  const Endpoints listening = listening_endpoints(options, floor);
  const auto now = [&clock] { return Moment{clock.now(), clock.uptime()}; };

  // The turn, and what journals without input.
  Metrics metrics;
  metrics.set_self_check({clock.now(), true});
  TimedJournal journal(store, [&metrics](auto took) { metrics.note_commit(took); });
  const Credentials own = controller_credentials(data);
  const std::string operator_key = operator_credentials(data).keys.public_key;
  Controller controller(journal, floor.rules, std::move(started.state),
                        {own.keys.public_key, operator_key});
  DayRolloverService days(controller, journal, Calendar(floor.timezone, floor.gaming_day_start));
  ClockGuard clock_guard(controller, clock.recorded(), floor.clock_step_max);
  catch_up(controller, journal, data, clock_guard, days, clock);
  const ShutdownSignal stop;  // before any thread starts, so that none takes the signal
  HealthMonitor health(
      controller, journal, clock,
      {data, options.margins, std::chrono::seconds(options.recount_seconds),
       [&] { service_manager.beat(clock.uptime()); }, started.is_proved, started.manifest});

  // Sockets. The feed has its own ZeroMQ context, so that viewers do not slow the tables.
  const ControlEndpoint control_endpoint(data);
  zmq::context_t context, feed_context;
  ZapAuthenticator admission(context, own.keys, operator_key);
  ZapAuthenticator feed_admission(feed_context, own.keys, operator_key);
  AdmittedKeys admitted_keys(data, {&admission, &feed_admission}, controller.state().enrolments());
  TableSocket tables(context, admission, listening.controller);
  TablePresence presence(floor.floor.tables.size(), floor.lost_after, now(),
                         last_message_times(controller.state(), journal));
  MeterFeed feed(feed_context, feed_admission, listening.feed, controller.state(), presence);
  OperatorSocket operators(context, admission, control_endpoint);
  PanelLogins panels;

  // Work beside the turn.
  SlipPrinter slip_printer(data, journal, floor.timezone);
  DayReportWorker day_reports(data, journal, report_maker());
  JournalSigner signer(options.signer.empty() ? journal_key_path(data).string() : options.signer,
                       std::chrono::seconds(options.sign_seconds));
  if (!options.signer.empty()) rotation.set_token_key([&signer] { return signer.public_der(); });
  // A new key is made when it is proposed, and its public half is journaled.
  controller.set_key_edge([&rotation](const State& state, PersonMessage& message) {
    const std::string trouble = rotation.prepare(state, message);
    if (!trouble.empty()) spdlog::error("no new key: {}", trouble);
  });
  // Commands about a day are decided with its report and the amounts on the signs.
  controller.set_day_edge([&](const State& state, PersonMessage& message) {
    day_reports.fill(state, message);
    message.shown = &feed.shown();
  });

  // People.
  const auto pages = open_pages(options, floor, controller, journal, presence);
  if (pages) prepare(*pages, slip_printer, day_reports, days, data, now());
  std::optional<StaffSocket> staff_socket;
  std::optional<StaffRequests> staff;
  if (!options.staff_socket.empty()) {
    staff_socket.emplace(options.staff_socket, options.staff_group);
    spdlog::info("staff socket={}", options.staff_socket.string());
    const auto snapshot = [&] { return encode(snapshot_of(journal, own.keys.public_key)); };
    staff.emplace(*staff_socket, snapshot, controller);
  }
  std::vector<LoginSource*> login_sources = {&operators, &panels};
  LoginOrigins login_origins(controller);
  login_origins.add(data / "tables.homes", panels.tries(), now());
  if (pages) {
    login_sources.push_back(&pages->api());
    login_origins.add(data / "pages.homes", pages->api().tries(), now());
  }
  if (staff) {
    login_sources.push_back(&*staff);
    login_origins.add(data / "staff.homes", staff->tries(), now());
  }
  const auto pin_keys = [&] {
    return PinKeys{pin_key(data, controller.state()), stored_pin_key(data)};
  };
  Authenticator authenticator(login_sources, pin_keys());

  KeySettlement keys(rotation, controller);
  keys.on_replaced(KeyKind::journal, [&] { signer.read_again(); });
  keys.on_replaced(KeyKind::pin, [&] { authenticator.set_keys(pin_keys()); });
  keys.on_replaced(KeyKind::operator_tool, [&] {
    const std::string key = operator_credentials(data).keys.public_key;
    admitted_keys.admit_operator(key);
    controller.set_own_keys({controller_credentials(data).keys.public_key, key});
  });

  // The services, in the order in which the loop calls them. Replies to people come first; the
  // metrics come after everything that a turn does, because they measure it.
  SlipCopies slip_copies(controller, slip_printer);
  DayReportService day_report_service(controller, day_reports);
  JournalSigning signing(controller, journal, signer);
  AgentTakeover takeover(controller, presence.lost_after(), clock.uptime());
  StatusReplies status_replies(controller, presence, operators, staff ? &*staff : nullptr);
  TurnLog log;
  Telemetry telemetry(
      options.metrics.empty() ? data / "metrics.prom" : options.metrics, metrics, service_manager,
      {controller, presence, journal, journal_path(data) / "data.mdb", health, signing});
  telemetry.add_source([&](Metrics& counts) {
    counts.set_connections_refused(admitted_keys.refused_connections());
    counts.set_connections_refused("wrong_frames", tables.dropped_count());
    if (staff) counts.set_connections_refused("staff_excess", staff->refused_count());
    if (pages) counts.set_web(pages->counts());
  });
  JournalUpkeep upkeep(journal);

  EventLoop loop({controller, clock, health, clock_guard, days, feed.shown(), presence, tables,
                  panels, operators, authenticator, keys});
  if (staff) loop.add(*staff);
  loop.add(admitted_keys);
  loop.add(slip_copies);
  loop.add(day_report_service);
  loop.add(signing);
  loop.add(takeover);
  loop.add(status_replies);
  loop.add(feed);
  if (pages) loop.add(*pages);
  loop.add(log);
  loop.add(telemetry);
  loop.add(upkeep);
  loop.add(keys);
  loop.add(login_origins);

  announce_ready(data, tables, feed, pages ? pages->url() : "", journal.head().entry);
  service_manager.ready("ready");
  loop.run(stop);
  login_origins.finish(now());
  service_manager.stopping();
  spdlog::info("stop entry={} dropped={}", journal.head().entry.value(), tables.dropped_count());
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
  const std::unique_ptr<Journal> journal =
      LmdbJournal::open(journal_path(options.data), options.map_bytes);
  Clock clock({.not_before = last_recorded(*journal)});
  KeyRotation rotation(options.data);
  Started started = start(options, floor, *journal, rotation, clock);
  operate(options, std::get<FloorFile>(floor), *journal, std::move(started), clock, rotation,
          service_manager);
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
  } catch (const std::exception& fault) {
    std::cerr << "linkmeter-controller: " << fault.what() << '\n';
  }
  return 1;
}
