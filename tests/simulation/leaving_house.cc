#include "tests/simulation/leaving_house.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "controller/cluster/cluster_watch.h"
#include "controller/integrity/startup.h"
#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/head_text.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/fault.h"
#include "tests/property/floors.h"
#include "tests/support/keys.h"

namespace linkmeter {
namespace {

constexpr std::int64_t step_us = 60'000;

// etcd does not answer a writer any more.
class EtcdLost : public Fault {
  using Fault::Fault;
};

const FloorFile& floor_of_house() {
  static const FloorFile file = test_floor(5);
  return file;
}

std::string opening_of_house(const FloorFile& file, std::int64_t now_us) {
  FloorOpened house = opened(file);
  for (const std::string node : {"a", "b", "c"}) {
    house.enrolments.push_back({EnrolmentKind::node, node, key_of("node " + node)});
  }
  return encode(open_floor(std::move(house), Timestamp::from_microseconds(now_us)));
}

}  // namespace

LeavingHouse::LeavingHouse(std::uint64_t seed, bool trusts_any_head)
    : dice_(seed),
      trusts_any_head_(trusts_any_head),
      file_(floor_of_house()),
      opening_(opening_of_house(file_, now_us_)),
      keys_(chain_hash(Digest{}, EntryNumber(1), opening_), OriginProof("the secret")) {
  State state;
  state.apply(decode_entry(opening_).value());
  const std::vector<Row> rows = rows_for(state, state.take_changes());
  for (Node& node : nodes_) {
    node.own.name = std::string(1, static_cast<char>('a' + (&node - nodes_.data())));
    node.disk.commit({opening_}, rows);
    node.etcd = std::make_unique<ModelEtcd>(first_);
    start(node);
  }
  nodes_.back().own.has_caught_up = dice_.one_in(2);  // else it was made from a backup
  const std::string head = keys_.proof().seal(keys_.head(), text(nodes_[0].disk.head()));
  static_cast<void>(ModelEtcd(first_).commit({.conditions = {}, .puts = {{keys_.head(), head}}}));
  for (std::uint32_t place = 0; place < file_.floor.tables.size(); ++place) {
    tables_.push_back(
        std::make_unique<Table>(file_.floor.table(TableIndex(place)).id,
                                TableTraffic(file_.floor, TableIndex(place), dice_.fork(), 5)));
    tables_.back()->outbox.append({}, {TableAgent::identity, tables_.back()->id.text()});
  }
}

void LeavingHouse::find(const std::string& finding) {
  if (!report_.finding) report_.finding = finding;
}

Timestamp LeavingHouse::time_of(const Node& node) const {
  return std::max(now(), last_recorded(node.disk));
}

bool LeavingHouse::contains(const Journal& journal, const Head& head) {
  const auto known = find_head(journal, head.entry);
  return known && known->hash == head.hash;
}

bool LeavingHouse::has_all(const Node& node, const Table& table) {
  const Head seen = table.outbox.witness();
  return (seen.entry == EntryNumber() || contains(node.disk, seen)) &&
         std::all_of(table.told.begin(), table.told.end(),
                     [&node](const Head& told) { return contains(node.disk, told); });
}

void LeavingHouse::start(Node& node) {
  node.controller.reset();
  node.journal.emplace(node.disk, [](NodePoint) {});
  StateRead read = read_state(node.disk.head().entry, node.disk.rows());
  node.controller.emplace(*node.journal, file_.rules, std::move(read.state.value()));
  const auto& writer = node.controller->state().writer();
  const bool has_left = writer && may_write_alone(node.own, writer);
  if (has_left != node.is_alone) {
    find("alone: node " + node.own.name + (has_left ? " may write" : " may not write") +
         " after its start");
  }
  if (has_left) node.own.has_caught_up = true;  // as startup.cc does
  if (!node.is_alone) node.controller->set_standby("");
}

void LeavingHouse::become_writer(Node& node) {
  const EtcdLease lease = *node.etcd->grant_lease(std::chrono::seconds(3));
  NodeRecord record;
  record.node = node.own.name;
  const std::string key = keys_.writer();
  const auto made =
      node.etcd->commit({.conditions = {{.key = key, .created = 0}},
                         .puts = {{key, keys_.proof().seal(key, encode(record)), lease}}});
  if (!made || !made->is_done) return find("end: there is another writer");
  node.journal->begin_writing({*node.etcd, keys_, made->revision, [](const EtcdError& error) {
                                 throw EtcdLost("etcd is lost: " + error.words);
                               }});
  node.controller->set_standby(std::nullopt);
  const Refusal no =
      node.controller->record_writer({node.own.name, WriterReason::started, 0}, time_of(node));
  if (no != Refusal::none) find("end: node " + node.own.name + " cannot write");
}

void LeavingHouse::say(Table& table) {
  if (!table.agent->has_room()) return;
  const TableCommand command = table.traffic.next();
  if (!table.agent->may_submit(command, now())) return;
  table.agent->submit(command, {"play", std::to_string(++table.said)}, now());
}

bool LeavingHouse::receive(Table& table, const Node& node, const std::string& bytes) {
  try {
    for (const Answered& answered : table.agent->receive(bytes, now()).answered) {
      if (const auto entry = find_head(node.disk, answered.entry)) table.told.push_back(*entry);
    }
    return true;
  } catch (const Fault& fault) {
    count("a table is refused");
    if (has_all(node, table)) {
      find("refused: " + table.id.text() + " at node " + node.own.name + ": " + fault.what());
    }
    table.agent.reset();
    return false;
  }
}

void LeavingHouse::talk(Table& table, std::size_t at) {
  Node& node = nodes_[at];
  if (!table.agent) table.agent.emplace(table.id, table.outbox, TableAgent::Intervals{});
  if (table.node != at) table.agent->start_over();
  table.node = at;
  const bool has_all_before = has_all(node, table);
  say(table);
  constexpr int exchanges = 4;
  for (int exchange = 0; exchange < exchanges; ++exchange) {
    now_us_ += step_us;
    for (const std::string& bytes : table.agent->to_send(now())) {
      const std::string& id = table.id.text();
      const auto turn = node.controller->turn({{id, key_of(id), bytes}}, time_of(node));
      node.journal->settle();
      for (const Reply& reply : turn.replies) {
        if (!receive(table, node, reply.bytes)) return;
      }
    }
  }
  if (table.agent->is_welcome() && !has_all_before) {
    find("lost: " + table.id.text() + " goes on at node " + node.own.name +
         ", which lacks what it was told");
  }
}

void LeavingHouse::play(const std::vector<std::size_t>& nodes, std::size_t steps) {
  for (std::size_t step = 0; step < steps && !report_.finding; ++step) {
    Table& table = *tables_[dice_.below(tables_.size())];
    const bool stays = std::find(nodes.begin(), nodes.end(), table.node) != nodes.end();
    talk(table, stays && !dice_.one_in(8) ? table.node : dice_.pick(nodes));
  }
}

void LeavingHouse::play_in_cluster() {
  become_writer(nodes_[0]);
  for (std::size_t rounds = 5 + dice_.below(10); rounds > 0; --rounds) {
    play({0}, 4);
    if (!dice_.one_in(3)) follow_some(nodes_[1]);
    if (dice_.one_in(3)) follow_some(nodes_[2]);
  }
}

// Between two turns; or in one, before or after etcd has got its entries.
void LeavingHouse::lose_etcd() {
  const std::size_t moment = dice_.below(3);
  bool is_lost = false;
  nodes_[0].etcd->set_faults([&is_lost, moment](EtcdCall call) {
    if (std::exchange(is_lost, is_lost || call == EtcdCall::commit)) return EtcdFault::lost_request;
    if (!is_lost) return EtcdFault::none;
    return moment == 2 ? EtcdFault::lost_answer : EtcdFault::lost_request;
  });
  try {
    while (moment > 0 && !report_.finding) play({0}, 1);
  } catch (const EtcdLost&) {
    count(moment == 2 ? "etcd has a turn that the writer lacks" : "a turn is lost with etcd");
  }
  if (dice_.one_in(2)) follow_some(nodes_[1]);
  nodes_[0].etcd->set_faults({});
  first_.set_quorum(false);
  for (Node& node : nodes_) start(node);
}

void LeavingHouse::leave(Node& node) {
  const Timestamp at = time_of(node);
  const LeaveCluster leave = leave_of(node.own, node.disk);
  const ProposalNumber number = node.controller->state().last_proposal().next();
  const OperatorRequest propose{"peer", Badge("TGM-1"), true, Propose{leave}};
  const OperatorRequest confirm{"peer", Badge("FM-1"), true, Confirm{number, summary(leave)}};
  const auto left = node.controller->leave_cluster({{propose, at}, {confirm, at}});
  if (!left.has_left) {
    return find("alone: node " + node.own.name + " may not leave: " + left.reply.text);
  }
  node.is_alone = true;
  count(leave.has_caught_up ? "a node leaves" : "a node leaves that never caught up");
  if (dice_.one_in(2)) {
    node.own.has_caught_up = true;
  } else {
    count("killed between the leave and its mark");
    start(node);
  }
}

NewHead LeavingHouse::terms_of(Node& node) {
  return {
      [&node] {
        node.own = joined(node.own.name, node.controller->state().writer());
        node.is_alone = false;
      },
      [this, &node](const Head& head) { return trusts_any_head_ || contains(node.disk, head); }};
}

bool LeavingHouse::make_cluster(Node& node, bool is_old_etcd) {
  if (is_old_etcd) {
    first_.set_quorum(true);
    first_.pass_time(std::chrono::seconds(10));  // the lease of its writer ends
  }
  for (Node& each : nodes_) {
    each.etcd = std::make_unique<ModelEtcd>(is_old_etcd ? first_ : second_);
  }
  const ClusterWatch watch(*node.etcd, keys_, node.disk.head());
  const auto old = watch.read_head();
  const bool must_be_refused = *old && !contains(node.disk, **old);
  try {
    if (!put_head(*node.etcd, keys_, watch, terms_of(node))) find("history: no new head is put");
  } catch (const Fault&) {
    if (!must_be_refused) find("history: node " + node.own.name + " is refused by what it has");
    count("the old etcd has more than the node that left");
    return false;
  }
  if (must_be_refused) find("history: node " + node.own.name + " replaced a head that it lacks");
  if (dice_.one_in(2)) start(node);  // killed after it
  count(is_old_etcd ? "a new head over the old etcd" : "a new cluster");
  return true;
}

void LeavingHouse::put_another_history(Node& node) {
  const ClusterWatch watch(*node.etcd, keys_, node.disk.head());
  const Head own = node.disk.head(), before = watch.read_head()->value();
  std::string refusal;
  try {
    static_cast<void>(put_head(*node.etcd, keys_, watch, terms_of(node)));
  } catch (const Fault& fault) {
    refusal = fault.what();
  }
  const bool is_named = refusal.find("which is not in this journal") != std::string::npos;
  if (!is_named || watch.read_head()->value() != before || node.disk.head() != own ||
      !node.is_alone) {
    find("history: node " + node.own.name + " puts another history into the new cluster");
  }
  count("another history is refused");
}

void LeavingHouse::follow(Node& node, const Node& peer) {
  ClusterWatch watch(*node.etcd, keys_, node.disk.head());
  constexpr int rounds_max = 200;
  for (int round = 0; round < rounds_max && node.disk.head() != peer.disk.head(); ++round) {
    if (const auto error = watch.refresh({})) throw Fault(error->words);
    constexpr std::size_t bytes_max = 4'000;
    const auto entries = watch.take(bytes_max);
    if (!entries.empty()) static_cast<void>(node.controller->follow(entries));
    if (watch.missing_until()) {  // from the other node
      std::vector<StoredEntry> others;
      peer.disk.read(node.disk.head().entry.next(), [&others](const StoredEntry& entry) {
        others.push_back(entry);
        return true;
      });
      static_cast<void>(node.controller->follow(others));
      watch.skip_to(node.disk.head());
    }
    const Head head = watch.read_head()->value(), reached = watch.reached();
    if (head.entry < reached.entry || (head.entry == reached.entry && head.hash != reached.hash)) {
      throw Fault("it is not the same journal");  // as Cluster::is_current()
    }
  }
}

void LeavingHouse::follow_some(Node& node) {
  ClusterWatch watch(*node.etcd, keys_, node.disk.head());
  if (watch.refresh({})) return;
  const auto entries = watch.take(500 + 500 * dice_.below(20));
  if (!entries.empty()) static_cast<void>(node.controller->follow(entries));
}

void LeavingHouse::join(Node& node, const Node& writer) {
  const Head before = node.disk.head();
  const bool is_same = contains(writer.disk, before);
  start(node);
  try {
    follow(node, writer);
  } catch (const Fault& fault) {
    if (is_same) find("history: node " + node.own.name + " is refused: " + fault.what());
    if (node.disk.head() != before) find("history: a node that is refused has changed");
    count("a node with another history is refused");
    return start(node);
  }
  if (!is_same) find("history: node " + node.own.name + " follows another history");
  if (node.disk.head() != writer.disk.head()) find("end: node " + node.own.name + " lacks entries");
  node.own = joined(node.own.name, node.controller->state().writer());
  count("a node comes back");
  start(node);
}

void LeavingHouse::come_back() {
  std::vector<std::size_t> alone;
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    if (nodes_[at].is_alone) alone.push_back(at);
  }
  const std::size_t chosen = dice_.pick(alone);
  Node& writer = nodes_[chosen];
  if (!make_cluster(writer, dice_.one_in(2))) return;
  const bool is_early = dice_.one_in(2);
  const auto others_return = [&] {
    for (Node& node : nodes_) {
      if (&node == &writer) continue;
      if (node.is_alone) {
        put_another_history(node);
      } else {
        join(node, writer);
      }
    }
  };
  if (is_early) others_return();
  if (report_.finding) return;
  start(writer);
  become_writer(writer);
  play({chosen}, 30);
  if (!report_.finding) others_return();
}

LeavingReport LeavingHouse::run() {
  play_in_cluster();
  if (!report_.finding) lose_etcd();
  std::vector<std::size_t> alone = {dice_.below(nodes_.size())};
  if (dice_.percent(60)) alone.push_back((alone[0] + 1 + dice_.below(2)) % nodes_.size());
  if (alone.size() > 1) count("two nodes leave");
  for (const std::size_t at : alone) leave(nodes_[at]);
  for (std::size_t part = 0; part < 3 && !report_.finding; ++part) {
    play(alone, 15);
    start(nodes_[dice_.pick(alone)]);
  }
  if (!report_.finding) come_back();
  return report_;
}

}  // namespace linkmeter
