#include "meters/decide.h"

#include <algorithm>

#include "meters/check.h"
#include "meters/settlement.h"
#include "meters/table_decision.h"

namespace linkmeter {

namespace {

// A person's step on a claim: an outcome without a table.
class ClaimDecision {
 public:
  ClaimDecision(const State& state, const FloorRules& rules) : state_(state), rules_(rules) {}

  Outcome operator()(const ValidateClaim& validate) const {
    const Claim* claim = state_.find_claim(validate.claim);
    if (validate.by.empty() || !is_well_formed_badge(validate.by)) {
      return refused(Refusal::name_malformed);
    }
    if (claim == nullptr) return refused(Refusal::claim_unknown);
    if (claim->state != ClaimState::raised) return refused(Refusal::claim_not_raised);
    return accepted(ClaimValidated{validate.claim, validate.by});
  }

  Outcome operator()(const PayClaim& pay) const {
    const Claim* claim = state_.find_claim(pay.claim);
    if (pay.by.empty() || !is_well_formed_badge(pay.by)) return refused(Refusal::name_malformed);
    if (claim == nullptr) return refused(Refusal::claim_unknown);
    if (claim->state != ClaimState::validated) return refused(Refusal::claim_not_validated);
    Settlement settlement(state_, rules_);
    if (claim->level) {
      const auto& barred = rules_.link(claim->link).wager.meter_award_not_from;
      if (std::find(barred.begin(), barred.end(), pay.source) != barred.end()) {
        return refused(Refusal::source_not_allowed);
      }
      settlement.pay(claim->link, *claim->level, claim->amount);
    }
    return accepted(ClaimPaid{pay.claim, pay.source, pay.by}, settlement.postings());
  }

 private:
  const State& state_;
  const FloorRules& rules_;
};

}  // namespace

Decision decide(const State& state, const FloorRules& rules, const TableMessage& message,
                Timestamp now) {
  CHECK(state.is_open());
  const std::optional<TablePlace> table = state.floor().find_table(message.table);
  if (!table) return Refusal::table_unknown;

  // A repeat is looked for before anything else: what was answered once is answered again.
  const Desk& desk = state.desk(*table);
  if (message.number <= desk.last_number()) {
    const Answer* known = desk.find_answer(message.number);
    if (known == nullptr) return Refusal::message_number_forgotten;
    if (known->digest != message.digest) return Refusal::message_number_reused;
    return *known;
  }
  if (message.number != desk.last_number().next()) return Refusal::message_out_of_order;

  Outcome outcome = std::visit(TableDecision(state, rules, *table), message.command);
  return Entry{state.last_entry().next(), now,
               Origin{*table, message.number, message.digest, message.sent_at},
               std::move(outcome.fact), std::move(outcome.postings)};
}

Decision decide(const State& state, const FloorRules& rules, const ClaimCommand& command,
                Timestamp now) {
  CHECK(state.is_open());
  Outcome outcome = std::visit(ClaimDecision(state, rules), command);
  if (outcome.refusal != Refusal::none) return outcome.refusal;
  return Entry{state.last_entry().next(), now, std::nullopt, std::move(outcome.fact),
               std::move(outcome.postings)};
}

Entry open_floor(FloorOpened opened, Timestamp now) {
  std::vector<Posting> postings;
  for (std::uint32_t index = 0; index < opened.floor.links.size(); ++index) {
    const LinkTerms& terms = opened.floor.links[index];
    Draft draft(LinkPlace(index), terms, LinkBook::opened(terms));
    draft.seed();
    postings.insert(postings.end(), draft.postings().begin(), draft.postings().end());
  }
  return Entry{EntryNumber(1), now, std::nullopt, std::move(opened), std::move(postings)};
}

Answer answer_of(const Entry& entry) {
  CHECK(entry.origin.has_value());
  const auto* no = std::get_if<MessageRefused>(&entry.fact);
  return Answer{entry.origin->number, entry.number, no ? no->refusal : Refusal::none,
                entry.origin->digest};
}

}  // namespace linkmeter
