#include "tests/simulation/cluster_house.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "controller/store/hash_chain.h"
#include "meters/facts/entry.h"
#include "meters/rules/decide.h"
#include "proto/codec/cluster_codec.h"
#include "proto/codec/head_text.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/support/keys.h"

namespace linkmeter {
namespace {

constexpr std::size_t node_count = 3;
constexpr std::int64_t trouble_us = 40'000'000;
constexpr std::int64_t silence_us = 500'000;  // then a table tries another node
constexpr int depth_max = 3;

// Floors with few tables; each is read once.
const FloorFile& small_floor_of(Dice& dice) {
  static const std::size_t which[] = {0, 5, 7};
  static std::map<std::size_t, FloorFile> floors;
  const std::size_t chosen = which[dice.below(std::size(which))];
  const auto known = floors.find(chosen);
  return known == floors.end() ? floors.emplace(chosen, test_floor(chosen)).first->second
                               : known->second;
}

std::string name_of(std::size_t node) { return std::string(1, static_cast<char>('a' + node)); }

std::vector<Enrolment> all_nodes() {
  std::vector<Enrolment> nodes;
  for (std::size_t node = 0; node < node_count; ++node) {
    nodes.push_back({EnrolmentKind::node, name_of(node), key_of("node " + name_of(node))});
  }
  return nodes;
}

std::string opening_of(const FloorFile& file, std::int64_t now_us) {
  FloorOpened house = opened(file);
  for (const Enrolment& node : all_nodes()) house.enrolments.push_back(node);
  return encode(open_floor(std::move(house), Timestamp::from_microseconds(now_us)));
}

ClusterKeys keys_of_house(const std::string& opening) {
  return {chain_hash(Digest{}, EntryNumber(1), opening), OriginProof("the secret of this house")};
}

// Where the writer is, if this reply says that its sender is not. "": unknown.
std::optional<std::string> other_writer(const std::string& bytes) {
  const auto reply = decode_to_table(bytes);
  if (!reply) return std::nullopt;
  if (const auto* welcome = std::get_if<Welcome>(&*reply)) {
    if (welcome->refusal == Refusal::not_the_writer) return welcome->writer;
  }
  if (const auto* list = std::get_if<Acknowledgements>(&*reply)) {
    for (const Acknowledgement& one : list->list) {
      if (one.refusal == Refusal::not_the_writer) return "";
    }
  }
  return std::nullopt;
}

// Of the tables and their network; the nodes have faults of their own.
Faults faults_of(Dice& dice) {
  Faults faults;
  for (bool Faults::*kind :
       {&Faults::drop, &Faults::duplicate, &Faults::delay, &Faults::lost_connections,
        &Faults::agent_dies_before_storing, &Faults::agent_dies_after_storing,
        &Faults::agent_dies_sending, &Faults::power_cuts}) {
    faults.*kind = dice.one_in(3);
  }
  return faults;
}

}  // namespace

void ClusterReport::add(const ClusterReport& other) {
  if (!finding) finding = other.finding;
  entries += other.entries;
  writers += other.writers;
  for (const auto& [fault, number] : other.faults) faults[fault] += number;
}

ClusterHouse::ClusterHouse(std::uint64_t seed, ClusterPlant plant)
    : dice_(seed),
      faults_(faults_of(dice_)),
      file_(small_floor_of(dice_)),
      opening_(opening_of(file_, now_us_)),
      keys_(keys_of_house(opening_)),
      judge_(file_, cluster_, keys_, opening_, all_nodes()),
      network_(dice_.fork(), faults_) {
  for (bool Kinds::*kind :
       {&Kinds::kills, &Kinds::stops, &Kinds::unreachable, &Kinds::lost, &Kinds::late,
        &Kinds::quorum, &Kinds::watches, &Kinds::compaction, &Kinds::handover}) {
    kinds_.*kind = dice_.percent(65);
  }
  kinds_.forgery = plant == ClusterPlant::none ? seed % 3 == 0
                                               : plant == ClusterPlant::origin_not_verified ||
                                                     plant == ClusterPlant::handover_not_verified;
  State state;
  state.apply(decode_entry(opening_).value());
  const std::vector<Row> rows = rows_for(state, state.take_changes());
  for (std::size_t node = 0; node < node_count; ++node) {
    nodes_.push_back(std::make_unique<ClusterNode>(name_of(node), file_, cluster_, keys_,
                                                   dice_.fork(), plant, outside_of(node)));
    nodes_.back()->put_opening(opening_, rows);
    nodes_.back()->etcd().set_faults([this](EtcdCall) { return fault_of_call(); });
  }
  const Head head{EntryNumber(1), chain_hash(Digest{}, EntryNumber(1), opening_)};
  const std::string key = keys_.head();
  static_cast<void>(
      admin_.commit({.conditions = {}, .puts = {{key, keys_.proof().seal(key, text(head))}}}));
  for (std::uint32_t place = 0; place < file_.floor.tables.size(); ++place) {
    TableTraffic traffic(file_.floor, TableIndex(place), dice_.fork(), 15);
    std::vector<TableCommand> script;
    const std::size_t length = 30 + dice_.below(60);
    while (script.size() < length) script.push_back(traffic.next());
    tables_.push_back(std::make_unique<SimulatedTable>(
        file_.floor, TableIndex(place), std::move(script), dice_.fork(), Plant::none));
    connected_.push_back(dice_.below(node_count));
    heard_at_us_.push_back(now_us_);
  }
}

ClusterNode::Outside ClusterHouse::outside_of(std::size_t node) {
  ClusterNode::Outside outside;
  outside.now_us = [this] { return now_us_; };
  outside.on_point = [this, node](NodePoint point) { on_point(*nodes_[node], point); };
  outside.wait = [this, node] {
    ++depth_;
    tick();
    --depth_;
    if (is_over()) throw NodeKilled("the run is over");
    if (kinds_.kills && !is_healed_ && dice_.one_in(40)) {
      count("killed while etcd did not answer");
      throw NodeKilled(nodes_[node]->name());
    }
  };
  outside.send = [this, node](const Reply& reply) {
    if (!other_writer(reply.bytes)) find(judge_.sent(reply.bytes));
    const auto table = file_.floor.find_table(TableId(reply.peer)).value().value();
    if (connected_[table] != node) return;  // its connection is gone
    network_.send({Way::to_agent, reply.peer, reply.bytes}, now_us_);
  };
  outside.is_forged = kinds_.forgery;
  outside.peer = [this, node]() -> const Journal* {
    const std::size_t other = (node + 1 + dice_.below(node_count - 1)) % node_count;
    return nodes_[other]->runs() ? &nodes_[other]->journal() : nullptr;
  };
  return outside;
}

void ClusterHouse::find(Finding finding) {
  if (!report_.finding) report_.finding = std::move(finding);
}

void ClusterHouse::last(std::int64_t least_us, std::int64_t most_us, std::function<void()> end) {
  const std::int64_t time_us =
      least_us +
      static_cast<std::int64_t>(dice_.below(static_cast<std::size_t>(most_us - least_us)));
  lasting_.push_back({now_us_ + time_us, std::move(end)});
}

EtcdFault ClusterHouse::fault_of_call() {
  if (is_healed_) return EtcdFault::none;
  if (kinds_.lost && dice_.one_in(40)) {
    count("lost request");
    return EtcdFault::lost_request;
  }
  if (kinds_.lost && dice_.one_in(30)) {
    count("lost answer");
    return EtcdFault::lost_answer;
  }
  if (kinds_.late && dice_.one_in(30)) {
    count("late request");
    return EtcdFault::late;
  }
  return EtcdFault::none;
}

void ClusterHouse::befall_node(ClusterNode& node) {
  if (kinds_.kills && dice_.one_in(120)) {
    count("killed");
    node.kill();
  }
  if (kinds_.stops && dice_.one_in(150)) {
    count("stopped");
    node.stop_until(now_us_ + dice_.between(50'000, 3'000'000));
  }
  if (kinds_.unreachable && dice_.one_in(150)) {
    count("unreachable");
    node.etcd().set_reachable(false);
    last(50'000, 3'000'000, [&node] { node.etcd().set_reachable(true); });
  }
  if (kinds_.watches && dice_.one_in(100)) {
    count("watch cut");
    node.etcd().cut_watches();
  }
  if (kinds_.watches && dice_.one_in(150)) {
    count("watch delayed");
    node.etcd().delay_watches(true);
    last(50'000, 4'000'000, [&node] { node.etcd().delay_watches(false); });
  }
  if (kinds_.handover && node.writes() && dice_.one_in(150)) {
    count("handed over");
    node.hand_over(dice_.one_in(3) ? "" : nodes_[dice_.below(node_count)]->name());
    const auto held = cluster_.values({keys_.handover()});
    if (!held.empty()) old_handover_ = held.front().value;
  }
}

void ClusterHouse::befall() {
  for (const auto& node : nodes_) befall_node(*node);
  if (kinds_.quorum && dice_.one_in(250)) {
    count("quorum lost");
    cluster_.set_quorum(false);
    last(50'000, 3'000'000, [this] {
      cluster_.set_quorum(true);
      look();
    });
  }
  if (kinds_.quorum && dice_.one_in(200)) {
    count("leader elected");
    cluster_.elect_leader();
  }
  if (kinds_.compaction && dice_.one_in(150)) {
    count("compacted");
    look();
    static_cast<void>(admin_.compact(cluster_.revision()));
  }
  if (kinds_.forgery && dice_.one_in(100)) forge();
  if (kinds_.forgery && dice_.one_in(60)) forge_handover();
  if (dice_.one_in(12)) cluster_.run_late();
}

// Somebody who can write to etcd and read everything, but has no secret, appends an entry that
// every node could follow. Later somebody else puts back what was there.
void ClusterHouse::forge() {
  const Head before = judge_.head();
  constexpr std::int64_t ahead_us = 3'000'000;  // nodes' clocks are no more ahead
  Entry entry;
  entry.number = before.entry.next();
  entry.recorded_at = Timestamp::from_microseconds(now_us_ + ahead_us);
  entry.fact = ClockChanged{1};
  const std::string bytes = encode(entry);
  const Head head{entry.number, chain_hash(before.hash, entry.number, bytes)};
  const std::string turn = keys_.turn(head.entry), key = keys_.head();
  const EtcdValue held = cluster_.values({key}).front();
  if (keys_.proof().open_head(held) != before) return;  // it is forged already, or has gone on
  if (!cluster_.values({turn}).empty()) return;
  count("forged entries");
  const OriginProof foreign("another secret");
  const std::string forged_head = foreign.seal(key, text(head));
  const std::string forged_turn =
      foreign.seal(turn, encode(EntryBatch{head.entry, {bytes}, head.hash, 0}));
  static_cast<void>(
      admin_.commit({.conditions = {}, .puts = {{key, forged_head}, {turn, forged_turn}}}));
  undo_later({{.conditions = {{.key = key, .value = forged_head}}, .puts = {{key, held.value}}},
              {.conditions = {{.key = turn, .value = forged_turn}}, .deletions = {{turn}}}});
}

// The same person names the next writer, or puts back what a writer wrote once.
void ClusterHouse::forge_handover() {
  const std::string key = keys_.handover();
  NodeRecord record;
  record.node = nodes_[dice_.below(node_count)]->name();
  record.head = judge_.head();
  std::string forged = OriginProof("another secret").seal(key, encode(record));
  if (!old_handover_.empty() && dice_.one_in(2)) forged = old_handover_;
  const auto lease = admin_.grant_lease(std::chrono::seconds(5));
  if (!lease) return;
  count("forged handovers");
  static_cast<void>(admin_.commit({.conditions = {}, .puts = {{key, forged, *lease}}}));
}

// Tries again as long as etcd has no quorum: what was forged must not stay.
void ClusterHouse::undo_later(std::vector<EtcdTransaction> changes) {
  last(50'000, 1'000'000, [this, changes = std::move(changes)] {
    std::vector<EtcdTransaction> left;
    for (const EtcdTransaction& change : changes) {
      if (!admin_.commit(change)) left.push_back(change);
    }
    if (!left.empty()) undo_later(std::move(left));
  });
}

void ClusterHouse::on_point(ClusterNode& node, NodePoint point) {
  static const std::string names[] = {"before etcd", "after etcd", "before the answer"};
  const std::string& at = names[static_cast<std::size_t>(point)];
  look();
  if (is_over()) throw NodeKilled("the run is over");
  if (is_healed_) return;
  if (kinds_.kills && dice_.one_in(40)) {
    count("killed " + at);
    throw NodeKilled(node.name());
  }
  if (!kinds_.stops || depth_ >= depth_max || !dice_.one_in(40)) return;
  count("stopped " + at);
  const std::int64_t until_us = now_us_ + dice_.between(50'000, 3'000'000);
  ++depth_;
  while (now_us_ < until_us && !is_over()) tick();
  --depth_;
}

void ClusterHouse::look() {
  find(judge_.look());
  for (const auto& node : nodes_) {
    find(judge_.look_at(node->name(), node->journal()));
    find(node->finding());
  }
}

void ClusterHouse::switch_node(std::size_t table, std::size_t node) {
  connected_[table] = node;
  heard_at_us_[table] = now_us_;
  tables_[table]->connect_again(network_);
}

void ClusterHouse::deliver(const Frame& frame) {
  const std::size_t table = file_.floor.find_table(TableId(frame.table)).value().value();
  if (frame.way == Way::to_controller) {
    nodes_[connected_[table]]->take({frame.table, frame.key, frame.bytes});
    return;
  }
  heard_at_us_[table] = now_us_;
  const auto writer = other_writer(frame.bytes);
  if (!writer) {
    find(tables_[table]->receive(frame.bytes, faults_, network_, judge_.tables(), now_us_));
    return;
  }
  const auto named = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const auto& node) { return node->name() == *writer; });
  switch_node(table, named == nodes_.end() ? (connected_[table] + 1) % node_count
                                           : static_cast<std::size_t>(named - nodes_.begin()));
}

void ClusterHouse::tick() {
  if (is_over()) return;
  ++ticks_;
  const int passed_ms = dice_.between(5, is_healed_ ? 40 : 50);
  now_us_ += std::int64_t{1'000} * passed_ms;
  cluster_.pass_time(std::chrono::milliseconds(passed_ms));
  const auto over =
      std::stable_partition(lasting_.begin(), lasting_.end(),
                            [this](const Lasting& one) { return one.until_us > now_us_; });
  std::vector<Lasting> ended(std::make_move_iterator(over),
                             std::make_move_iterator(lasting_.end()));
  lasting_.erase(over, lasting_.end());
  for (const Lasting& one : ended) one.end();
  if (!is_healed_) befall();
  for (std::size_t table = 0; table < tables_.size(); ++table) {
    if (now_us_ - heard_at_us_[table] > silence_us) {
      switch_node(table, (connected_[table] + 1) % node_count);
    }
    find(tables_[table]->step(faults_, network_, judge_.tables(), now_us_));
  }
  while (const std::optional<Frame> frame = network_.arrive(now_us_)) deliver(*frame);
  const std::size_t first = dice_.below(node_count);
  for (std::size_t at = 0; at < node_count && !is_over(); ++at) {
    nodes_[(first + at) % node_count]->step();
  }
  look();
}

void ClusterHouse::heal() {
  is_healed_ = true;
  for (const Lasting& one : std::exchange(lasting_, {})) one.end();
  for (const auto& node : nodes_) node->stop_until(0);
  cluster_.run_late();
  network_.heal();
  faults_ = Faults::none();
}

bool ClusterHouse::all_done() const {
  return std::all_of(tables_.begin(), tables_.end(),
                     [](const auto& table) { return table->is_done(); }) &&
         std::all_of(nodes_.begin(), nodes_.end(), [this](const auto& node) {
           return node->runs() && node->journal().head() == judge_.head();
         });
}

std::string ClusterHouse::undone() const {
  std::string words = "end: all is well again, but not everything is delivered and equal:";
  for (const auto& table : tables_) {
    if (!table->is_done()) words += " " + table->text(now_us_) + ";";
  }
  for (const auto& node : nodes_) {
    words += " " + node->name() + (node->writes() ? " (writer) " : " ") +
             std::to_string(node->journal().head().entry.value()) + " of " +
             std::to_string(judge_.head().entry.value()) + ";";
  }
  return words;
}

ClusterReport ClusterHouse::run() {
  const std::int64_t trouble_until_us = now_us_ + trouble_us;
  while (now_us_ < trouble_until_us && !is_over()) tick();
  heal();
  while (!all_done() && !is_over()) tick();
  if (!all_done()) find(undone());
  find(judge_.finish());
  report_.entries = judge_.head().entry.value();
  report_.writers = judge_.writers();
  for (const auto& node : nodes_) {
    report_.faults["process started"] += node->starts;
    report_.faults["role lost"] += node->lost_roles;
    report_.faults["entries from another node"] += node->gaps;
  }
  return report_;
}

}  // namespace linkmeter
