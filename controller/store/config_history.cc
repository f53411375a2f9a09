#include "controller/store/config_history.h"

#include <utility>

#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "proto/codec/state_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

const ChangeParameters* confirmed_change(const Entry& entry) {
  const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  return confirmed == nullptr ? nullptr : std::get_if<ChangeParameters>(&confirmed->act);
}

// Requires a time zone that this system knows: otherwise the controller could not end days after
// its next start.
std::optional<FloorFile> resolved(const ChangeParameters& change) {
  auto read = resolve_again(change.floor_text, change.catalogue_texts);
  auto* file = std::get_if<FloorFile>(&read);
  if (file == nullptr) return std::nullopt;
  try {
    const Calendar known(file->timezone, file->gaming_day_start);
  } catch (const Fault&) {
    return std::nullopt;
  }
  return std::move(*file);
}

// The configuration that this entry sets; nullopt: none, or there is no such entry. `changed`: set
// to the entry of the configuration that it replaced; 0: not recorded.
std::optional<Configuration> configuration_with(const Journal& journal, EntryNumber number,
                                                EntryNumber* changed = nullptr) {
  const std::optional<Entry> entry = find_entry(journal, number);
  if (!entry) return std::nullopt;
  const ChangeParameters* change = confirmed_change(*entry);
  if (changed != nullptr && change != nullptr) *changed = change->since;
  return configuration_of(*entry);
}

}  // namespace

std::optional<Configuration> configuration_of(const Entry& entry) {
  if (const auto* opened = std::get_if<FloorOpened>(&entry.fact)) {
    return Configuration{entry.number, entry.recorded_at, opened->floor, opened->floor_text,
                         opened->catalogue_texts};
  }
  const ChangeParameters* change = confirmed_change(entry);
  if (change == nullptr) return std::nullopt;
  const auto& confirmed = std::get<ActConfirmed>(entry.fact);
  return Configuration{entry.number,       entry.recorded_at,       change->floor,
                       change->floor_text, change->catalogue_texts, confirmed.proposed_by,
                       confirmed.by,       change->changes};
}

Configuration configuration_in_force(const Journal& journal, const State& state) {
  auto found = configuration_with(journal, state.configuration());
  if (!found) {
    throw Fault("entry " + std::to_string(state.configuration().value()) +
                " of the journal does not hold the parameters in force");
  }
  return std::move(*found);
}

Configuration configuration_at(const Journal& journal, EntryNumber entry) {
  std::optional<EntryNumber> since;
  if (auto row = journal.row("floor")) {
    since = read_configuration_row(Row{"floor", std::move(*row)});
  }
  // If a writer runs, the row may be newer than the entries visible here.
  while (since && *since != EntryNumber() && *since <= journal.head().entry) {
    EntryNumber changed;
    auto configuration = configuration_with(journal, *since, &changed);
    if (!configuration) break;
    if (*since <= entry) return std::move(*configuration);
    if (changed >= *since) break;
    since = changed;
  }
  for (std::uint64_t number = entry.value(); number > 0; --number) {
    if (auto found = configuration_with(journal, EntryNumber(number))) return std::move(*found);
  }
  throw Fault("the journal does not hold the parameters that were in force at entry " +
              std::to_string(entry.value()));
}

Digest floor_digest(const std::string& floor_text) { return sha256(floor_text); }

Digest catalogue_digest(const std::vector<std::string>& catalogue_texts) {
  std::string digests;
  for (const std::string& text : catalogue_texts) {
    for (const std::uint8_t byte : sha256(text)) digests += static_cast<char>(byte);
  }
  return sha256(digests);
}

bool has_other_texts(const Entry& entry) {
  const ChangeParameters* change = confirmed_change(entry);
  return change != nullptr &&
         (floor_digest(change->floor_text) != change->floor_digest ||
          catalogue_digest(change->catalogue_texts) != change->catalogue_digest);
}

std::variant<FloorFile, Violations> resolve_again(const std::string& floor_text,
                                                  const std::vector<std::string>& catalogue_texts) {
  std::vector<CatalogueText> texts;
  for (std::size_t at = 0; at < catalogue_texts.size(); ++at) {
    texts.push_back({"journaled chapter " + std::to_string(at + 1), catalogue_texts[at]});
  }
  return parse_floor("the journaled floor", floor_text, texts);
}

std::optional<FloorFile> resolve_parameters(OperatorCommand& act, const State& state) {
  if (auto* propose = std::get_if<Propose>(&act)) {
    auto* change = std::get_if<ChangeParameters>(&propose->act);
    if (change == nullptr) return std::nullopt;
    std::optional<FloorFile> file = resolved(*change);
    if (file) change->floor = file->floor;
    change->floor_digest = floor_digest(change->floor_text);
    change->catalogue_digest = catalogue_digest(change->catalogue_texts);
    return file;
  }
  const auto* confirm = std::get_if<Confirm>(&act);
  const Proposal* proposal = confirm == nullptr ? nullptr : state.find_proposal(confirm->proposal);
  if (proposal == nullptr) return std::nullopt;
  const auto* change = std::get_if<ChangeParameters>(&proposal->act);
  if (change == nullptr) return std::nullopt;
  std::optional<FloorFile> file = resolved(*change);
  return file && file->floor == change->floor ? std::move(file) : std::nullopt;
}

bool wants_resolved(const Decision& decision) {
  const auto* entry = std::get_if<Entry>(&decision);
  const auto* refused = entry == nullptr ? nullptr : std::get_if<CommandRejected>(&entry->fact);
  return refused != nullptr && refused->refusal == Refusal::floor_unresolved;
}

bool changes_parameters(const Entry& entry) { return confirmed_change(entry) != nullptr; }

HouseTimes times_of(const Configuration& configuration) {
  const auto resolved = resolve_again(configuration.floor_text, configuration.catalogue_texts);
  const auto* file = std::get_if<FloorFile>(&resolved);
  return file == nullptr ? HouseTimes() : HouseTimes{file->timezone, file->gaming_day_start};
}

}  // namespace linkmeter
