#include "tests/property/naive_model.h"

#include <algorithm>

#include "tests/property/naive_table_message.h"
#include "tests/support/keys.h"

namespace linkmeter {

bool NaiveRound::has_wager(int seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const NaiveWager& wager) { return wager.seat == seat; });
}

bool NaiveTable::has_ended(const std::string& round) const { return ended_ids.count(round) != 0; }

void NaiveTable::end(const std::string& round) {
  rounds.erase(round);
  ended.push_back(round);
  ended_ids.insert(round);
  if (ended.size() > 8192) {
    ended_ids.erase(ended.front());
    ended.pop_front();
  }
  ++ended_count;
}

NaiveModel::NaiveModel(const Floor& floor, const std::string& floor_text,
                       const std::vector<Person>& people, const std::vector<std::string>& chapters)
    : asks_(NaiveHouse::of(floor_text)),
      house_(floor.house),
      floor_text_(floor_text),
      chapters_(chapters) {
  for (const Person& person : people) people_[person.badge.text()] = NaivePerson::of(person);
  for (const LinkConfig& link : floor.links) {
    terms_.push_back(NaiveTerms::of(link, floor_text));
    books_.push_back(NaiveBook::opened(terms_.back()));
  }
  for (const TableConfig& terms : floor.tables) {
    NaiveTable table;
    table.id = terms.id.text();
    table.game = terms.game.text();
    table.seats = terms.seats;
    table.decks = terms.decks;
    table.asset = terms.asset;
    table.draw_ppm = terms.draw_rate.ppm();
    tables_.push_back(table);
    keys_[{EnrolmentKind::table, table.id}] = key_of(table.id);
  }
}

bool NaiveModel::on_reply(const SelfSuspension& suspension) {
  std::string& suspended = books_.at(suspension.link.value()).suspended;
  if (!suspended.empty() && !waits_for_clock(suspension.link.value())) {
    // The person who resumes the link must read both reasons, if both have room.
    const std::string begins = suspended + "; ";
    const bool has_room = begins.size() + suspension.reason.size() <= 200;
    const bool has_both = suspension.reason.compare(0, begins.size(), begins) == 0;
    if (!suspension.is_always_shown || (has_room && !has_both)) return false;
  }
  suspended = suspension.reason;
  ++entries_;
  return true;
}

void NaiveModel::doubt_clock(std::uint64_t entry, const ClockDoubted& doubted) {
  DoubtedClock now{entry, doubted.by_us, suspension_reason(EntryNumber(entry), doubted), {}};
  for (std::uint32_t link = 0; link < books_.size(); ++link) {
    if (books_[link].suspended.empty() || waits_for_clock(link)) now.links.insert(link);
  }
  for (const std::uint32_t link : now.links) books_[link].suspended = now.words;
  doubted_ = now;
  ++entries_;
}

bool NaiveModel::trust_clock(std::uint64_t doubted) {
  if (!doubted_ || doubted_->entry != doubted) return false;
  end_doubt();
  ++entries_;
  return true;
}

void NaiveModel::end_doubt() {
  for (std::uint32_t link = 0; link < books_.size(); ++link) {
    if (waits_for_clock(link)) books_[link].suspended.clear();
  }
  doubted_.reset();
}

Verdict NaiveModel::on_reply(const TableMessage& message, Timestamp now) {
  Verdict away;
  away.kind = Verdict::Kind::turned_away;
  std::uint32_t place = 0;
  while (place < tables_.size() && tables_[place].id != message.table.text()) ++place;
  if (place == tables_.size()) {
    away.refusal = Refusal::table_unknown;
    return away;
  }
  NaiveTable& table = tables_[place];
  const std::uint64_t number = message.number.value();
  if (number <= table.last_number) {
    const auto known = table.heard.find(number);
    if (known == table.heard.end()) {
      away.refusal = Refusal::message_number_forgotten;
    } else if (known->second.first != message.digest) {
      away.refusal = Refusal::message_number_reused;
    } else {
      Verdict again = known->second.second;
      again.kind = Verdict::Kind::repeat;
      return again;
    }
    return away;
  }
  if (number != table.last_number + 1) {
    away.refusal = Refusal::message_out_of_order;
    return away;
  }
  TableMessageDecision hearing{*this, place, table, now, {}, {}};
  const std::vector<NaiveBook> before = books_;
  std::vector<NaiveClaim> claims;  // only a void changes existing ones
  const bool annuls = std::holds_alternative<VoidRound>(message.command);
  if (annuls) claims = claims_;
  std::visit(hearing, message.command);
  if (!hearing.no.empty()) {
    books_ = before;
    if (annuls) claims_ = claims;
    hearing.verdict = {};
    hearing.verdict.fact = "message_refused";
    hearing.verdict.refusal = hearing.first_reason();
  }
  hearing.verdict.entry = ++entries_;
  table.last_number = number;
  table.heard[number] = {message.digest, hearing.verdict};
  if (number > 1024) table.heard.erase(number - 1024);
  hearing.verdict.said = message.command;
  return hearing.verdict;
}

}  // namespace linkmeter
