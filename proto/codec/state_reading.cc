// read_state() of state_codec.h: the state that rows hold.
#include <algorithm>
#include <map>
#include <utility>

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
#include "proto/codec/state_codec.h"
#include "proto/codec/state_row.h"
#include "proto/codec/system_fact_codec.h"
#include "proto/host/release.h"
#include "proto/state.pb.h"

namespace linkmeter {

namespace {

// What the rows hold, put together before a State is made of them.
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

    // Each ring is as long as what was put into it; messages are counted from 1.
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
  std::map<std::uint64_t, DeskParts> desks;
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
  desks[place].last_number = MessageNumber(message.last_number());
  desks[place].ended_count = message.ended_count();
  desks[place].frozen = message.frozen();
  desks[place].frozen_by = Badge(message.frozen_by());
  desks[place].paced_until = Timestamp::from_microseconds(message.paced_until_us());
  desks[place].shows_paced_until = Timestamp::from_microseconds(message.shows_paced_until_us());
  desks[place].refusals_paced_until =
      Timestamp::from_microseconds(message.refusals_paced_until_us());
  desks[place].pot_count = message.pot_count();
  return true;
}

// Does a part of so many slots go on where the ring ends? Parts come in order, and all but a ring's
// last are full.
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
  std::vector<Answer>& answers = desks[place].answers;
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
  std::vector<RoundId>& ended = desks[place].ended;
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
  desks[place].rounds.push_back(std::move(*round));
  return true;
}

bool RowsRead::add_pot(std::uint64_t place, std::uint64_t slot, std::string_view content) {
  state::PlayedPot message;
  if (!parse(content, message)) return false;
  std::optional<PlayedPot> pot = parts::decode_pot(message);
  std::vector<PlayedPot>& pots = desks[place].pots;
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
  journal::Person message;
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
  journal::Enrolment message;
  if (!parse(content, message)) return false;
  const auto enrolment = parts::decode_enrolment(message);
  if (!enrolment || staff.enrolments.find_key(enrolment->key) != nullptr) return false;
  staff.enrolments.enrol(*enrolment);
  return true;
}

bool has_place(const Floor& floor, PoolRef place) {
  if (place.link.value() >= floor.links.size()) return false;
  const std::size_t levels = floor.links[place.link.value()].levels.size();
  return place.pool.is_reserve() || place.pool.level_place().value() < levels;
}

bool RowsRead::is_complete() const {
  if (!floor || !moments || !keys || links.size() != floor->links.size()) return false;
  if (!desks.empty() && desks.rbegin()->first >= floor->tables.size()) return false;
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
  for (const auto& [place, desk] : desks) {
    if (!desk.is_complete()) return false;
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

// What a row says, if its checksum is right.
std::optional<std::string_view> content_of(const Row& row) {
  const std::string_view value = row.value ? std::string_view(*row.value) : std::string_view();
  if (value.size() < static_cast<std::size_t>(row_checksum_size)) return std::nullopt;
  const std::string_view content = value.substr(row_checksum_size);
  if (value.substr(0, row_checksum_size) != row_checksum(row.key, content)) return std::nullopt;
  return content;
}

// As the row "floor" says it; nullopt: there is none that can be read.
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
  std::vector<TableSession> desks(reading.floor->tables.size());
  for (auto& [place, desk] : reading.desks) {
    desks[place] = TableSession::restored(desk.last_number, std::move(desk.answers),
                                          std::move(desk.rounds), std::move(desk.ended),
                                          desk.ended_count, std::move(desk.pots), desk.pot_count);
    desks[place].freeze(std::move(desk.frozen), std::move(desk.frozen_by));
    desks[place].pace(desk.paced_until);
    desks[place].pace_shows(desk.shows_paced_until);
    desks[place].pace_refusals(desk.refusals_paced_until);
  }
  return {State::restored(last_entry, std::move(*reading.floor), std::move(links), std::move(desks),
                          std::move(reading.claims), std::move(reading.staff), reading.since,
                          std::move(reading.slips), std::move(reading.days),
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

}  // namespace linkmeter
