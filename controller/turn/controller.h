// Controller: the turn. Takes what has come in, decides and applies each, commits everything in one
// step, and only then says so.
//
// Laws: nothing is acknowledged that is not committed (the replies leave turn() after commit());
// inside a turn the state runs ahead of the disk, so if commit() throws the process must end, and
// the restart recovers from the journal. No rollback code. One thread; no clock, socket or file of
// its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "controller/turn/counter_requests.h"
#include "controller/turn/message.h"
#include "controller/turn/operator_request.h"
#include "controller/turn/served_agents.h"
#include "controller/turn/shared_key_watch.h"
#include "controller/turn/table_claims.h"
#include "controller/turn/unmarked_people.h"
#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/decide.h"
#include "meters/rules/decide_operator.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class Controller {
 public:
  // A message that was refused, for the log: journaled or not.
  struct Refused {
    std::string source;  // whose key: the table's or viewer's name, else the key
    TableId table;
    MessageNumber number;
    Refusal refusal = Refusal::none;
    Badge by = {};          // of a person's request, and
    std::string act = {};   // what he asked for
    std::string from = {};  // PersonRequest::from
  };
  // What a person did.
  struct Acted {
    Badge by;
    std::string act;
    EntryNumber entry;
    std::string from = {};  // PersonRequest::from
  };
  // A round that is blocked, because the dealer's chips differ from the accepted wagers.
  struct Miscounted {
    TableId table;
    RoundId round;
    std::uint32_t chips = 0;
    std::uint32_t chips_expected = 0;
  };
  // What a person is told who did not ask over the control socket.
  struct Told {
    RequestSource source = RequestSource::web;
    std::string peer;
    std::uint64_t question = 0;
    Badge by;
    ControlReply reply;
  };
  // What a turn did. Everything in it is on disk.
  struct Turn {
    std::vector<Reply> replies;         // to tables
    std::vector<Reply> person_replies;  // to people at the control socket
    std::vector<Told> told;             // to other people
    std::set<LinkIndex> changed;
    bool enrolments_changed = false;
    std::vector<ClaimNumber> raised;
    std::vector<SlipNumber> issued;
    std::vector<Refused> refused;
    std::vector<Acted> acted;
    std::vector<Miscounted> miscounted;
    std::set<TableIndex> heard;  // tables that spoke for themselves, and are no strangers
    std::map<TableIndex, std::uint64_t> outboxes;  // messages a table keeps, as it told
    std::map<TableIndex, bool> calls_floor;        // the dealer wants a floorperson, as it told
    std::vector<LinkIndex> suspended;              // by themselves (L3)
    std::vector<TableIndex> frozen;                // by the system itself
  };

  // REQUIRES: `state` is what `journal` holds, `rules` are resolved for its floor. The journal must
  // outlive this. `own_keys`: public keys of the system itself, which no table or viewer gets.
  Controller(Journal& journal, FloorRules rules, State state, std::set<std::string> own_keys = {});

  // Throws Fault if the commit failed: then this object must not be used again.
  [[nodiscard]] Turn turn(const std::vector<Received>& received, Timestamp now,
                          const std::vector<PersonRequest>& asked = {});

  // Suspends the links that are not suspended already, for what the system itself found (L3). The
  // same laws as turn().
  [[nodiscard]] Turn suspend(const std::vector<SelfSuspension>& suspensions, Timestamp now);

  // The same for a link of which memory and disk do not agree, or whose totals break a law. Neither
  // is believed: all entries are played again, and memory and disk become what they give. `alive`
  // is called now and then meanwhile. Throws Fault if the journal is not whole; nothing is written
  // then.
  [[nodiscard]] Turn recover(
      LinkIndex link, const std::string& why, Timestamp now,
      const std::function<void()>& alive = [] {});

  // Copies of slips are on disk: an entry each, but for slips that are not there, or whose copy is
  // known. The same laws as turn().
  [[nodiscard]] Turn store(const std::vector<SlipCopy>& copies, Timestamp now);

  // Enters the end of every gaming day that is over, each once, and says which. To be called with
  // the `now` of the turn that follows, before it. The same laws as turn(). `shown`: what the signs
  // were told last.
  std::vector<GamingDay> end_days(const Calendar& calendar, const ShownAmounts& shown,
                                  Timestamp now);
  // When the running day is over.
  [[nodiscard]] Timestamp day_ends_at(const Calendar& calendar);
  // Nothing was heard of the table for lost_after: another agent may speak for it now.
  void note_lost(TableIndex table) { agents_.note_lost(table); }
  // From a start on until lost_after has passed: the agents of before may be about to come back.
  void wait_for_former_agents(bool waits) { agents_.wait_for_former(waits); }

  // What a person who speaks of a gaming day, or takes a reading, has before his eyes: fills in
  // `finding` and `shown`. It may touch no disk: people are answered meanwhile.
  using DayEdge = std::function<void(const State& state, PersonMessage& message)>;
  // The system's own public keys, as in the constructor.
  void set_own_keys(std::set<std::string> keys) { own_keys_ = std::move(keys); }
  void set_day_edge(DayEdge edge) { day_edge_ = std::move(edge); }

  // Makes the key that somebody proposes, and says whether its proof is right.
  using KeyEdge = std::function<void(const State& state, PersonMessage& message)>;
  void set_key_edge(KeyEdge edge) { key_edge_ = std::move(edge); }

  // The journal's key has signed a head: an entry, unless another key is in force by now, or
  // another signature proves as much. The same laws as turn().
  void note_signed(const HeadSigned& signing, Timestamp now);

  // The system's clock was set: an entry. The same laws as turn().
  void note_clock_change(std::chrono::microseconds by, Timestamp now);

  // The system's clock is in doubt, or has returned: an entry, and links that change with it. The
  // same laws as turn().
  [[nodiscard]] Turn note_clock_doubted(const ClockDoubted& doubted, Timestamp now);
  [[nodiscard]] Turn note_clock_returned(const ClockReturned& returned, Timestamp now);

  // What a check of the journal found while the controller served: an entry, and where it failed
  // every link is suspended with it. `failures`: none, and all entries are proved, the older ones
  // by the check and the others because they are this controller's own. The same laws.
  [[nodiscard]] Turn note_check(const std::vector<SelfChecked::Failure>& failures,
                                const Digest& manifest, const std::string& version, Timestamp now,
                                bool clock_synchronised = false);

  // Wrong PINs that were tried away from home: an entry, if there were any. The same laws.
  void note_pins_tried(const PinsTried& counted, Timestamp now);

  // The journal is one that a backup was restored to: an entry, unless it is there. The same laws.
  void note_restored(const HistoryRestored& restored, Timestamp now);

  [[nodiscard]] const State& state() const { return state_; }
  // Those in force: other ones with a change of parameters.
  [[nodiscard]] const FloorRules& rules() const { return rules_; }

 private:
  struct Work;
  void take(const Received& received, Timestamp now, Work& work);
  void take_hello(const Received& received, const Hello& hello, Timestamp now, Work& work);
  // Is another agent served for this table?
  [[nodiscard]] bool is_second_agent(const Received& received, const Hello& hello) const;
  void take_heartbeat(const Received& received, const Heartbeat& heartbeat, Timestamp now,
                      Work& work);
  void take_message(const Received& received, TableMessage message, Timestamp now, Work& work);
  void take_person(const PersonRequest& request, Timestamp now, Work& work);
  void take_recovery(const PersonRequest& request, Timestamp now, Work& work);
  bool take_witness(const PersonRequest& request, Timestamp now, Work& work);
  // Would it enrol a key of the system itself?
  [[nodiscard]] bool names_own_key(const OperatorCommand& act) const;
  // What the core says to it becomes an entry, where it is not refused.
  template <class Asked>
  void enter_if(const Asked& asked, Timestamp now, Work& work);
  // Makes the entry true and part of the turn's commit.
  void enter(const Entry& entry, Work& work);
  void commit(Work& work);
  // Suspends every link that operates. `is_always_shown`: as in SelfSuspension.
  void suspend_all(const std::string& reason, Timestamp now, Work& work,
                   bool is_always_shown = false);
  // The table has seen another history. One table alone may be wrong or lie, so it suspends its own
  // links; a second one suspends every link.
  void suspend_for_witness(TableIndex table, const std::string& why, Timestamp now, Work& work);
  // Something came with the table's key.
  void note_speaker(const Received& received, TableIndex table, Timestamp now, Work& work);
  // Whose key it is, for the log.
  [[nodiscard]] std::string source(const std::string& key) const;
  // Answers a message and, where it is refused, notes it.
  void acknowledge(const Received& received, const TableId& table, Acknowledgement answer,
                   Work& work) const;

  Journal& journal_;
  FloorRules rules_;
  State state_;
  std::set<std::string> own_keys_;
  std::set<TableId> welcomed_;  // since this controller started
  // Whose last Hello told other terms than were in force: nothing that they say is taken.
  std::set<TableId> differing_;
  // Whose last Hello had seen another history than this journal, since their key was enrolled.
  std::set<TableIndex> disputing_;
  UnmarkedPeople unmarked_people_;
  SharedKeyWatch shared_keys_;
  ServedAgents agents_;
  TableClaims claims_;
  CounterAsking counters_;
  DayEdge day_edge_;
  KeyEdge key_edge_;
};

// Enrolled key: the key that an act would make a table's or viewer's.

// Proposed, or confirmed; null: it enrols none.
const std::string* enrolled_key(const State& state, const OperatorCommand& act);

// Unentered: requests of strangers that are no entry. Over HTTP there are strangers: what they try
// at a locked person, or where he is not at home, must not fill the journal.

// What they are told, and what is logged.
struct Unentered {
  Refusal told = Refusal::none;
  Refusal logged = Refusal::none;
};

// nullopt: the request is for the journal, whatever becomes of it.
std::optional<Unentered> refuse_unentered(const State& state, const PersonRequest& request,
                                          Timestamp now);

// What one turn of the controller gathers before its commit.

struct Controller::Work {
  std::vector<std::string> entries;  // encoded, to be appended
  std::vector<std::pair<std::string, Welcome>> welcomes;
  std::map<std::string, HeartbeatAnswer> heartbeats;         // one answer per peer
  std::map<std::string, Acknowledgements> acknowledgements;  // one message per peer
  std::vector<std::pair<const PersonRequest*, ControlReply>> person_replies;
  Turn turn;

  void answer(const PersonRequest& request, const ControlReply& reply, Refusal why) {
    const std::string act = request.act        ? std::string(name(*request.act))
                            : request.signs_in ? "sign_in"
                                               : "";
    person_replies.emplace_back(&request, reply);
    if (why == Refusal::none) {
      turn.acted.push_back(Acted{request.badge, act, reply.entry, request.from});
    } else {
      turn.refused.push_back(Refused{
          std::string(name(request.source)), {}, {}, why, request.badge, act, request.from});
    }
  }
};

}  // namespace linkmeter
