// linkmeter-controller: the single writer of one data folder. It checks everything, then serves the
// tables until it is stopped or a fault ends it; the next start recovers.
#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_report_worker.h"
#include "controller/accounting/day/day_rollover_service.h"
#include "controller/accounting/day/reports.h"
#include "controller/auth/authenticator.h"
#include "controller/auth/panel_logins.h"
#include "controller/auth/pin_key.h"
#include "controller/integrity/clock_guard.h"
#include "controller/integrity/disk_space.h"
#include "controller/integrity/health_monitor.h"
#include "controller/integrity/journal_signer.h"
#include "controller/integrity/key_rotation.h"
#include "controller/integrity/restore_marker.h"
#include "controller/integrity/startup.h"
#include "controller/integrity/token_key.h"
#include "controller/options.h"
#include "controller/slips/slip_printer.h"
#include "controller/sockets/meter_feed.h"
#include "controller/sockets/operator_socket.h"
#include "controller/sockets/staff_requests.h"
#include "controller/sockets/staff_socket.h"
#include "controller/sockets/table_socket.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal_reader.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/state_snapshot.h"
#include "controller/store/timed_journal.h"
#include "controller/telemetry/telemetry.h"
#include "controller/telemetry/turn_log.h"
#include "controller/time/calendar.h"
#include "controller/time/clock.h"
#include "controller/turn/controller.h"
#include "controller/turn/table_presence.h"
#include "controller/web/web.h"
#include "meters/values/limits.h"
#include "proto/host/atomic_file.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/executable.h"
#include "proto/host/fault.h"
#include "proto/host/local_registry.h"
#include "proto/host/shutdown_signal.h"
#include "proto/host/systemd_notify.h"
#include "proto/host/web_address.h"
#include "proto/http/certificate.h"
#include "proto/http/login_throttle.h"

namespace linkmeter {
namespace {

constexpr std::chrono::minutes dead_readers_interval{1};
constexpr std::chrono::minutes keys_interval{1};
constexpr std::chrono::hours pins_tried_interval{1};
// How long agents may take to reconnect to a restarted controller, beyond lost_after.
constexpr std::chrono::seconds reconnection_max{2};
constexpr std::chrono::minutes homes_interval{1};

std::chrono::milliseconds time_until(const std::optional<std::chrono::microseconds>& due,
                                     std::chrono::microseconds uptime) {
  if (!due) return std::chrono::milliseconds::max();
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(*due - uptime));
}

// The origins from which PINs are tried, for each socket that accepts logins.
class LoginOrigins {
 public:
  LoginOrigins(const std::filesystem::path& data, PanelLogins& panels, Pages* pages,
               StaffRequests* staff) {
    origin_files_.push_back({data / "tables.homes", &panels.tries()});
    if (pages != nullptr) origin_files_.push_back({data / "pages.homes", &pages->api().tries()});
    if (staff != nullptr) origin_files_.push_back({data / "staff.homes", &staff->tries()});
  }
  // Loads the origins of the last run. An unreadable file costs people a longer wait.
  void take(Moment now) {
    for (OriginFile& origin_file : origin_files_) {
      const auto kept = read_file(origin_file.file);
      if (kept && !origin_file.tries->take_homes(*kept, now.uptime, now.as_of)) {
        spdlog::warn("{} cannot be read: every origin is untrusted until a right PIN comes from it",
                     origin_file.file.string());
      }
    }
  }
  // Saves changes: at most once a minute, and at the end. A write error or a loss of power costs no
  // more than that longer wait.
  void keep(Moment now, bool is_end = false) {
    for (OriginFile& origin_file : origin_files_) {
      const std::uint64_t version = origin_file.tries->homes_version();
      if (origin_file.kept == version || (now.uptime < origin_file.due && !is_end)) continue;
      origin_file.kept = version;
      origin_file.due = now.uptime + homes_interval;
      try {
        write_atomically(origin_file.file, origin_file.tries->homes(now.uptime, now.as_of),
                         readable_by_owner);
      } catch (const Fault& fault) {
        spdlog::warn("trusted login origins were not saved: {}", fault.what());
      }
    }
  }
  // Journals the wrong PINs tried from untrusted origins: once an hour, and at the end.
  void enter(Controller& controller, Moment now, bool is_end = false) {
    const bool has_any =
        std::any_of(origin_files_.begin(), origin_files_.end(),
                    [](const OriginFile& origin_file) { return origin_file.tries->has_counts(); });
    if (!has_any) return;
    if (!due_) due_ = now.uptime + pins_tried_interval;
    if (now.uptime < *due_ && !is_end) return;
    due_.reset();
    std::map<Badge, std::uint64_t> all;
    for (OriginFile& origin_file : origin_files_) {
      for (const auto& [badge, count] : origin_file.tries->take_counts()) all[badge] += count;
    }
    PinsTried counted;
    for (const auto& [badge, count] : all) counted.tries.push_back({badge, count});
    controller.note_pins_tried(counted, now.as_of);
  }

 private:
  struct OriginFile {
    std::filesystem::path file;
    LoginThrottle* tries = nullptr;
    std::uint64_t kept = 0;
    std::chrono::microseconds due{};  // before that it is written only at the end
  };
  std::vector<OriginFile> origin_files_;
  std::optional<std::chrono::microseconds> due_;
};

// The inputs and outputs of the turn.
struct TurnServices {
  ZapAuthenticator& admission;
  ZapAuthenticator& feed_admission;  // separate, because the feed has its own ZeroMQ context
  TableSocket& intake;
  OperatorSocket& control;
  MeterFeed& feed;
  TablePresence& presence;
  HealthMonitor& guard;
  Telemetry& report;
  Authenticator& pins;
  PanelLogins& panels;
  SlipPrinter& press;
  ClockGuard& clock_guard;
  DayRolloverService& days;
  DayReportWorker& reports;
  JournalSigner& signer;
  KeyRotation& keys;
  Pages* pages;  // nullptr: no pages are served
  LoginOrigins& login_origins;
  StaffRequests* staff;  // nullptr: there is no staff socket
};

zmq_pollitem_t awaited(const Authenticator& pins, OperatorSocket& control) {
  if (pins.is_busy()) return {nullptr, pins.descriptor(), ZMQ_POLLIN, 0};
  return control.awaited();
}

void note_connections(Metrics& metrics, const ZapAuthenticator::Counts& counts,
                      std::uint64_t wrong_frames) {
  metrics.set_connections_refused("key_unknown", counts.key_unknown);
  metrics.set_connections_refused("without_key", counts.without_key);
  metrics.set_connections_refused("handshake_failed", counts.handshake_failed);
  metrics.set_connections_refused("handshake_expired", counts.handshake_expired);
  metrics.set_connections_refused("viewer_excess", counts.viewers_ended);
  metrics.set_connections_refused("wrong_frames", wrong_frames);
}

// Descriptors other than sockets that become readable when there is work.
std::vector<int> wakers(const TurnServices& edges) {
  std::vector<int> all = {edges.press.descriptor(), edges.reports.descriptor(),
                          edges.signer.descriptor()};
  if (edges.pages != nullptr) all.push_back(edges.pages->api().descriptor());
  if (edges.staff != nullptr) all.push_back(edges.staff->descriptor());
  return all;
}

void reply_status(const TurnServices& edges, const Floor& floor, Timestamp now) {
  for (const std::string& asker : edges.control.take_status_askers()) {
    edges.control.reply({asker, encode(edges.presence.status(floor, now))});
  }
  if (edges.staff == nullptr) return;
  for (const std::uint64_t asker : edges.staff->take_status_askers()) {
    edges.staff->reply(asker, encode(edges.presence.status(floor, now)));
  }
}

// Journals the digest of a slip's finished copy.
void store_copies(Controller& controller, SlipPrinter& press, Pages* pages, Clock& clock) {
  const auto copy = press.serve(controller.state(), controller.rules(), clock.uptime());
  if (const std::string trouble = press.take_trouble(); !trouble.empty()) {
    spdlog::error("a slip's copy cannot be stored; retrying: {}", trouble);
  }
  if (!copy) return;
  const Controller::Turn turn = controller.store({*copy}, clock.now());
  if (pages != nullptr) pages->note(turn, false, {clock.now(), clock.uptime()});
}

void make_reports(const Controller& controller, DayReportWorker& reports, Clock& clock) {
  reports.serve(controller.state(), clock.uptime());
  for (const std::string& trouble : reports.take_troubles()) spdlog::error("{}", trouble);
}

// Journals a finished signature. A missing signer stops nothing.
void sign_journal(Controller& controller, const TurnServices& edges, const Journal& journal,
                  Clock& clock) {
  const auto signing = edges.signer.serve(controller.state(), journal.head(), clock.uptime());
  std::optional<Timestamp> now;
  if (signing) {
    now = clock.now();
    controller.note_signed(*signing, *now);
  }
  const auto news = edges.signer.take_news();
  if (news && !news->empty()) spdlog::error("the journal is not signed: {}", *news);
  if (news && news->empty()) spdlog::info("the journal is signed again");
  if (news || now) edges.report.note_signer(edges.signer.trouble(), now);
}

// Installs the files of keys in force, and removes abandoned ones.
void settle_keys(Controller& controller, const TurnServices& edges,
                 const std::filesystem::path& data, Timestamp now) {
  const std::set<KeyKind> changed = edges.keys.settle(controller.state(), now, /*is_start=*/false);
  if (changed.empty()) return;
  for (const KeyKind kind : changed) spdlog::info("the {} key is replaced", name(kind));
  if (changed.contains(KeyKind::journal)) edges.signer.read_again();
  if (changed.contains(KeyKind::pin)) {
    edges.pins.set_keys({pin_key(data, controller.state()), stored_pin_key(data)});
  }
  if (changed.contains(KeyKind::operator_tool)) {
    const std::string key = operator_credentials(data).keys.public_key;
    edges.admission.admit_operator(key);
    edges.feed_admission.admit_operator(key);
    controller.set_own_keys({controller_credentials(data).keys.public_key, key});
  }
}

// Decides the received messages, sends all replies, and returns the tables that sent anything valid
// in their own name.
std::set<TableIndex> take_turn(Controller& controller, const TurnServices& edges,
                               const std::filesystem::path& data, Clock& clock, Timestamp now,
                               TurnLog& log, const std::vector<InboundMessage>& received,
                               const std::vector<OperatorRequest>& asked) {
  const auto begun = clock.uptime();
  const Controller::Turn turn = controller.turn(received, now, asked);
  if (!asked.empty()) settle_keys(controller, edges, data, now);
  for (const Reply& reply : turn.replies) edges.intake.reply(reply);
  for (const Reply& reply : turn.person_replies) edges.control.reply(reply);
  for (const Controller::Told& told : turn.told) {
    if (told.source == RequestSource::table) {
      edges.intake.reply(edges.panels.answer(told, controller.state(), clock.uptime()));
    }
    if (told.source == RequestSource::staff) {
      edges.staff->answer(told, {clock.now(), clock.uptime()});
    }
  }
  if (turn.enrolments_changed) {
    edges.admission.admit(controller.state().enrolments());
    edges.feed_admission.admit(controller.state().enrolments());
    remove_stale_credentials(data, controller.state().enrolments());
  }
  edges.feed.note(turn.changed, turn.raised, {clock.now(), clock.uptime()});
  if (edges.pages != nullptr) {
    edges.pages->note(turn, !asked.empty(), {clock.now(), clock.uptime()});
  }
  log.note(turn, controller.state(), clock.uptime());
  edges.report.metrics().note(turn, controller.state().floor(), received.size() + asked.size(),
                              clock.uptime() - begun);
  return turn.heard;
}

// Another agent may speak for a lost table.
void note_lost_tables(Controller& controller, const std::vector<TablePresence::Change>& changes) {
  for (const TablePresence::Change& change : changes) {
    if (change.to == TableLinkState::lost) controller.note_lost(change.table);
  }
}

// Periodic maintenance of the journal and keys.
struct Upkeep {
  double map_used_warned = 0.8;
  std::chrono::microseconds dead_readers_due;
  std::chrono::microseconds keys_due;
  // Then previous agents are no longer awaited.
  std::optional<std::chrono::microseconds> previous_agents_due;
};

// At a start: previous agents reconnect at once.
Upkeep begin_upkeep(Controller& controller, const TablePresence& presence,
                    std::chrono::microseconds uptime) {
  controller.await_previous_agents(true);
  return {.dead_readers_due = uptime + dead_readers_interval,
          .keys_due = uptime + keys_interval,
          .previous_agents_due = uptime + presence.lost_after() + reconnection_max};
}

void look_after(Controller& controller, Journal& journal, Upkeep& upkeep,
                std::chrono::microseconds uptime) {
  if (upkeep.previous_agents_due && uptime >= *upkeep.previous_agents_due) {
    controller.await_previous_agents(false);
    upkeep.previous_agents_due.reset();
  }
  if (uptime >= upkeep.dead_readers_due) {
    journal.maintain();
    upkeep.dead_readers_due = uptime + dead_readers_interval;
  }
  if (const double used = journal.room().used_fraction; used >= upkeep.map_used_warned) {
    spdlog::warn("the journal's map is {:.0f} % full; at 100 % the controller stops", 100 * used);
    upkeep.map_used_warned = used + 0.01;
  }
}

// A key proposal expires without a turn.
void expire_key_proposals(Controller& controller, const TurnServices& edges,
                          const std::filesystem::path& data, Clock& clock, Upkeep& upkeep) {
  if (clock.uptime() < upkeep.keys_due) return;
  settle_keys(controller, edges, data, clock.now());
  upkeep.keys_due = clock.uptime() + keys_interval;
}

// Reports refused connections to the log and the metrics.
void report_refused_connections(const TurnServices& edges, std::chrono::microseconds uptime) {
  for (ZapAuthenticator* admission : {&edges.admission, &edges.feed_admission}) {
    for (const std::string& line : admission->take_news()) spdlog::warn("refused {}", line);
  }
  note_connections(edges.report.metrics(), edges.admission.counts() + edges.feed_admission.counts(),
                   edges.intake.dropped_count());
  if (edges.staff != nullptr) {
    edges.report.metrics().set_connections_refused("staff_excess", edges.staff->refused_count());
  }
  if (edges.pages != nullptr && edges.report.is_due(uptime)) {
    edges.report.metrics().set_web(edges.pages->counts());
  }
}

// Returns the trusted time, after the journal has recorded any doubt about the clock, and the links
// changed by that.
std::pair<Timestamp, std::set<LinkIndex>> trusted_now(Clock& clock, ClockGuard& clock_guard) {
  const Timestamp now = clock.now();
  std::set<LinkIndex> changed = clock_guard.serve(now);
  if (!clock_guard.take_confirmed()) return {now, std::move(changed)};
  const Timestamp confirmed = clock.now();
  changed.merge(clock_guard.serve(confirmed));
  return {confirmed, std::move(changed)};
}

// Runs turn after turn. A stop signal ends it after the current turn is committed and answered.
void serve(Controller& controller, const TurnServices& edges, Journal& journal,
           const std::filesystem::path& data, Clock& clock, const ShutdownSignal& stop) {
  auto& [admission, feed_admission, intake, control, feed, presence, guard, report, pins, panels,
         press, clock_guard, days, reports, signer, keys, pages, login_origins, staff] = edges;
  TurnLog log;
  Upkeep upkeep = begin_upkeep(controller, presence, clock.uptime());
  std::vector<zmq_pollitem_t> items = {{nullptr, stop.descriptor(), ZMQ_POLLIN, 0},
                                       {intake.socket().handle(), 0, ZMQ_POLLIN, 0},
                                       awaited(pins, control)};
  for (const int waker : wakers(edges)) items.push_back({nullptr, waker, ZMQ_POLLIN, 0});
  while (items[0].revents == 0) {
    const auto uptime = clock.uptime();
    const std::set<LinkIndex> suspended = guard.serve();
    feed.note(suspended, {}, {clock.now(), uptime});
    if (pages != nullptr) pages->note(suspended, {clock.now(), uptime});
    report.note(guard);
    auto wait = std::min({feed.time_until_due(uptime), time_until(presence.due(), uptime),
                          report.time_until_due(uptime), days.time_until_due(clock.now()),
                          time_until(reports.due(), uptime), time_until(signer.due(), uptime)});
    if (pages != nullptr) wait = std::min(wait, pages->time_until_due(uptime));
    if (pins.is_waiting()) wait = std::chrono::milliseconds(0);
    const int ready = zmq_poll(items.data(), static_cast<int>(items.size()), wait.count());
    if (ready < 0 && errno != EINTR) throw zmq::error_t();
    auto received = intake.drain(limits::turn_messages_max);
    intake.reply_all(panels.take(received, controller.state(), clock.uptime()));
    if (staff != nullptr) staff->serve({clock.now(), clock.uptime()});
    std::vector<OperatorRequest> asked;
    if (auto request = pins.take(controller.state(), clock.now())) {
      if (!request->unchecked.empty()) spdlog::error("{}", request->unchecked);
      asked.push_back(std::move(*request));
    }
    items[2] = awaited(pins, control);
    // Received messages belong to the gaming day of this moment, so the day before must end first.
    const auto [now, held] = trusted_now(clock, clock_guard);
    feed.note(held, {}, {now, clock.uptime()});
    if (pages != nullptr) pages->note(held, {now, clock.uptime()});
    days.serve(feed.shown(), now, clock.take_change());
    std::set<TableIndex> heard;
    if (!received.empty() || !asked.empty()) {
      heard = take_turn(controller, edges, data, clock, now, log, received, asked);
    }
    store_copies(controller, press, pages, clock);
    make_reports(controller, reports, clock);
    sign_journal(controller, edges, journal, clock);
    const auto changes = presence.note(heard, {clock.now(), clock.uptime()});
    note_lost_tables(controller, changes);
    TurnLog::note(changes, controller.state().floor());
    feed.note(changes);
    if (pages != nullptr) pages->note(changes);
    reply_status(edges, controller.state().floor(), clock.now());
    feed.serve({clock.now(), clock.uptime()});
    if (pages != nullptr) pages->serve({clock.now(), clock.uptime()});
    report_refused_connections(edges, clock.uptime());
    report.serve(controller.state(), presence, journal, {clock.now(), clock.uptime()});
    look_after(controller, journal, upkeep, clock.uptime());
    expire_key_proposals(controller, edges, data, clock, upkeep);
    login_origins.keep({clock.now(), clock.uptime()});
    login_origins.enter(controller, {clock.now(), clock.uptime()});
  }
}

// The listening addresses: from the options, else from the floor file.
Endpoints endpoints(const Options& options, const FloorFile& floor) {
  Endpoints chosen = floor.endpoints;
  if (!options.listen.empty()) chosen.controller = options.listen;
  if (!options.feed.empty()) chosen.feed = options.feed;
  if (chosen.controller == chosen.feed && !chosen.feed.ends_with(":*")) {
    throw Fault("the controller and its feed cannot both listen at " + chosen.feed +
                "; each needs an endpoint of its own");
  }
  return chosen;
}

// From the options, else the certificate made with the data folder.
WebCertificate certificate(const Options& options) {
  if (!options.certificate.empty()) return read_certificate(options.certificate, options.key);
  const std::filesystem::path keys = keys_path(options.data);
  // A data folder from before there were pages has none.
  if (!has_certificate(keys)) write_certificate(keys, make_certificate(own_hosts()));
  return read_certificate(keys);
}

// The default address was not requested: if it is taken, meters run without pages.
std::unique_ptr<Pages> open_pages(const Options& options, const FloorFile& floor,
                                  const Controller& controller, const Journal& journal,
                                  const TablePresence& presence) {
  const auto [address, is_asked_for] = pages_address(options.web, floor.endpoints);
  if (address.is_none) return nullptr;
  WebServer::Setup setup{address};
  if (address.secure) {
    setup.certificate = certificate(options);
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

void prepare(Pages& pages, SlipPrinter& press, DayReportWorker& reports,
             const DayRolloverService& days, const std::filesystem::path& data, Clock& clock) {
  pages.api().set_slip_printer(press);
  pages.api().set_days(reports, days.calendar());
  pages.watch_line_signs(data / "signs");
  pages.serve({clock.now(), clock.uptime()});  // so that the first request finds current values
}

// Registers the controller for agents of the same user on this machine, which need no credentials
// carried to them.
void register_for_local_agents(const std::string& endpoint, const std::filesystem::path& data) {
  try {
    register_controller(endpoint, data);
  } catch (const Fault& fault) {
    spdlog::warn("agents on this machine need --credentials: {}", fault.what());
  }
}

// Journals what happened while the controller was down, before it serves.
void catch_up(Controller& controller, Journal& journal, const std::filesystem::path& data,
              ClockGuard& clock_guard, DayRolloverService& days, Clock& clock) {
  const Timestamp now = trusted_now(clock, clock_guard).first;
  days.serve({}, now, clock.take_change());
  if (append_restored(controller, journal, data, now)) {
    spdlog::warn(
        "restored from a backup: tables are refused until two managers accept the restore");
  }
}

// By table, the time of its last message in the journal.
std::vector<std::optional<Timestamp>> last_message_times(const State& state,
                                                         const Journal& journal) {
  std::vector<std::optional<Timestamp>> words;
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    const TableSession& desk = state.session(TableIndex(at));
    const Answer* answer = desk.find_answer(desk.last_number());
    words.emplace_back();
    if (answer != nullptr) words.back() = entry_at(journal, answer->entry).recorded_at;
  }
  return words;
}

// Publishes the addresses of this controller. `pages`: "": none. "ready" comes last: a program that
// waits for it may start agents at once, and they must find the controller.
void announce_ready(const std::filesystem::path& data, const TableSocket& intake,
                    const MeterFeed& feed, const std::string& pages, EntryNumber entry) {
  write_endpoints(data, intake.endpoint(), feed.endpoint(), pages);
  register_for_local_agents(intake.endpoint(), data);
  spdlog::info("start data={} entry={}", data.string(), entry.value());
  std::cout << "ready " << intake.endpoint() << " feed " << feed.endpoint() << " entry "
            << entry.value() << std::endl;
}

void print(const Violations& violations) {
  for (const Violation& violation : violations) std::cerr << violation.text() << '\n';
}

// A start on a full disk waits for room, and reports it.
void await_disk_space_to_start(const std::filesystem::path& data) {
  SystemdNotify waiting;
  await_disk_space(data, start_bytes_min, [&waiting](const std::string& words) {
    spdlog::error("{}", words);
    waiting.status(words);
  });
}

// Commands about a day are decided with its report and the amounts on the signs. All must outlive
// the controller.
void add_day_edge(Controller& controller, DayReportWorker& reports, const MeterFeed& feed) {
  controller.set_day_edge([&reports, &feed](const State& known, PersonMessage& message) {
    reports.fill(known, message);
    message.shown = &feed.shown();
  });
}

// A new key is made when it is proposed, and its public half is journaled. `keys` must outlive the
// controller.
void add_key_edge(Controller& controller, KeyRotation& keys) {
  controller.set_key_edge([&keys](const State& known, PersonMessage& message) {
    const std::string trouble = keys.prepare(known, message);
    if (!trouble.empty()) spdlog::error("no new key: {}", trouble);
  });
}

// nullptr: the options name none.
std::unique_ptr<StaffSocket> open_staff_socket(const Options& options) {
  if (options.staff_socket.empty()) return nullptr;
  auto opened = std::make_unique<StaffSocket>(options.staff_socket, options.staff_group);
  spdlog::info("staff socket={}", options.staff_socket.string());
  return opened;
}

std::unique_ptr<StaffRequests> open_staff_requests(const StaffSocket* socket,
                                                   const Controller& controller,
                                                   const Journal& journal, const std::string& key) {
  if (socket == nullptr) return nullptr;
  return std::make_unique<StaffRequests>(
      *socket, [&journal, key] { return encode(snapshot_of(journal, key)); }, controller);
}

StartSettings start_terms(const Options& options, KeyRotation& keys, Clock& clock) {
  return {options.floor,
          options.data,
          options.catalogue,
          options.quick_check,
          options.check_first,
          program_version(),
          [&keys, &clock](const State& known) {
            static_cast<void>(keys.settle(known, clock.now(), /*is_start=*/true));
          }};
}

// The sources of logins. `pages` and `staff`: nullptr if there are none.
std::vector<LoginSource*> pin_sources(OperatorSocket& control, PanelLogins& panels, Pages* pages,
                                      StaffRequests* staff) {
  std::vector<LoginSource*> sources = {&control, &panels};
  if (pages != nullptr) sources.push_back(&pages->api());
  if (staff != nullptr) sources.push_back(staff);
  return sources;
}

// Runs from the check at the start to the stop signal. `token` is set to the signer of the journal.
void operate(const Options& options, const FloorFile& floor, Journal& journal, Started started,
             Clock& clock, KeyRotation& keys, JournalSigner*& token) {
  const Endpoints listening = endpoints(options, floor);
  Telemetry report(options.metrics.empty() ? options.data / "metrics.prom" : options.metrics,
                   journal_path(options.data) / "data.mdb");
  TimedJournal timed(
      journal, [&report](std::chrono::microseconds took) { report.metrics().note_commit(took); });
  report.metrics().set_self_check({clock.now(), true});
  const Credentials own = controller_credentials(options.data);
  const std::string operator_key = operator_credentials(options.data).keys.public_key;
  Controller controller(timed, floor.rules, std::move(started.state),
                        {own.keys.public_key, operator_key});
  DayRolloverService days(controller, journal, Calendar(floor.timezone, floor.gaming_day_start));
  ClockGuard clock_guard(controller, clock.recorded(), floor.clock_step_max);
  catch_up(controller, journal, options.data, clock_guard, days, clock);
  const ShutdownSignal stop;  // before any thread starts, so that none takes the signal
  HealthMonitor guard(
      controller, journal, clock,
      {options.data, options.margins, std::chrono::seconds(options.recount_seconds),
       [&report, &clock] { report.beat(clock.uptime()); }, started.is_proved, started.manifest});
  const ControlEndpoint control_endpoint(options.data);
  zmq::context_t context;
  ZapAuthenticator admission(context, own.keys, operator_key);
  admission.admit(controller.state().enrolments());
  remove_stale_credentials(options.data, controller.state().enrolments());
  TableSocket intake(context, admission, listening.controller);
  TablePresence presence(floor.floor.tables.size(), floor.lost_after, {clock.now(), clock.uptime()},
                         last_message_times(controller.state(), journal));
  zmq::context_t feed_context;
  ZapAuthenticator feed_admission(feed_context, own.keys, operator_key);
  feed_admission.admit(controller.state().enrolments());
  MeterFeed feed(feed_context, feed_admission, listening.feed, controller.state(), presence);
  OperatorSocket control(context, admission, control_endpoint);
  PanelLogins panels;
  SlipPrinter press(options.data, journal, floor.timezone);
  DayReportWorker reports(options.data, journal, report_maker());
  JournalSigner signer(
      options.signer.empty() ? journal_key_path(options.data).string() : options.signer,
      std::chrono::seconds(options.sign_seconds));
  token = &signer;
  add_key_edge(controller, keys);
  add_day_edge(controller, reports, feed);
  const auto pages = open_pages(options, floor, controller, journal, presence);
  if (pages) prepare(*pages, press, reports, days, options.data, clock);
  const std::unique_ptr<StaffSocket> staff_socket = open_staff_socket(options);
  const auto staff =
      open_staff_requests(staff_socket.get(), controller, journal, own.keys.public_key);
  Authenticator pins(pin_sources(control, panels, pages.get(), staff.get()),
                     {pin_key(options.data, controller.state()), stored_pin_key(options.data)});
  LoginOrigins login_origins(options.data, panels, pages.get(), staff.get());
  login_origins.take({clock.now(), clock.uptime()});
  announce_ready(options.data, intake, feed, pages ? pages->url() : "", journal.head().entry);
  report.ready();
  serve(controller,
        TurnServices{admission, feed_admission, intake, control, feed, presence, guard, report,
                     pins, panels, press, clock_guard, days, reports, signer, keys, pages.get(),
                     login_origins, staff.get()},
        journal, options.data, clock, stop);
  login_origins.keep({clock.now(), clock.uptime()}, /*is_end=*/true);
  login_origins.enter(controller, {clock.now(), clock.uptime()}, /*is_end=*/true);
  report.stopping();
  spdlog::info("stop entry={} dropped={}", journal.head().entry.value(), intake.dropped_count());
}

int run(const Options& options) {
  const auto read = read_floor(options.floor, options.catalogue);
  if (const auto* violations = std::get_if<Violations>(&read)) print(*violations);
  require_own_folder(options.data);
  await_disk_space_to_start(options.data);
  const auto journal = LmdbJournal::open(journal_path(options.data), options.map_bytes);
  Clock clock({.not_before = last_recorded(*journal)});
  JournalSigner* token = nullptr;  // set once it exists
  KeyRotation keys(
      options.data, options.signer.empty() ? std::function<std::string()>() : [&token] {
        return token == nullptr ? std::string() : token->public_der();
      });
  Started started = checked_start(*journal, start_terms(options, keys, clock), read, clock);
  operate(options, std::get<FloorFile>(read), *journal, std::move(started), clock, keys, token);
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
    // Protobuf would log a line for every malformed message, so strangers could fill the log. The
    // turn log reports rejections at a limited rate.
    google::protobuf::SetLogHandler(nullptr);
    linkmeter::take_all_files();
    linkmeter::begin_log();
    return linkmeter::run(options);
  } catch (const std::exception& fault) {
    std::cerr << "linkmeter-controller: " << fault.what() << '\n';
  }
  return 1;
}
