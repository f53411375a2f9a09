// Configuration history: the configuration of a floor as text. The journal keeps the floor file and
// the catalogue files that it was resolved against in the entry that put them into effect.
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

// A journaled configuration, with the people who changed it: entry 1, or the entry of a confirmed
// change.
struct Configuration {
  EntryNumber since;
  Timestamp at;
  Floor floor;
  std::string floor_text;
  std::vector<std::string> catalogue_texts;
  Badge proposed_by = {}, confirmed_by = {};  // for a change only
  std::vector<std::string> changes = {};      // for a change only
};

// nullopt: the entry sets no configuration.
std::optional<Configuration> configuration_of(const Entry& entry);
// Throws Fault. REQUIRES: `state` is what the journal holds.
Configuration configuration_in_force(const Journal& journal, const State& state);

// The configuration in force when `entry` was made. Each parameter change names the configuration
// before it, so the search reads one entry for each change since. It walks back entry by entry only
// if neither the stored state nor an old entry names one. Throws Fault.
Configuration configuration_at(const Journal& journal, EntryNumber entry);

// SHA-256 of a floor file, and of the concatenated digests of its catalogue files.
Digest floor_digest(const std::string& floor_text);
Digest catalogue_digest(const std::vector<std::string>& catalogue_texts);
// Whether the entry confirms parameters with other texts than those of its digests.
bool has_other_texts(const Entry& entry);

// When the house's gaming days begin: "America/New_York", "06:00". Empty if this release can no
// longer read the floor.
struct HouseTimes {
  std::string zone, start;
};
HouseTimes times_of(const Configuration& configuration);

std::variant<FloorFile, Violations> resolve_again(const std::string& floor_text,
                                                  const std::vector<std::string>& catalogue_texts);
// Resolves the parameters that the command proposes or confirms from its texts, and fills in the
// floor and digests of a proposal. nullopt: the command changes no parameters, or its texts do not
// resolve (to the floor that was proposed).
std::optional<FloorFile> resolve_parameters(OperatorCommand& act, const State& state);
// Whether decide() needs the resolved floor of the proposed parameters.
bool wants_resolved(const Decision& decision);
// Whether new parameters take effect with this entry.
bool changes_parameters(const Entry& entry);

}  // namespace linkmeter
