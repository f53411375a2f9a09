#include "meters/codec/state_codec.h"

#include <map>

#include "meters/codec/act_codec.h"
#include "meters/codec/big_endian.h"
#include "meters/codec/claim_codec.h"
#include "meters/codec/fingerprint.h"
#include "meters/codec/floor_codec.h"
#include "meters/codec/link_codec.h"
#include "meters/codec/parts_codec.h"
#include "meters/codec/round_codec.h"
#include "meters/codec/slip_codec.h"
#include "proto/state.pb.h"

namespace linkmeter {

namespace {

constexpr std::uint32_t state_version = 3;
constexpr int checksum_size = 8;

// Finds a damaged or misplaced row. Against an attacker stands the journal's chain.
std::string checksum(std::string_view key, std::string_view content) {
  return big_endian(Fingerprint().add(key).add("=").add(content).value(), checksum_size);
}

template <class Message>
Row make_row(std::string key, const Message& message) {
  const std::string content = message.SerializeAsString();
  std::string value = checksum(key, content) + content;
  return Row{std::move(key), std::move(value)};
}

std::string link_key(LinkPlace place) { return "link/" + big_endian(place.value(), 4); }
std::string desk_key(TablePlace place) { return "desk/" + big_endian(place.value(), 4); }
std::string claim_key(ClaimNumber number) { return "claim/" + big_endian(number.value(), 8); }
std::string slip_key(SlipNumber number) { return "slip/" + big_endian(number.value(), 8); }
std::string slot_key(std::string_view kind, TablePlace place, std::uint64_t slot) {
  return std::string(kind) + "/" + big_endian(place.value(), 4) + "/" + big_endian(slot, 2);
}
std::string round_key(TablePlace place, const RoundId& id) {
  return "round/" + big_endian(place.value(), 4) + "/" + id.text();
}

Row link_row(LinkPlace place, const LinkBook& book) {
  state::LinkBook message;
  parts::encode_link_book(book, message);
  return make_row(link_key(place), message);
}

Row desk_row(TablePlace place, const Desk& desk) {
  state::Desk message;
  message.set_last_number(desk.last_number().value());
  message.set_ended_count(desk.ended_count());
  return make_row(desk_key(place), message);
}

Row answer_row(TablePlace place, std::uint64_t slot, const Answer& answer) {
  state::Answer message;
  message.set_number(answer.number.value());
  message.set_entry(answer.entry.value());
  message.set_refusal(static_cast<std::uint32_t>(answer.refusal));
  message.set_digest(parts::encode_digest(answer.digest));
  return make_row(slot_key("answer", place, slot), message);
}

Row ended_row(TablePlace place, std::uint64_t slot, const RoundId& id) {
  state::Round message;
  message.set_id(id.text());
  return make_row(slot_key("ended", place, slot), message);
}

Row round_row(TablePlace place, const Round& round) {
  state::Round message;
  parts::encode_round(round, message);
  return make_row(round_key(place, round.id), message);
}

Row claim_row(const Claim& claim) {
  state::Claim message;
  parts::encode_claim(claim, message);
  return make_row(claim_key(claim.number), message);
}

Row slip_row(const Slip& slip) {
  state::Slip message;
  parts::encode_slip(slip, message);
  return make_row(slip_key(slip.number), message);
}

Row floor_row(const Floor& floor, EntryNumber since) {
  state::Floor message;
  message.set_version(state_version);
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

Row last_proposal_row(ProposalNumber number) {
  state::LastProposal message;
  message.set_number(number.value());
  return make_row("proposal/", message);
}

// What the rows hold, put together before a State is made of them.
struct Reading {
  std::optional<Floor> floor;
  EntryNumber since;
  std::map<std::uint64_t, LinkBook> links;
  struct DeskParts {
    MessageNumber last_number;
    std::uint64_t ended_count = 0;
    std::vector<Answer> answers;
    std::vector<Round> rounds;
    std::vector<RoundId> ended;
  };
  std::map<std::uint64_t, DeskParts> desks;
  std::vector<Claim> claims;
  std::vector<Slip> slips;
  Staff staff;

  bool add(const std::string& key, std::string_view content);
  bool add_floor(std::string_view content);
  bool add_link(std::uint64_t place, std::string_view content);
  bool add_desk(std::uint64_t place, std::string_view content);
  bool add_answer(std::uint64_t place, std::uint64_t slot, std::string_view content);
  bool add_ended(std::uint64_t place, std::uint64_t slot, std::string_view content);
  bool add_round(std::uint64_t place, std::string_view content);
  bool add_claim(std::string_view content);
  bool add_slip(std::string_view content);
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

bool Reading::add(const std::string& key, std::string_view content) {
  if (key == "floor") return add_floor(content);
  const std::size_t slash = key.find('/');
  if (slash == std::string::npos) return false;
  const std::string kind = key.substr(0, slash);
  const std::string rest = key.substr(slash + 1);
  if (kind == "claim") return add_claim(content);
  if (kind == "slip") return add_slip(content);
  if (kind == "enrolment") return add_enrolment(content);
  if (kind == "person") return add_person(content);
  if (kind == "proposal") return rest.empty() ? add_last_proposal(content) : add_proposal(content);
  if (rest.size() < 4) return false;
  const std::uint64_t place = from_big_endian(std::string_view(rest).substr(0, 4));
  if (kind == "link") return add_link(place, content);
  if (kind == "desk") return add_desk(place, content);
  if (kind == "round") return add_round(place, content);
  if (rest.size() != 7) return false;
  const std::uint64_t slot = from_big_endian(std::string_view(rest).substr(5, 2));
  if (kind == "answer") return add_answer(place, slot, content);
  return kind == "ended" && add_ended(place, slot, content);
}

bool Reading::add_floor(std::string_view content) {
  state::Floor message;
  if (!parse(content, message) || message.version() != state_version) return false;
  since = EntryNumber(message.since() == 0 ? 1 : message.since());
  return parts::decode_floor(message.floor(), floor.emplace());
}

bool Reading::add_link(std::uint64_t place, std::string_view content) {
  state::LinkBook message;
  if (!parse(content, message)) return false;
  links[place] = parts::decode_link_book(message);
  return true;
}

bool Reading::add_desk(std::uint64_t place, std::string_view content) {
  state::Desk message;
  if (!parse(content, message)) return false;
  desks[place].last_number = MessageNumber(message.last_number());
  desks[place].ended_count = message.ended_count();
  return true;
}

bool Reading::add_answer(std::uint64_t place, std::uint64_t slot, std::string_view content) {
  state::Answer message;
  Answer answer;
  if (slot >= limits::answers_remembered || !parse(content, message) ||
      !parts::decode_digest(message.digest(), answer.digest)) {
    return false;
  }
  answer.number = MessageNumber(message.number());
  answer.entry = EntryNumber(message.entry());
  answer.refusal = static_cast<Refusal>(message.refusal());
  auto& answers = desks[place].answers;
  if (slot >= answers.size()) answers.resize(slot + 1);
  answers[slot] = answer;
  return true;
}

bool Reading::add_ended(std::uint64_t place, std::uint64_t slot, std::string_view content) {
  state::Round message;
  if (slot >= limits::ended_rounds_remembered || !parse(content, message)) return false;
  auto& ended = desks[place].ended;
  if (slot >= ended.size()) ended.resize(slot + 1);
  ended[slot] = RoundId(message.id());
  return true;
}

bool Reading::add_round(std::uint64_t place, std::string_view content) {
  state::Round message;
  if (!parse(content, message)) return false;
  std::optional<Round> round = parts::decode_round(message);
  if (!round) return false;
  desks[place].rounds.push_back(std::move(*round));
  return true;
}

bool Reading::add_claim(std::string_view content) {
  state::Claim message;
  if (!parse(content, message) || message.number() != claims.size() + 1) return false;
  const auto claim = parts::decode_claim(message);
  if (!claim) return false;
  claims.push_back(*claim);
  return true;
}

bool Reading::add_slip(std::string_view content) {
  state::Slip message;
  if (!parse(content, message) || message.number() != slips.size() + 1) return false;
  const auto slip = parts::decode_slip(message);
  if (!slip) return false;
  slips.push_back(*slip);
  return true;
}

bool Reading::add_person(std::string_view content) {
  journal::Person message;
  if (!parse(content, message)) return false;
  const auto person = parts::decode_person(message);
  if (!person) return false;
  return staff.people.emplace(person->badge, *person).second;
}

bool Reading::add_proposal(std::string_view content) {
  state::Proposal message;
  if (!parse(content, message)) return false;
  auto act = parts::decode_act(message.act());
  if (!act) return false;
  staff.proposals.push_back(Proposal{ProposalNumber(message.number()), std::move(*act),
                                     Badge(message.by()),
                                     Timestamp::from_microseconds(message.at_us())});
  return true;
}

bool Reading::add_last_proposal(std::string_view content) {
  state::LastProposal message;
  if (!parse(content, message)) return false;
  staff.last_proposal = ProposalNumber(message.number());
  return true;
}

bool Reading::add_enrolment(std::string_view content) {
  journal::Enrolment message;
  if (!parse(content, message)) return false;
  const auto enrolment = parts::decode_enrolment(message);
  if (!enrolment || staff.enrolments.find_key(enrolment->key) != nullptr) return false;
  staff.enrolments.enrol(*enrolment);
  return true;
}

bool Reading::is_complete() const {
  if (!floor || links.size() != floor->links.size()) return false;
  if (!desks.empty() && desks.rbegin()->first >= floor->tables.size()) return false;
  for (const auto& [place, book] : links) {
    if (place >= floor->links.size()) return false;
    if (book.levels.size() != floor->links[place].levels.size()) return false;
    if (book.tables.size() != floor->links[place].tables.size()) return false;
  }
  for (const auto& [place, desk] : desks) {
    if (desk.rounds.size() > limits::rounds_open_per_table_max) return false;
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
  if (value.size() < static_cast<std::size_t>(checksum_size)) return std::nullopt;
  const std::string_view content = value.substr(checksum_size);
  if (value.substr(0, checksum_size) != checksum(row.key, content)) return std::nullopt;
  return content;
}

}  // namespace

std::vector<Row> rows_for(const State& state, const Changes& changes) {
  std::vector<Row> rows;
  if (changes.floor) rows.push_back(floor_row(state.floor(), state.configuration()));
  for (const LinkPlace place : changes.links) rows.push_back(link_row(place, state.link(place)));
  for (const TablePlace place : changes.desks) rows.push_back(desk_row(place, state.desk(place)));
  for (const auto& [place, number] : changes.answers) {
    const std::uint64_t slot = number.value() % limits::answers_remembered;
    rows.push_back(answer_row(place, slot, state.desk(place).answers()[slot]));
  }
  for (const auto& [place, id] : changes.rounds) {
    const Round* round = state.desk(place).find_round(id);
    rows.push_back(round != nullptr ? round_row(place, *round)
                                    : Row{round_key(place, id), std::nullopt});
  }
  for (const auto& [place, count] : changes.ended) {
    const std::uint64_t slot = count % limits::ended_rounds_remembered;
    rows.push_back(ended_row(place, slot, state.desk(place).ended()[slot]));
  }
  for (const ClaimNumber number : changes.claims) {
    rows.push_back(claim_row(*state.find_claim(number)));
  }
  for (const SlipNumber number : changes.slips) rows.push_back(slip_row(*state.find_slip(number)));
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

StateRead read_state(EntryNumber last_entry, const std::vector<Row>& rows) {
  Reading reading;
  for (const Row& row : rows) {
    const auto content = content_of(row);
    if (!content || !reading.add(row.key, *content)) {
      return {std::nullopt, "the state row " + row.key.substr(0, row.key.find('/')) + " is " +
                                (content ? "another release's" : "damaged")};
    }
  }
  if (!reading.is_complete()) return {std::nullopt, "the state tables are not complete"};
  std::vector<LinkBook> links;
  for (auto& [place, book] : reading.links) links.push_back(std::move(book));
  std::vector<Desk> desks(reading.floor->tables.size());
  for (auto& [place, desk] : reading.desks) {
    desks[place] = Desk::restored(desk.last_number, std::move(desk.answers), std::move(desk.rounds),
                                  std::move(desk.ended), desk.ended_count);
  }
  return {State::restored(last_entry, std::move(*reading.floor), std::move(links), std::move(desks),
                          std::move(reading.claims), std::move(reading.staff), reading.since,
                          std::move(reading.slips)),
          ""};
}

std::optional<LinkBook> read_link_row(const Row& row) {
  const auto content = content_of(row);
  state::LinkBook message;
  if (!content || !row.key.starts_with("link/") || !parse(*content, message)) return std::nullopt;
  return parts::decode_link_book(message);
}

}  // namespace linkmeter
