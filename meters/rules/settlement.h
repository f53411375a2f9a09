// Settlement: from hands and wagers to awards: which line, which order, which share, who gets envy.
// Pure arithmetic over drafts of the links; decide() turns the result into an entry.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/facts/award.h"
#include "meters/facts/call_reversal.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/round.h"
#include "meters/state/state.h"
#include "meters/values/shares.h"

namespace linkmeter {

// From where an award is paid at once (§ 605a.7(a)(2), (3)).
PaymentSource source_at_once(const WagerRules& wager);

// What one entry does to the meters, while it is being settled.
class Settlement {
 public:
  Settlement(const State& state, const FloorRules& rules);

  // For an entry that corrects what a table said; called before anything is settled. From then on
  // no award is paid at once: each has a claim or waits for one, so that a second person judges it.
  // `paid` is what was paid at once for what is corrected. What is won again exactly as it was
  // stays paid, and is no award of this entry.
  void correct_awards(std::vector<Award> paid);
  // The rest of it: to be taken back.
  [[nodiscard]] const std::vector<Award>& not_won_again() const { return paid_; }

  // Contributions of accepted wagers (M1), or their return (M8).
  void accrue(const std::vector<PlacedWager>& wagers);
  void withhold(const std::vector<PlacedWager>& wagers);
  void accrue(LinkIndex link, Amount handle) { draft(link).accrue(handle); }

  // Settles one show: what hangs on the dealer's hand first, then the named seats, highest first
  // (M6), with bonuses and envy after each seat's own award. REQUIRES: the message was checked
  // (seats, cards, folds, duplicates, draw).
  void settle(TableIndex table, const Round& round, const ShowHands& show);
  // Settles one hand alone, by the draw that it was settled by before; what hangs on the dealer's
  // hand stays as it is. REQUIRES: the hand was checked.
  void settle(TableIndex table, const Round& round, const ShownHand& hand, const Draw& draw);
  // What a correction settles anew.
  enum class Anew : std::uint8_t {
    everything,  // that hangs on the dealer's hand
    weighed,     // what weighs players' hands against it
    bonuses,     // by the draw alone: Magic Card and Lucky
  };
  // Settles what hangs on the dealer's hand; `hands` were shown with it. REQUIRES: the cards were
  // checked.
  void settle_dealer(TableIndex table, const Round& round, const std::vector<Card>& dealer,
                     const std::vector<ShownHand>& hands, const Draw& draw, Anew anew);
  // Settles the bonuses of one hand, by another draw than before.
  void settle_bonuses(TableIndex table, const Round& round, const ShownHand& hand,
                      const Draw& draw);
  // Settles the Bad Beat of a pot, if there is one (§ 553.20). REQUIRES: the message was checked.
  void settle(LinkIndex link, const PlayPot& pot);

  // A validated claim is paid.
  void pay(LinkIndex link, LevelIndex level, Amount amount) { draft(link).pay(level, amount); }

  // M11: rejects all these claims in one entry; the order in which they are listed does not matter.
  // The fact of the entry must carry the claims and what is answered here, and State::apply() must
  // be given both (Applying::reject, Applying::reverse in apply.cc); reversal_misfit() checks what
  // is read back. In an entry that also settles a hand, reject first. A claim of a fixed award
  // moves nothing. REQUIRES: each claim is raised or validated, and listed once; at most one call
  // of reject() per settlement, before anything is won or paid.
  CallReversal reject(std::span<const ClaimNumber> claims);
  // M12.
  void correct(LinkIndex link, Pool pool, Amount amount) { draft(link).correct(pool, amount); }
  void transfer(PoolRef from, PoolRef to, Amount amount) {
    draft(from.link).send(from.pool, amount);
    draft(to.link).receive(to.pool, amount);
  }

  [[nodiscard]] bool is_within_limits() const;
  [[nodiscard]] const std::vector<JackpotHit>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<Award>& awards() const { return awards_; }
  // All postings, link by link.
  [[nodiscard]] std::vector<Posting> postings() const;

 private:
  LinkTransaction& draft(LinkIndex link);
  // The table's links in the chapter's order of settlement, whatever their order in the floor file.
  [[nodiscard]] std::vector<LinkIndex> links_in_order(TableIndex table) const;
  // The bettors of a link who are settled together, with the hand of each.
  struct Bettor {
    PlacedWager wager;
    std::span<const Card> cards;
    const Line* line = nullptr;
  };
  // What a player's own hand decides, link by link.
  void settle_own_hand(TableIndex table, const Round& round, const ShownHand& hand);
  // Envy for the hand waits for the claim that its line raised on the same progressive. Without
  // such a claim it has a claim of its own, where a person must judge the hand. `awards` are those
  // of the hand; their claims are numbered anew from `claims_before`.
  void hold_back_envy(Seat holder, std::span<Award> awards, std::uint64_t claims_before);
  void settle_dealer_links(TableIndex table, const Round& round, const std::vector<Card>& dealer,
                           const std::vector<ShownHand>& hands, bool only_weighed);
  void settle_dealer_hand(LinkIndex link, const Round& round, const std::vector<Card>& dealer);
  void settle_both_hands(LinkIndex link, const Round& round, const std::vector<Card>& dealer,
                         const std::vector<ShownHand>& hands);
  void settle_player_hand(LinkIndex link, const Round& round, const ShownHand& hand);
  // Winners of one line of a meter share what it calls (M7); every other line pays each its own.
  void settle_together(LinkIndex link, const std::vector<Bettor>& bettors, Sharing sharing);
  [[nodiscard]] bool has_bet(const Round& round, Seat seat, LinkIndex link) const;
  void give_envy(LinkIndex link, const Round& round, const ShownHand& hand, const Line& line);
  void give_bonuses(LinkIndex link, const PlacedWager& wager, std::span<const Card> cards);
  // The meter's share that a line calls, at most `cap`, taken off the draft.
  Amount call(LinkIndex link, const Pays& pays, std::optional<Amount> cap = {});
  // What the payout limit lets this seat still be paid on this link; nullopt: there is no limit.
  [[nodiscard]] std::optional<Amount> left_of_payout_limit(LinkIndex link, Seat seat) const;
  // The award is the fixed amount, or what the payout limit leaves of it. REQUIRES: it says which
  // link's and seat's it is.
  void pay_within_limit(Amount amount, Award& won);
  // What the line would call if there were no limit.
  Amount uncut_call(LinkIndex link, const Pays& pays);
  void award_fixed(LinkIndex link, const PlacedWager& wager, const Line& line);
  // `call`: which of calls(), counted from 1.
  void award_of_meter(LinkIndex link, const PlacedWager& wager, const Line& line, Amount amount,
                      std::size_t call);
  void add(Award won, bool needs_person);
  // Was this award paid before the correction? Then it is struck off `paid_`.
  [[nodiscard]] bool take_paid(const Award& won);

  const State& state_;
  const FloorRules& rules_;
  std::map<LinkIndex, LinkTransaction> drafts_;
  std::vector<JackpotHit> calls_;
  std::vector<Award> awards_;
  std::map<Seat, Amount> paid_under_limit_;  // in this entry, over all links with a payout limit
  Draw draw_;
  bool may_fold_ = true;
  bool only_bonuses_ = false;
  bool corrects_ = false;
  bool is_draw_corrected_ = false;  // the round's draw, by an earlier entry
  std::vector<Award> paid_;         // before the correction, and not won again so far
  std::uint64_t claims_ = 0;
};

}  // namespace linkmeter
