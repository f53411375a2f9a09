// Table agent: the pure turn of one table's side of the wire. It has no socket, clock or disk of
// its own: the outbox is handed in, moments are handed in, bytes come out.
//
// Laws:
// 1. A message is stored in the outbox before to_send() gives it out.
// 2. Nothing but a Hello is sent until a Welcome has told that the controller still has everything
//    it ever acknowledged; if it has not, the agent faults and says nothing more.
// 3. Messages go out in order. When anything is missing (no progress for the resend interval, a
//    message out of order), the agent starts over: Hello, Welcome, then everything from the first
//    unacknowledged message on, as the bytes that were stored.
// 4. At most limits::messages_open_max messages are unacknowledged, so that every resend falls
//    inside what the controller remembers.
// 5. A journaled refusal is an answer: the number is used up and the table goes on.
// 6. An outbox from which nothing was ever said takes over the table's numbering from the Welcome
//    (a replaced table computer); one that is behind the controller in any other way is a fault.
// 7. An acknowledgement is of the very frame that is stored, or the agent faults and forgets
//    nothing: somebody else speaks for this table.
// 8. Heartbeats go out while the table is welcome, whatever else is said. A silence of lost_after
//    locks the table (lockout.h) and makes the agent start over; only a Welcome that answers a
//    Hello of after the silence, of less than lost_after ago, and the answers to everything said
//    before it, open it again. So what was on its way during a silence, or waited while this
//    process stood still, opens nothing. (Each Hello has a number, and its Welcome names it. A
//    controller of one release back does not: its Welcome is taken for one to the last Hello.)
// 9. A table whose controller has other terms in force than it was started with is locked, and asks
//    again from time to time whether it still is so.
//    A controller that was restored from a backup, and that nobody has accepted yet, likewise.
//    So is one for which another agent is connected: it waits until that one is gone.
//    A message that the controller does not take yet (pace_exceeded) is said again after
//    pace_wait_us, under the same number, and with it all that came after it; until then the table
//    is locked.
// 10. What an answer means for the play is stored in the commit that removes the message.
// 11. The controller tells of a settled claim for a while only: what it told last is kept.
// 12. Law 2 has one exception: a Welcome may name a restoration of the journal that no journal ever
//     told this agent, and where history goes on. Then what the controller does not have is said
//     again, to the last bit; each restoration once. What was refused had no effect and gets none:
//     in its place, under its number, goes a message that is refused whatever has become possible
//     since.
//
// 13. The rounds that were open when this outbox took over the table (law 6) were said from another
//     outbox, which is lost: the agent keeps their names, and tells with each Welcome which of them
//     are open still, until nobody has any of them to end.
//
// Replies must come in the order in which the controller gave them, as one connection brings them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/local_counters.h"
#include "table-agent/link/lockout.h"
#include "table-agent/link/outbox.h"

namespace linkmeter {

// What became of a message.
struct Answered {
  MessageNumber number;
  EntryNumber entry;
  Refusal refusal = Refusal::none;
  std::string submitted;  // "lock r3"; only where it was refused or blocked its round
  // Set: the round is blocked, for the lock counted `chips` of them.
  std::optional<std::uint32_t> chips_expected = {};
  std::uint32_t chips = 0;
  std::vector<AwardNotice> awards = {};     // of a show or a pot
  bool no_contribution = false;             // of a pot whose fund collects no more
  std::vector<AwardNotice> take_back = {};  // of a void: what was paid and is to be taken back
  friend bool operator==(const Answered&, const Answered&) = default;
};

// Does it pass by itself, or by other people's doing? Then the agent keeps asking.
bool is_waited_for(Refusal refusal);
// "key_unknown (the connection's key is no table's any more)"
std::string sentence_of(Refusal refusal);

class TableAgent {
 public:
  // The journal was restored up to this entry, and so many messages are said again.
  struct Resent {
    EntryNumber after;
    std::uint64_t count = 0;
  };
  struct Intervals {
    std::int64_t resend_us = 500'000;
    std::int64_t lost_after_us = 2'000'000;  // L5
    std::int64_t pace_wait_us = 5'000'000;
    // One lost heartbeat, or two, is no silence.
    [[nodiscard]] std::int64_t heartbeat_us() const {
      return std::min<std::int64_t>(500'000, lost_after_us / 4);
    }
  };

  // Goes on from what the outbox holds. The outbox must outlive the agent. `floor` is the mark of
  // what this table was configured with (config_digest.h); "" is not told.
  TableAgent(TableId table, Outbox& outbox, Intervals intervals, std::string floor = {});
  TableAgent(TableId table, Outbox& outbox) : TableAgent(std::move(table), outbox, Intervals()) {}

  // How many more messages may be said now.
  [[nodiscard]] std::size_t room() const;
  [[nodiscard]] bool has_room() const { return room() > 0; }
  // May this be said now? Without room nothing; while the table is locked nothing that begins a
  // round (lock, pot); what belongs to a begun one always, so that it is not lost (L5).
  [[nodiscard]] bool may_submit(const TableCommand& command, Timestamp now) const;
  // Numbers and stores what the table says, in one commit together with the position after it. No
  // commands: only the position is stored. `sent_at` is the wall clock. REQUIRES: room for all of
  // them.
  void say(const std::vector<TableCommand>& commands, const Position& position, Timestamp sent_at);
  void say(const TableCommand& command, const Position& position, Timestamp sent_at);

  // The frames to send now, in order. `now` measures intervals only: any clock that does not go
  // back.
  [[nodiscard]] std::vector<std::string> to_send(Timestamp now);
  // When to_send() may have something again, or the lock-out change, though nothing was said or
  // received.
  [[nodiscard]] Timestamp wakes_at() const;
  // Hears what was answered before it is stored as answered, and tells where the play stands then;
  // nullopt: where it stood.
  using Hearing = std::function<std::optional<Position>(const std::vector<Answered>&)>;
  // Takes a frame from the controller and returns the messages that it answers for the first time.
  // What is not a reply to this table is ignored and counted. Throws Fault if this table and the
  // controller can not go on together.
  std::vector<Answered> receive(std::string_view bytes, Timestamp now, const Hearing& hearing = {});
  // Answers to those who sign in at the table's panel, each once.
  [[nodiscard]] std::vector<TableSignedIn> take_signed_in() {
    return std::exchange(signed_in_, {});
  }
  // Who is signed in at the table's panel: told with every heartbeat; and who of these is no longer
  // what he was, each once per answer.
  void note_people(std::vector<PanelPerson> people) { people_ = std::move(people); }
  [[nodiscard]] std::vector<Badge> take_ended() { return std::exchange(ended_, {}); }
  // The table's claims, as the controller told last; empty where it tells none.
  [[nodiscard]] const std::vector<ClaimNotice>& claims() const { return claims_; }
  // Every claim that it told of in this run, as it told last.
  [[nodiscard]] const std::map<ClaimNumber, ClaimNotice>& known_claims() const {
    return known_claims_;
  }
  // The hands of the table's open rounds, as they were told with the last answer, once; nullopt:
  // nothing new, or the controller tells none.
  [[nodiscard]] std::optional<std::vector<RoundHands>> take_hands() {
    return std::exchange(hands_, std::nullopt);
  }
  // Of the table's open rounds those that were open when this outbox took over the table (law 13),
  // as the last Welcome told them, once; nullopt: nothing new.
  [[nodiscard]] std::optional<std::vector<OpenRound>> take_left_open() {
    return std::exchange(left_open_, std::nullopt);
  }
  // Under this name the outbox keeps which agent it belongs to (Hello); it is put there before an
  // agent is made.
  static constexpr const char* identity = "agent";

  // From here on the table counts for itself, going on from what the outbox holds; told with every
  // heartbeat.
  void count_by(LocalCounters counts);
  // The dealer wants a floorperson, or no more: told with the next heartbeat, which goes at once.
  void call_floor(bool calls);
  // The connection is new: begin with a Hello.
  void start_over() { talk_ = Talk::hello_due; }
  // The last word of an agent that ends: another one need not wait until it is lost. nullopt: the
  // controller does not wait for it.
  [[nodiscard]] std::optional<std::string> leave();

  [[nodiscard]] Lockout lockout(Timestamp now) const { return {cause(now), suspended_, frozen_}; }
  // The funds of pots that collect no more; they can still be won.
  [[nodiscard]] const std::vector<LinkId>& stopped() const { return stopped_; }
  [[nodiscard]] const Intervals& intervals() const { return intervals_; }
  [[nodiscard]] const TableId& table() const { return table_; }
  // Welcome on the present connection, as far as is known.
  [[nodiscard]] bool is_welcome() const { return talk_ == Talk::welcome; }
  [[nodiscard]] bool all_acknowledged() const { return unacknowledged_.empty(); }
  [[nodiscard]] std::size_t unacknowledged_count() const { return unacknowledged_.size(); }
  [[nodiscard]] MessageNumber last_number() const { return last_number_; }
  // Law 6 in this run: the last message that another outbox had said for this table.
  [[nodiscard]] std::optional<MessageNumber> took_over_after() const { return took_over_after_; }
  // Law 12, once after it happened.
  [[nodiscard]] std::optional<Resent> take_resent() {
    return std::exchange(said_again_, std::nullopt);
  }
  [[nodiscard]] std::uint64_t ignored_count() const { return ignored_count_; }

 private:
  enum class Talk : std::uint8_t { hello_due, hello_sent, welcome };

  void receive_one(const Welcome& welcome, Timestamp now);
  void resend(const Welcome& welcome);
  // Law 6, and law 13.
  void take_over(const Welcome& welcome);
  void read_left_open();
  void note_left_open(const Welcome& welcome);
  std::vector<Answered> receive_one(const Acknowledgements& acknowledgements, Timestamp now,
                                    const Hearing& hearing);
  void receive_one(const HeartbeatAnswer& answer, Timestamp now);
  // The claims and hands of it.
  void on_answers(const HeartbeatAnswer& answer);
  // Law 2.
  void check_kept(const Welcome& welcome) const;
  // Law 12.
  void read_refused();
  void note_refused(const std::vector<Answered>& answered, std::vector<Position>& positions);
  void take_unacknowledged();
  [[nodiscard]] std::string without_effect(const StoredMessage& message) const;
  // The next Hello, said now.
  [[nodiscard]] Hello hello(Timestamp now);
  // It answers no Hello of less than lost_after ago.
  [[nodiscard]] bool is_late(const Welcome& welcome, Timestamp now) const;
  [[nodiscard]] bool is_long_ago(Timestamp moment, Timestamp now) const;
  [[nodiscard]] bool is_silent(Timestamp now) const { return is_long_ago(last_heard_at_, now); }
  [[nodiscard]] Lockout::Cause cause(Timestamp now) const;
  // Locks the table if it is silent; whatever comes afterwards is too late.
  void notice_silence(Timestamp now);
  void open_if_caught_up();
  [[nodiscard]] bool is_due(Timestamp now) const;
  [[nodiscard]] std::int64_t resend_us() const;
  [[nodiscard]] MessageNumber last_acknowledged() const;
  [[noreturn]] void lost(const std::string& how) const;
  void check_same_history(const Head& head) const;
  void check_own(const Acknowledgements& acknowledgements) const;
  // What was answered is stored as answered.
  void on_reply(const std::vector<Answered>& answered, const Head& head, Timestamp now,
                const Hearing& hearing);
  // Counts these, and what the outbox is to keep of it.
  [[nodiscard]] std::vector<Position> counted(const std::vector<Answered>& answered);

  TableId table_;
  Outbox& outbox_;
  Intervals intervals_;
  std::string floor_;
  std::string identity_;  // "": the outbox has none

  // As in the outbox.
  MessageNumber last_number_;
  Head witness_;
  std::vector<Head> history_;
  std::deque<std::string> unacknowledged_;

  std::set<MessageNumber> refused_;  // by an entry, the latest; kept as a place of the outbox

  std::optional<LocalCounters> counts_;
  std::set<RoundId> left_open_ids_;  // law 13; kept as a place of the outbox
  std::optional<std::vector<OpenRound>> left_open_;

  std::optional<MessageNumber> took_over_after_;
  Talk talk_ = Talk::hello_due;
  std::uint64_t question_ = 0;                // of the last Hello
  std::map<std::uint64_t, Timestamp> asked_;  // the latest Hellos, and when they were said
  std::size_t sent_count_ = 0;                // of unacknowledged_, since the last Welcome
  Timestamp progress_at_;  // last Hello, Welcome, acknowledgement, or first send after one
  std::uint64_t ignored_count_ = 0;

  Lockout::Cause cause_ = Lockout::Cause::no_controller;  // as far as it was noticed
  std::vector<SuspendedLink> suspended_;
  std::vector<LinkId> stopped_;
  std::string frozen_;                    // why the table is, as told last; "": it is not
  std::optional<Timestamp> paced_until_;  // a message was not taken: when it is said again
  Timestamp last_heard_at_;               // the last word of the controller's turn
  Timestamp heartbeat_at_;                // the last one sent, or the Welcome
  MessageNumber caught_up_at_;            // while catching up: what must be acknowledged
  Refusal waits_for_ = Refusal::none;     // the last Welcome said so
  MessageNumber again_up_to_;             // while it says again: what must be acknowledged
  std::optional<Resent> said_again_;
  bool calls_floor_ = false;
  bool floor_is_called_ = false;  // as the last heartbeat told
  bool asks_for_claims_ = false;  // one was raised: how it stands comes with a heartbeat
  std::vector<TableSignedIn> signed_in_;
  std::vector<PanelPerson> people_;
  std::vector<Badge> ended_;
  std::vector<ClaimNotice> claims_;
  std::map<ClaimNumber, ClaimNotice> known_claims_;
  std::optional<std::vector<RoundHands>> hands_;
};

}  // namespace linkmeter
