#include "tests/golden/rehearsal.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/round_script.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/wire_codec.h"
#include "tests/golden/act_command.h"
#include "tests/support/description.h"
#include "tests/support/keys.h"
#include "tests/support/staff.h"

namespace linkmeter {
namespace {

constexpr std::int64_t opening_us = 1'767'225'600'000'000;  // 2026-01-01
constexpr std::int64_t second_us = 1'000'000;

void demand(bool kept, const std::string& what) {
  if (!kept) throw std::runtime_error(what);
}

void demand_none(const std::optional<std::string>& broken, const std::string& where) {
  if (broken) throw std::runtime_error(where + ": " + *broken);
}

const std::vector<CatalogueText>& catalogue_texts() {
  static const auto texts = std::get<std::vector<CatalogueText>>(
      read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue"));
  return texts;
}

FloorFile resolve(const std::string& floor_text, const std::vector<CatalogueText>& catalogue) {
  auto parsed = parse_floor("floor", floor_text, catalogue);
  if (const auto* violations = std::get_if<Violations>(&parsed)) {
    throw std::runtime_error(violations->front().text());
  }
  return std::get<FloorFile>(std::move(parsed));
}

// Replaces SHA-256: equal contents give an equal digest, other contents another one.
Digest digest_of(std::string_view bytes) {
  Digest digest{};
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (std::size_t index = 0; index < digest.size(); ++index) {
    for (const char byte : bytes) {
      hash ^= static_cast<std::uint8_t>(byte);
      hash *= 0x100000001b3ULL;
    }
    digest[index] = static_cast<std::uint8_t>(hash >> 56U);
  }
  return digest;
}

std::uint64_t number_in(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 19 &&
                      std::all_of(text.begin(), text.end(), [](char character) {
                        return character >= '0' && character <= '9';
                      });
  demand(digits, "\"" + text + "\" is not a number");
  return std::stoull(text);
}

// Removes and returns the text up to the next space; removes the space, too.
std::string take_word(std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word = text.substr(0, end);
  text.erase(0, end + 1);
  return word;
}

void take_literal(std::string& text, const std::string& word) {
  demand(take_word(text) == word, "the word \"" + word + "\" is missing");
}

// As a ledger writes it on one line: "a\\nb".
std::string with_line_ends(std::string text) {
  for (std::size_t end = text.find("\\n"); end != std::string::npos; end = text.find("\\n")) {
    text.replace(end, 2, "\n");
  }
  return text;
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::string Rehearsal::perform(const std::string& command) {
  constexpr std::string_view floor_word = "floor\n";
  if (command.starts_with(floor_word)) return open(command.substr(floor_word.size()));
  if (command.starts_with("propose parameters by ")) return propose_parameters(command);
  std::string rest = on_one_line(command);
  if (rest == "meters") return description(state_);
  if (rest == "claims") return description_of_claims(state_);
  if (rest == "replay" || rest == "crash") {
    State again = rebuilt();
    const std::string entries = std::to_string(journal_.size());
    if (rest == "replay") return "replayed " + entries + " entries: the same state\n";
    state_ = std::move(again);
    return "recovered from " + entries + " entries\n";
  }
  if (is_act_command(rest)) return act(rest);
  if (rest.starts_with("signin ")) return sign_in(rest);
  if (rest.starts_with("stored ")) {
    take_literal(rest, "stored");
    return step(
        decide(state_, rules_, SlipCopy{SlipNumber(number_in(rest)), digest_of(rest)}, now()));
  }
  if (rest.starts_with("later ")) {
    take_literal(rest, "later");
    later_us_ += second_us * static_cast<std::int64_t>(number_in(rest));
    return "later\n";
  }
  const std::string table = take_word(rest);
  const std::string numbers = take_word(rest);
  return messages(table, numbers, rest);
}

std::string Rehearsal::open(const std::string& floor_text) {
  demand(!state_.is_open(), "a ledger opens one floor");
  FloorFile file = resolve(floor_text, catalogue_texts());
  rules_ = std::move(file.rules);
  floor_text_ = floor_text;
  chapters_ = file.catalogue_texts;
  std::vector<Enrolment> keys = keys_of(file.floor);
  return record(open_floor(FloorOpened{std::move(file.floor), floor_text, file.catalogue_texts,
                                       standard_staff(), std::move(keys)},
                           now()));
}

std::string Rehearsal::messages(const std::string& table, const std::string& numbers,
                                const std::string& json) {
  const std::size_t dots = numbers.find("..");
  if (dots == std::string::npos) return message(table, MessageNumber(number_in(numbers)), json);
  const std::uint64_t first = number_in(numbers.substr(0, dots));
  const std::uint64_t last = number_in(numbers.substr(dots + 2));
  const auto ending = [this] { return std::make_pair(journal_.size(), refusals_); };
  std::string outcome;
  // Numbers of one length, so that the ids of thousands of rounds are sorted, which is cheap.
  const auto padded = [&numbers, dots](std::uint64_t number) {
    const std::string digits = std::to_string(number);
    return std::string(numbers.size() - dots - 2 - digits.size(), '0') + digits;
  };
  for (std::uint64_t number = first; number <= last; ++number) {
    std::string one = json;
    for (std::size_t at = one.find('*'); at != std::string::npos; at = one.find('*')) {
      one.replace(at, 1, padded(number));
    }
    const auto before = ending();
    outcome = message(table, MessageNumber(number), one);
    const auto after = ending();
    demand(after.first == before.first + 1, numbers + ": a message did not become an entry");
    demand(number == first || after.second == before.second, numbers + ": they do not end alike");
  }
  return outcome;
}

std::string Rehearsal::message(const std::string& table, MessageNumber number,
                               const std::string& json) {
  const auto parsed = parse_script_line(json);
  if (const auto* error = std::get_if<ScriptError>(&parsed)) {
    throw std::runtime_error(error->message);
  }
  const auto* command = std::get_if<TableCommand>(&std::get<ScriptEvent>(parsed));
  demand(command != nullptr, "a wait is not a message");
  TableMessage asked;
  asked.table = TableId(table);
  asked.number = number;
  // From the number alone, so that a repeated message is the same to the last byte.
  asked.sent_at = Timestamp::from_microseconds(
      opening_us + second_us * static_cast<std::int64_t>(number.value()));
  asked.command = *command;
  asked.digest = digest_of(encode(asked));

  const Decision decision = decide(state_, rules_, asked, now());
  if (const auto* refusal = std::get_if<Refusal>(&decision)) return told(*refusal);
  if (const auto* answer = std::get_if<Answer>(&decision)) {
    return "answered again: #" + std::to_string(answer->entry.value()) +
           (answer->refusal == Refusal::none ? "" : " " + std::string(name(answer->refusal))) +
           "\n";
  }
  const Entry& entry = std::get<Entry>(decision);
  std::string outcome = record(entry);
  demand_same_answer(asked, entry);
  return outcome;
}

void Rehearsal::demand_same_answer(const TableMessage& asked, const Entry& entry) const {
  const Decision again = decide(state_, rules_, asked, now());
  const auto* answer = std::get_if<Answer>(&again);
  demand(answer != nullptr && *answer == answer_of(entry),
         "the message once more is not answered as it was");
}

std::string Rehearsal::act(const std::string& command) {
  std::string issued;
  const PersonMessage first = parse_act_command(command, state_);
  const auto* pay = std::get_if<PayClaim>(&first.act);
  const Claim* claim = pay == nullptr ? nullptr : state_.find_claim(pay->claim);
  if (claim != nullptr && claim->state == ClaimState::validated && pay->slip == SlipNumber() &&
      command.find(" on ") == std::string::npos) {
    const std::size_t slips = state_.slips().size();
    issued = decided(PersonMessage{first.by, IssueSlip{pay->claim, pay->source}});
    if (state_.slips().size() == slips) return issued;
  }
  return issued + decided(parse_act_command(command, state_));
}

std::string Rehearsal::propose_parameters(const std::string& command) {
  std::istringstream lines(command.substr(std::string("propose parameters by ").size()));
  ChangeParameters change{floor_text_, chapters_};
  std::string badge;
  std::getline(lines, badge);
  constexpr std::string_view of_chapters = "chapters: ";
  for (std::string line; std::getline(lines, line);) {
    const bool is_chapter = line.starts_with(of_chapters);
    if (is_chapter) line.erase(0, of_chapters.size());
    const std::size_t arrow = line.find(" => ");
    demand(arrow != std::string::npos, "\"" + line + "\" has no =>");
    const std::string old = with_line_ends(line.substr(0, arrow));
    const auto says_it = [&old](const std::string& text) {
      return text.find(old) != std::string::npos;
    };
    std::vector<std::string>& chapters = change.catalogue_texts;
    const auto chapter = std::find_if(chapters.begin(), chapters.end(), says_it);
    demand(is_chapter ? chapter != chapters.end() : says_it(change.floor_text),
           std::string(is_chapter ? "no chapter says " : "the floor file does not say ") + old);
    std::string& text = is_chapter ? *chapter : change.floor_text;
    text.replace(text.find(old), old.size(), with_line_ends(line.substr(arrow + 4)));
  }
  return decided(PersonMessage{Badge(badge), Propose{std::move(change)}});
}

// As the controller's edge does it, except for the digests.
std::string Rehearsal::decided(PersonMessage message) {
  const ChangeParameters* change = nullptr;
  if (auto* propose = std::get_if<Propose>(&message.act)) {
    change = std::get_if<ChangeParameters>(&propose->act);
  } else if (const auto* confirm = std::get_if<Confirm>(&message.act)) {
    const Proposal* proposal = state_.find_proposal(confirm->proposal);
    if (proposal != nullptr) change = std::get_if<ChangeParameters>(&proposal->act);
  }
  if (change == nullptr) return step(decide(state_, rules_, message, now()));
  std::vector<CatalogueText> catalogue;
  for (const std::string& text : change->catalogue_texts) catalogue.push_back({"chapter", text});
  auto parsed = parse_floor("floor", change->floor_text, catalogue);
  auto* file = std::get_if<FloorFile>(&parsed);
  if (auto* propose = std::get_if<Propose>(&message.act)) {
    auto& proposed = std::get<ChangeParameters>(propose->act);
    if (file != nullptr) proposed.floor = file->floor;
    proposed.floor_digest = digest_of(proposed.floor_text);
  }
  const std::string text = change->floor_text;
  std::vector<std::string> chapters = change->catalogue_texts;
  if (file != nullptr) message.proposed = &file->rules;
  const Decision decision = decide(state_, rules_, message, now());
  std::string outcome = step(decision);
  if (state_.configuration() == state_.last_entry()) {
    rules_ = std::move(file->rules);
    floor_text_ = text;
    chapters_ = std::move(chapters);
  }
  return outcome;
}

std::string Rehearsal::sign_in(std::string command) {
  take_literal(command, "signin");
  const Badge badge(take_word(command));
  demand(command == "good" || command == "bad", "a sign-in is good or bad");
  return step(decide(state_, rules_, SignIn{badge, command == "good"}, now()));
}

std::string Rehearsal::step(const Decision& decision) {
  if (const auto* refusal = std::get_if<Refusal>(&decision)) return told(*refusal);
  return record(std::get<Entry>(decision));
}

std::string Rehearsal::told(Refusal refusal) {
  if (std::find(refusals_.begin(), refusals_.end(), refusal) == refusals_.end()) {
    refusals_.push_back(refusal);
  }
  return "refused " + std::string(name(refusal)) + "\n";
}

std::string Rehearsal::record(const Entry& entry) {
  const std::string where = "entry " + std::to_string(entry.number.value());
  demand_none(law_violation(entry), where);
  demand_none(validate_entry(state_, entry), where);
  const std::string bytes = encode(entry);
  demand(decode_entry(bytes) == entry, where + ": its bytes do not decode to it");
  state_.apply(entry);
  demand_none(law_violation(state_), "after " + where);
  journal_.push_back(bytes);
  for (const Row& row : rows_for(state_, state_.take_changes())) {
    if (row.value) {
      rows_.insert_or_assign(row.key, *row.value);
    } else {
      rows_.erase(row.key);
    }
  }
  if (const auto* no = std::get_if<MessageRefused>(&entry.fact)) told(no->refusal);
  if (const auto* no = std::get_if<CommandRejected>(&entry.fact)) told(no->refusal);
  return description(entry, state_.floor());
}

State Rehearsal::rebuilt() const {
  State again = replay(journal_);
  std::vector<Row> rows;
  for (const auto& [key, value] : rows_) rows.push_back(Row{key, value});
  const StateRead stored = read_state(again.last_entry(), rows);
  demand(stored.state.has_value(), stored.why);
  demand(again == *stored.state, "the rows are not what the journal gives");
  demand(again == state_, "the living state is not what the journal gives");
  // The journal alone must also contain the rules of the decision.
  const std::optional<Entry> made = decode_entry(journal_[again.configuration().value() - 1]);
  const auto* opened = std::get_if<FloorOpened>(&made->fact);
  const auto* confirmed = std::get_if<ActConfirmed>(&made->fact);
  const auto* change =
      confirmed == nullptr ? nullptr : std::get_if<ChangeParameters>(&confirmed->act);
  demand(opened != nullptr || change != nullptr, "no parameters are in force");
  std::vector<CatalogueText> catalogue;
  for (const std::string& text : opened ? opened->catalogue_texts : change->catalogue_texts) {
    catalogue.push_back({"chapter", text});
  }
  const FloorFile file = resolve(opened ? opened->floor_text : change->floor_text, catalogue);
  demand(file.floor == again.floor() && file.rules == rules_, "the submission reads differently");
  return again;
}

Timestamp Rehearsal::now() const {
  const auto entries = static_cast<std::int64_t>(journal_.size());
  return Timestamp::from_microseconds(opening_us + second_us * entries + later_us_);
}

std::string description_of_claims(const State& state) {
  std::string all;
  for (const Claim& claim : state.claims()) {
    const LinkConfig& link = state.floor().link(claim.link);
    all += "claim " + std::to_string(claim.number.value()) + " #" +
           std::to_string(claim.entry.value()) + " " + link.id.text() + " " +
           state.floor().table(claim.table).id.text() + " " + claim.round.text() + " seat " +
           std::to_string(claim.seat.value()) + " " + claim.line.text() +
           (claim.holder ? " envy of seat " + std::to_string(claim.holder->value()) : "") +
           (claim.level ? " " + link.levels[claim.level->value()].id.text() : "") + " " +
           text_cents(claim.amount) + (claim.on_dealer ? " on dealer" : "") + " " +
           std::string(name(claim.state)) +
           (claim.validated_by.empty() ? "" : " validated by " + claim.validated_by.text()) +
           (claim.countersigned_by.empty() ? ""
                                           : " countersigned by " + claim.countersigned_by.text()) +
           (claim.keyed.empty() ? "" : " keyed " + claim.keyed.text()) +
           (claim.count_differed ? " count differed" : "") +
           (claim.uncut ? " cut from " + text_cents(*claim.uncut) : "") +
           (claim.source
                ? " paid from " + std::string(name(*claim.source)) + " by " + claim.paid_by.text()
                : "") +
           (claim.reject_reason ? " for " + std::string(name(*claim.reject_reason)) + " by " +
                                      claim.rejected_by.text()
                                : "") +
           "\n";
  }
  return all.empty() ? "no claims\n" : all;
}

State replay(const std::vector<std::string>& journal, std::string* told) {
  State state;
  for (const std::string& bytes : journal) {
    const std::string where = "entry " + std::to_string(state.last_entry().next().value());
    const std::optional<Entry> entry = decode_entry(bytes);
    demand(entry.has_value(), where + ": the bytes are not an entry");
    demand_none(validate_entry(state, *entry), where);
    state.apply(*entry);
    demand_none(law_violation(state), "after " + where);
    if (told != nullptr) *told += description(*entry, state.floor());
  }
  state.forget_changes();
  return state;
}

}  // namespace linkmeter
