#include "proto/codec/state_codec.h"

#include <algorithm>
#include <span>

#include "meters/rules/decide_restoration.h"
#include "meters/values/check.h"
#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/claim_codec.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/link_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/round_codec.h"
#include "proto/codec/slip_codec.h"
#include "proto/codec/state_row.h"
#include "proto/codec/system_fact_codec.h"
#include "proto/host/release.h"
#include "proto/state.pb.h"

namespace linkmeter {

namespace {

template <class Message>
Row make_row(std::string key, const Message& message) {
  const std::string content = message.SerializeAsString();
  std::string value = row_checksum(key, content) + content;
  return Row{std::move(key), std::move(value)};
}

std::string link_key(LinkIndex place) { return "link/" + big_endian(place.value(), 4); }
std::string desk_key(TableIndex place) { return "desk/" + big_endian(place.value(), 4); }
std::string slip_key(SlipNumber number) { return "slip/" + big_endian(number.value(), 8); }
std::string day_key(GamingDay day) {
  return "day/" + big_endian(static_cast<std::uint64_t>(day.number()), 4);
}
std::string part_key(std::string_view kind, TableIndex place, std::uint64_t part) {
  return std::string(kind) + "/" + big_endian(place.value(), 4) + "/" + big_endian(part, 2);
}
std::string round_key(TableIndex place, const RoundId& id) {
  return "round/" + big_endian(place.value(), 4) + "/" + id.text();
}

Row link_row(LinkIndex place, const LinkBalances& book) {
  journal::LinkReading message;
  parts::encode_link_book(book, message);
  return make_row(link_key(place), message);
}

Row desk_row(TableIndex place, const TableSession& desk) {
  state::Desk message;
  message.set_last_number(desk.last_number().value());
  message.set_ended_count(desk.ended_count());
  message.set_frozen(desk.frozen());
  message.set_frozen_by(desk.frozen_by().text());
  message.set_paced_until_us(desk.paced_until().microseconds());
  message.set_shows_paced_until_us(desk.shows_paced_until().microseconds());
  message.set_refusals_paced_until_us(desk.refusals_paced_until().microseconds());
  message.set_pot_count(desk.pot_count());
  return make_row(desk_key(place), message);
}

// Of a ring that grows until it is full, the slots of one row that there are.
template <class Value>
std::span<const Value> slots_of(const std::vector<Value>& ring, std::uint64_t part,
                                std::size_t per_row) {
  const auto first = static_cast<std::size_t>(part) * per_row;
  return std::span(ring).subspan(first, std::min(per_row, ring.size() - first));
}

Row answers_row(TableIndex place, std::uint64_t part, const TableSession& desk) {
  state::Answers message;
  std::string& digests = *message.mutable_digests();
  for (const Answer& answer : slots_of(desk.answers(), part, limits::answers_per_row)) {
    message.add_numbers(answer.number.value());
    message.add_entries(answer.entry.value());
    message.add_refusals(static_cast<std::uint32_t>(answer.refusal));
    digests.append(answer.digest.begin(), answer.digest.end());
  }
  return make_row(part_key("answers", place, part), message);
}

Row ended_row(TableIndex place, std::uint64_t part, const TableSession& desk) {
  state::EndedRounds message;
  std::string& ids = *message.mutable_ids();
  for (const RoundId& id : slots_of(desk.ended(), part, limits::ended_per_row)) {
    CHECK(id.text().size() <= limits::name_length_max);
    ids.push_back(static_cast<char>(id.text().size()));
    ids += id.text();
  }
  return make_row(part_key("ended", place, part), message);
}

Row round_row(TableIndex place, const Round& round) {
  state::Round message;
  parts::encode_round(round, message);
  return make_row(round_key(place, round.id), message);
}

Row pot_row(TableIndex place, std::size_t slot, const PlayedPot& pot) {
  state::PlayedPot message;
  parts::encode_pot(pot, message);
  return make_row(part_key("pot", place, slot), message);
}

Row claim_row(const Claim& claim) {
  state::Claim message;
  parts::encode_claim(claim, message);
  return make_row(claim_row_key(claim.number), message);
}

Row slip_row(const Slip& slip) {
  state::Slip message;
  parts::encode_slip(slip, message);
  return make_row(slip_key(slip.number), message);
}

Row day_row(const DayRecord& day) {
  state::DayRecord message;
  parts::encode_day_record(day, message);
  return make_row(day_key(day.day), message);
}

Row restoration_row(const Restoration& restoration) {
  state::Restoration message;
  message.set_entry(restoration.entry.value());
  parts::encode_restored(restoration.fact, *message.mutable_fact());
  for (const LinkIndex link : restoration.suspended) message.add_suspended(link.value());
  message.set_accepted(restoration.accepted.value());
  return make_row("restoration/" + big_endian(restoration.entry.value(), 8), message);
}

Row floor_row(const Floor& floor, EntryNumber since) {
  state::Floor message;
  message.set_version(this_release().state_version);
  message.set_since(since.value());
  parts::encode_floor(floor, *message.mutable_floor());
  return make_row("floor", message);
}

std::string proposal_key(ProposalNumber number) {
  return "proposal/" + big_endian(number.value(), 8);
}

Row person_row(const Person& person) {
  journal::Person message;
  parts::encode_person(person, message);
  return make_row("person/" + person.badge.text(), message);
}

Row proposal_row(const Proposal& proposal) {
  state::Proposal message;
  message.set_number(proposal.number.value());
  parts::encode_act(proposal.act, *message.mutable_act());
  message.set_by(proposal.by.text());
  message.set_at_us(proposal.at.microseconds());
  return make_row(proposal_key(proposal.number), message);
}

Row enrolment_row(const Enrolments::Name& who, const Enrolment* enrolment) {
  const std::string key = "enrolment/" + std::string(name(who.first)) + "/" + who.second;
  if (enrolment == nullptr) return Row{key, std::nullopt};
  journal::Enrolment message;
  parts::encode_enrolment(*enrolment, message);
  return make_row(key, message);
}

Row last_check_row(EntryNumber entry) {
  if (entry == EntryNumber()) return Row{"check", std::nullopt};
  state::LastCheck message;
  message.set_entry(entry.value());
  return make_row("check", message);
}

Row moments_row(const Moments& moments) {
  state::Moments message;
  message.set_opened_at_us(moments.opened_at.microseconds());
  message.set_moved_at_us(moments.moved_at.microseconds());
  return make_row("moments", message);
}

Row clock_row(const ClockStanding& clock) {
  if (clock == ClockStanding()) return Row{"clock", std::nullopt};
  state::Clock message;
  message.set_lead_us(clock.lead_us);
  if (clock.doubt) {
    message.set_doubted(clock.doubt->entry.value());
    parts::encode_doubted(clock.doubt->fact, *message.mutable_fact());
    for (const LinkIndex link : clock.doubt->suspended) message.add_suspended(link.value());
  }
  return make_row("clock", message);
}

Row keys_row(const HouseKeys& keys) {
  state::HouseKeys message;
  for (const auto& [kind, key] : keys.current) {
    state::HouseKey& one = *message.add_current();
    one.set_kind(static_cast<std::uint32_t>(kind));
    one.set_key(key.key);
    one.set_since(key.since.value());
  }
  message.set_signed_head(keys.signed_head.value());
  message.set_signed_with(keys.signed_with.value());
  for (const Badge& badge : keys.before_pin_key) message.add_before_pin_key(badge.text());
  message.set_pins_outdated(keys.pins_outdated.value());
  return make_row("keys", message);
}

Row recovery_row(const Recovery& recovery) {
  if (recovery == Recovery()) return Row{"recovery", std::nullopt};
  state::Recovery message;
  for (std::uint32_t at = 0; at < recovery.codes.size(); ++at) {
    message.add_codes(parts::encode_digest(recovery.codes[at].digest));
    if (recovery.codes[at].is_used) message.add_used(at + 1);
  }
  message.set_failures(recovery.failures);
  message.set_wait_until_us(recovery.wait_until.microseconds());
  return make_row("recovery", message);
}

Row last_proposal_row(ProposalNumber number) {
  state::LastProposal message;
  message.set_number(number.value());
  return make_row("proposal/", message);
}

}  // namespace

std::string claim_row_key(ClaimNumber number) { return "claim/" + big_endian(number.value(), 8); }

std::vector<Row> rows_for(const State& state, const Changes& changes) {
  std::vector<Row> rows;
  if (changes.last_check) rows.push_back(last_check_row(state.last_check()));
  if (changes.keys) rows.push_back(keys_row(state.keys()));
  if (changes.moments) rows.push_back(moments_row(state.moments()));
  if (changes.clock) rows.push_back(clock_row(state.clock()));
  if (changes.recovery) rows.push_back(recovery_row(state.recovery()));
  if (changes.floor) rows.push_back(floor_row(state.floor(), state.configuration()));
  for (const LinkIndex place : changes.links) rows.push_back(link_row(place, state.link(place)));
  for (const TableIndex place : changes.desks) rows.push_back(desk_row(place, state.desk(place)));
  for (const auto& [place, part] : changes.answers) {
    rows.push_back(answers_row(place, part, state.desk(place)));
  }
  for (const auto& [named, is_new] : changes.rounds) {
    const auto& [place, id] = named;
    const Round* round = state.desk(place).find_round(id);
    rows.push_back(round != nullptr ? round_row(place, *round)
                                    : Row{round_key(place, id), std::nullopt});
  }
  for (const auto& [place, part] : changes.ended) {
    rows.push_back(ended_row(place, part, state.desk(place)));
  }
  for (const auto& [place, slot] : changes.pots) {
    rows.push_back(pot_row(place, slot, state.desk(place).pots().at(slot)));
  }
  for (const ClaimNumber number : changes.claims) {
    rows.push_back(claim_row(*state.find_claim(number)));
  }
  for (const SlipNumber number : changes.slips) rows.push_back(slip_row(*state.find_slip(number)));
  for (const GamingDay day : changes.days) rows.push_back(day_row(*state.find_day(day)));
  for (const EntryNumber entry : changes.restorations) {
    rows.push_back(restoration_row(*find_restoration(state, entry)));
  }
  for (const Badge& badge : changes.people) rows.push_back(person_row(*state.find_person(badge)));
  for (const ProposalNumber number : changes.proposals) {
    const Proposal* open = state.find_proposal(number);
    rows.push_back(open != nullptr ? proposal_row(*open) : Row{proposal_key(number), std::nullopt});
  }
  for (const Enrolments::Name& name : changes.enrolments) {
    rows.push_back(enrolment_row(name, state.enrolments().find(name.first, name.second)));
  }
  if (!changes.proposals.empty()) rows.push_back(last_proposal_row(state.last_proposal()));
  return rows;
}

}  // namespace linkmeter
