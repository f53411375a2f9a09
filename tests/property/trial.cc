#include "tests/property/trial.h"

#include <algorithm>
#include <vector>

#include "controller/store/config_history.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/property/judge.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

namespace {

using Divergence = std::optional<std::string>;

constexpr std::size_t whole_state_every = 128;  // entries between two complete comparisons

class Trial {
 public:
  Trial(const FloorFile& file, std::uint64_t seed, const Decide& decide, TrialReport& report)
      : rules_(file.rules),
        decide_(decide),
        report_(report),
        model_(file.floor, file.text, trial_staff(), file.catalogue_texts),
        floor_(file.floor),
        traffic_(floor_, seed),
        dice_(seed + 1) {
    take(open_floor(opened(file), trial_moment()));
  }

  Divergence step() {
    ++report_.messages;
    TimedInput heard = traffic_.next(model_);
    resolve(heard);
    const Verdict expected =
        std::visit([&](const auto& said) { return hears(said, heard); }, heard.said);
    const Decision said = decide_(state_, rules_, heard);
    if (Divergence no = judge(expected, said, heard.now)) return no;
    if (const auto* entry = std::get_if<Entry>(&said)) take_effect(*entry, heard);
    return std::nullopt;
  }

  // Compares everything once more at the end; and every kept state with the written rows.
  Divergence finish() {
    if (Divergence no = look_at_everything()) return no;
    keep_moment();
    return replay();
  }

 private:
  struct Moment {
    State state;
    std::map<std::string, std::string> rows;
  };

  Verdict hears(const TableMessage& message, const TimedInput& heard) {
    return model_.on_reply(message, heard.now);
  }
  Verdict hears(const PersonMessage& message, const TimedInput& heard) {
    return model_.on_reply(with_edge(message, heard), heard.now, heard.proposed.has_value());
  }
  Verdict hears(const DayEnd& end, const TimedInput& heard) {
    return model_.on_reply(end, heard.now);
  }
  Verdict hears(const TableCounters& counters, const TimedInput&) {
    return model_.on_reply(counters);
  }
  Verdict hears(const SignIn& sign_in, const TimedInput& heard) {
    return model_.on_reply(sign_in, heard.now);
  }

  // What the controller's edge does for a change of parameters.
  void resolve(TimedInput& heard) const {
    auto* asked = std::get_if<PersonMessage>(&heard.said);
    if (asked == nullptr) return;
    if (auto file = resolve_parameters(asked->act, state_)) heard.proposed = std::move(file->rules);
  }
  void take_effect(const Entry& entry, TimedInput& heard) {
    if (!changes_parameters(entry)) return;
    rules_ = std::move(*heard.proposed);
    // Element by element: the traffic of the tables has pointers to them.
    for (std::size_t at = 0; at < floor_.links.size(); ++at) {
      floor_.links[at] = state_.floor().links[at];
    }
  }

  Divergence judge(const Verdict& expected, const Decision& said, Timestamp now) {
    if (Divergence no = difference(expected, said)) return no;
    note(expected);
    const auto* entry = std::get_if<Entry>(&said);
    if (entry != nullptr) {
      if (entry->recorded_at != now) return "recorded at another moment";
      if (Divergence no = law_violation(*entry)) return no;
      if (Divergence no = validate_entry(state_, *entry)) return "violation: " + *no;
      take(*entry);
      for (std::uint32_t link = 0; link < model_.books().size(); ++link) {
        if (Divergence no = law_violation(state_, LinkIndex(link))) return no;
      }
    }
    const std::size_t claims = model_.claims().size();
    if (Divergence no = difference(model_, state_, claims - std::min<std::size_t>(claims, 12))) {
      return no;
    }
    if (entry == nullptr || entry->number.value() % whole_state_every != 0) return std::nullopt;
    if (dice_.one_in(5)) keep_moment();
    return look_at_everything();
  }

  void take(const Entry& entry) {
    state_.apply(entry);
    entries_.push_back(encode(entry));
    for (Row& row : rows_for(state_, state_.take_changes())) {
      if (row.value) {
        rows_[row.key] = *row.value;
      } else {
        rows_.erase(row.key);
      }
    }
    ++report_.entries;
    for (const Posting& posting : entry.postings) {
      const bool repaid = posting.account == Account::withheld && posting.amount > Amount();
      report_.withheld_repaid += repaid ? 1 : 0;
      const bool overflowed = posting.account == Account::overflow && posting.amount > Amount();
      report_.overflows += overflowed ? 1 : 0;
    }
  }

  void note_rules(const std::string& done, const DualControlCommand& act) {
    const std::string summary = naive_summary(act);
    for (const std::string rule : {" pays ", " envy on ", " order of lines ", " verified from "}) {
      if (summary.find(rule) != std::string::npos) ++report_.facts[done + rule];
    }
  }
  void note(const Verdict& verdict) {
    if (verdict.kind == Verdict::Kind::repeat) {
      ++report_.repeats;
      return;
    }
    ++report_.refusals[verdict.refusal];
    ++report_.facts[verdict.fact];
    if (verdict.is_no_hand) ++report_.facts["no hand"];
    if (verdict.shown_again) ++report_.facts["shown again"];
    if (verdict.fact == "act_proposed") note_rules("proposed", *verdict.dual);
    if (verdict.fact == "act_confirmed") {
      note_rules("confirmed", *verdict.dual);
      const std::string summary = naive_summary(*verdict.dual);
      ++report_.facts["confirmed " + summary.substr(0, summary.find_first_of(" \n"))];
    }
    if (verdict.fact == "claim_rejected") ++(verdict.restored ? report_.restored : report_.kept);
    const bool played = verdict.fact == "round_locked" || verdict.fact == "count_resolved" ||
                        verdict.fact == "pot_played";
    report_.rounds += played ? 1 : 0;
    report_.hits += verdict.calls.size();
    report_.capped += verdict.capped;
    report_.capped_meters += verdict.capped_meters;
    std::map<std::pair<std::uint32_t, bool>, std::size_t> winners;
    for (const NaiveAward& award : verdict.awards) {
      report_.envies += award.kind == NaiveAward::Kind::envy ? 1 : 0;
      if (award.kind != NaiveAward::Kind::envy) {
        report_.lines.insert(model_.terms()[award.link].wager + " " + award.line +
                             (award.on_dealer ? " on dealer" : ""));
      }
      const bool together = model_.terms()[award.link].rules.hand != NaiveHand::own;
      if (award.level >= 0 && together) ++winners[{award.link, award.on_dealer}];
    }
    for (const auto& [who, count] : winners) report_.shared += count > 1 ? 1 : 0;
  }

  Divergence look_at_everything() {
    if (Divergence no = law_violation(state_)) return no;
    return difference(model_, state_, 0);
  }

  void keep_moment() {
    if (moments_.size() < 8) moments_.push_back({state_, rows_});
  }

  Divergence replay() const {
    State replayed;
    auto moment = moments_.begin();
    for (const std::string& bytes : entries_) {
      const std::optional<Entry> entry = decode_entry(bytes);
      if (!entry) return "an entry cannot be read back";
      if (encode(*entry) != bytes) return "an entry read back is not the entry that was written";
      if (Divergence no = validate_entry(replayed, *entry)) return "violation in replay: " + *no;
      replayed.apply(*entry);
      for (; moment != moments_.end() && moment->state.last_entry() == entry->number; ++moment) {
        if (replayed != moment->state) return "replay differs from what was live";
        if (Divergence no = read_back(*moment)) return no;
      }
    }
    if (moment != moments_.end()) return "a kept moment was never reached";
    return std::nullopt;
  }

  static Divergence read_back(const Moment& moment) {
    std::vector<Row> rows;
    for (const auto& [key, value] : moment.rows) rows.push_back({key, value});
    const StateRead read = read_state(moment.state.last_entry(), rows);
    if (!read.state) return "the state's rows cannot be read back: " + read.why;
    if (*read.state != moment.state) return "the state's rows are not the state";
    return std::nullopt;
  }

  FloorRules rules_;  // of the parameters in force
  const Decide& decide_;
  TrialReport& report_;
  State state_;
  NaiveModel model_;
  Floor floor_;  // as the tables know it
  FloorTraffic traffic_;
  Dice dice_;
  std::vector<std::string> entries_;
  std::map<std::string, std::string> rows_;
  std::vector<Moment> moments_;
};

}  // namespace

Timestamp trial_moment() { return Timestamp::from_microseconds(1'700'000'000'000'000); }

Decision core_decides(const State& state, const FloorRules& rules, const TimedInput& heard) {
  if (const auto* asked = std::get_if<PersonMessage>(&heard.said)) {
    PersonMessage message = with_edge(*asked, heard);
    if (heard.proposed) message.proposed = &*heard.proposed;
    return decide(state, rules, std::move(message), heard.now);
  }
  return std::visit([&](const auto& said) { return decide(state, rules, said, heard.now); },
                    heard.said);
}

void TrialReport::add(const TrialReport& other) {
  if (!divergence) divergence = other.divergence;
  messages += other.messages;
  rounds += other.rounds;
  entries += other.entries;
  repeats += other.repeats;
  envies += other.envies;
  hits += other.hits;
  withheld_repaid += other.withheld_repaid;
  overflows += other.overflows;
  capped += other.capped;
  capped_meters += other.capped_meters;
  shared += other.shared;
  restored += other.restored;
  kept += other.kept;
  for (const auto& [fact, count] : other.facts) facts[fact] += count;
  for (const auto& [refusal, count] : other.refusals) refusals[refusal] += count;
  lines.insert(other.lines.begin(), other.lines.end());
}

TrialReport run_trial(const FloorFile& file, std::uint64_t seed, std::size_t messages,
                      const Decide& decide) {
  TrialReport report;
  Trial trial(file, seed, decide, report);
  while (!report.divergence && report.messages < messages) report.divergence = trial.step();
  if (!report.divergence) report.divergence = trial.finish();
  if (report.divergence) {
    report.divergence = "seed " + std::to_string(seed) + ", message " +
                        std::to_string(report.messages) + ": " + *report.divergence;
  }
  return report;
}

}  // namespace linkmeter
