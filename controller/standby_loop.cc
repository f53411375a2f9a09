#include "controller/standby_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <utility>
#include <zmq.hpp>

#include "controller/node_service.h"
#include "controller/sockets/poll_item.h"
#include "meters/values/limits.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t follow_entries_max = 4'096;
// etcd ends a lease up to a second late. It keeps each lease for at least two seconds, and each of
// its elections begins the lease again.
constexpr std::chrono::seconds namesake_margin{4};

}  // namespace

std::optional<StandbyLoop::Won> StandbyLoop::run(const ShutdownSignal& stop) {
  while (true) {
    if (wait(stop)) return std::nullopt;
    Cluster::News& news = news_ = parts_.cluster.take();
    check_name(news);
    follow(news);
    note_progress();
    note_writer(news);
    if (news.epoch) {
      // Found after this node had asked for the role.
      if (!obstacle_.empty()) throw Fault("this node cannot be the writer: " + obstacle_);
      const bool is_handover = news.seen.successor() == parts_.record.node;
      const auto gone = writer_gone_at_.value_or(boot_time());
      return Won{*news.epoch, is_handover, boot_time() - gone};
    }
    refuse_all();
    if (parts_.leaving.left()) return std::nullopt;
    for (Service* service : services_) service->serve(moment());
  }
}

bool StandbyLoop::wait(const ShutdownSignal& stop) const {
  std::vector<zmq_pollitem_t> items = {readable(stop.descriptor()),
                                       readable(parts_.catch_up.descriptor()),
                                       {parts_.tables.socket().handle(), 0, ZMQ_POLLIN, 0}};
  items.push_back(request_input(parts_.authenticator, parts_.operators));
  items.push_back(readable(parts_.cluster.descriptor()));
  milliseconds timeout = wait_max;
  const auto uptime = parts_.clock.uptime();
  for (const Service* service : services_) {
    if (const auto descriptor = service->descriptor()) items.push_back(readable(*descriptor));
    if (const auto due = service->due(uptime)) {
      timeout =
          std::clamp(std::chrono::ceil<milliseconds>(*due - uptime), milliseconds(0), timeout);
    }
  }
  if (parts_.authenticator.is_waiting()) timeout = milliseconds(0);
  const int ready = zmq_poll(items.data(), static_cast<int>(items.size()), timeout.count());
  if (ready < 0 && errno != EINTR) throw zmq::error_t();
  return items.front().revents != 0;
}

void StandbyLoop::follow(Cluster::News& news) {
  follow(std::exchange(news.entries, {}));
  follow(parts_.catch_up.take(news, parts_.journal.head(), parts_.controller.state()));
  if (parts_.catch_up.has_ended(parts_.journal.head())) {
    parts_.cluster.skip_to(parts_.journal.head());
  }
  NodeRecord record = parts_.record;
  record.head = parts_.journal.head();
  parts_.cluster.lease().set_record(std::move(record));
}

void StandbyLoop::note_progress() {
  parts_.leaving.note_silence(boot_time() - news_.answered_at, parts_.cluster.lease().is_held());
  std::string obstacle = parts_.obstacle();
  if (obstacle != obstacle_ && !obstacle.empty()) {
    spdlog::error("this node does not become the writer: {}", obstacle);
  }
  obstacle_ = std::move(obstacle);
  parts_.cluster.allow_writing(
      obstacle_.empty() &&
      is_enrolled_node(parts_.controller.state(), parts_.record.node, parts_.key));
  if (has_caught_up_ || news_.current_at.count() == 0 ||
      parts_.journal.head().entry < news_.current_to) {
    return;
  }
  has_caught_up_ = true;
  parts_.caught_up();
}

void StandbyLoop::follow(std::vector<StoredEntry> entries) {
  // An entry may come from etcd and from another node.
  const EntryNumber head = parts_.journal.head().entry;
  entries.erase(entries.begin(),
                std::find_if(entries.begin(), entries.end(),
                             [head](const StoredEntry& entry) { return entry.number > head; }));
  // In pieces, so that one commit stays small.
  for (std::size_t at = 0; at < entries.size(); at += follow_entries_max) {
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last =
        first + static_cast<std::ptrdiff_t>(std::min(follow_entries_max, entries.size() - at));
    report(
        parts_.controller.follow({std::make_move_iterator(first), std::make_move_iterator(last)}));
  }
}

// A node that was killed finds its own key until its lease has ended.
void StandbyLoop::check_name(const Cluster::News& news) {
  if (!news.namesake) {
    namesake_since_.reset();
    return;
  }
  if (!namesake_since_) namesake_since_ = boot_time();
  if (boot_time() - *namesake_since_ > 2 * parts_.cluster.lease().time() + namesake_margin) {
    const std::string& place = news.namesake->tables;
    throw Fault("another node named " + parts_.record.node + " runs at " +
                (place.empty() ? "an address without proof of origin" : place) +
                ": give this one another name, or end the other");
  }
}

void StandbyLoop::note_writer(const Cluster::News& news) {
  if (news.error != error_) {
    error_ = news.error;
    if (error_.empty()) {
      spdlog::info("etcd answers");
    } else {
      spdlog::warn("etcd does not answer: {}", error_);
    }
  }
  const auto& writer = news.seen.writer;
  if (writer) {
    writer_gone_at_.reset();
  } else if (!writer_gone_at_) {
    writer_gone_at_ = boot_time();
  }
  const std::string name = writer ? writer->record.node : "";
  if (name != writer_) {
    writer_ = name;
    spdlog::info("standby writer={}", name.empty() ? "none" : name);
  }
  if (news.has_looked && !news.seen.head && !is_empty_logged_) {
    is_empty_logged_ = true;
    spdlog::warn(
        "etcd holds no journal of this house ({}): start the node with the newest journal once "
        "with "
        "--create-cluster",
        parts_.cluster.prefix());
  }
  parts_.controller.set_nodes(house_nodes(parts_.controller.state(), news.seen));
  parts_.files.set_sources(entry_sources(parts_.controller.state(), news.seen, parts_.record.node));
  parts_.controller.set_standby(writer ? writer->record.tables : "",
                                writer ? writer->record.pages : "");
}

// Only to leave the cluster a person needs a PIN here. Nobody may try PINs at a standby, which
// journals no wrong ones.
std::optional<OperatorRequest> StandbyLoop::take_request() {
  return parts_.authenticator.take(
      parts_.controller.state(), parts_.clock.now(),
      [this](const OperatorRequest& request) { return parts_.leaving.needs_pin(request); });
}

void StandbyLoop::refuse_all() {
  const auto messages = parts_.tables.drain(limits::turn_messages_max);
  std::vector<OperatorRequest> requests;
  if (auto request = take_request()) {
    // A node with a fault does not go on alone either.
    const bool is_answered = obstacle_.empty() && parts_.leaving.take(*request, parts_.clock.now());
    if (!is_answered) requests.push_back(std::move(*request));
    if (const auto& left = parts_.leaving.left()) return report(*left);
  }
  if (messages.empty() && requests.empty()) return;
  const Controller::Turn turn = parts_.controller.turn(messages, parts_.clock.now(), requests);
  for (const Reply& reply : turn.replies) parts_.tables.reply(reply);
  for (const Reply& reply : turn.person_replies) parts_.operators.reply(reply);
  report(turn);
}

void StandbyLoop::report(const Controller::Turn& turn) {
  for (Service* service : services_) {
    service->on_turn({turn, parts_.controller.state(), 0, 0, parts_.clock.uptime(), moment()});
  }
}

ClusterStatus StandbyLoop::status() const {
  NodeRecord own = parts_.record;
  own.head = parts_.journal.head();
  const State& state = parts_.controller.state();
  ClusterStatus status =
      cluster_status(news_, own, state.enrolments(), state.writer(), parts_.files.missing());
  for (ClusterStatus::Node& node : status.nodes) {
    if (node.name == own.node && !obstacle_.empty()) node.role = "faulty";
  }
  return status;
}

Moment StandbyLoop::moment() const {
  const std::chrono::microseconds behind = boot_time() - news_.current_at;
  return {parts_.clock.now(), parts_.clock.uptime(), behind};
}

}  // namespace linkmeter
