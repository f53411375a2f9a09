#include "table-agent/link/peer_choice.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

bool has_endpoint(const std::vector<NodeAddress>& nodes, const std::string& endpoint) {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const NodeAddress& node) { return node.endpoint == endpoint; });
}

bool is_same_pair(const NodeAddress& one, const NodeAddress& other) {
  return one.key == other.key && one.endpoint == other.endpoint;
}

void add_pair(std::vector<NodeAddress>& pairs, NodeAddress node, const std::string& endpoint) {
  node.endpoint = endpoint;
  const bool is_there = std::any_of(
      pairs.begin(), pairs.end(), [&](const NodeAddress& one) { return is_same_pair(one, node); });
  if (!is_there) pairs.push_back(std::move(node));
}

}  // namespace

PeerChoice::PeerChoice(std::vector<std::string> endpoints, std::int64_t silence_us)
    : endpoints_(std::move(endpoints)), silence_us_(silence_us) {
  INVARIANT(!endpoints_.empty());
  know("", {});
}

std::vector<NodeAddress> PeerChoice::pairs(const std::vector<NodeAddress>& keys,
                                           std::size_t& first_count) const {
  std::vector<NodeAddress> known;
  for (const std::string& endpoint : endpoints_) {
    for (const NodeAddress& node : keys) {
      if (node.endpoint == endpoint) add_pair(known, node, endpoint);
    }
  }
  for (const NodeAddress& node : keys) {
    if (!node.endpoint.empty()) add_pair(known, node, node.endpoint);
  }
  std::vector<NodeAddress> all = known;
  for (const std::string& endpoint : endpoints_) {
    if (has_endpoint(known, endpoint)) continue;
    for (const NodeAddress& node : keys) {
      if (node.endpoint.empty()) add_pair(all, node, endpoint);
    }
    if (!has_endpoint(all, endpoint)) add_pair(all, keys.front(), endpoint);
  }
  first_count = all.size();
  std::vector<std::string> everywhere = endpoints_;
  for (const NodeAddress& node : known) everywhere.push_back(node.endpoint);
  for (const NodeAddress& node : keys) {
    for (const std::string& endpoint : everywhere) add_pair(all, node, endpoint);
  }
  return all;
}

void PeerChoice::know(const std::string& controller_key, const std::vector<NodeAddress>& nodes) {
  const NodeAddress first{"", "", endpoints_[0]};
  const NodeAddress before = peers_.empty() ? first : current();
  const NodeAddress last_in_order = peers_.empty() ? first : peers_[order_].address;
  std::vector<NodeAddress> keys = nodes;
  const auto given = std::find_if(keys.begin(), keys.end(), [&](const NodeAddress& node) {
    return node.key == controller_key;
  });
  // The key in the credentials comes first: people may have replaced it.
  if (given != keys.end()) {
    std::rotate(keys.begin(), given, given + 1);
  } else if (!controller_key.empty() || keys.empty()) {
    keys.insert(keys.begin(), NodeAddress{"", controller_key, ""});
  }
  peers_.clear();
  for (const NodeAddress& address : pairs(keys, first_count_)) {
    peers_.push_back({address, std::nullopt});
  }
  if (!find(before)) peers_.push_back({before, std::nullopt});
  at_ = *find(before);
  order_ = std::min(find(last_in_order).value_or(at_), first_count_ - 1);
  writer_.reset();
}

void PeerChoice::begin_again(const std::string& controller_key,
                             const std::vector<NodeAddress>& nodes, Timestamp now) {
  peers_.clear();
  know(controller_key, nodes);
  // Nothing is known of this one: it is not in doubt.
  has_answered_ = true;
  is_gone_ = is_passed_over_ = false;
  connect_as({now, Step::connect, at_, true}, now);
}

// The pair, or else the first one with this endpoint.
std::optional<std::size_t> PeerChoice::find(const NodeAddress& address) const {
  std::optional<std::size_t> found;
  for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
    if (is_same_pair(peers_[peer].address, address)) return peer;
    if (!found && peers_[peer].address.endpoint == address.endpoint) found = peer;
  }
  return found;
}

// ---- What happened. -----------------------------------------------------------------------------

void PeerChoice::on_question(Timestamp now) {
  if (!owes_since_) owes_since_ = now;
}

void PeerChoice::on_answer() {
  owes_since_.reset();
  has_answered_ = true;
}

void PeerChoice::on_served() {
  if (at_ < first_count_) order_ = at_;
  tries_ = in_order_ = redirects_ = 0;
  refused_at_.reset();
  refused_since_.reset();
  waiting_since_.reset();
}

void PeerChoice::on_waiting(Timestamp now) {
  if (!waiting_since_) waiting_since_ = now;
  refused_at_.reset();
  refused_since_.reset();
}

void PeerChoice::on_refused(const std::string& writer, Timestamp now) {
  waiting_since_.reset();
  refused_at_ = now;
  if (!refused_since_) refused_since_ = now;
  writer_.reset();
  // An endpoint has several peers while nobody knows whose it is.
  for (std::size_t peer = 0; peer < first_count_; ++peer) {
    if (peer == at_ || peers_[peer].address.endpoint != writer) continue;
    if (!writer_ || (is_in_doubt(*writer_, now) && !is_in_doubt(peer, now))) writer_ = peer;
  }
}

// ---- What to do. --------------------------------------------------------------------------------

bool PeerChoice::is_in_doubt(std::size_t peer, Timestamp now) const {
  const std::optional<Timestamp>& left_at = peers_[peer].left_at;
  return left_at && !has_passed(*left_at, doubt_us, now);
}

PeerChoice::Plan PeerChoice::next_in_order(Timestamp at) const {
  const std::size_t spares = peers_.size() - first_count_;
  const bool is_elsewhere = first_count_ > 1 || at_ != 0;
  if (spares > 0 && (in_order_ >= rounds_per_spare * first_count_ || !is_elsewhere)) {
    const std::size_t spare = first_count_ + spare_count_ % spares;
    if (spare != at_) return {at, Step::connect, spare, true};
    if (spares > 1) return {at, Step::connect, first_count_ + (spare_count_ + 1) % spares, true};
  }
  std::size_t next = (order_ + 1) % first_count_;
  if (next == at_) next = (next + 1) % first_count_;
  return {at, Step::connect, next, true};
}

std::optional<PeerChoice::Plan> PeerChoice::plan(Timestamp now) const {
  const Timestamp may_connect = connected_at_ ? connected_at_->after(pace()) : Timestamp();
  if (has_others() && (is_gone_ || is_passed_over_)) return next_in_order(may_connect);
  if (owes_since_) {
    if (!has_others()) return std::nullopt;
    return next_in_order(std::max(may_connect, owes_since_->after(silence_us_)));
  }
  if (has_others() && waiting_since_) {
    return next_in_order(std::max(may_connect, waiting_since_->after(waiting_us)));
  }
  if (!refused_at_) return std::nullopt;
  const Plan ask{refused_at_->after(pace())};
  if (!has_others()) return ask;
  if (writer_ && !is_in_doubt(*writer_, now)) {
    if (redirects_ >= redirects_max) return next_in_order(may_connect);
    return Plan{may_connect, Step::connect, *writer_};
  }
  const Timestamp leaves = std::max(may_connect, refused_since_->after(silence_us_));
  return leaves <= ask.at ? next_in_order(leaves) : ask;
}

PeerChoice::Step PeerChoice::next(Timestamp now) {
  const std::optional<Plan> due = plan(now);
  if (!due || now < due->at) return Step::stay;
  ++tries_;
  if (due->step == Step::ask) {
    refused_at_.reset();
    owes_since_ = now;
  } else {
    connect_as(*due, now);
  }
  return due->step;
}

std::optional<Timestamp> PeerChoice::wakes_at(Timestamp now) const {
  const std::optional<Plan> planned = plan(now);
  return planned ? std::optional(planned->at) : std::nullopt;
}

void PeerChoice::connect_as(const Plan& plan, Timestamp now) {
  if (is_gone_ || is_passed_over_ || !has_answered_) peers_[at_].left_at = now;
  redirects_ = plan.is_in_order ? 0 : redirects_ + 1;
  if (plan.is_in_order && plan.peer < first_count_) {
    order_ = plan.peer;
    ++in_order_;
  } else if (plan.is_in_order) {
    spare_count_ = plan.peer - first_count_ + 1;
    in_order_ = 0;
  }
  at_ = plan.peer;
  connected_at_ = owes_since_ = now;
  has_answered_ = is_gone_ = is_passed_over_ = false;
  waiting_since_.reset();
  refused_at_.reset();
  refused_since_.reset();
  writer_.reset();
}

}  // namespace linkmeter
