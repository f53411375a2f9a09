#include "meters/state/state.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

const LinkBalances& State::link(LinkIndex link) const {
  INVARIANT(link.value() < links_.size());
  return links_[link.value()];
}

const TableSession& State::session(TableIndex table) const {
  INVARIANT(table.value() < sessions_.size());
  return sessions_[table.value()];
}

const Slip* State::find_slip(SlipNumber number) const {
  if (number.value() == 0 || number.value() > slips_.size()) return nullptr;
  return &slips_[number.value() - 1];
}

const Slip* State::open_slip(const Claim& claim) const {
  const Slip* last = claim.slips.empty() ? nullptr : find_slip(claim.slips.back());
  return last != nullptr && last->state == SlipState::issued ? last : nullptr;
}

const DayRecord* State::find_day(GamingDay day) const {
  if (days_.empty() || day < days_.front().day || day > days_.back().day) return nullptr;
  return &days_[place_of(day)];
}

// Days are consecutive.
std::size_t State::place_of(GamingDay day) const {
  const auto place = static_cast<std::size_t>(day.number() - days_.front().day.number());
  INVARIANT(place < days_.size() && days_[place].day == day);
  return place;
}

const Person* State::find_person(const Badge& badge) const {
  const auto found = staff_.people.find(badge);
  return found == staff_.people.end() ? nullptr : &found->second;
}

const Proposal* State::find_proposal(ProposalNumber number) const {
  const auto found = std::find_if(staff_.proposals.begin(), staff_.proposals.end(),
                                  [number](const Proposal& open) { return open.number == number; });
  return found == staff_.proposals.end() ? nullptr : &*found;
}

const Claim* State::find_claim(ClaimNumber number) const {
  if (number.value() == 0 || number.value() > claims_.size()) return nullptr;
  return &claims_[number.value() - 1];
}

std::optional<TableIndex> State::table_of(std::string_view key) const {
  const Enrolment* enrolment = staff_.enrolments.find_key(key);
  if (enrolment == nullptr || enrolment->kind != EnrolmentKind::table) return std::nullopt;
  return index_.find_table(enrolment->name);
}

void State::take_check(EntryNumber entry, const SelfChecked& fact) {
  last_check_ = fact.failures.empty() ? entry : EntryNumber();
  changes_.last_check = true;
}

void State::post(const Entry& entry) {
  for (const Posting& posting : entry.postings) {
    INVARIANT(posting.link.value() < links_.size());
    links_[posting.link.value()].post(posting);
    changes_.links.insert(posting.link);
  }
  const bool is_first = entry.number == EntryNumber(1);
  if (entry.postings.empty() && !is_first) return;
  if (is_first) moments_.opened_at = entry.recorded_at;
  moments_.moved_at = std::max(moments_.moved_at, entry.recorded_at);
  changes_.moments = true;
}

void State::take_floor(Floor floor) {
  floor_ = std::move(floor);
  index_ = FloorIndex(floor_);
}

State State::restored(EntryNumber last_entry, Floor floor, std::vector<LinkBalances> links,
                      std::vector<TableSession> sessions, std::vector<Claim> claims, Staff staff,
                      EntryNumber configuration, std::vector<Slip> slips,
                      std::vector<DayRecord> days, std::vector<Restoration> restorations,
                      EntryNumber last_check, Moments moments, ClockStanding clock, HouseKeys keys,
                      std::optional<WriterChanged> writer) {
  INVARIANT(links.size() == floor.links.size());
  INVARIANT(sessions.size() == floor.tables.size());
  State state;
  state.last_entry_ = last_entry;
  state.take_floor(std::move(floor));
  state.links_ = std::move(links);
  state.sessions_ = std::move(sessions);
  state.claims_ = std::move(claims);
  state.staff_ = std::move(staff);
  state.configuration_ = configuration;
  state.slips_ = std::move(slips);
  state.days_ = std::move(days);
  state.restorations_ = std::move(restorations);
  state.last_check_ = last_check;
  state.moments_ = moments;
  state.clock_ = std::move(clock);
  state.keys_ = std::move(keys);
  state.writer_ = std::move(writer);
  return state;
}

}  // namespace linkmeter
