#include "controller/sockets/meter_feed.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "controller/view/meters_json.h"
#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

using std::chrono::microseconds;

MeterUpdate::Award award_of(const State& state, const Claim& claim) {
  const AwardHit hit = award_hit_of(state, claim);
  const TableConfig& table = state.floor().table(claim.table);
  MeterUpdate::Award award;
  award.claim = claim.number.value();
  award.table = table.id.text();
  award.asset = table.asset;
  award.seat = static_cast<std::uint32_t>(claim.seat.value());
  award.line = claim.line.text();
  if (claim.level) {
    award.level = state.floor().link(claim.link).levels[claim.level->value()].id.text();
  }
  award.amount_cents = hit.amount.in_cents();
  award.state = name(hit.state);
  award.raised_at_us = claim.raised_at.microseconds();
  if (hit.new_amount) award.new_amount_cents = hit.new_amount->whole_cents().in_cents();
  if (hit.claims.size() == 1) return award;
  for (const Claim* part : hit.claims) {
    award.shares.push_back(
        {static_cast<std::uint32_t>(part->seat.value()), part->amount.in_cents()});
  }
  return award;
}

std::string topic_of(const LinkConfig& link) {
  return std::string(FeedPublisher::topic_prefix) + link.id.text() + '\0';
}

std::vector<std::string> topics_of(const Floor& floor) {
  std::vector<std::string> topics;
  for (const LinkConfig& link : floor.links) topics.push_back(topic_of(link));
  return topics;
}

}  // namespace

MeterFeed::MeterFeed(zmq::context_t& context, ZapAuthenticator& admission,
                     const std::string& endpoint, const State& state, const TablePresence& presence)
    : state_(state),
      presence_(presence),
      awards_(state),
      links_(state.floor().links.size()),
      publisher_(context, admission, endpoint, topics_of(state.floor())),
      shown_(links_.size()) {}

void MeterFeed::note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised,
                     Moment now) {
  for (const LinkIndex link : changed) this->changed(link);
  std::set<LinkIndex> won;
  for (const ClaimNumber number : raised) {
    const Claim* claim = state_.find_claim(number);
    INVARIANT(claim != nullptr);
    awards_.note(*claim);
    won.insert(claim->link);
  }
  for (const LinkIndex link : won) publish(link, now);
}

void MeterFeed::note(const std::vector<TablePresence::Change>& changes) {
  for (const TablePresence::Change& change : changes) {
    for (std::uint32_t at = 0; at < links_.size(); ++at) {
      if (state_.floor().link(LinkIndex(at)).has_table(change.table)) changed(LinkIndex(at));
    }
  }
}

void MeterFeed::changed(LinkIndex index) {
  LinkFeed& link = links_[index.value()];
  link.changed = true;
  next_due_ = std::min(next_due_, link.due());
}

void MeterFeed::serve(Moment now) {
  if (now.uptime < next_due_) return;
  next_due_ = now.uptime + publish_interval_max;
  for (std::size_t at = 0; at < links_.size(); ++at) {
    if (links_[at].due() <= now.uptime) {
      publish(LinkIndex(static_cast<std::uint32_t>(at)), now);
    }
    next_due_ = std::min(next_due_, links_[at].due());
  }
}

void MeterFeed::publish(LinkIndex index, Moment now) {
  LinkFeed& link = links_[index.value()];
  publisher_.publish(index.value(),
                     topic_of(state_.floor().link(index)) + encode(update(index, now)));
  link.changed = false;
  link.published = now.uptime;
  shown_[index.value()].clear();
  for (const LevelBalances& level : state_.link(index).levels) {
    shown_[index.value()].emplace_back(level.pool.held.whole_cents());
  }
}

MeterUpdate MeterFeed::update(LinkIndex link, Moment now) const {
  const Timestamp as_of = now.shown_as_of();
  const LinkConfig& terms = state_.floor().link(link);
  const LinkBalances& book = state_.link(link);
  MeterUpdate update;
  update.link = terms.id.text();
  update.sequence = state_.last_entry().value();
  update.as_of_us = as_of.microseconds();
  update.maximum_age_ms = static_cast<std::uint32_t>(maximum_age.count());
  if (!node_.empty()) {
    update.node = node_;
    update.lag_us = now.behind.count();
  }
  update.status = book.suspended.empty() ? "operating" : "suspended: " + book.suspended;
  update.pending_adjustment = book.pending_adjustment;
  update.collecting_ended = !book.ending.collects();
  update.discontinued = book.ending.has_ended();
  update.went_to = went_to_text(book.ending, state_.floor());
  if (terms.unit) update.unit_cents = terms.unit->in_cents();
  for (std::size_t at = 0; at < book.levels.size(); ++at) {
    update.levels.push_back(
        {terms.levels[at].id.text(), book.levels[at].pool.held.whole_cents().in_cents()});
  }
  for (const TableIndex table : terms.tables) {
    const TablePresence::Table stands = presence_.table(table);
    const bool is_frozen = !state_.session(table).frozen().empty();
    update.tables.push_back({state_.floor().table(table).id.text(),
                             is_frozen ? "frozen" : std::string(name(stands.standing)),
                             stands.since.microseconds()});
  }
  if (const Claim* claim = awards_.last(link)) update.last_award = award_of(state_, *claim);
  for (const Claim* claim : awards_.of_meters(link, as_of)) {
    update.awards.push_back(award_of(state_, *claim));
  }
  return update;
}

}  // namespace linkmeter
