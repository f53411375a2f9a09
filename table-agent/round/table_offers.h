// TableOffers: the game of a table, and every wager that a seat may place there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/game/game_rules.h"
#include "meters/rules/table_checks.h"

namespace linkmeter {

// One kind of wager at the table. Two links of one kind (a $1 and a $5 unit) are two ways to bet
// it; a seat uses one of them.
struct Offer {
  WagerId wager;
  WagerRules rules;  // of the first of its links
  std::vector<LinkConfig> links;
  std::vector<EnvyStep> envy = {};  // for any line, of any link
  bool is_drawn = false;            // a Magic Card or a Lucky position decides one of its bonuses
  std::vector<LineId> lines = {};   // of all links, each once, the best first

  // Whether another seat's hand may bring envy to a seat with this bet.
  [[nodiscard]] bool may_receive_envy(Amount amount) const;
};

struct TableOffers {
  TableConfig terms;
  GameRules game;
  std::vector<Offer> offers;     // empty at a poker table
  std::optional<PotConfig> pot;  // a poker table's contribution rule
  LinkId pot_link = {};          // and its fund
  std::vector<PaymentSource> pot_award_not_from = {};

  // The floor of the table, with which the controller's checks answer the same here.
  Floor floor = {};
  FloorRules rules = {};
  FloorIndex index = {};
  TableIndex place = {};

  // Throws Fault if the table offers no wager.
  static TableOffers at(const Floor& floor, const FloorRules& rules, TableIndex table);

  [[nodiscard]] const Offer& offer(const WagerId& wager) const;
  [[nodiscard]] TableChecks checks() const { return {floor, rules, index.parts_of(place), place}; }
  // The wagers on their links. A wager that no link takes any more counts for the first link of its
  // kind. REQUIRES: wagers that the table offers.
  [[nodiscard]] std::vector<PlacedWager> placed(const std::vector<AskedWager>& wagers) const;
  // How many of the wagers are placed by chip.
  [[nodiscard]] std::uint32_t chip_count(const std::vector<AskedWager>& wagers) const;
};

// The lock of a round, counted: the number of chips is the number of wagers placed by chip.
LockRound lock_round(const TableOffers& table, const RoundId& round,
                     std::vector<AskedWager> wagers);
// A fold matters only for a seat with a wager. Wagers at other seats were returned or never placed.
void leave_out_idle_folds(ShowHands& show, const std::vector<AskedWager>& wagers);

}  // namespace linkmeter
