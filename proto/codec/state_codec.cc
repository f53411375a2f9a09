#include "proto/codec/state_codec.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "meters/facts/day_facts.h"
#include "meters/rules/decide_restoration.h"
#include "meters/state/claim.h"
#include "meters/state/slip.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/fact_codec.h"
#include "proto/codec/field_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/fnv1a.h"
#include "proto/codec/link_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/round_codec.h"
#include "proto/host/release.h"
#include "proto/state.pb.h"

namespace linkmeter {

bool serialize(Of<Claim> auto& claim, auto& message) {
  return FIELD(claim.number, number) && FIELD(claim.entry, entry) && FIELD(claim.link, link) &&
         FIELD(claim.table, table) && FIELD(claim.round, round) && FIELD(claim.seat, seat) &&
         FIELD(claim.line, line) && FIELD(claim.level, level) &&
         FIELD(claim.amount, amount_cents) && FIELD(claim.state, state) &&
         FIELD(claim.sent_at, sent_at_us) && FIELD(claim.raised_at, raised_at_us) &&
         FIELD(claim.validated_at, validated_at_us) && FIELD(claim.validated_by, validated_by) &&
         FIELD(claim.paid_at, paid_at_us) && FIELD(claim.paid_by, paid_by) &&
         FIELD(claim.source, source) && FIELD(claim.on_dealer, on_dealer) &&
         FIELD(claim.hit, call) && FIELD(claim.whole_meter, whole_meter) &&
         FIELD(claim.reseeded, reseeded_units) && FIELD(claim.meter_before, stood_units) &&
         FIELD(claim.from_reserve, from_reserve_units) &&
         FIELD(claim.rejected_at, rejected_at_us) && FIELD(claim.rejected_by, rejected_by) &&
         FIELD(claim.reject_reason, reject_reason) && FIELD(claim.reject_note, reject_note) &&
         FIELD(claim.countersigned_at, countersigned_at_us) &&
         FIELD(claim.countersigned_by, countersigned_by) && FIELD(claim.slips, slips) &&
         FIELD(claim.wager, wager_cents) && FIELD(claim.keyed, keyed_line) &&
         FIELD(claim.count_differed, count_differed) && FIELD(claim.uncut, uncut_cents) &&
         FIELD(claim.corrected_by, corrected_by) && FIELD(claim.holder, holder) &&
         FIELD(claim.envy, envy) && FIELD(claim.envy_paid, envy_paid) &&
         FIELD(claim.overflowed, overflowed_units) && FIELD(claim.deferred, deferred);
}

bool serialize(Of<DayRecord> auto& record, auto& message) {
  if constexpr (IsRead<decltype(message)>) {
    for (const auto& said : message.said()) {
      record.said[{Badge(said.by()), said.item()}] = said.count();
    }
  } else {
    for (const auto& [what, count] : record.said) {
      auto& said = *message.add_said();
      said.set_by(what.first.text());
      said.set_item(what.second);
      said.set_count(count);
    }
  }
  return FIELD(record.day, day) && FIELD(record.ended, ended) &&
         FIELD(record.ends_at, ends_at_us) && FIELD(record.facts, facts) &&
         FIELD(record.signed_by, signed_by) && FIELD(record.signed_with, signed_with) &&
         FIELD(record.report, report) && FIELD(record.closed_by, closed_by) &&
         FIELD(record.closed_with, closed_with) &&
         record.facts.size() <= limits::day_facts_stored_max;
}

bool serialize(Of<Slip> auto& slip, auto& message) {
  return FIELD(slip.number, number) && FIELD(slip.entry, entry) && FIELD(slip.claim, claim) &&
         FIELD(slip.source, source) && FIELD(slip.amount, amount_cents) &&
         FIELD(slip.wager, wager_cents) && FIELD(slip.taxable, taxable) &&
         FIELD(slip.threshold, threshold) && FIELD(slip.state, state) &&
         FIELD(slip.issued_at, issued_at_us) && FIELD(slip.issued_by, issued_by) &&
         FIELD(slip.voided_at, voided_at_us) && FIELD(slip.voided_by, voided_by) &&
         FIELD(slip.void_reason, void_reason) && FIELD(slip.void_note, void_note) &&
         FIELD(slip.paid_at, paid_at_us) && FIELD(slip.paid_by, paid_by) &&
         FIELD(slip.stored, stored);
}

bool serialize(Of<Moments> auto& moments, auto& message) {
  return FIELD(moments.opened_at, opened_at_us) && FIELD(moments.moved_at, moved_at_us);
}

bool serialize(Of<ClockDoubt> auto& doubt, auto& message) {
  return FIELD(doubt.entry, doubted) && FIELD(doubt.fact, fact) &&
         FIELD(doubt.suspended, suspended);
}

bool serialize(Of<ClockStanding> auto& clock, auto& message) {
  if constexpr (IsRead<decltype(message)>) {
    if (message.doubted() != 0) clock.doubt.emplace();
  }
  return FIELD(clock.lead_us, lead_us) && (!clock.doubt || serialize(*clock.doubt, message));
}

bool serialize(Of<HouseKeys::InForce> auto& key, auto& message) {
  return FIELD(key.key, key) && FIELD(key.since, since);
}

bool serialize(Of<HouseKeys> auto& keys, auto& message) {
  if constexpr (IsRead<decltype(message)>) {
    for (const state::HouseKey& one : message.current()) {
      const auto kind = parts::decode_numbered<KeyKind>(one.kind());
      if (!kind || !serialize(keys.current[*kind], one)) return false;
    }
  } else {
    for (const auto& [kind, key] : keys.current) {
      state::HouseKey& one = *message.add_current();
      one.set_kind(static_cast<std::uint32_t>(kind));
      serialize(key, one);
    }
  }
  return FIELD(keys.signed_head, signed_head) && FIELD(keys.signed_with, signed_with) &&
         FIELD(keys.before_pin_key, before_pin_key) && FIELD(keys.pins_outdated, pins_outdated);
}

// The used codes are a list of their places, counted from 1.
bool serialize(Of<Recovery> auto& recovery, auto& message) {
  if constexpr (IsRead<decltype(message)>) {
    for (const std::string& code : message.codes()) {
      if (!parts::decode_digest(code, recovery.codes.emplace_back().digest)) return false;
    }
    for (const std::uint32_t used : message.used()) {
      if (used == 0 || used > recovery.codes.size()) return false;
      recovery.codes[used - 1].is_used = true;
    }
  } else {
    for (std::uint32_t at = 0; at < recovery.codes.size(); ++at) {
      message.add_codes(parts::encode_digest(recovery.codes[at].digest));
      if (recovery.codes[at].is_used) message.add_used(at + 1);
    }
  }
  return FIELD(recovery.failures, failures) && FIELD(recovery.wait_until, wait_until_us);
}

bool serialize(Of<Restoration> auto& restoration, auto& message) {
  return FIELD(restoration.entry, entry) && FIELD(restoration.fact, fact) &&
         FIELD(restoration.suspended, suspended) && FIELD(restoration.accepted, accepted);
}

bool serialize(Of<Proposal> auto& proposal, auto& message) {
  return FIELD(proposal.number, number) && FIELD(proposal.act, act) && FIELD(proposal.by, by) &&
         FIELD(proposal.at, at_us);
}

namespace {

template <class Message>
Row make_row(std::string key, const Message& message) {
  const std::string content = message.SerializeAsString();
  std::string value = row_checksum(key, content) + content;
  return Row{std::move(key), std::move(value)};
}

template <class Message, class Value>
Row row_of(std::string key, const Value& value) {
  Message message;
  serialize(value, message);
  return make_row(std::move(key), message);
}

std::string link_key(LinkIndex place) { return "link/" + big_endian(place.value(), 4); }
std::string desk_key(TableIndex place) { return "desk/" + big_endian(place.value(), 4); }
std::string slip_key(SlipNumber number) { return "slip/" + big_endian(number.value(), 8); }
std::string day_key(GamingDay day) {
  return "day/" + big_endian(static_cast<std::uint64_t>(day.number()), 4);
}
std::string part_key(std::string_view kind, TableIndex table, std::uint64_t part) {
  return std::string(kind) + "/" + big_endian(table.value(), 4) + "/" + big_endian(part, 2);
}
std::string round_key(TableIndex table, const RoundId& id) {
  return "round/" + big_endian(table.value(), 4) + "/" + id.text();
}

Row desk_row(TableIndex table, const TableSession& session) {
  state::Desk message;
  message.set_last_number(session.last_number().value());
  message.set_ended_count(session.ended_count());
  message.set_frozen(session.frozen());
  message.set_frozen_by(session.frozen_by().text());
  message.set_paced_until_us(session.paced_until().microseconds());
  message.set_shows_paced_until_us(session.shows_paced_until().microseconds());
  message.set_refusals_paced_until_us(session.refusals_paced_until().microseconds());
  message.set_pot_count(session.pot_count());
  return make_row(desk_key(table), message);
}

// The used slots of one row; a ring grows until it is full.
template <class Value>
std::span<const Value> slots_of(const std::vector<Value>& ring, std::uint64_t part,
                                std::size_t per_row) {
  const auto first = static_cast<std::size_t>(part) * per_row;
  return std::span(ring).subspan(first, std::min(per_row, ring.size() - first));
}

Row answers_row(TableIndex table, std::uint64_t part, const TableSession& session) {
  state::Answers message;
  std::string& digests = *message.mutable_digests();
  for (const Answer& answer : slots_of(session.answers(), part, limits::answers_per_row)) {
    message.add_numbers(answer.number.value());
    message.add_entries(answer.entry.value());
    message.add_refusals(static_cast<std::uint32_t>(answer.refusal));
    digests.append(answer.digest.begin(), answer.digest.end());
  }
  return make_row(part_key("answers", table, part), message);
}

Row ended_row(TableIndex table, std::uint64_t part, const TableSession& session) {
  state::EndedRounds message;
  std::string& ids = *message.mutable_ids();
  for (const RoundId& id : slots_of(session.ended(), part, limits::ended_per_row)) {
    INVARIANT(id.text().size() <= limits::name_length_max);
    ids.push_back(static_cast<char>(id.text().size()));
    ids += id.text();
  }
  return make_row(part_key("ended", table, part), message);
}

Row floor_row(const Floor& floor, EntryNumber since) {
  state::Floor message;
  message.set_version(this_release().state_version);
  message.set_since(since.value());
  serialize(floor, *message.mutable_floor());
  return make_row("floor", message);
}

std::string proposal_key(ProposalNumber number) {
  return "proposal/" + big_endian(number.value(), 8);
}

Row enrolment_row(const Enrolments::Name& who, const Enrolment* enrolment) {
  const std::string key = "enrolment/" + std::string(name(who.first)) + "/" + who.second;
  if (enrolment == nullptr) return Row{key, std::nullopt};
  return row_of<acts::Enrolment>(key, *enrolment);
}

Row last_check_row(EntryNumber entry) {
  if (entry == EntryNumber()) return Row{"check", std::nullopt};
  state::LastCheck message;
  message.set_entry(entry.value());
  return make_row("check", message);
}

Row clock_row(const ClockStanding& clock) {
  if (clock == ClockStanding()) return Row{"clock", std::nullopt};
  return row_of<state::Clock>("clock", clock);
}

Row recovery_row(const Recovery& recovery) {
  if (recovery == Recovery()) return Row{"recovery", std::nullopt};
  return row_of<state::Recovery>("recovery", recovery);
}

Row writer_row(const std::optional<WriterChanged>& writer) {
  if (!writer) return Row{"writer", std::nullopt};
  return row_of<journal::WriterChanged>("writer", *writer);
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
  if (changes.keys) rows.push_back(row_of<state::HouseKeys>("keys", state.keys()));
  if (changes.moments) rows.push_back(row_of<state::Moments>("moments", state.moments()));
  if (changes.clock) rows.push_back(clock_row(state.clock()));
  if (changes.recovery) rows.push_back(recovery_row(state.recovery()));
  if (changes.writer) rows.push_back(writer_row(state.writer()));
  if (changes.floor) rows.push_back(floor_row(state.floor(), state.configuration()));
  for (const LinkIndex place : changes.links) {
    rows.push_back(row_of<journal::LinkReading>(link_key(place), state.link(place)));
  }
  for (const TableIndex place : changes.sessions)
    rows.push_back(desk_row(place, state.session(place)));
  for (const auto& [place, part] : changes.answers) {
    rows.push_back(answers_row(place, part, state.session(place)));
  }
  for (const auto& [named, is_new] : changes.rounds) {
    const auto& [place, id] = named;
    const Round* round = state.session(place).find_round(id);
    const std::string key = round_key(place, id);
    rows.push_back(round != nullptr ? row_of<state::Round>(key, *round) : Row{key, std::nullopt});
  }
  for (const auto& [place, part] : changes.ended) {
    rows.push_back(ended_row(place, part, state.session(place)));
  }
  for (const auto& [place, slot] : changes.pots) {
    rows.push_back(row_of<state::PlayedPot>(part_key("pot", place, slot),
                                            state.session(place).pots().at(slot)));
  }
  for (const ClaimNumber number : changes.claims) {
    rows.push_back(row_of<state::Claim>(claim_row_key(number), *state.find_claim(number)));
  }
  for (const SlipNumber number : changes.slips) {
    rows.push_back(row_of<state::Slip>(slip_key(number), *state.find_slip(number)));
  }
  for (const GamingDay day : changes.days) {
    rows.push_back(row_of<state::DayRecord>(day_key(day), *state.find_day(day)));
  }
  for (const EntryNumber entry : changes.restorations) {
    rows.push_back(row_of<state::Restoration>("restoration/" + big_endian(entry.value(), 8),
                                              *find_restoration(state, entry)));
  }
  for (const Badge& badge : changes.people) {
    rows.push_back(row_of<acts::Person>("person/" + badge.text(), *state.find_person(badge)));
  }
  for (const ProposalNumber number : changes.proposals) {
    const Proposal* open = state.find_proposal(number);
    const std::string key = proposal_key(number);
    rows.push_back(open != nullptr ? row_of<state::Proposal>(key, *open) : Row{key, std::nullopt});
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
  std::optional<WriterChanged> writer;
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
  bool add_link(std::uint64_t place, std::string_view content);
  bool add_desk(std::uint64_t place, std::string_view content);
  bool add_answers(std::uint64_t place, std::uint64_t part, std::string_view content);
  bool add_ended(std::uint64_t place, std::uint64_t part, std::string_view content);
  bool add_pot(std::uint64_t place, std::uint64_t slot, std::string_view content);
  bool add_claim(std::string_view content);
  bool add_slip(std::string_view content);
  bool add_day(std::string_view content);
  bool add_person(std::string_view content);
  bool add_last_proposal(std::string_view content);
  bool add_enrolment(std::string_view content);
  [[nodiscard]] bool is_complete() const;
};

template <class Message>
bool parse(std::string_view content, Message& message) {
  return message.ParseFromArray(content.data(), static_cast<int>(content.size()));
}

template <class Message, class Value>
bool read_row(std::string_view content, Value& value) {
  Message message;
  return parse(content, message) && serialize(value, std::as_const(message));
}

bool RowsRead::add(const std::string& key, std::string_view content) {
  if (key == "floor") return add_floor(content);
  if (key == "check") return add_last_check(content);
  if (key == "moments") return read_row<state::Moments>(content, moments.emplace());
  if (key == "clock") return read_row<state::Clock>(content, clock);
  if (key == "keys") return read_row<state::HouseKeys>(content, keys.emplace());
  if (key == "recovery") return read_row<state::Recovery>(content, staff.recovery);
  if (key == "writer") return read_row<journal::WriterChanged>(content, writer.emplace());
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos) return false;
  const std::string kind = key.substr(0, slash);
  const std::string rest = key.substr(slash + 1);
  if (kind == "claim") return add_claim(content);
  if (kind == "slip") return add_slip(content);
  if (kind == "day") return add_day(content);
  if (kind == "restoration") {
    return read_row<state::Restoration>(content, restorations.emplace_back());
  }
  if (kind == "enrolment") return add_enrolment(content);
  if (kind == "person") return add_person(content);
  if (kind == "proposal") {
    return rest.empty() ? add_last_proposal(content)
                        : read_row<state::Proposal>(content, staff.proposals.emplace_back());
  }
  if (rest.size() < 4) return false;
  const std::uint64_t place = from_big_endian(std::string_view(rest).substr(0, 4));
  if (kind == "link") return add_link(place, content);
  if (kind == "desk") return add_desk(place, content);
  if (kind == "round") {
    return read_row<state::Round>(content, sessions[place].rounds.emplace_back());
  }
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
  return serialize(floor.emplace(), message.floor());
}

bool RowsRead::add_last_check(std::string_view content) {
  state::LastCheck message;
  if (!parse(content, message)) return false;
  last_check = EntryNumber(message.entry());
  return true;
}

bool RowsRead::add_link(std::uint64_t place, std::string_view content) {
  LinkBalances book;
  if (!read_row<journal::LinkReading>(content, book)) return false;
  links[place] = std::move(book);
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

bool RowsRead::add_pot(std::uint64_t place, std::uint64_t slot, std::string_view content) {
  std::vector<PlayedPot>& pots = sessions[place].pots;
  return slot == pots.size() && read_row<state::PlayedPot>(content, pots.emplace_back());
}

bool RowsRead::add_claim(std::string_view content) {
  Claim& claim = claims.emplace_back();
  return read_row<state::Claim>(content, claim) && claim.number.value() == claims.size();
}

bool RowsRead::add_slip(std::string_view content) {
  Slip& slip = slips.emplace_back();
  return read_row<state::Slip>(content, slip) && slip.number.value() == slips.size();
}

bool RowsRead::add_day(std::string_view content) {
  DayRecord day;
  if (!read_row<state::DayRecord>(content, day)) return false;
  if (!days.empty() && day.day != days.back().day.next()) return false;
  days.push_back(std::move(day));
  return true;
}

bool RowsRead::add_person(std::string_view content) {
  Person person;
  return read_row<acts::Person>(content, person) &&
         staff.people.emplace(person.badge, person).second;
}

bool RowsRead::add_last_proposal(std::string_view content) {
  state::LastProposal message;
  if (!parse(content, message)) return false;
  staff.last_proposal = ProposalNumber(message.number());
  return true;
}

bool RowsRead::add_enrolment(std::string_view content) {
  Enrolment enrolment;
  if (!read_row<acts::Enrolment>(content, enrolment)) return false;
  if (staff.enrolments.find_key(enrolment.key) != nullptr) return false;
  staff.enrolments.enrol(enrolment);
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
                          std::move(reading.clock), std::move(*reading.keys),
                          std::move(reading.writer)),
          "", false};
}

std::optional<LinkBalances> read_link_row(const Row& row) {
  const auto content = content_of(row);
  LinkBalances book;
  if (!content || !row.key.starts_with("link/")) return std::nullopt;
  if (!read_row<journal::LinkReading>(*content, book)) return std::nullopt;
  return book;
}

std::optional<Claim> read_claim_row(const Row& row) {
  const auto content = content_of(row);
  Claim claim;
  if (!content || !row.key.starts_with("claim/")) return std::nullopt;
  if (!read_row<state::Claim>(*content, claim)) return std::nullopt;
  return claim;
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
