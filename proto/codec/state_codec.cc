#include "proto/codec/state_codec.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "meters/rules/decide_restoration.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/claim_codec.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/fact_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/fnv1a.h"
#include "proto/codec/link_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/round_codec.h"
#include "proto/codec/slip_codec.h"
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

Row desk_row(TableIndex place, const TableSession& session) {
  state::Desk message;
  message.set_last_number(session.last_number().value());
  message.set_ended_count(session.ended_count());
  message.set_frozen(session.frozen());
  message.set_frozen_by(session.frozen_by().text());
  message.set_paced_until_us(session.paced_until().microseconds());
  message.set_shows_paced_until_us(session.shows_paced_until().microseconds());
  message.set_refusals_paced_until_us(session.refusals_paced_until().microseconds());
  message.set_pot_count(session.pot_count());
  return make_row(desk_key(place), message);
}

// The used slots of one row; a ring grows until it is full.
template <class Value>
std::span<const Value> slots_of(const std::vector<Value>& ring, std::uint64_t part,
                                std::size_t per_row) {
  const auto first = static_cast<std::size_t>(part) * per_row;
  return std::span(ring).subspan(first, std::min(per_row, ring.size() - first));
}

Row answers_row(TableIndex place, std::uint64_t part, const TableSession& session) {
  state::Answers message;
  std::string& digests = *message.mutable_digests();
  for (const Answer& answer : slots_of(session.answers(), part, limits::answers_per_row)) {
    message.add_numbers(answer.number.value());
    message.add_entries(answer.entry.value());
    message.add_refusals(static_cast<std::uint32_t>(answer.refusal));
    digests.append(answer.digest.begin(), answer.digest.end());
  }
  return make_row(part_key("answers", place, part), message);
}

Row ended_row(TableIndex place, std::uint64_t part, const TableSession& session) {
  state::EndedRounds message;
  std::string& ids = *message.mutable_ids();
  for (const RoundId& id : slots_of(session.ended(), part, limits::ended_per_row)) {
    INVARIANT(id.text().size() <= limits::name_length_max);
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
  acts::Person message;
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
  acts::Enrolment message;
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
  for (const TableIndex place : changes.sessions)
    rows.push_back(desk_row(place, state.session(place)));
  for (const auto& [place, part] : changes.answers) {
    rows.push_back(answers_row(place, part, state.session(place)));
  }
  for (const auto& [named, is_new] : changes.rounds) {
    const auto& [place, id] = named;
    const Round* round = state.session(place).find_round(id);
    rows.push_back(round != nullptr ? round_row(place, *round)
                                    : Row{round_key(place, id), std::nullopt});
  }
  for (const auto& [place, part] : changes.ended) {
    rows.push_back(ended_row(place, part, state.session(place)));
  }
  for (const auto& [place, slot] : changes.pots) {
    rows.push_back(pot_row(place, slot, state.session(place).pots().at(slot)));
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

// read_state() of state_codec.h.

namespace {

// The content of the rows, from which the State is made.
struct RowsRead {
  std::optional<Floor> floor;
  EntryNumber since, last_check;
  std::optional<Moments> moments;
  std::optional<HouseKeys> keys;
  std::map<std::uint64_t, LinkBalances> links;
  struct DeskParts {
    MessageNumber last_number;
    std::uint64_t ended_count = 0;
    std::string frozen;
    Badge frozen_by;
    Timestamp paced_until, shows_paced_until, refusals_paced_until;
    std::vector<Answer> answers;
    std::vector<Round> rounds;
    std::vector<RoundId> ended;
    std::vector<PlayedPot> pots;
    std::uint64_t pot_count = 0;

    // Each ring has one slot per message until it is full; messages are numbered from 1.
    [[nodiscard]] bool is_complete() const {
      const std::uint64_t said = last_number.value();
      return rounds.size() <= limits::rounds_open_per_table_max &&
             answers.size() == (said == 0 ? 0 : std::min(said, answers_most - 1) + 1) &&
             ended.size() == std::min(ended_count, ended_most) &&
             pots.size() == std::min(pot_count, pots_most);
    }
    static constexpr std::uint64_t answers_most = limits::answers_remembered;
    static constexpr std::uint64_t ended_most = limits::ended_rounds_remembered;
    static constexpr std::uint64_t pots_most = limits::pots_remembered;
  };
  std::map<std::uint64_t, DeskParts> sessions;
  std::vector<Claim> claims;
  std::vector<Slip> slips;
  std::vector<DayRecord> days;
  std::vector<Restoration> restorations;
  ClockStanding clock;
  Staff staff;

  bool add(const std::string& key, std::string_view content);
  bool add_floor(std::string_view content);
  bool add_last_check(std::string_view content);
  bool add_moments(std::string_view content);
  bool add_clock(std::string_view content);
  bool add_keys(std::string_view content);
  bool add_recovery(std::string_view content);
  bool add_link(std::uint64_t place, std::string_view content);
  bool add_desk(std::uint64_t place, std::string_view content);
  bool add_answers(std::uint64_t place, std::uint64_t part, std::string_view content);
  bool add_ended(std::uint64_t place, std::uint64_t part, std::string_view content);
  bool add_round(std::uint64_t place, std::string_view content);
  bool add_pot(std::uint64_t place, std::uint64_t slot, std::string_view content);
  bool add_claim(std::string_view content);
  bool add_slip(std::string_view content);
  bool add_day(std::string_view content);
  bool add_restoration(std::string_view content);
  bool add_person(std::string_view content);
  bool add_proposal(std::string_view content);
  bool add_last_proposal(std::string_view content);
  bool add_enrolment(std::string_view content);
  [[nodiscard]] bool is_complete() const;
};

template <class Message>
bool parse(std::string_view content, Message& message) {
  return message.ParseFromArray(content.data(), static_cast<int>(content.size()));
}

bool RowsRead::add(const std::string& key, std::string_view content) {
  if (key == "floor") return add_floor(content);
  if (key == "check") return add_last_check(content);
  if (key == "moments") return add_moments(content);
  if (key == "clock") return add_clock(content);
  if (key == "keys") return add_keys(content);
  if (key == "recovery") return add_recovery(content);
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos) return false;
  const std::string kind = key.substr(0, slash);
  const std::string rest = key.substr(slash + 1);
  if (kind == "claim") return add_claim(content);
  if (kind == "slip") return add_slip(content);
  if (kind == "day") return add_day(content);
  if (kind == "restoration") return add_restoration(content);
  if (kind == "enrolment") return add_enrolment(content);
  if (kind == "person") return add_person(content);
  if (kind == "proposal") return rest.empty() ? add_last_proposal(content) : add_proposal(content);
  if (rest.size() < 4) return false;
  const std::uint64_t place = from_big_endian(std::string_view(rest).substr(0, 4));
  if (kind == "link") return add_link(place, content);
  if (kind == "desk") return add_desk(place, content);
  if (kind == "round") return add_round(place, content);
  if (rest.size() != 7) return false;
  const std::uint64_t part = from_big_endian(std::string_view(rest).substr(5, 2));
  if (kind == "answers") return add_answers(place, part, content);
  if (kind == "pot") return add_pot(place, part, content);
  return kind == "ended" && add_ended(place, part, content);
}

bool RowsRead::add_floor(std::string_view content) {
  state::Floor message;
  if (!parse(content, message) || message.version() != this_release().state_version) return false;
  since = EntryNumber(message.since() == 0 ? 1 : message.since());
  return parts::decode_floor(message.floor(), floor.emplace());
}

bool RowsRead::add_last_check(std::string_view content) {
  state::LastCheck message;
  if (!parse(content, message)) return false;
  last_check = EntryNumber(message.entry());
  return true;
}

bool RowsRead::add_moments(std::string_view content) {
  state::Moments message;
  if (!parse(content, message)) return false;
  moments = Moments{Timestamp::from_microseconds(message.opened_at_us()),
                    Timestamp::from_microseconds(message.moved_at_us())};
  return true;
}

bool RowsRead::add_clock(std::string_view content) {
  state::Clock message;
  if (!parse(content, message)) return false;
  clock.lead_us = message.lead_us();
  if (message.doubted() == 0) return true;
  const auto fact = parts::decode_doubted(message.fact());
  if (!fact) return false;
  ClockDoubt& doubt = clock.doubt.emplace(ClockDoubt{EntryNumber(message.doubted()), *fact});
  for (const std::uint32_t link : message.suspended()) doubt.suspended.emplace_back(link);
  return true;
}

bool RowsRead::add_keys(std::string_view content) {
  state::HouseKeys message;
  if (!parse(content, message)) return false;
  HouseKeys& read = keys.emplace();
  for (const state::HouseKey& one : message.current()) {
    const auto kind = parts::decode_numbered(one.kind(), KeyKind::journal);
    if (!kind) return false;
    read.current[*kind] = {one.key(), EntryNumber(one.since())};
  }
  read.signed_head = EntryNumber(message.signed_head());
  read.signed_with = EntryNumber(message.signed_with());
  for (const std::string& badge : message.before_pin_key()) {
    read.before_pin_key.insert(Badge(badge));
  }
  read.pins_outdated = ProposalNumber(message.pins_outdated());
  return true;
}

bool RowsRead::add_recovery(std::string_view content) {
  state::Recovery message;
  if (!parse(content, message)) return false;
  Recovery& recovery = staff.recovery;
  for (const std::string& code : message.codes()) {
    if (!parts::decode_digest(code, recovery.codes.emplace_back().digest)) return false;
  }
  for (const std::uint32_t used : message.used()) {
    if (used == 0 || used > recovery.codes.size()) return false;
    recovery.codes[used - 1].is_used = true;
  }
  recovery.failures = message.failures();
  recovery.wait_until = Timestamp::from_microseconds(message.wait_until_us());
  return true;
}

bool RowsRead::add_link(std::uint64_t place, std::string_view content) {
  journal::LinkReading message;
  if (!parse(content, message)) return false;
  auto book = parts::decode_link_book(message);
  if (!book) return false;
  links[place] = std::move(*book);
  return true;
}

bool RowsRead::add_desk(std::uint64_t place, std::string_view content) {
  state::Desk message;
  if (!parse(content, message)) return false;
  sessions[place].last_number = MessageNumber(message.last_number());
  sessions[place].ended_count = message.ended_count();
  sessions[place].frozen = message.frozen();
  sessions[place].frozen_by = Badge(message.frozen_by());
  sessions[place].paced_until = Timestamp::from_microseconds(message.paced_until_us());
  sessions[place].shows_paced_until = Timestamp::from_microseconds(message.shows_paced_until_us());
  sessions[place].refusals_paced_until =
      Timestamp::from_microseconds(message.refusals_paced_until_us());
  sessions[place].pot_count = message.pot_count();
  return true;
}

// Whether a part of so many slots continues the ring without a gap. Parts come in order, and all
// except the last are full.
bool goes_on(std::uint64_t part, std::size_t per_row, int count, std::size_t ring_size,
             std::size_t ring_max) {
  const std::uint64_t first = part * per_row;
  return count > 0 && std::cmp_less_equal(count, per_row) && first == ring_size &&
         first + static_cast<std::uint64_t>(count) <= ring_max;
}

bool RowsRead::add_answers(std::uint64_t place, std::uint64_t part, std::string_view content) {
  state::Answers message;
  if (!parse(content, message)) return false;
  constexpr std::size_t digest_bytes = std::tuple_size_v<Digest>;
  const int count = message.numbers_size();
  std::vector<Answer>& answers = sessions[place].answers;
  if (message.entries_size() != count || message.refusals_size() != count ||
      message.digests().size() != static_cast<std::size_t>(count) * digest_bytes ||
      !goes_on(part, limits::answers_per_row, count, answers.size(), limits::answers_remembered)) {
    return false;
  }
  for (int at = 0; at < count; ++at) {
    Answer& answer = answers.emplace_back();
    answer.number = MessageNumber(message.numbers(at));
    answer.entry = EntryNumber(message.entries(at));
    const auto refusal = parts::decode_integer<std::uint8_t>(message.refusals(at));
    if (!refusal) return false;
    answer.refusal = static_cast<Refusal>(*refusal);
    const auto from = static_cast<std::size_t>(at) * digest_bytes;
    parts::decode_digest(std::string_view(message.digests()).substr(from, digest_bytes),
                         answer.digest);
  }
  return true;
}

bool RowsRead::add_ended(std::uint64_t place, std::uint64_t part, std::string_view content) {
  state::EndedRounds message;
  if (!parse(content, message)) return false;
  std::vector<RoundId>& ended = sessions[place].ended;
  const std::size_t ring_size = ended.size();
  std::string_view ids = message.ids();
  int count = 0;
  for (; !ids.empty() && std::cmp_less(count, limits::ended_per_row); ++count) {
    const std::size_t length = static_cast<std::uint8_t>(ids.front());
    if (ids.size() <= length || length > limits::name_length_max) return false;
    ended.emplace_back(std::string(ids.substr(1, length)));
    ids.remove_prefix(1 + length);
  }
  return ids.empty() &&
         goes_on(part, limits::ended_per_row, count, ring_size, limits::ended_rounds_remembered);
}

bool RowsRead::add_round(std::uint64_t place, std::string_view content) {
  state::Round message;
  if (!parse(content, message)) return false;
  std::optional<Round> round = parts::decode_round(message);
  if (!round) return false;
  sessions[place].rounds.push_back(std::move(*round));
  return true;
}

bool RowsRead::add_pot(std::uint64_t place, std::uint64_t slot, std::string_view content) {
  state::PlayedPot message;
  if (!parse(content, message)) return false;
  std::optional<PlayedPot> pot = parts::decode_pot(message);
  std::vector<PlayedPot>& pots = sessions[place].pots;
  if (!pot || slot != pots.size()) return false;
  pots.push_back(std::move(*pot));
  return true;
}

bool RowsRead::add_claim(std::string_view content) {
  state::Claim message;
  if (!parse(content, message) || message.number() != claims.size() + 1) return false;
  const auto claim = parts::decode_claim(message);
  if (!claim) return false;
  claims.push_back(*claim);
  return true;
}

bool RowsRead::add_slip(std::string_view content) {
  state::Slip message;
  if (!parse(content, message) || message.number() != slips.size() + 1) return false;
  const auto slip = parts::decode_slip(message);
  if (!slip) return false;
  slips.push_back(*slip);
  return true;
}

bool RowsRead::add_day(std::string_view content) {
  state::DayRecord message;
  if (!parse(content, message)) return false;
  auto day = parts::decode_day_record(message);
  if (!day || (!days.empty() && day->day != days.back().day.next())) return false;
  days.push_back(std::move(*day));
  return true;
}

bool RowsRead::add_restoration(std::string_view content) {
  state::Restoration message;
  if (!parse(content, message)) return false;
  const auto fact = parts::decode_restored(message.fact());
  if (!fact) return false;
  Restoration restoration{EntryNumber(message.entry()), *fact};
  for (const std::uint32_t link : message.suspended()) restoration.suspended.emplace_back(link);
  restoration.accepted = EntryNumber(message.accepted());
  restorations.push_back(std::move(restoration));
  return true;
}

bool RowsRead::add_person(std::string_view content) {
  acts::Person message;
  if (!parse(content, message)) return false;
  const auto person = parts::decode_person(message);
  if (!person) return false;
  return staff.people.emplace(person->badge, *person).second;
}

bool RowsRead::add_proposal(std::string_view content) {
  state::Proposal message;
  if (!parse(content, message)) return false;
  auto act = parts::decode_act(message.act());
  if (!act) return false;
  staff.proposals.push_back(Proposal{ProposalNumber(message.number()), std::move(*act),
                                     Badge(message.by()),
                                     Timestamp::from_microseconds(message.at_us())});
  return true;
}

bool RowsRead::add_last_proposal(std::string_view content) {
  state::LastProposal message;
  if (!parse(content, message)) return false;
  staff.last_proposal = ProposalNumber(message.number());
  return true;
}

bool RowsRead::add_enrolment(std::string_view content) {
  acts::Enrolment message;
  if (!parse(content, message)) return false;
  const auto enrolment = parts::decode_enrolment(message);
  if (!enrolment || staff.enrolments.find_key(enrolment->key) != nullptr) return false;
  staff.enrolments.enrol(*enrolment);
  return true;
}

bool has_place(const Floor& floor, PoolRef place) {
  if (place.link.value() >= floor.links.size()) return false;
  const std::size_t levels = floor.links[place.link.value()].levels.size();
  return place.pool.is_reserve() || place.pool.level_index().value() < levels;
}

bool RowsRead::is_complete() const {
  if (!floor || !moments || !keys || links.size() != floor->links.size()) return false;
  if (!sessions.empty() && sessions.rbegin()->first >= floor->tables.size()) return false;
  for (const auto& [place, book] : links) {
    if (place >= floor->links.size()) return false;
    if (book.levels.size() != floor->links[place].levels.size()) return false;
    const std::vector<TableIndex>& tables = floor->links[place].tables;
    const bool are_its_tables =
        std::equal(book.tables.begin(), book.tables.end(), tables.begin(), tables.end(),
                   [](const TableCount& count, TableIndex table) { return count.table == table; });
    if (!are_its_tables) return false;
    if (book.ending.went_to && !has_place(*floor, *book.ending.went_to)) return false;
  }
  for (const LinkConfig& link : floor->links) {
    for (const TableIndex table : link.tables) {
      if (table.value() >= floor->tables.size()) return false;
    }
  }
  for (const auto& [place, session] : sessions) {
    if (!session.is_complete()) return false;
  }
  if (clock.doubt) {
    for (const LinkIndex link : clock.doubt->suspended) {
      if (link.value() >= floor->links.size()) return false;
    }
  }
  for (const Restoration& one : restorations) {
    for (const LinkIndex link : one.suspended) {
      if (link.value() >= floor->links.size()) return false;
    }
  }
  for (const Claim& claim : claims) {
    if (claim.link.value() >= floor->links.size()) return false;
    if (claim.table.value() >= floor->tables.size()) return false;
    const auto& levels = floor->links[claim.link.value()].levels;
    if (claim.level && claim.level->value() >= levels.size()) return false;
    for (const SlipNumber slip : claim.slips) {
      if (slip.value() == 0 || slip.value() > slips.size()) return false;
    }
  }
  return true;
}

// The content of a row; nullopt: its checksum is wrong.
std::optional<std::string_view> content_of(const Row& row) {
  const std::string_view value = row.value ? std::string_view(*row.value) : std::string_view();
  if (value.size() < static_cast<std::size_t>(row_checksum_size)) return std::nullopt;
  const std::string_view content = value.substr(row_checksum_size);
  if (value.substr(0, row_checksum_size) != row_checksum(row.key, content)) return std::nullopt;
  return content;
}

// From the row "floor"; nullopt: it is missing or damaged.
std::optional<std::uint32_t> version_of(const std::vector<Row>& rows) {
  const auto floor =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.key == "floor"; });
  const auto content = floor == rows.end() ? std::nullopt : content_of(*floor);
  state::Floor message;
  if (!content || !parse(*content, message)) return std::nullopt;
  return message.version();
}

}  // namespace

StateRead read_state(EntryNumber last_entry, const std::vector<Row>& rows) {
  if (const auto version = version_of(rows); version && *version != this_release().state_version) {
    return {std::nullopt,
            "the state is of version " + std::to_string(*version) + ", and this release keeps " +
                std::to_string(this_release().state_version),
            true};
  }
  RowsRead reading;
  for (const Row& row : rows) {
    const auto content = content_of(row);
    if (!content || !reading.add(row.key, *content)) {
      return {std::nullopt, "the state row " + row.key.substr(0, row.key.find('/')) + " is " +
                                (content ? "another release's" : "damaged")};
    }
  }
  if (!reading.is_complete()) return {std::nullopt, "the state tables are not complete"};
  std::vector<LinkBalances> links;
  for (auto& [place, book] : reading.links) links.push_back(std::move(book));
  std::vector<TableSession> sessions(reading.floor->tables.size());
  for (auto& [place, session] : reading.sessions) {
    sessions[place] = TableSession::restored(
        session.last_number, std::move(session.answers), std::move(session.rounds),
        std::move(session.ended), session.ended_count, std::move(session.pots), session.pot_count);
    sessions[place].freeze(std::move(session.frozen), std::move(session.frozen_by));
    sessions[place].pace(session.paced_until);
    sessions[place].pace_shows(session.shows_paced_until);
    sessions[place].pace_refusals(session.refusals_paced_until);
  }
  return {State::restored(last_entry, std::move(*reading.floor), std::move(links),
                          std::move(sessions), std::move(reading.claims), std::move(reading.staff),
                          reading.since, std::move(reading.slips), std::move(reading.days),
                          std::move(reading.restorations), reading.last_check, *reading.moments,
                          std::move(reading.clock), std::move(*reading.keys)),
          "", false};
}

std::optional<LinkBalances> read_link_row(const Row& row) {
  const auto content = content_of(row);
  journal::LinkReading message;
  if (!content || !row.key.starts_with("link/") || !parse(*content, message)) return std::nullopt;
  return parts::decode_link_book(message);
}

std::optional<Claim> read_claim_row(const Row& row) {
  const auto content = content_of(row);
  state::Claim message;
  if (!content || !row.key.starts_with("claim/") || !parse(*content, message)) return std::nullopt;
  return parts::decode_claim(message);
}

std::optional<EntryNumber> read_configuration_row(const Row& row) {
  const auto content = content_of(row);
  RowsRead reading;
  if (!content || row.key != "floor" || !reading.add_floor(*content)) return std::nullopt;
  return reading.since;
}

std::string row_checksum(std::string_view key, std::string_view content) {
  return big_endian(Fnv1a().add(key).add("=").add(content).value(),
                    static_cast<int>(row_checksum_size));
}

}  // namespace linkmeter
