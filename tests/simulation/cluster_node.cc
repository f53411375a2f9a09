#include "tests/simulation/cluster_node.h"

#include <algorithm>
#include <utility>

#include "controller/integrity/startup.h"
#include "proto/codec/head_text.h"
#include "proto/codec/state_codec.h"
#include "tests/simulation/simulated_lease.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;

constexpr std::size_t npos = std::string_view::npos;
constexpr std::int64_t second_us = 1'000'000;
constexpr std::int64_t renewal_us = second_us / 3;
// Trimming keeps entries for 15 minutes; in the simulation 0.3 seconds.
constexpr std::int64_t trimming_speed = 3'000;

State state_of(const Journal& journal) {
  StateRead read = read_state(journal.head().entry, journal.rows());
  if (!read.state) throw Fault("the state cannot be read: " + read.why);
  return std::move(*read.state);
}

}  // namespace

ClusterNode::Process::Process(ClusterNode& node, State state)
    : lease(node.etcd_, node.keys_, simulated_lease, node.record(),
            [now_us = node.outside_.now_us] { return microseconds(now_us()); }),
      watch(node.edited_, node.keys_, node.disk_.head()),
      journal(node.disk_,
              [&node](NodePoint point) {
                if (std::exchange(node.is_doomed_, false)) throw NodeKilled("doomed");
                node.outside_.on_point(point);
              }),
      controller(journal, node.file_.rules, std::move(state)) {
  controller.set_standby("");
}

ClusterNode::ClusterNode(std::string name, const FloorFile& file, ModelCluster& cluster,
                         const ClusterKeys& keys, Dice dice, ClusterPlant plant, Outside outside)
    : name_(std::move(name)),
      file_(file),
      cluster_(cluster),
      keys_(keys),
      dice_(dice),
      plant_(plant),
      outside_(std::move(outside)),
      etcd_(cluster),
      ahead_us_(dice_.between(-2'000'000, 2'000'000)) {
  edited_.set_edit([this](EtcdTransaction& transaction) -> std::optional<EtcdResult<EtcdCommit>> {
    std::erase_if(transaction.conditions, [this](const EtcdCondition& condition) {
      return (is_planted(ClusterPlant::no_writer_fence) && condition.key == keys_.writer()) ||
             (is_planted(ClusterPlant::no_head_condition) && condition.key == keys_.head());
    });
    return std::nullopt;
  });
  // Values look as if a node of the house had written them.
  const bool believes_handovers = is_planted(ClusterPlant::handover_not_verified);
  if (!believes_handovers && !is_planted(ClusterPlant::origin_not_verified)) return;
  edited_.set_view([this, believes_handovers](EtcdValue& value) {
    if (believes_handovers != (value.key == keys_.handover())) return;
    if (const auto sealed = decode_sealed_value(value.value)) {
      value.value = keys_.proof().seal(value.key, sealed->content);
    }
  });
}

void ClusterNode::put_opening(const std::string& entry, const std::vector<Row>& rows) {
  disk_.commit({entry}, rows);
}

NodeRecord ClusterNode::record() const {
  NodeRecord record;
  record.node = record.tables = name_;
  record.head = disk_.head();
  return record;
}

// Recorded time continues after the last writer's.
Timestamp ClusterNode::now() const {
  return std::max(Timestamp::from_microseconds(outside_.now_us() + ahead_us_),
                  last_recorded(process_->journal));
}

void ClusterNode::take(const InboundMessage& message) {
  if (process_) inbox_.push_back(message);
}

void ClusterNode::end() {
  process_.reset();
  inbox_.clear();
  is_doomed_ = false;
  starts_at_us_ = outside_.now_us() + dice_.between(50'000, 3'000'000);
}

void ClusterNode::kill() {
  if (is_busy_) {
    is_doomed_ = true;
  } else if (process_) {
    ++kills;
    end();
  }
}

void ClusterNode::step() {
  if (is_busy_ || outside_.now_us() < stopped_until_us_) return;
  is_busy_ = true;
  try {
    go_on();
  } catch (const NodeKilled&) {
    ++kills;
    end();
  } catch (const RoleLost& lost) {
    ++lost_roles;
    const auto writer = cluster_.values({keys_.writer()});
    const bool is_own = process_->role && !writer.empty() &&
                        writer.front().created == process_->role->epoch &&
                        process_->lease.is_held(process_->role->lease) && !outside_.is_forged;
    if (is_own) finding_ = "role: " + name_ + " lost a role that nobody took: " + lost.what();
    end();
  } catch (const Fault& fault) {
    const bool is_of_forgery =
        outside_.is_forged && std::string_view(fault.what()).find("proof of origin") != npos;
    if (!is_of_forgery) finding_ = "role: " + name_ + " cannot go on: " + fault.what();
    end();
  }
  is_busy_ = false;
}

void ClusterNode::go_on() {
  if (!process_) {
    if (outside_.now_us() < starts_at_us_) return;
    ++starts;
    process_.emplace(*this, state_of(disk_));
  }
  if (std::exchange(is_doomed_, false)) throw NodeKilled("doomed");
  // Three threads of one process, in any order.
  std::vector<void (ClusterNode::*)()> parts = {&ClusterNode::renew, &ClusterNode::watch,
                                                &ClusterNode::serve};
  while (!parts.empty()) {
    const auto at = parts.begin() + static_cast<std::ptrdiff_t>(dice_.below(parts.size()));
    const auto part = *at;
    parts.erase(at);
    (this->*part)();
  }
}

void ClusterNode::renew() {
  const std::int64_t now_us = outside_.now_us();
  if (now_us < process_->renew_at_us) return;
  const bool failed = process_->lease.renew().has_value();
  process_->renew_at_us = now_us + (failed ? renewal_us / 5 : renewal_us);
}

void ClusterNode::watch() {
  if (dice_.one_in(4)) return;  // it is behind
  if (process_->watch.refresh({})) return;
  process_->lease.set_record(record());
  if (process_->role) {
    trim();
  } else {
    follow();
    campaign();
  }
}

void ClusterNode::follow() {
  Process& at = *process_;
  constexpr std::size_t bytes_max = 4'000;
  const auto entries = at.watch.take(bytes_max);
  if (!entries.empty()) static_cast<void>(at.controller.follow(entries));
  if (at.watch.missing_until()) {
    if (at.complete_under != 0 && at.lease.is_held(at.complete_under)) {
      finding_ = "trim: " + name_ + " ran, and etcd no longer has what it lacks";
    }
    const bool is_reckless = is_planted(ClusterPlant::written_while_missing);
    if (!is_reckless || at.watch.seen().writer) catch_up();
  } else if (const EtcdLease lease = at.lease.lease();
             at.lease.is_held(lease) && at.complete_under != lease) {
    // Past the watch, which may be behind.
    const auto head = at.watch.read_head();
    if (head && *head == at.watch.reached()) at.complete_under = lease;
  }
  at.lease.set_record(record());
  const auto& writer = at.watch.seen().writer;
  at.controller.set_standby(writer ? writer->record.tables : "");
}

// From another node, which may be behind, too.
void ClusterNode::catch_up() {
  Process& at = *process_;
  const Journal* peer = outside_.peer();
  if (peer == nullptr || at.watch.position() != at.watch.reached()) return;
  ++gaps;
  std::vector<StoredEntry> entries;
  peer->read(at.journal.head().entry.next(), [&](const StoredEntry& entry) {
    entries.push_back(entry);
    return true;
  });
  if (entries.empty()) return;
  static_cast<void>(at.controller.follow(entries));
  at.watch.skip_to(at.journal.head());
}

// As Cluster::watch_once().
void ClusterNode::campaign() {
  Process& at = *process_;
  const ClusterWatch::Seen& seen = at.watch.seen();
  const bool is_reckless = is_planted(ClusterPlant::written_while_missing);
  if (!seen.writer) {
    const std::string successor = seen.successor();
    const bool is_other_called = !successor.empty() && successor != name_;
    const bool lacks = at.watch.missing_until().has_value() && !is_reckless;
    if (seen.head && at.lease.is_held() && !lacks && !is_other_called) at.lease.try_to_write();
    return;
  }
  if (seen.writer->lease == 0 || seen.writer->lease != at.lease.lease()) return;
  if (!is_reckless) {
    const auto head = at.watch.read_head();
    if (!head || !*head) return;
    if ((*head)->entry < at.watch.reached().entry) throw Fault("etcd has lost entries");
    if (**head != at.watch.reached() || **head != at.journal.head()) return;
  }
  begin_writing(ClusterWatch::Writer(*seen.writer));
}

void ClusterNode::begin_writing(const ClusterWatch::Writer& writer) {
  Process& at = *process_;
  at.role = {writer.epoch, writer.lease};
  at.journal.begin_writing({edited_, keys_, writer.epoch, [this](const EtcdError&) {
                              outside_.wait();
                              if (std::exchange(is_doomed_, false)) throw NodeKilled("doomed");
                              require_role();
                            }});
  if (is_planted(ClusterPlant::stored_before_etcd)) at.journal.store_first();
  const bool is_handover = at.watch.seen().successor() == name_;
  at.watch.stop_following();
  at.controller.set_standby(std::nullopt);
  const auto& before = at.controller.state().writer();
  const WriterReason reason = is_handover ? WriterReason::handover
                              : before    ? WriterReason::expired
                                          : WriterReason::started;
  const Refusal no = at.controller.record_writer({name_, reason, 0}, now());
  if (no != Refusal::none) throw Fault("it may not write");
}

void ClusterNode::trim() {
  Process& at = *process_;
  const std::int64_t now_us = outside_.now_us();
  if (now_us < at.trim_at_us) return;
  at.trim_at_us = now_us + second_us / 10;
  const microseconds now(now_us * trimming_speed);
  const auto head = at.watch.read_head();
  const auto read = etcd_.read(keys_.nodes());
  if (!head || !*head || !read) return;
  at.trimming.note((*head)->entry, now);
  std::map<std::string, NodeRecord> nodes;
  for (const EtcdValue& value : read->values) {
    auto node = keys_.proof().open_node(value).value();
    if (is_planted(ClusterPlant::trimmed_too_early)) node.head = **head;
    nodes[node.node] = node;
  }
  const auto end = at.trimming.end(nodes, 0, now);
  if (!end) return;
  const auto done = etcd_.commit({{{keys_.writer(), at.role->epoch, {}}},
                                  {},
                                  {keys_.turns_before(*end), keys_.parts_before(*end)}});
  if (done && done->is_done) static_cast<void>(etcd_.compact(done->revision));
}

std::vector<InboundMessage> ClusterNode::next_messages() {
  std::vector<InboundMessage> messages;
  for (std::size_t count = 1 + dice_.below(8); count > 0 && !inbox_.empty(); --count) {
    messages.push_back(std::move(inbox_.front()));
    inbox_.pop_front();
  }
  return messages;
}

void ClusterNode::serve() {
  Process& at = *process_;
  if (!at.role) return refuse();
  require_role();
  constexpr std::size_t open_max = 2;
  if (!inbox_.empty() && at.open.size() < open_max) {
    at.open.push_back(at.controller.turn(next_messages(), now()));
  }
  if (is_planted(ClusterPlant::answered_before_etcd)) release();
  if (dice_.one_in(2)) at.journal.settle();
  release();
}

void ClusterNode::refuse() {
  if (inbox_.empty()) return;
  for (const Reply& reply : process_->controller.turn(next_messages(), now()).replies) {
    outside_.send(reply);
  }
}

void ClusterNode::release() {
  Process& at = *process_;
  const bool is_early = is_planted(ClusterPlant::answered_before_etcd);
  const EntryNumber durable = is_early ? at.journal.head().entry : at.journal.durable();
  while (!at.open.empty() && at.open.front().last <= durable) {
    outside_.on_point(NodePoint::before_answer);
    if (std::exchange(is_doomed_, false)) throw NodeKilled("doomed");
    require_role();
    for (const Reply& reply : at.open.front().replies) outside_.send(reply);
    at.open.pop_front();
  }
}

// As Node::require_role() of main.cc.
void ClusterNode::require_role() const {
  if (is_planted(ClusterPlant::lease_not_checked)) return;
  const bool is_held = is_planted(ClusterPlant::later_lease_believed)
                           ? process_->lease.is_held()
                           : process_->lease.is_held(process_->role->lease);
  if (!is_held) throw RoleLost("its lease was not renewed in time");
}

// The lease stays for a moment: it keeps `handover`.
void ClusterNode::hand_over(const std::string& successor) {
  if (is_busy_ || !writes()) return;
  static_cast<void>(process_->lease.leave(successor, disk_.head()));
  end();
}

}  // namespace linkmeter
