// Round machine: the one round of a table, whoever drives it: the sensors and the button of a
// device, the dealer at a panel, or both at once. It takes their words, says what becomes a
// message, hears what the controller answers, and knows what both are to show.
//
// Laws:
// 1. The light of a wager is on only when the controller has acknowledged its lock as accepted.
// 2. Betting that was open is over with any lock-out, with the device's session, and with "bets
//    closed" that cannot be a lock: the base game goes on meanwhile, so only "bets open" opens it
//    again. So is all betting when the agent starts.
// 3. What becomes a message is done only when the message is in the outbox. What is said again is
//    not said twice, over restarts too (RoundRecord), unless the controller has refused it.
// 4. A lock that is not in the outbox when the table is locked out is no lock: its wagers are told
//    back. One that is in the outbox is delivered once.
// 5. The table says its rounds by names of the agent's own, which no outbox gives twice.
// 6. What is owed is the controller's word: the agent evaluates nothing.
// 7. A poker hand is one message, said when it is over: the pot. While the table is locked it is
//    not said, and is not kept for later: it may have been played without the fund.
// 8. A round that was open when this outbox took over the table becomes this agent's round, unless
//    it has wagers that are not offered here. It is closed or voided before another one opens.
// 9. Sensors that are gone between "no more bets" and the count tell nothing any more, and no light
//    of theirs can go on: their wagers wait for the sensors, or are taken back by the dealer.
// A word is answered "" for yes, else by the name of why not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table-agent/round/round_driver.h"
#include "table-agent/round/round_record.h"
#include "table-agent/round/sensor_wagers.h"

namespace linkmeter {

class RoundMachine {
 public:
  // Before a lock: beside the round that is over.
  enum class Betting : std::uint8_t { none, open, counting };
  struct Setup {
    TableOffers table;
    std::string play;                           // the name of the play, whose place it is
    std::string place;                          // what the outbox holds for it
    std::vector<StoredMessage> unacknowledged;  // of the outbox
    std::function<std::string()> new_word;      // a name that was never given before
  };
  // Throws Fault if the place cannot be read.
  explicit RoundMachine(const Setup& setup);

  // ---- the session's side ----
  void update(const RoundDriver::Surroundings& surroundings);
  [[nodiscard]] std::optional<Step> next();
  void on_submitted(MessageNumber number);
  // Why the pending lock is none, and its wagers go back; "": it is still to be said.
  [[nodiscard]] std::string on_not_submitted();
  std::optional<Position> on_reply(const std::vector<Answered>& answered);
  // As the controller told them just now: what a person made of them counts.
  void on_hands(const std::vector<RoundHands>& rounds);
  // Rounds that were left open (law 8), all that are open now.
  void on_left_open(std::vector<OpenRound> rounds);
  // Which entries said the hands is not known any more, as after a restart.
  void forget_entries() { round_.hands_by.clear(); }

  // ---- the words of either side ----
  std::string_view open_bets();
  struct Closing {
    bool bets_are_known = true;  // else what lies there is not known, and later is too late
    bool is_counted = true;      // the lock waits for the dealer's count
  };
  std::string_view close_bets(Closing closing, const Badge& by = Badge());
  std::string_view count(std::uint32_t chips, bool bets_are_known, const Badge& by = Badge());
  std::string_view place(const AskedWager& wager);
  // What was removed before a lock was never there.
  std::string_view remove(Seat seat, const WagerId& wager, bool on_dealer);
  // A resolve, show, close or void of this round. `mark` tells its repeat.
  std::string_view submit(TableCommand command, std::string_view mark);
  // The dealer goes on with a round that was left open.
  std::string_view resume(const RoundId& round);
  // A pot: the next round, whole.
  std::string_view play_pot(PlayPot pot, std::string_view mark);
  // A word became a message that the session is to say; nothing is taken before it has.
  [[nodiscard]] bool is_pending() const { return pending_.has_value(); }

  // ---- what ends betting ----
  void end_betting(std::string_view why);
  // "No more bets" is forgotten, and its wagers go back.
  void end_counting(std::string_view why);

  // ---- what is known ----
  [[nodiscard]] const TableOffers& table() const { return table_; }
  [[nodiscard]] const RoundRecord& round() const { return round_; }
  [[nodiscard]] Betting betting() const { return betting_; }
  SensorWagers& bets() { return bets_; }
  [[nodiscard]] const SensorWagers& bets() const { return bets_; }
  [[nodiscard]] const RoundDriver::Surroundings& surroundings() const { return surroundings_; }
  // Why nothing may be recognised now; "": it may.
  [[nodiscard]] std::string_view lockout() const;
  // "lock round vf00d0001-000001": as the device is told.
  [[nodiscard]] std::string mode() const;
  [[nodiscard]] std::multiset<std::string> lights() const;
  // What lay there when betting was closed, while it is counted.
  [[nodiscard]] const std::vector<AskedWager>& closed_with() const { return closed_with_; }
  // Wagers that came back since betting was opened, and why.
  using GivenBack = std::vector<std::pair<AskedWager, std::string>>;
  [[nodiscard]] const GivenBack& given_back() const { return given_back_; }
  // Of the events of this round, those that the controller refused last.
  [[nodiscard]] const std::map<std::string, Refusal>& refused() const { return refused_; }
  // How many more rounds were left open, which wait until this one is over.
  [[nodiscard]] std::size_t left_open_count() const { return left_open_.size(); }
  // The controller tells which hands count now; else a person may have changed any of them.
  [[nodiscard]] bool hands_are_told() const { return hands_are_told_; }
  // What is said of the round and has no answer yet.
  [[nodiscard]] const RoundCommands& unanswered() const { return unanswered_; }

 private:
  // What the session is to say next.
  struct Pending {
    TableCommand command;
    std::string mark;  // "": the lock
    [[nodiscard]] RoundRecord after(const RoundRecord& round, MessageNumber number) const;
  };

  std::string_view lock(std::optional<std::uint32_t> chips, const Badge& by);
  // Returns whether it moves the round.
  bool on_one_reply(const Answered& answered);
  void give_back(const std::vector<AskedWager>& wagers, std::string_view why);
  [[nodiscard]] bool can_go_on_with(const OpenRound& round) const;
  // The next one that was left open, once nothing else is on.
  void take_left_open();

  TableOffers table_;
  std::string play_;
  SensorWagers bets_;
  RoundRecord round_;
  RoundCommands unanswered_;
  Betting betting_ = Betting::none;
  Badge closed_by_;
  std::vector<AskedWager> closed_with_;
  std::optional<Pending> pending_;
  bool place_is_stale_ = false;  // round_ has changed and is not stored
  bool hands_are_told_ = false;
  std::vector<OpenRound> left_open_;  // those that wait until round_ is over
  RoundDriver::Surroundings surroundings_;
  // Lights that no restart brings back.
  GivenBack given_back_;
  std::map<std::string, Refusal> refused_;
};

}  // namespace linkmeter
