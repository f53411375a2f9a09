// Settlement: computes awards from hands and wagers: the line, the order, the share, and who
// receives Envy. Pure arithmetic on LinkTransactions; decide() turns the result into an entry.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/facts/award.h"
#include "meters/facts/hit_reversal.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/round.h"
#include "meters/state/state.h"
#include "meters/values/money_division.h"

namespace linkmeter {

// The source from which an award is paid at once (§ 605a.7(a)(2), (3)).
PaymentSource source_at_once(const WagerRules& wager);

// The effect of one entry on the meters, while it is being settled.
class Settlement {
 public:
  Settlement(const State& state, const FloorRules& rules);

  // Marks the settlement as a correction of a table's report. REQUIRES: called before anything is
  // settled. From then on no award is paid at once: each has a claim or waits for one, so that a
  // second person signs it. `paid`: the awards of the corrected hands that were paid at once. An
  // award that is won again unchanged stays paid and is not an award of this entry.
  void correct_awards(std::vector<Award> paid);
  // The awards of `paid` that were not won again; they are reversed.
  [[nodiscard]] const std::vector<Award>& awards_not_won_again() const { return paid_; }

  // Contributions of accepted wagers (M1), or their return (M8).
  void accrue(const std::vector<PlacedWager>& wagers);
  void withhold(const std::vector<PlacedWager>& wagers);
  void accrue(LinkIndex link, Amount handle) { transaction(link).accrue(handle); }

  // Settles one show: first the awards that depend on the dealer's hand, then the named seats,
  // highest first (M6), with bonuses and Envy after each seat's own award. REQUIRES: the message
  // was checked (seats, cards, folds, duplicates, draw).
  void settle(TableIndex table, const Round& round, const ShowHands& show);
  // Settles one hand alone, with the draw that it was settled with before. Awards that depend on
  // the dealer's hand stay unchanged. REQUIRES: the hand was checked.
  void settle(TableIndex table, const Round& round, const ShownHand& hand, const Draw& draw);
  // The part that a correction settles again.
  enum class Resettle : std::uint8_t {
    everything,   // all that depends on the dealer's hand
    comparisons,  // comparisons of players' hands with it
    bonuses,      // awards by the draw alone: Magic Card and Lucky
  };
  // Settles the awards that depend on the dealer's hand. `hands`: the hands shown with it.
  // REQUIRES: the cards were checked.
  void settle_dealer(TableIndex table, const Round& round, const std::vector<Card>& dealer,
                     const std::vector<ShownHand>& hands, const Draw& draw, Resettle part);
  // Settles the bonuses of one hand with a corrected draw.
  void settle_bonuses(TableIndex table, const Round& round, const ShownHand& hand,
                      const Draw& draw);
  // Settles the Bad Beat of a pot, if there is one (§ 553.20). REQUIRES: the message was checked.
  void settle(LinkIndex link, const PlayPot& pot);

  // Pays a validated claim.
  void pay(LinkIndex link, LevelIndex level, Amount amount) {
    transaction(link).pay(level, amount);
  }

  // M11: rejects all these claims in one entry; their order does not matter. The fact of the entry
  // must carry the claims and the returned reversal, and State::apply() must receive both
  // (Applying::reject, Applying::reverse in apply.cc). hit_reversal_violation() checks entries
  // that are read back. In an entry that also settles a hand, reject first. A claim of a fixed
  // award moves nothing. REQUIRES: each claim is raised or validated, and listed once; reject() is
  // called at most once per settlement, before anything is won or paid.
  HitReversal reject(std::span<const ClaimNumber> claims);
  // Correction and transfer (M12).
  void correct(LinkIndex link, Pool pool, Amount amount) {
    transaction(link).correct(pool, amount);
  }
  void transfer(PoolRef from, PoolRef to, Amount amount) {
    transaction(from.link).send(from.pool, amount);
    transaction(to.link).receive(to.pool, amount);
  }

  [[nodiscard]] bool is_within_limits() const;
  [[nodiscard]] const std::vector<JackpotHit>& hits() const { return hits_; }
  [[nodiscard]] const std::vector<Award>& awards() const { return awards_; }
  // All postings, ordered by link.
  [[nodiscard]] std::vector<Posting> postings() const;

 private:
  LinkTransaction& transaction(LinkIndex link);
  // The table's links in the chapter's order of settlement, independent of the floor file's order.
  [[nodiscard]] std::vector<LinkIndex> links_in_order(TableIndex table) const;
  // A bettor of a link whose bettors are settled together, with the hand that counts.
  struct Bettor {
    PlacedWager wager;
    std::span<const Card> cards;
    const Line* line = nullptr;
  };
  // Settles the awards that a player's own hand decides, link by link.
  void settle_own_hand(TableIndex table, const Round& round, const ShownHand& hand);
  // Makes Envy for the hand wait for the claim that its line raised on the same progressive.
  // Without such a claim, the Envy gets its own claim if a person must validate the line. `awards`:
  // those of the hand; their claims are renumbered from `claims_before`.
  void hold_back_envy(Seat holder, std::span<Award> awards, std::uint64_t claims_before);
  void settle_dealer_links(TableIndex table, const Round& round, const std::vector<Card>& dealer,
                           const std::vector<ShownHand>& hands, bool only_comparisons);
  void settle_dealer_hand(LinkIndex link, const Round& round, const std::vector<Card>& dealer);
  void settle_both_hands(LinkIndex link, const Round& round, const std::vector<Card>& dealer,
                         const std::vector<ShownHand>& hands);
  void settle_player_hand(LinkIndex link, const Round& round, const ShownHand& hand);
  // Winners of one line of a meter share its award (M7); any other line pays each winner
  // separately.
  void settle_together(LinkIndex link, const std::vector<Bettor>& bettors, Sharing sharing);
  [[nodiscard]] bool has_bet(const Round& round, Seat seat, LinkIndex link) const;
  void give_envy(LinkIndex link, const Round& round, const ShownHand& hand, const Line& line);
  void give_bonuses(LinkIndex link, const PlacedWager& wager, std::span<const Card> cards);
  // Takes the line's share off the meter, at most `cap`, and records the hit.
  Amount hit_meter(LinkIndex link, const Pays& pays, std::optional<Amount> cap = {});
  // The rest of the payout limit for this seat on this link; nullopt: no limit.
  [[nodiscard]] std::optional<Amount> left_of_payout_limit(LinkIndex link, Seat seat) const;
  // Sets the award to the fixed amount, or to the rest of the payout limit. REQUIRES: `won` names
  // its link and seat.
  void pay_within_limit(Amount amount, Award& won);
  // The amount that the line would take without a limit.
  Amount award_without_limit(LinkIndex link, const Pays& pays);
  void award_fixed(LinkIndex link, const PlacedWager& wager, const Line& line);
  // `hit`: the index in hits(), counted from 1.
  void award_of_meter(LinkIndex link, const PlacedWager& wager, const Line& line, Amount amount,
                      std::size_t hit);
  void add(Award won, bool needs_person);
  // Whether this award was paid before the correction. If so, removes it from `paid_`.
  [[nodiscard]] bool take_paid(const Award& won);

  const State& state_;
  const FloorRules& rules_;
  std::map<LinkIndex, LinkTransaction> transactions_;
  std::vector<JackpotHit> hits_;
  std::vector<Award> awards_;
  std::map<Seat, Amount> paid_under_limit_;  // within this entry, over all links with a payout
                                             // limit
  Draw draw_;
  bool may_fold_ = true;
  bool only_bonuses_ = false;
  bool corrects_ = false;
  bool is_draw_corrected_ = false;  // an earlier entry corrected the round's draw
  std::vector<Award> paid_;         // paid before the correction, not won again so far
  std::uint64_t claims_ = 0;
};

}  // namespace linkmeter
