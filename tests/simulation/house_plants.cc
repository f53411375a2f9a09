// House: planted mistakes between its parts; without a plant nothing happens.

#include <algorithm>
#include <utility>

#include "proto/codec/journal_codec.h"
#include "tests/property/floors.h"
#include "tests/simulation/house.h"
#include "tests/simulation/spoiled_entry.h"
#include "tests/support/keys.h"

namespace linkmeter {

namespace {

// A table's session as a restart that forgets something would restore it.
using Forget = TableSession (*)(const TableSession&);

// Rounds and money are there, but not which messages were answered.
TableSession without_answers(const TableSession& session) {
  return TableSession::restored(MessageNumber(0), {}, session.rounds(), session.ended(),
                                session.ended_count());
}

TableSession without_rounds(const TableSession& session) {
  return TableSession::restored(session.last_number(), session.answers(), {}, session.ended(),
                                session.ended_count());
}

State forgotten(const State& state, Forget forget) {
  std::vector<LinkBalances> links;
  std::vector<TableSession> sessions;
  for (std::uint32_t link = 0; link < state.floor().links.size(); ++link) {
    links.push_back(state.link(LinkIndex(link)));
  }
  for (std::uint32_t table = 0; table < state.floor().tables.size(); ++table) {
    sessions.push_back(forget(state.session(TableIndex(table))));
  }
  Staff staff{state.people(), state.proposals(), state.last_proposal(), state.enrolments(),
              state.recovery()};
  return State::restored(state.last_entry(), state.floor(), links, sessions, state.claims(),
                         std::move(staff), state.configuration(), state.slips(), state.days(),
                         state.restorations(), state.last_check(), state.moments(), state.clock(),
                         state.keys());
}

// The entry as a forger wants it.
std::string edited(const std::string& bytes) {
  auto entry = decode_entry(bytes);
  if (!entry) return bytes;
  entry->recorded_at = entry->recorded_at.after(1);
  return encode(*entry);
}

// Whether the plant changes an answer to a table.
bool change_answer(ToTable& reply, Plant plant) {
  if (auto* answers = std::get_if<Acknowledgements>(&reply)) {
    if (answers->list.empty()) return false;
    Acknowledgement& last = answers->list.back();
    if (plant == Plant::acknowledged_ahead) {
      if (last.entry == EntryNumber()) return false;
      Acknowledgement ahead = last;
      ahead.number = last.number.next();
      ahead.mark = 0;
      answers->list.push_back(ahead);
      return true;
    }
    if (plant == Plant::answer_of_another && last.entry.value() > 2) {
      last.entry = EntryNumber(last.entry.value() - 1);
      return true;
    }
  }
  auto* heartbeat = std::get_if<HeartbeatAnswer>(&reply);
  if (plant != Plant::suspension_not_told || heartbeat == nullptr) return false;
  const bool is_told = !heartbeat->suspended.empty();
  heartbeat->suspended.clear();
  return is_told;
}

}  // namespace

void House::plant_disk() {
  if (plant_ == Plant::disk_does_not_sync) disk_.set_syncing(false);
  const Spoil spoil = spoil_of(plant_);
  if (spoil == nullptr) return;
  disk_.set_altering([spoil](std::vector<std::string>& entries) {
    for (std::string& bytes : entries) {
      auto entry = decode_entry(bytes);
      if (entry && spoil(*entry)) bytes = encode(*entry);
    }
  });
}

State House::planted(State state) const {
  if (plant_ == Plant::controller_forgets_answers) return forgotten(state, without_answers);
  if (plant_ == Plant::round_forgotten_at_restart) return forgotten(state, without_rounds);
  return state;
}

// Another house's floor has the same names and other paytables.
FloorRules House::planted_rules() const {
  FloorRules rules = file_.rules;
  if (plant_ != Plant::paytable_of_another_house) return rules;
  for (LinkRules& link : rules.links) {
    for (Line& line : link.paytable.lines) line.pays.multiple += 1;
  }
  return rules;
}

void House::plant_received(std::vector<InboundMessage>& received) {
  if (received.empty()) return;
  if (plant_ == Plant::revoked_table_heard) {
    // The authenticator still uses yesterday's keys.
    for (InboundMessage& one : received) {
      const std::string* now = judge_.key_of_table(one.peer);
      if (now != nullptr) one.key = *now;
    }
  }
  if (plant_ == Plant::key_of_another_table) {
    const std::string& other = file_.floor.tables[dice_.below(file_.floor.tables.size())].id.text();
    if (const std::string* key = judge_.key_of_table(other)) received.front().key = *key;
  }
  if (plant_ != Plant::repeats_taken_for_new) return;
  const auto decoded = decode_from_table(received.front().bytes);
  const auto* message = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  if (message == nullptr) return;
  const auto table = file_.floor.find_table(message->table);
  const MessageNumber last = controller_->state().session(table.value()).last_number();
  if (message->number > last) return;
  TableMessage again = *message;
  again.number = last.next();
  received.front().bytes = encode(again);
}

void House::plant_turn(Controller::Turn& turn) {
  if (plant_ == Plant::none) return;
  if (plant_ == Plant::person_told_ahead && !turn.socket_replies.empty()) {
    turn.socket_replies.front().reply.refusal = Refusal::none;
    turn.socket_replies.front().reply.entry = turn.socket_replies.front().reply.entry.next();
  }
  for (Reply& reply : turn.replies) {
    auto decoded = decode_to_table(reply.bytes);
    if (decoded && change_answer(*decoded, plant_)) {
      reply.bytes = encode(*decoded);
      return;
    }
  }
}

// The link with the win takes no wagers until a person has checked it.
Finding House::plant_suspension(const Controller::Turn& turn, Timestamp at) {
  if (plant_ != Plant::link_stops_after_a_win || turn.raised.empty()) return std::nullopt;
  const Claim& claim = *controller_->state().find_claim(turn.raised.front());
  static_cast<void>(controller_->suspend({{claim.link, "a win is looked at"}}, at));
  return judge_.turned(disk_, controller_->state());
}

void House::plant_stopped() {
  const std::size_t entries = disk_.head().entry.value();
  if (entries < 4) return;
  const std::size_t kept = 1 + dice_.below(entries - 2);
  if (plant_ == Plant::entry_edited) disk_.rewrite(kept, edited, false);
  if (plant_ == Plant::entry_edited_and_chained) disk_.rewrite(kept, edited, true);
  if (plant_ == Plant::entries_cut) disk_.cut_last_commit();
}

}  // namespace linkmeter
