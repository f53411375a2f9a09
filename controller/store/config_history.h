// Configuration text: the configuration of a floor as texts: the floor file and the chapters that
// it was resolved against, which the journal keeps whole with the entry that they took effect with.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/facts/operator_command.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"

namespace linkmeter {

// A configuration as journaled, and who made it so: entry 1, or the entry of a confirmed change.
struct Configuration {
  EntryNumber since;
  Timestamp at;
  Floor floor;
  std::string floor_text;
  std::vector<std::string> catalogue_texts;
  Badge proposed_by = {}, confirmed_by = {};  // of a change
  std::vector<std::string> changes = {};      // likewise
};

// nullopt: the entry makes none.
std::optional<Configuration> configuration_of(const Entry& entry);
// Throws Fault. REQUIRES: `state` is what the journal holds.
Configuration configuration_in_force(const Journal& journal, const State& state);

// The one that was in force when an entry was made. Each change of parameters names the one that it
// changed: so it is found by as many single entries as there were changes since, and by walking
// back from the entry only where the stored state or an old entry does not say. Throws Fault.
Configuration configuration_at(const Journal& journal, EntryNumber entry);

// SHA-256 of a floor file; of the digests of its chapters, one after the other.
Digest floor_digest(const std::string& floor_text);
Digest catalogue_digest(const std::vector<std::string>& catalogue_texts);

// When the house's days begin: "America/New_York", "06:00". A floor that this release does not read
// any more has no zone that it could tell: "".
struct HouseTimes {
  std::string zone, start;
};
HouseTimes times_of(const Configuration& configuration);

std::variant<FloorFile, Violations> resolve_again(const std::string& floor_text,
                                                  const std::vector<std::string>& catalogue_texts);
// What the act proposes, or confirms, as other parameters: resolved from its texts. A proposal gets
// its floor and digests by this. nullopt: the act changes none, or its texts do not resolve (to the
// floor that was proposed).
std::optional<FloorFile> resolve_parameters(OperatorCommand& act, const State& state);
// Did decide() get as far as the floor that a person's act proposes?
bool wants_resolved(const Decision& decision);
// Is this the entry that other parameters take effect with?
bool changes_parameters(const Entry& entry);

}  // namespace linkmeter
