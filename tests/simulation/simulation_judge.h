// SimulationJudge: watches the controller's disk and every table, and compares the journal with the
// messages: every submitted message is exactly one entry, in order, and every act of a person has
// the expected entry. The naive model, in the journal's order, agrees with every figure. The laws
// hold after every turn; replay and rows equal the live state. The judge predicts every answer
// before the turn. Gaming days end one after the other, each at its time and before anything of the
// next one. Recorded times follow the clocks, and a table's counts are the journal's.
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
#include "tests/simulation/clock_watch.h"
#include "tests/simulation/finding.h"
#include "tests/simulation/person_request.h"

namespace linkmeter {

class SimulationJudge {
 public:
  // `nodes`: those that entry 1 enrols.
  explicit SimulationJudge(const FloorFile& file, const std::vector<Enrolment>& nodes = {});

  // The table has stored these bytes under its next number.
  void stored(TableIndex table, const std::string& bytes);
  // Checks everything that was journaled since the last call.
  Finding look(const Journal& journal);
  // The turn is about to take these messages and requests, and begins now.
  void expect(const std::vector<InboundMessage>& received, const std::vector<PersonRequest>& asked);
  // A turn ended: its state and its replies.
  Finding turned(const Journal& journal, const State& live, const Controller::Turn& turn);
  // The controller acted by itself: it ended days or suspended links.
  Finding turned(const Journal& journal, const State& live);
  // It did nothing, and had nothing to do.
  [[nodiscard]] Finding idle() const;
  // A controller starts from the contents of the journal; then it has checked itself, and serves.
  Finding restarted(const Journal& journal);
  Finding serves(const Journal& journal, const State& state);
  // A table got answers.
  Finding answered(TableIndex table, const std::vector<Answered>& answers) const;
  // At the end, without faults: every submitted message is journaled.
  Finding finish(const Journal& journal);

  // The disk is damaged: a link may suspend itself, and a self-check may fail.
  void note_damage() { is_damaged_ = true; }
  [[nodiscard]] ClockWatch& clock() { return clock_; }
  // What the signs last showed, when a day may end.
  void note_shown(const ShownAmounts& shown) { shown_ = shown; }
  [[nodiscard]] Timestamp last_recorded() const { return last_recorded_; }

  [[nodiscard]] const State& replayed() const { return replayed_; }
  [[nodiscard]] const NaiveModel& model() const { return model_; }
  // The key that is enrolled now; nullptr: none, and the table is not heard.
  [[nodiscard]] const std::string* key_of_table(const std::string& table) const;
  // Whether it was ever revoked or replaced.
  [[nodiscard]] bool key_changed(const std::string& table) const {
    return key_changed_.contains(table);
  }
  // The number of reports of tables' own counts, and of people's entries.
  [[nodiscard]] std::uint64_t reconciliations() const { return tellings_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& acts() const { return acts_; }

 private:
  struct Told {
    EntryNumber entry;
    Refusal refusal = Refusal::none;
    std::vector<NaiveAward> awards = {};
  };
  // An expected answer; entry 0: not journaled.
  struct ExpectedAnswer {
    MessageNumber number;
    Refusal refusal = Refusal::none;  // for a message that is not journaled
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
    PersonRequest asked;
    bool is_in = false;          // he has signed in, and the act's entry is next
    bool is_witness_in = false;  // the witness has signed in, too
    bool is_done = false;
    ControlReply reply = {};  // refusal, entry and proposal
  };

  [[nodiscard]] bool is_unchanged(const Journal& journal) const {
    return journal.head() == Head{replayed_.last_entry(), last_hash_};
  }
  Finding take(const StoredEntry& stored);
  Finding take_from_table(const Entry& entry);
  // Entries that the system makes by itself; nullopt: it is none of these.
  std::optional<Finding> take_own(const Entry& entry);
  Finding take_counters(const CountersReported& told, const Entry& entry);
  Finding take_self_check(const SelfChecked& checked, const Entry& entry);
  Finding take_from_person(const Entry& entry);
  [[nodiscard]] bool awaits_witness(const AskedNow& now) const;
  Finding take_witness(AskedNow& now, const Entry& entry);
  Finding take_act(AskedNow& now, const Entry& entry);
  // Rejects the unknown people at the front, without an entry.
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
  std::vector<std::vector<std::string>> said_;  // by table; number N is at N - 1
  std::vector<std::vector<Told>> told_;         // by table; the result of number N
  Digest last_hash_{};
  std::vector<Digest> hashes_;  // of every entry, as it was first seen
  std::optional<Calendar> calendar_;
  Timestamp opened_at_;
  Timestamp last_recorded_;
  Timestamp moved_at_, last_day_end_;  // when money last moved, and a day ended
  ClockWatch clock_;
  ShownAmounts shown_;
  std::map<std::string, ExpectedReplies> expected_;  // by peer
  std::vector<std::uint64_t> lasts_;                 // messages of each table that were checked
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
