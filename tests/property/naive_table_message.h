// NaiveModel::TableMessageDecision: the result of one message that a table may send now. All
// reasons to refuse it are gathered first; the one with the lowest number is given (refusal.h),
// except table_frozen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/property/naive_model.h"

namespace linkmeter {

// A badge, or a text of people and tables: any language, no control characters.
bool is_naive_name(const std::string& text);
bool is_naive_text(const std::string& text, std::size_t longest);

struct NaiveModel::TableMessageDecision {
  NaiveModel& model;
  std::uint32_t place;
  NaiveTable& table;
  Timestamp now;
  std::set<Refusal> no;
  Verdict verdict;
  std::optional<std::uint32_t> pot_link = {};
  std::set<std::uint32_t> going_on = {};  // links that the round was locked with

  void operator()(const LockRound& lock);
  void operator()(const ResolveCount& resolve);
  void operator()(const ShowHands& show);
  void operator()(const CloseRound& close);
  void operator()(const VoidRound& request);
  void operator()(const PlayPot& pot);

  // How many cards each hand of the game has.
  struct Counts {
    std::size_t player_least, player_most, dealer_least, dealer_most, board_most;
  };
  static Counts counts_of(const std::string& game);

  void check_new_round(const RoundId& id, const Badge& by);
  // nullptr: it does not exist, and that is a reason.
  NaiveRound* check_known_round(const RoundId& id, const Badge& by);
  // M10; the wagers with their links, as far as they have one.
  std::vector<NaiveWager> check_wagers(const std::vector<AskedWager>& asked);
  std::vector<NaiveWager> links_of(const AskedWager& asked);
  // A hand that need not be seen may come without cards.
  void check_hand(const ShownHand& hand, bool must_be_seen, std::set<int>& seats);
  void check_dealer(const NaiveRound& round, const ShowHands& show);
  void check_draw(const NaiveRound& round, const Draw& draw);
  void check_cards(std::map<int, int>& seen, const std::vector<Card>& cards);
  void check_all_cards(std::map<int, int>& seen, const std::vector<ShownHand>& hands,
                       const std::vector<Card>& dealer, const std::vector<Card>& board);
  void check_pot(const PlayPot& pot);
  void check_resolver(const Badge& by);
  // A void that rejects claims needs a person who may judge them: at a table of rounds, a
  // floorperson.
  void check_rejecter(const Badge& by);
  [[nodiscard]] static std::string prepared_by(const NaiveRound& round, const NaiveAward& award);
  void check_left_out(const std::vector<NaiveWager>& locked, const std::vector<NaiveWager>& placed);
  [[nodiscard]] Refusal first_reason() const;
  // Whether anything in the round depends on the dealer's hand.
  [[nodiscard]] bool waits_for_dealer(const NaiveRound& round) const;
  [[nodiscard]] std::uint32_t chips_of(const std::vector<NaiveWager>& wagers) const;

  // A person's correction of a hand; the hands that a message has just shown are kept for it.
  void correct(const CorrectHand& asked, const std::string& by);
  void correct(const CorrectDealer& asked, const std::string& by);
  void correct(const CorrectPot& asked, const std::string& by);
  void keep_hands(NaiveRound& round, const std::vector<ShownHand>& hands, bool with_dealer);
  void void_hand(const VoidRound& request, NaiveRound& round);
  // For awards that no longer count: paid awards go into the verdict, and so does a pending claim;
  // a validated claim is a reason.
  void undo(const std::vector<NaiveAward>& awards);
  // The claims that undo() has put into the verdict.
  void reject_pending(RejectReason reason, const std::string& note, const std::string& by,
                      bool by_table);
  // Undone awards are removed from the round.
  void strike(NaiveRound& round) const;
  void raise_anew(NaiveRound* round, const std::vector<ShownHand>& hands, const std::string& by);
  [[nodiscard]] bool is_own(const NaiveAward& award) const;
  bool may_validate_or_reject = true;
  // The verdict's awards that only this seat's hand brought.
  [[nodiscard]] std::vector<NaiveAward> brought_by(int seat) const;

  void count(const std::vector<NaiveWager>& wagers, bool back);
  void accrue(const std::vector<NaiveWager>& wagers);
  void give_back(const std::vector<NaiveWager>& wagers);
  void play(const PlayPot& pot, std::uint32_t link);
  // `round`, `hands`: for claims that a wager wins.
  void count_paid(const std::vector<NaiveAward>& awards, bool back);
  // Also counts what is paid at once.
  void raise_claims(const NaiveRound* round, const std::vector<ShownHand>& hands);
  void check_keyed(const std::vector<ShownHand>& hands);
  // meter_full is the last check.
  [[nodiscard]] bool is_too_full();
  void done(const std::string& fact, const RoundId& round);
};

}  // namespace linkmeter
