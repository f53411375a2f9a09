// Decoded external input: messages of tables and acts of people, decided in the house of the
// fixture; and frames of a controller, received by a table's agent.
#include <string>
#include <variant>

#include "controller/view/claim_json.h"
#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"
#include "table-agent/link/table_agent.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"
#include "tests/support/memory_outbox.h"

namespace linkmeter::fuzz {
namespace {

Timestamp decided_at() { return Timestamp::from_microseconds(4'000'000); }

// For every input: no law is broken, the entry is valid, and it is the same when it is read back.
void hold_decision(const Decision& decision) {
  const State& before = Played::once().state;
  const auto* entry = std::get_if<Entry>(&decision);
  if (entry == nullptr) return;
  INVARIANT(!law_violation(*entry));
  INVARIANT(!validate_entry(before, *entry));
  const auto again = decode_entry(encode(*entry));
  INVARIANT(again.has_value());
  INVARIANT(*again == *entry);
  State after = before;
  after.apply(*entry);
  INVARIANT(!law_violation(after));
  hold_readers(*entry, after);
  for (std::size_t at = before.claims().size(); at < after.claims().size(); ++at) {
    const Claim& claim = after.claims()[at];
    const LinkRules& rules = Played::once().rules.link(claim.link);
    for (const ClaimFlag& flag : flags_of(after, claim, rules)) INVARIANT(!flag.why.empty());
  }
}

// A badge of the house, so that most requests do not come from strangers.
Badge somebody(const Badge& badge) {
  const auto& people = Played::once().state.people();
  if (people.contains(badge)) return badge;
  auto found = people.begin();
  std::advance(found, static_cast<std::ptrdiff_t>(badge.text().size() % people.size()));
  return found->first;
}

// As if it were the answer to the end of the day.
void hold_counts(const Heartbeat& heartbeat) {
  const State& state = Played::once().state;
  const auto place = state.floor().find_table(heartbeat.table);
  if (!place || !heartbeat.counts) return;
  TableCounters counters{*place, heartbeat.counts->from, state.session(*place).last_number(), {}};
  for (const ReportedCounts::Link& one : heartbeat.counts->links) {
    const auto link = state.floor().find_link(one.link);
    if (link) counters.reported.push_back({*link, one.rounds, one.wagers, one.handle});
  }
  hold_decision(decide(state, FloorRules(), counters, decided_at()));
}

}  // namespace

// The message gets the table's next number, because a wrong number is refused before anything else
// is checked.
void judge_decision(std::string_view bytes) {
  const Played& played = Played::once();
  if (const auto said = decode_from_table(bytes)) {
    if (const auto* heartbeat = std::get_if<Heartbeat>(&*said)) hold_counts(*heartbeat);
    const auto* told = std::get_if<TableMessage>(&*said);
    const auto place =
        told == nullptr ? std::nullopt : played.state.floor().find_table(told->table);
    if (place) {
      TableMessage message = *told;
      message.number = played.state.session(*place).last_number().next();
      const Decision decision = decide(played.state, played.rules, message, decided_at());
      INVARIANT(!std::holds_alternative<Answer>(decision));
      hold_decision(decision);
    }
  }
  if (const auto request = decode_control_request(bytes)) {
    const PersonMessage message{somebody(request->badge), request->act};
    hold_decision(decide(played.state, played.rules, message, decided_at()));
  }
}

// The agent has submitted three messages, and none is answered, when this arrives.
void judge_table_agent(std::string_view bytes) {
  const TableId table("G-01");
  const auto at_ms = [](std::int64_t ms) { return Timestamp::from_microseconds(ms * 1'000); };
  const Head head{EntryNumber(1), {}};
  MemoryOutbox outbox;
  TableAgent agent(table, outbox);
  INVARIANT(agent.to_send(at_ms(0)).size() == 1);
  Welcome welcome{table, MessageNumber(0), head, Refusal::none};
  welcome.question = 1;
  static_cast<void>(agent.receive(encode(ToTable(welcome)), at_ms(1)));
  INVARIANT(agent.is_welcome());
  agent.count_by(LocalCounters(Played::once().state.floor().links));
  for (const char* round : {"r1", "r2", "r3"}) {
    agent.submit(CloseRound{RoundId(round), Badge()}, {"test", round}, at_ms(1));
  }
  static_cast<void>(agent.to_send(at_ms(2)));
  const auto frames = outbox.unacknowledged();
  try {
    const std::vector<Answered> answered = agent.receive(bytes, at_ms(3)).answered;
    INVARIANT(answered.size() + outbox.unacknowledged().size() == frames.size());
    INVARIANT(agent.unacknowledged_count() == outbox.unacknowledged().size());
    static_cast<void>(agent.receive(bytes, at_ms(4)));
    static_cast<void>(agent.to_send(at_ms(5)));
    static_cast<void>(agent.lockout(at_ms(5)));
  } catch (const Fault& fault) {
    INVARIANT(!std::string_view(fault.what()).empty());
    // Unanswered messages are kept, so that a person can fix the problem.
    INVARIANT(outbox.unacknowledged().size() <= frames.size());
  }
}

}  // namespace linkmeter::fuzz
