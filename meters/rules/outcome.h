// Outcome: what deciding a command gives, before it becomes an entry; Decision: the result of
// decide().
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "meters/state/table_session.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// A fact to be entered, or the reason for a refusal.
struct Outcome {
  Refusal refusal = Refusal::none;
  Fact fact;
  std::vector<Posting> postings;
  std::string about = {};  // the subject of a refusal, if one link is the reason
};

Outcome refused(Refusal refusal, std::string about = {});
Outcome accepted(Fact fact, std::vector<Posting> postings = {});

// Entry: a new fact, possibly a refusal (see is_journaled). Answer: the stored answer to a repeat.
// Refusal: not journaled; nothing changes.
using Decision = std::variant<Entry, Answer, Refusal>;

// The next entry, without postings, for a fact that answers no table's message.
[[nodiscard]] Entry next_entry(const State& state, Fact fact, Timestamp now);

// Whether the badge is empty or a well-formed name. Empty is valid where the chapter asks for no
// badge.
bool is_well_formed_badge(const Badge& badge);
// Whether the note is empty or a well-formed text.
bool is_well_formed_note(const std::string& note);

}  // namespace linkmeter
