// Simulation judge: stands beside the controller's disk and every table, and holds what is
// journaled against what was said: every said message is exactly one entry, in order, and every
// person's act the entry that it must become; the naive model, fed in the journal's order, agrees
// with every figure; the laws hold after every turn; replay and rows are the live state. An auditor
// of its own predicts every answer before the turn. Gaming days end one after the other, each at
// its moment and before anything of the next one; recorded times go as the clocks say; and a table
// has counted what the journal has.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/turn/controller.h"
#include "controller/turn/message.h"
#include "meters/state/state.h"
#include "table-agent/link/table_agent.h"
#include "tests/property/naive_model.h"
#include "tests/simulation/asked.h"
#include "tests/simulation/clock_watch.h"
#include "tests/simulation/finding.h"

namespace linkmeter {

class SimulationJudge {
 public:
  explicit SimulationJudge(const FloorFile& file);

  // The table has stored these bytes under its next number.
  void stored(TableIndex table, const std::string& bytes);
  // Looks at everything that was journaled since the last look.
  Finding look(const Journal& journal);
  // The turn is about to take these, and begins at this moment.
  void expect(const std::vector<InboundMessage>& received, const std::vector<Asked>& asked);
  // A turn ended: its state and what it is about to say.
  Finding turned(const Journal& journal, const State& live, const Controller::Turn& turn);
  // The controller did something of its own: ended days, suspended links.
  Finding turned(const Journal& journal, const State& live);
  // It did nothing, and had nothing to do.
  [[nodiscard]] Finding idle() const;
  // A controller starts from what the journal holds; then it has checked itself, and serves.
  Finding restarted(const Journal& journal);
  Finding serves(const Journal& journal, const State& state);
  // A table was answered.
  Finding answered(TableIndex table, const std::vector<Answered>& answers) const;
  // At the end, all well: everything said is journaled.
  Finding finish(const Journal& journal);

  // Something is wrong with the disk: a link may suspend itself, a self-check fail.
  void note_damage() { is_damaged_ = true; }
  [[nodiscard]] ClockWatch& clock() { return clock_; }
  // What the signs were told last, when a day may end.
  void note_shown(const ShownAmounts& shown) { shown_ = shown; }
  [[nodiscard]] Timestamp last_recorded() const { return last_recorded_; }

  [[nodiscard]] const State& replayed() const { return replayed_; }
  [[nodiscard]] const NaiveModel& model() const { return model_; }
  // Whose key it is now; nullptr: nobody's, and the table is not heard.
  [[nodiscard]] const std::string* key_of_table(const std::string& table) const;
  // Was it ever revoked, or given to another one?
  [[nodiscard]] bool key_changed(const std::string& table) const {
    return key_changed_.contains(table);
  }
  // How often a table told what it has counted, and people's entries.
  [[nodiscard]] std::uint64_t reconciliations() const { return tellings_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& acts() const { return acts_; }

 private:
  struct Told {
    EntryNumber entry;
    Refusal refusal = Refusal::none;
    std::vector<NaiveAward> awards = {};
  };
  // An answer as it must come; entry 0: not journaled.
  struct ExpectedAnswer {
    MessageNumber number;
    Refusal refusal = Refusal::none;  // of what is not journaled
    bool is_journaled = false;
  };
  struct ExpectedReplies {
    std::optional<TableIndex> table;
    std::vector<ExpectedAnswer> answers;
    std::vector<Welcome> welcomes;  // table, last number, question and refusal
    Heartbeat heartbeat;
    std::optional<bool> wants_hello;  // set: the heartbeat is answered
  };
  struct AskedNow {
    Asked asked;
    bool is_in = false;          // he has signed in, and the act's entry is next
    bool is_witness_in = false;  // so has the witness
    bool is_done = false;
    ControlReply reply = {};  // refusal, entry and proposal
  };

  [[nodiscard]] bool is_unchanged(const Journal& journal) const {
    return journal.head() == Head{replayed_.last_entry(), last_hash_};
  }
  Finding take(const StoredEntry& stored);
  Finding take_from_table(const Entry& entry);
  // What the system enters by itself; nullptr: it is none of that.
  std::optional<Finding> take_own(const Entry& entry);
  Finding take_counters(const CountersReported& told, const Entry& entry);
  Finding take_self_check(const SelfChecked& checked, const Entry& entry);
  Finding take_from_person(const Entry& entry);
  [[nodiscard]] bool awaits_witness(const AskedNow& now) const;
  Finding take_witness(AskedNow& now, const Entry& entry);
  Finding take_act(AskedNow& now, const Entry& entry);
  // Those at the front who are nobody: turned away, no entry.
  void turn_strangers_away();
  bool is_refused_agent(AskedNow& now);
  Finding look_at_day(const Entry& entry);
  void note_keys();

  void expect(const InboundMessage& received);
  [[nodiscard]] Refusal refuse_key(const std::string& key, const TableId& table) const;
  Finding check_replies(const Journal& journal, const std::vector<Reply>& replies) const;
  Finding check_welcome(const Welcome& found, const Welcome& expected, const Head& head) const;
  Finding check_heartbeat(const HeartbeatAnswer& found, const ExpectedReplies& expected) const;
  Finding check_answers(const ExpectedReplies& expected,
                        const std::vector<Acknowledgement>& found) const;
  Finding check_suspended(const TableId& table, const std::vector<SuspendedLink>& told) const;
  Finding check_people(const Controller::Turn& turn) const;
  [[nodiscard]] const Told* told(TableIndex table, MessageNumber number) const;

  NaiveModel model_;
  State replayed_;
  std::vector<std::vector<std::string>> said_;  // by table; number N stands at N - 1
  std::vector<std::vector<Told>> told_;         // by table; what number N became
  Digest last_hash_{};
  std::vector<Digest> hashes_;  // of every entry, as it was first seen
  std::optional<Calendar> calendar_;
  Timestamp opened_at_;
  Timestamp last_recorded_;
  Timestamp moved_at_, last_day_end_;  // when money last moved, and a day ended
  ClockWatch clock_;
  ShownAmounts shown_;
  std::map<std::string, ExpectedReplies> expected_;  // by peer
  std::vector<std::uint64_t> lasts_;  // messages of each table, as far as they were looked at
  Finding unsaid_;
  std::vector<AskedNow> asked_;  // of this turn
  std::size_t asked_done_ = 0;   // of them
  std::set<TableId> welcomed_;   // since the controller started
  std::set<std::string> key_changed_;
  std::map<std::string, std::string> keys_;  // by table, as they were last seen
  bool is_checked_ = false;                  // since the controller started
  bool is_damaged_ = false;
  std::uint64_t tellings_ = 0;
  std::uint64_t idle_looks_ = 0;
  std::map<std::string, std::uint64_t> acts_;
};

}  // namespace linkmeter
