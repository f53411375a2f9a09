#include "table-agent/link/peer_choice.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

const NodeAddress* find_endpoint(const std::vector<NodeAddress>& nodes,
                                 const std::string& endpoint) {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodeAddress& node) {
    return node.endpoint == endpoint;
  });
  return found == nodes.end() ? nullptr : &*found;
}

}  // namespace

PeerChoice::PeerChoice(std::vector<std::string> endpoints, std::int64_t silence_us)
    : endpoints_(std::move(endpoints)), silence_us_(silence_us) {
  INVARIANT(!endpoints_.empty());
  know("", {});
}

void PeerChoice::know(const std::string& controller_key, const std::vector<NodeAddress>& nodes) {
  const NodeAddress before = peers_.empty() ? NodeAddress{"", "", endpoints_[0]} : current();
  std::vector<NodeAddress> first, last;
  for (const std::string& endpoint : endpoints_) {
    const NodeAddress* node = find_endpoint(nodes, endpoint);
    const NodeAddress given{"", controller_key, endpoint};
    first.push_back(node != nullptr ? *node : given);
    if (node != nullptr && node->key != controller_key) last.push_back(given);
  }
  for (const NodeAddress& node : nodes) {
    if (find_endpoint(first, node.endpoint) == nullptr) first.push_back(node);
  }
  first_count_ = first.size();
  peers_.clear();
  for (const auto* part : {&first, &last}) {
    for (const NodeAddress& address : *part) peers_.push_back({address, std::nullopt});
  }
  const auto find = [&](bool with_key) {
    return std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) {
      return peer.address.endpoint == before.endpoint &&
             (!with_key || peer.address.key == before.key);
    });
  };
  auto same = find(true);
  if (same == peers_.end()) same = find(false);
  if (same == peers_.end()) same = peers_.insert(same, {before, std::nullopt});
  at_ = order_ = static_cast<std::size_t>(same - peers_.begin());
  writer_.reset();
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
  order_ = at_;
  tries_ = 0;
  refused_at_.reset();
  refused_since_.reset();
}

void PeerChoice::on_refused(const std::string& writer, Timestamp now) {
  refused_at_ = now;
  if (!refused_since_) refused_since_ = now;
  writer_.reset();
  for (std::size_t peer = 0; peer < peers_.size() && !writer_; ++peer) {
    if (peer != at_ && peers_[peer].address.endpoint == writer) writer_ = peer;
  }
}

// ---- What to do. --------------------------------------------------------------------------------

bool PeerChoice::is_in_doubt(std::size_t peer, Timestamp now) const {
  const std::optional<Timestamp>& left_at = peers_[peer].left_at;
  return left_at && !has_passed(*left_at, doubt_us, now);
}

PeerChoice::Plan PeerChoice::next_in_order(Timestamp at) const {
  const std::size_t count = tries_ < first_count_ ? first_count_ : peers_.size();
  std::size_t next = (order_ + 1) % count;
  if (next == at_) next = (next + 1) % count;
  return {at, Step::connect, next, true};
}

std::optional<PeerChoice::Plan> PeerChoice::plan(Timestamp now) const {
  const Timestamp may_connect = connected_at_ ? connected_at_->after(pace()) : Timestamp();
  if (has_others() && is_gone_) return next_in_order(may_connect);
  if (owes_since_) {
    if (!has_others()) return std::nullopt;
    return next_in_order(std::max(may_connect, owes_since_->after(silence_us_)));
  }
  if (!refused_at_) return std::nullopt;
  const Plan ask{refused_at_->after(pace())};
  if (!has_others()) return ask;
  if (writer_ && !is_in_doubt(*writer_, now)) return Plan{may_connect, Step::connect, *writer_};
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
  if (is_gone_ || !has_answered_) peers_[at_].left_at = now;
  if (plan.is_in_order) order_ = plan.peer;
  at_ = plan.peer;
  connected_at_ = owes_since_ = now;
  has_answered_ = is_gone_ = false;
  refused_at_.reset();
  refused_since_.reset();
  writer_.reset();
}

}  // namespace linkmeter
