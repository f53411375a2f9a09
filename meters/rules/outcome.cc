#include "meters/rules/outcome.h"

#include <utility>

#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

Outcome refused(Refusal refusal, std::string about) {
  return {refusal, MessageRefused{refusal}, {}, std::move(about)};
}

Outcome accepted(Fact fact, std::vector<Posting> postings) {
  return {Refusal::none, std::move(fact), std::move(postings), ""};
}

Entry next_entry(const State& state, Fact fact, Timestamp now) {
  return Entry{state.last_entry().next(), now, std::nullopt, std::move(fact), {}};
}

bool is_well_formed_badge(const Badge& badge) {
  return badge.empty() || is_well_formed_name(badge.text());
}

bool is_well_formed_note(const std::string& note) {
  return note.empty() || is_well_formed_text(note, limits::reason_length_max);
}

}  // namespace linkmeter
