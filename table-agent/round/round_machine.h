// RoundMachine: the one round of a table, whether a device's sensors and button drive it, the
// dealer at a panel, or both. It takes their input, decides what becomes a message, receives the
// controller's answers, and knows what device and panel must show.
//
// Laws:
// 1. The light of a wager is on only when the controller has acknowledged its lock as accepted.
// 2. Open betting ends with any lock-out, with the device's session, and with a "no more bets" that
//    cannot become a lock. The base game goes on meanwhile, so only "open bets" opens betting
//    again. All betting also ends when the agent starts.
// 3. An input that becomes a message is done only when the message is in the outbox. A repeat is
//    not submitted twice, even after a restart (RoundRecord), unless the controller refused the
//    message.
// 4. If the table is locked out before a lock is in the outbox, the lock is dropped and its wagers
//    are returned. A lock in the outbox is delivered once.
// 5. The agent names its own rounds; no outbox gives a name twice.
// 6. What is owed is what the controller says: the agent evaluates nothing.
// 7. A poker hand is one message, the pot, submitted when the hand is over. While the table is
//    locked a pot is neither submitted nor kept for later: the hand may have been played without
//    the fund.
// 8. A round that was open when this outbox took over the table becomes this agent's round, unless
//    it has wagers that are not offered here. It is closed or voided before another round opens.
// 9. Sensors that are lost between "no more bets" and the count report nothing more, and their
//    lights cannot be turned on: their wagers wait for the sensors, or the dealer returns them.
// Each input function returns "" for yes, otherwise the name of the reason against it.
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
  // Betting for the next round, while the last round is still shown.
  enum class Betting : std::uint8_t { none, open, counting };
  struct Setup {
    TableOffers table;
    // The driver's name, under which its position is stored.
    std::string play;
    std::string place;                          // the position in the outbox
    std::vector<StoredMessage> unacknowledged;  // of the outbox
    std::function<std::string()> new_word;      // returns a name that was never used before
  };
  // Throws Fault if the position cannot be read.
  explicit RoundMachine(const Setup& setup);
  RoundMachine(const RoundMachine&) = delete;
  RoundMachine& operator=(const RoundMachine&) = delete;
  ~RoundMachine() = default;

  // ---- the session's side ----
  void update(const RoundDriver::Surroundings& surroundings);
  [[nodiscard]] std::optional<Step> next();
  void on_submitted(MessageNumber number);
  // Returns why the pending lock is dropped and its wagers go back, or "" if it will still be
  // submitted.
  [[nodiscard]] std::string on_not_submitted();
  std::optional<Position> on_reply(const std::vector<Answered>& answered);
  // Hands as the controller just reported them. A correction by a person counts.
  void on_hands(const std::vector<RoundHands>& rounds);
  // All rounds that were left open (law 8) and are still open.
  void on_left_open(std::vector<OpenRound> rounds);
  // After a restore, it is not known which entries recorded the hands.
  void forget_entries() { round_.hands_by.clear(); }

  // ---- input from a device or a panel ----
  std::string_view open_bets();
  struct Closing {
    bool bets_are_known = true;  // if false, the wagers are not known and cannot be learned later
    bool is_counted = true;      // the lock waits for the dealer's count
  };
  std::string_view close_bets(Closing closing, const Badge& by = Badge());
  std::string_view count(std::uint32_t chips, bool bets_are_known, const Badge& by = Badge());
  std::string_view place(const AskedWager& wager);
  // A wager that was removed before a lock does not count.
  std::string_view remove(Seat seat, const WagerId& wager, bool on_dealer);
  // A resolve, show, close or void of this round. `mark` identifies a repeat.
  std::string_view submit(TableCommand command, std::string_view mark);
  // The dealer continues a round that was left open.
  std::string_view resume(const RoundId& round);
  // A pot: the next round as a whole.
  std::string_view play_pot(PlayPot pot, std::string_view mark);
  // An input became a message that the session must submit. No other input is taken before that.
  [[nodiscard]] bool is_pending() const { return pending_.has_value(); }

  // ---- what ends betting ----
  void end_betting(std::string_view why);
  // Cancels "no more bets"; its wagers are returned.
  void end_counting(std::string_view why);

  // ---- what is known ----
  [[nodiscard]] const TableOffers& table() const { return table_; }
  [[nodiscard]] const RoundRecord& round() const { return round_; }
  [[nodiscard]] Betting betting() const { return betting_; }
  SensorWagers& bets() { return bets_; }
  [[nodiscard]] const SensorWagers& bets() const { return bets_; }
  [[nodiscard]] const RoundDriver::Surroundings& surroundings() const { return surroundings_; }
  // Why no wagers may be taken now; "": they may.
  [[nodiscard]] std::string_view lockout() const;
  // "lock round vf00d0001-000001": the mode as sent to the device.
  [[nodiscard]] std::string mode() const;
  [[nodiscard]] std::multiset<std::string> lights() const;
  // The wagers when betting was closed, while they are counted.
  [[nodiscard]] const std::vector<AskedWager>& closed_with() const { return closed_with_; }
  // Wagers that were returned since betting was opened, and why.
  using GivenBack = std::vector<std::pair<AskedWager, std::string>>;
  [[nodiscard]] const GivenBack& given_back() const { return given_back_; }
  // The events of this round whose last submission the controller refused.
  [[nodiscard]] const std::map<std::string, Refusal>& refused() const { return refused_; }
  // How many more rounds were left open. They wait until this one is over.
  [[nodiscard]] std::size_t left_open_count() const { return left_open_.size(); }
  // Whether the controller reports which hands count. If not, a person may have changed any of
  // them.
  [[nodiscard]] bool reports_hands() const { return reports_hands_; }
  // The submitted commands of the round without an answer.
  [[nodiscard]] const RoundCommands& unanswered() const { return unanswered_; }

 private:
  // What the session must submit next.
  struct Pending {
    TableCommand command;
    std::string mark;  // "": the lock
    [[nodiscard]] RoundRecord after(const RoundRecord& round, MessageNumber number) const;
  };

  std::string_view lock(std::optional<std::uint32_t> chips, const Badge& by);
  // Returns whether the answer changes the round.
  bool on_one_reply(const Answered& answered);
  void give_back(const std::vector<AskedWager>& wagers, std::string_view why);
  [[nodiscard]] bool can_go_on_with(const OpenRound& round) const;
  // Takes the next round that was left open, once no other round is on.
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
  bool reports_hands_ = false;
  std::vector<OpenRound> left_open_;  // those that wait until round_ is over
  RoundDriver::Surroundings surroundings_;
  // Returned wagers; a restart does not restore them.
  GivenBack given_back_;
  std::map<std::string, Refusal> refused_;
};

}  // namespace linkmeter
