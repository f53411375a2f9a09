// Controller: the turn. It takes the received messages, decides and applies each, commits
// everything in one step, and only then replies.
//
// Laws: nothing is acknowledged before it is durable: turn() submits its entries to the journal,
// and its replies may leave when journal.durable() has reached Turn::last. The other calls return
// when their entries are durable. The state is ahead of the disk meanwhile, so if the journal
// throws, the process must end, and the restart recovers from the journal. There is no rollback
// code. One thread; no clock, socket or file of its own.
//
// A house with several controllers ("nodes") has one writer; the others are standbys. A standby
// decides nothing: it follows the writer's entries, refuses tables and people (not_the_writer), and
// keeps its state, so that it can become the writer at any moment.
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
  // A rejected message, for the log, whether journaled or not.
  struct Refused {
    std::string source;  // the owner of the key: a table's or viewer's name, else the key
    TableId table;
    MessageNumber number;
    Refusal refusal = Refusal::none;
    Badge by = {};          // for a person's request
    std::string act = {};   // for a person's request: the command
    std::string from = {};  // OperatorRequest::from
  };
  // A person's accepted command.
  struct CommandDone {
    Badge by;
    std::string act;
    EntryNumber entry;
    std::string from = {};  // OperatorRequest::from
  };
  // A round that is blocked because the dealer's chip count differs from the accepted wagers.
  struct CountBlocked {
    TableId table;
    RoundId round;
    std::uint32_t chips = 0;
    std::uint32_t chips_expected = 0;
  };
  // A reply to a person whose request did not come over the control socket.
  struct SocketReply {
    RequestSource source = RequestSource::web;
    std::string peer;
    std::uint64_t question = 0;
    Badge by;
    ControlReply reply;
  };
  // The results of a turn. They may leave this program when the journal is durable up to `last`.
  struct Turn {
    EntryNumber last;                         // the journal's last entry, after the turn
    std::vector<Reply> replies;               // to tables
    std::vector<Reply> person_replies;        // to people on the control socket
    std::vector<SocketReply> socket_replies;  // to people on other sockets
    std::set<LinkIndex> changed;
    bool enrolments_changed = false;
    std::vector<ClaimNumber> raised;
    std::vector<SlipNumber> issued;
    std::vector<Refused> refused;
    std::vector<CommandDone> acted;
    std::vector<CountBlocked> miscounted;
    std::set<TableIndex> heard;  // tables that sent anything valid in their own name
    std::map<TableIndex, std::uint64_t> outboxes;  // messages in each table's outbox, as reported
    // Whether the dealer requests a floorperson, as reported.
    std::map<TableIndex, bool> calls_floor;
    std::vector<LinkIndex> suspended;  // automatically (L3)
    std::vector<TableIndex> frozen;    // automatically
  };

  // REQUIRES: `state` is the journal's state, and `rules` are resolved for its floor. The journal
  // must outlive this. `own_keys`: the system's own public keys, which no table or viewer may get.
  Controller(Journal& journal, FloorRules rules, State state, std::set<std::string> own_keys = {});

  // Throws Fault if a commit failed: then this object must not be used again.
  [[nodiscard]] Turn turn(const std::vector<InboundMessage>& received, Timestamp now,
                          const std::vector<OperatorRequest>& asked = {});

  // Suspends the links that are not suspended yet, for causes the system found itself (L3). The
  // laws of turn() apply.
  [[nodiscard]] Turn suspend(const std::vector<SelfSuspension>& suspensions, Timestamp now);

  // The same for a link whose memory and disk differ, or whose totals break a law. Neither is
  // trusted: all entries are replayed, and memory and disk are replaced by the result. `alive` is
  // called from time to time meanwhile. Throws Fault if the journal is damaged; then nothing is
  // written.
  [[nodiscard]] Turn recover(
      LinkIndex link, const std::string& why, Timestamp now,
      const std::function<void()>& alive = [] {});

  // Journals the copies of slips that are on disk, an entry each, except for unknown slips and
  // known copies. The laws of turn() apply.
  [[nodiscard]] Turn store(const std::vector<SlipCopy>& copies, Timestamp now);

  // Journals the end of every gaming day that is over, each once, and returns these days. Call it
  // before the turn, with the turn's `now`. The laws of turn() apply. `shown`: the amounts last
  // published to the signs.
  std::vector<GamingDay> end_days(const Calendar& calendar, const ShownAmounts& shown,
                                  Timestamp now);
  // When the running day ends.
  [[nodiscard]] Timestamp day_ends_at(const Calendar& calendar);
  // The table was silent for lost_after: another agent may take its place now.
  void note_lost(TableIndex table) { agents_.note_lost(table); }
  // True from the start until lost_after has passed: the previous agents may still reconnect.
  void await_previous_agents(bool waits) { agents_.await_previous(waits); }

  // Fills in `finding` and `shown` of a message about a gaming day or a reading: the values that
  // the person sees. It must not touch the disk, because people are served meanwhile.
  using DayDataSource = std::function<void(const State& state, PersonMessage& message)>;
  // Replaces the constructor's `own_keys`.
  void set_own_keys(std::set<std::string> keys) { own_keys_ = std::move(keys); }
  void set_day_data_source(DayDataSource edge) { day_data_source_ = std::move(edge); }

  // Makes the key that a person proposes, and reports whether its proof is valid.
  using KeyMaker = std::function<void(const State& state, PersonMessage& message)>;
  void set_key_maker(KeyMaker edge) { key_maker_ = std::move(edge); }

  // The journal's key has signed a head: appends an entry, unless another key is in force by now or
  // a signature already covers as much. The laws of turn() apply.
  void record_signature(const HeadSigned& signing, Timestamp now);

  // The system clock was set: appends an entry. The laws of turn() apply.
  void record_clock_change(std::chrono::microseconds by, Timestamp now);

  // The system clock is in doubt, or has returned: appends an entry, and the suspensions that
  // follow from it. The laws of turn() apply.
  [[nodiscard]] Turn record_clock_doubt(const ClockDoubted& doubted, Timestamp now) {
    return note(doubted, now);
  }
  [[nodiscard]] Turn record_clock_return(const ClockReturned& returned, Timestamp now) {
    return note(returned, now);
  }

  // The result of a journal check that ran while the controller served: appends an entry, and
  // suspends every link if the check failed. No `failures`: all entries are proved, the older ones
  // by the check, and the others because this controller wrote or followed them. `quick`: the check
  // began at the last passed one. The laws of turn() apply.
  [[nodiscard]] Turn record_check(const std::vector<SelfChecked::Failure>& failures,
                                  const Digest& manifest, const std::string& version, Timestamp now,
                                  bool clock_synchronised = false, bool quick = false);

  // Wrong PINs tried from untrusted origins: appends an entry, if there were any. The laws of
  // turn() apply.
  void record_pins_tried(const PinsTried& counted, Timestamp now) { note(counted, now); }

  // This node writes from here on: appends an entry, the first one of a writer. Returns why not;
  // none: it is appended. The laws of turn() apply.
  [[nodiscard]] Refusal record_writer(const WriterChange& change, Timestamp now);

  // A backup was restored to this journal: appends an entry, unless it exists. The laws of turn()
  // apply.
  void record_restoration(const HistoryRestored& restored, Timestamp now) { note(restored, now); }

  // All nodes of the house, this one too, as every Welcome names them; {}: there is no other one.
  // REQUIRES: at most limits::nodes_max.
  void set_nodes(std::vector<NodeAddress> nodes);
  // `writer`: this node is a standby, and the writer serves tables at this endpoint ("": unknown).
  // nullopt, as at first: this node is the writer. While it is a standby, turn() refuses everything
  // and appends nothing. `pages`: the address of the writer's pages; "": unknown, or none.
  // REQUIRES: then no function that may append an entry is called.
  void set_standby(std::optional<std::string> writer, std::string pages = {}) {
    standby_ = std::move(writer);
    writer_pages_ = std::move(pages);
  }
  [[nodiscard]] bool is_standby() const { return standby_.has_value(); }
  // The turn of a standby: takes the writer's entries that come next, in one commit with their
  // rows. What it returns is as if the turn had been decided here, without replies. Throws Fault if
  // an entry is not the next one of this journal, not valid, wrongly signed, or of a later release:
  // then nothing is committed, and this object must not be used again. REQUIRES: is_standby().
  [[nodiscard]] Turn follow(const std::vector<StoredEntry>& entries);

  // A request about leaving the cluster, and when it came.
  struct TimedRequest {
    OperatorRequest request;
    Timestamp at;
  };
  struct Leaving {
    Turn turn;
    ControlReply reply;  // to the last request
    bool has_left = false;
  };
  // Two persons let this standby go on alone. Decides their requests in one turn, as a writer does.
  // Its entries are journaled only if the node has left with them; it is no standby from then on.
  // Else nothing changes, and `reply` says what would have been. A request that neither proposes
  // nor confirms LeaveCluster is refused (not_the_writer). REQUIRES: is_standby(); no other node
  // may write.
  [[nodiscard]] Leaving leave_cluster(const std::vector<TimedRequest>& asked);

  [[nodiscard]] const State& state() const { return state_; }
  // The rules in force; a change of parameters replaces them.
  [[nodiscard]] const FloorRules& rules() const { return rules_; }

 private:
  struct TurnBatch;
  // A commit of its own for one command.
  Turn note(const Command& command, Timestamp now);
  void take(const InboundMessage& received, Timestamp now, TurnBatch& work);
  // The same for a standby: refuses it.
  void refuse(const InboundMessage& received, TurnBatch& work);
  void refuse(const OperatorRequest& request, TurnBatch& work) const;
  // Why a standby refuses what came over a connection with this key, in the table's name.
  [[nodiscard]] Refusal standby_refusal(const std::string& key, const TableId& table) const;
  void take_hello(const InboundMessage& received, const Hello& hello, Timestamp now,
                  TurnBatch& work);
  // Whether another agent is served for this table.
  [[nodiscard]] bool is_second_agent(const InboundMessage& received, const Hello& hello) const;
  void take_heartbeat(const InboundMessage& received, const Heartbeat& heartbeat, Timestamp now,
                      TurnBatch& work);
  void take_message(const InboundMessage& received, TableMessage sent, Timestamp now,
                    TurnBatch& work);
  void take_person(const OperatorRequest& request, Timestamp now, TurnBatch& work);
  void take_recovery(const OperatorRequest& request, Timestamp now, TurnBatch& work);
  bool take_witness_pin(const OperatorRequest& request, Timestamp now, TurnBatch& work);
  // Whether the command would enrol one of the system's own keys.
  [[nodiscard]] bool names_own_key(const OperatorCommand& act) const;
  // Appends the core's answer as an entry, unless it is a rejection.
  void append_if_accepted(const Command& command, Timestamp now, TurnBatch& work);
  // Applies the entry and adds it to the turn's commit.
  void append(const Entry& entry, TurnBatch& work);
  // Applies the entry and notes what it changes for signs and people.
  void apply(const Entry& entry, TurnBatch& work);
  // Decodes and checks an entry of the writer, and applies it. `entries`: those that come with it.
  // Throws Fault.
  void apply_followed(const StoredEntry& stored, const std::vector<StoredEntry>& entries,
                      const Head& before, TurnBatch& work);
  // Submits the entries to the journal.
  void submit(TurnBatch& work);
  // The same, and waits until they are durable.
  void commit(TurnBatch& work);
  // Suspends every link that operates. `is_always_shown`: as in SelfSuspension.
  void suspend_all(const std::string& reason, Timestamp now, TurnBatch& work,
                   bool is_always_shown = false);
  // The table has seen another history. A single table may be wrong or lie, so it suspends its own
  // links only; a second one suspends every link.
  void suspend_for_history(TableIndex table, const std::string& why, Timestamp now,
                           TurnBatch& work);
  // A message came with the table's key.
  void record_sender(const InboundMessage& received, TableIndex table, Timestamp now,
                     TurnBatch& work);
  // The owner of the key, for the log.
  [[nodiscard]] std::string source(const std::string& key) const;
  // Adds the acknowledgement of a message, and records it if it is a rejection.
  void acknowledge(const InboundMessage& received, const TableId& table, Acknowledgement answer,
                   TurnBatch& work) const;
  // Adds the answer to a Hello, and records it if it is a rejection.
  void welcome(const InboundMessage& received, Welcome answer, TurnBatch& work) const;

  Journal& journal_;
  FloorRules rules_;
  State state_;
  std::set<std::string> own_keys_;
  std::set<TableId> welcomed_;  // since this controller started
  // Tables whose last Hello had another configuration than the one in force: all their messages are
  // rejected.
  std::set<TableId> misconfigured_tables_;
  // Tables whose last Hello, since their key was enrolled, had seen another history than this
  // journal.
  std::set<TableIndex> disputing_tables_;
  UnmarkedPeople unmarked_people_;
  SharedKeyWatch shared_keys_;
  ServedAgents agents_;
  TableClaims claims_;
  CounterRequests counters_;
  std::vector<NodeAddress> nodes_;
  std::optional<std::string> standby_;  // where the writer serves tables; nullopt: here
  std::string writer_pages_;
  DayDataSource day_data_source_;
  KeyMaker key_maker_;
};

// What a command would enrol, proposed or confirmed. nullptr: nothing.
const Enrolment* proposed_enrolment(const State& state, const OperatorCommand& act);

// Requests rejected without a journal entry: attempts on locked accounts, or from untrusted origins
// over HTTP, must not grow the journal. It holds the refusal sent and the refusal logged.
struct RefusedWithoutEntry {
  Refusal refusal_sent = Refusal::none;
  Refusal logged = Refusal::none;
};

// nullopt: the request is journaled, accepted or not.
std::optional<RefusedWithoutEntry> refuse_without_entry(const State& state,
                                                        const OperatorRequest& request,
                                                        Timestamp now);

// What one turn collects before its commit.

struct Controller::TurnBatch {
  explicit TurnBatch(const State& state)
      : claims_before(state.claims().size()), slips_before(state.slips().size()) {}

  std::uint64_t claims_before, slips_before;
  std::vector<std::string> entries;  // encoded, to be appended
  std::vector<std::pair<std::string, Welcome>> welcomes;
  std::map<std::string, HeartbeatAnswer> heartbeats;         // one reply per peer
  std::map<std::string, Acknowledgements> acknowledgements;  // one message per peer
  std::vector<std::pair<const OperatorRequest*, ControlReply>> person_replies;
  Turn turn;

  void answer(const OperatorRequest& request, const ControlReply& reply, Refusal why) {
    const std::string act = request.act        ? std::string(name(*request.act))
                            : request.signs_in ? "sign_in"
                                               : "";
    person_replies.emplace_back(&request, reply);
    if (why == Refusal::none) {
      turn.acted.push_back(CommandDone{request.badge, act, reply.entry, request.from});
    } else {
      turn.refused.push_back(Refused{
          std::string(name(request.source)), {}, {}, why, request.badge, act, request.from});
    }
  }
};

}  // namespace linkmeter
