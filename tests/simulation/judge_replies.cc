// SimulationJudge: predicts before a turn how every frame of a table must be answered.

#include <algorithm>

#include "proto/codec/wire_codec.h"
#include "tests/simulation/simulation_judge.h"

namespace linkmeter {

namespace {

bool is_same(const NaiveAward& award, const AwardNotice& told) {
  const std::uint64_t claim = told.claim ? told.claim->value() : 0;
  return award.seat == told.seat.value() && award.line == told.line.text() &&
         award.amount == Exact{told.amount.units()} && award.claim == claim;
}

}  // namespace

Refusal SimulationJudge::refuse_key(const std::string& key, const TableId& table) const {
  for (const auto& [name, owned] : model_.keys()) {
    if (name.first != EnrolmentKind::table || owned != key) continue;
    return name.second == table.text() ? Refusal::none : Refusal::table_not_yours;
  }
  return Refusal::key_unknown;
}

void SimulationJudge::expect(const std::vector<InboundMessage>& received,
                             const std::vector<PersonRequest>& asked) {
  expected_.clear();
  asked_.clear();
  asked_done_ = 0;
  lasts_.clear();
  for (const std::vector<Told>& told : told_) lasts_.push_back(told.size());
  for (const InboundMessage& one : received) expect(one);
  for (const PersonRequest& one : asked) asked_.push_back({one});
}

void SimulationJudge::expect(const InboundMessage& received) {
  ExpectedReplies& expected = expected_[received.peer];
  const auto decoded = decode_from_table(received.bytes);
  if (!decoded) {
    expected.answers.push_back({{}, Refusal::message_malformed, false});
    return;
  }
  if (const auto* hello = std::get_if<Hello>(&*decoded)) {
    const Refusal no = refuse_key(received.key, hello->table);
    Welcome welcome{hello->table, {}, {}, no};
    welcome.question = hello->question;
    const auto table = replayed_.floor().find_table(hello->table);
    if (no == Refusal::none) {
      welcome.last_number = MessageNumber(lasts_[table->value()]);
      welcomed_.insert(hello->table);
    }
    expected.welcomes.push_back(welcome);
    return;
  }
  if (const auto* heartbeat = std::get_if<Heartbeat>(&*decoded)) {
    const Refusal no = refuse_key(received.key, heartbeat->table);
    if (no != Refusal::none) {
      expected.answers.push_back({{}, no, false});
    } else {
      expected.heartbeat = *heartbeat;
      expected.wants_hello = !welcomed_.contains(heartbeat->table);
    }
    return;
  }
  const auto* message = std::get_if<TableMessage>(&*decoded);
  if (message == nullptr) return;
  const Refusal no = refuse_key(received.key, message->table);
  if (no != Refusal::none) {
    expected.answers.push_back({message->number, no, false});
    return;
  }
  const TableIndex table = replayed_.floor().find_table(message->table).value();
  const std::vector<std::string>& said = said_[table.value()];
  const std::uint64_t number = message->number.value();
  if (number > said.size() || said[number - 1] != received.bytes) {
    unsaid_ = "once: " + message->table.text() + " says what it has not stored";
  }
  std::uint64_t& last = lasts_[table.value()];
  if (number > last + 1) {
    expected.answers.push_back({message->number, Refusal::message_out_of_order, false});
    return;
  }
  last = std::max(last, number);
  expected.table = table;
  expected.answers.push_back({message->number, Refusal::none, true});
}

Finding SimulationJudge::check_replies(const Journal& journal,
                                       const std::vector<Reply>& replies) const {
  std::map<std::string, std::vector<Welcome>> welcomes;
  std::map<std::string, std::vector<HeartbeatAnswer>> heartbeats;
  std::map<std::string, std::vector<Acknowledgement>> answers;
  for (const Reply& reply : replies) {
    const auto decoded = decode_to_table(reply.bytes);
    if (!decoded || !expected_.contains(reply.peer)) return "it is none to a table that asked";
    if (const auto* welcome = std::get_if<Welcome>(&*decoded)) {
      welcomes[reply.peer].push_back(*welcome);
    } else if (const auto* answer = std::get_if<HeartbeatAnswer>(&*decoded)) {
      heartbeats[reply.peer].push_back(*answer);
    } else if (const auto* list = std::get_if<Acknowledgements>(&*decoded)) {
      if (list->head != journal.head()) return reply.peer + ": another head";
      std::vector<Acknowledgement>& all = answers[reply.peer];
      all.insert(all.end(), list->list.begin(), list->list.end());
    }
  }
  for (const auto& [peer, expected] : expected_) {
    const std::string to = peer + ": ";
    const std::vector<Welcome>& found = welcomes[peer];
    if (found.size() != expected.welcomes.size()) return to + "another number of welcomes";
    for (std::size_t at = 0; at < found.size(); ++at) {
      if (auto no = check_welcome(found[at], expected.welcomes[at], journal.head())) {
        return to + *no;
      }
    }
    if (heartbeats[peer].size() != (expected.wants_hello ? 1U : 0U)) {
      return to + "a heartbeat is not answered once";
    }
    if (expected.wants_hello) {
      if (auto no = check_heartbeat(heartbeats[peer].front(), expected)) return to + *no;
    }
    if (auto no = check_answers(expected, answers[peer])) return to + *no;
  }
  return std::nullopt;
}

Finding SimulationJudge::check_welcome(const Welcome& found, const Welcome& expected,
                                       const Head& head) const {
  if (found.table != expected.table || found.question != expected.question) {
    return "welcome of another question";
  }
  if (found.head != head) return "welcome with another head";
  if (found.refusal != expected.refusal) {
    return "welcome: " + std::string(name(found.refusal)) + ", expected " +
           std::string(name(expected.refusal));
  }
  if (found.last_number != expected.last_number) return "welcome with another last number";
  if (found.refusal != Refusal::none) return std::nullopt;
  return check_suspended(found.table, found.suspended);
}

// L9: a table is told about each of its links that takes no wagers, with the reason.
Finding SimulationJudge::check_suspended(const TableId& table,
                                         const std::vector<SuspendedLink>& told) const {
  const std::uint32_t place = replayed_.floor().find_table(table).value().value();
  std::vector<SuspendedLink> all;
  for (std::size_t link = 0; link < model_.books().size(); ++link) {
    const NaiveTerms& terms = model_.terms()[link];
    const NaiveBook& book = model_.books()[link];
    if (!terms.is_at(place)) continue;
    const bool is_over = terms.of_pots ? book.gone : book.stopped || book.gone;
    if (is_over) {
      all.push_back({LinkId(terms.id), "this progressive takes no more wagers"});
    } else if (!book.suspended.empty()) {
      all.push_back({LinkId(terms.id), book.suspended});
    }
  }
  if (all != told) return "other links are told to be suspended";
  return std::nullopt;
}

Finding SimulationJudge::check_heartbeat(const HeartbeatAnswer& found,
                                         const ExpectedReplies& expected) const {
  if (found.table != expected.heartbeat.table) return "heartbeat of another table";
  if (found.wants_hello != *expected.wants_hello) return "heartbeat: a Hello is wanted, or is not";
  for (const ClaimNotice& told : found.claims) {
    const std::uint64_t number = told.number.value();
    if (number == 0 || number > model_.claims().size()) return "heartbeat: a claim of nobody";
    const NaiveClaim& claim = model_.claims()[number - 1];
    if (model_.tables()[claim.table].id != found.table.text()) return "another table's claim";
    if (claim.award.amount != Exact{told.amount.units()}) return "heartbeat: another amount";
    const std::vector<std::string> steps{"raised", "validated", "paid", "rejected"};
    if (steps[static_cast<std::size_t>(claim.step)] != told.state) {
      return "heartbeat: claim " + std::to_string(number) + " stands otherwise";
    }
  }
  return check_suspended(found.table, found.suspended);
}

Finding SimulationJudge::check_answers(const ExpectedReplies& expected,
                                       const std::vector<Acknowledgement>& found) const {
  if (expected.answers.size() != found.size()) {
    return std::to_string(found.size()) + " answers, expected " +
           std::to_string(expected.answers.size());
  }
  for (std::size_t at = 0; at < found.size(); ++at) {
    const ExpectedAnswer& wanted = expected.answers[at];
    const Acknowledgement& one = found[at];
    const std::string which = "message " + std::to_string(wanted.number.value());
    if (one.number != wanted.number) return which + " is not answered in its turn";
    if (!wanted.is_journaled) {
      if (one.entry != EntryNumber()) return which + ": acknowledged, and must be refused";
      if (one.refusal == wanted.refusal) continue;
      return which + ": refused as " + std::string(name(one.refusal)) + ", expected " +
             std::string(name(wanted.refusal));
    }
    const Told* what = told(*expected.table, one.number);
    if (what == nullptr) return which + " is acknowledged, and is not on the disk";
    if (what->entry != one.entry || what->refusal != one.refusal) {
      return which + " is answered with entry " + std::to_string(one.entry.value()) +
             ", expected " + std::to_string(what->entry.value());
    }
    if (what->awards.size() != one.awards.size()) return which + ": other awards are told";
    for (std::size_t award = 0; award < one.awards.size(); ++award) {
      if (!is_same(what->awards[award], one.awards[award])) return which + ": another award";
    }
  }
  return std::nullopt;
}

}  // namespace linkmeter
