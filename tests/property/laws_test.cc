// The core against the naive model, over random floors' traffic: no difference, to 10^-8 dollar.

#include <doctest/doctest.h>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/property/floors.h"
#include "tests/property/trial.h"

namespace linkmeter::laws_test {
namespace {

// LINKMETER_ROUNDS: the number of rounds and pots instead of the default.
std::size_t rounds_wanted() {
  const char* const wanted = std::getenv("LINKMETER_ROUNDS");
  return wanted == nullptr ? 50'000 : std::strtoull(wanted, nullptr, 10);
}

// § 553.20(i).
TEST_CASE("every fund of the trials names the procedure of its discontinuation, but one") {
  std::vector<std::string> unapproved;
  for (std::size_t which = 0; which < test_floor_count; ++which) {
    for (const LinkConfig& link : test_floor(which).floor.links) {
      if (link.pot && link.pot->discontinuation.empty()) unapproved.push_back(link.id.text());
    }
  }
  CHECK(unapproved == std::vector<std::string>{"P-THIRDS"});
}

TEST_CASE("the core and the naive model agree on every message, award and figure") {
  TrialReport all;
  std::vector<FloorFile> floors;
  for (std::size_t which = 0; which < test_floor_count; ++which) {
    floors.push_back(test_floor(which));
  }
  const std::size_t wanted = rounds_wanted();
  for (std::uint64_t seed = 1; all.rounds < wanted && !all.divergence; ++seed) {
    const std::size_t which = seed % test_floor_count;
    // Every other floor's run is long enough to forget answers and ended rounds.
    const std::size_t length = seed / test_floor_count % 2 == 0 ? 1'500 : 7'000;
    TrialReport one = run_trial(floors[which], seed, length, core_decides);
    if (one.divergence) *one.divergence += " (floor " + std::to_string(which) + ")";
    all.add(one);
  }
  CHECK_MESSAGE(!all.divergence, all.divergence.value_or(""));
  CHECK(all.rounds >= wanted);
  if (all.divergence || wanted < 50'000) return;

  // A judge that never sees rare cases has not tested them: all of them occurred.
  for (int value = 2; value <= 167; ++value) {
    const auto refusal = static_cast<Refusal>(value);
    if (name(refusal) == name(Refusal::none)) continue;
    if (refusal == Refusal::table_not_yours) continue;        // of the edge, not of the core
    if (refusal == Refusal::key_unknown) continue;            // of the edge, too
    if (refusal == Refusal::history_differs) continue;        // of the edge, too
    if (refusal == Refusal::configuration_differs) continue;  // of the edge, too
    if (refusal == Refusal::history_not_accepted) continue;   // of the edge, too
    if (refusal == Refusal::not_the_writer) continue;         // of the edge, too
    if (refusal == Refusal::pin_wrong) continue;              // of the edge, too
    if (refusal == Refusal::too_many_open_rounds) continue;   // takes 4,096: refusals.ledger
    if (refusal == Refusal::parameters_too_many) continue;    // takes 10,000 lines
    if (refusal == Refusal::slip_stored_already) continue;    // not a person's act: slips.ledger
    if (refusal == Refusal::day_full) continue;               // takes 16,384: decide_day_test
    CHECK_MESSAGE(all.refusals[refusal] > 0, std::string(name(refusal)));
  }
  // Discontinuations are rare, because otherwise nothing would be left to play.
  MESSAGE(all.facts["confirmed stop"] << " links stopped, " << all.facts["confirmed discontinue"]
                                      << " ended");
  CHECK(all.facts["confirmed stop"] > 10);
  CHECK(all.facts["confirmed discontinue"] > 0);
  for (const Refusal refusal :
       {Refusal::collecting_ended, Refusal::still_collecting, Refusal::reseed_stays,
        Refusal::not_alike, Refusal::procedure_not_approved, Refusal::to_house,
        Refusal::link_has_open_claims, Refusal::link_ended}) {
    CHECK_MESSAGE(all.refusals[refusal] > 0, std::string(name(refusal)));
  }
  CHECK(all.facts["table_frozen"] > 0);
  CHECK(all.facts["confirmed unfreeze"] > 0);
  for (const Refusal refusal : {Refusal::discontinuation_removed, Refusal::table_frozen,
                                Refusal::table_frozen_already, Refusal::table_not_frozen}) {
    CHECK_MESSAGE(all.refusals[refusal] > 0, std::string(name(refusal)));
  }
  const std::map<std::string, std::vector<std::string>> wanted_lines{
      {"raise-it-up/progressive",
       {"akq_spades", "akq_other", "straight_flush", "three_of_a_kind", "straight"}},
      {"crazy-4/four-card", {"four_aces", "four_of_a_kind", "straight_flush", "three_of_a_kind"}},
      {"crazy-4/five-card",
       {"royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
        "three_of_a_kind"}},
      {"crazy-4/five-card-hand-bonus",
       {"royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "magic_card",
        "lucky_bonus", "royal_flush on dealer", "straight_flush on dealer",
        "four_of_a_kind on dealer", "full_house on dealer", "flush on dealer",
        "magic_card on dealer", "lucky_bonus on dealer"}},
      {"blackjack/bad-beat",
       {"21_with_seven_or_more_cards", "21_with_six_cards", "21_with_five_cards",
        "21_with_four_cards", "21_with_three_cards", "blackjack", "player_20", "magic_card",
        "lucky_bonus"}},
      {"blackjack/hit-and-run",
       {"eight_or_more_cards", "seven_cards", "six_cards", "five_cards", "blackjack"}},
      {"pai-gow-poker/progressive",
       {"seven_card_straight_flush", "five_aces", "royal_flush", "straight_flush", "four_of_a_kind",
        "full_house"}},
      {"pai-gow-poker/fortune-bonus",
       {"seven_card_straight_flush_no_joker", "royal_flush_and_royal_match",
        "seven_card_straight_flush_with_joker", "five_aces", "royal_flush", "straight_flush",
        "four_of_a_kind", "full_house", "flush", "three_of_a_kind", "straight"}},
      {"pai-gow-poker/emperors-treasure",
       {"seven_card_straight_flush_no_joker", "royal_flush_and_ace_king_suited",
        "seven_card_straight_flush_with_joker", "five_aces", "royal_flush", "straight_flush",
        "four_of_a_kind", "full_house", "flush", "three_of_a_kind", "straight"}},
      {"three-card-prime/bad-beat-bonus", {"straight_flush", "three_of_a_kind", "straight"}},
      {"poker/bad-beat", {"straight_flush", "four_of_a_kind", "full_house", "flush", "two_pair"}}};
  for (const auto& [wager, lines] : wanted_lines) {
    for (const std::string& line : lines) {
      const std::string seen = wager + " " + line;
      CAPTURE(seen);
      CHECK(all.lines.count(seen) == 1);
    }
  }
  CHECK(all.envies > 500);
  CHECK(all.hits > 2'000);
  CHECK(all.repeats > 2'000);
  CHECK(all.withheld_repaid > 1'000);
  CHECK(all.overflows > 1'000);
  CHECK(all.capped > 100);
  CHECK(all.capped_meters > 100);
  CHECK(all.shared > 500);
  for (const std::string fact :
       {"claim_validated",    "claim_paid",          "claim_rejected",
        "link_suspended",     "claim_countersigned", "slip_issued",
        "slip_voided",        "pin_changed",         "signed_in",
        "sign_in_failed",     "act_proposed",        "act_confirmed",
        "act_refused",        "hand_corrected",      "no hand",
        "shown again",        "confirmed resume",    "confirmed correct",
        "confirmed transfer", "confirmed add",       "confirmed remove",
        "confirmed roles",    "confirmed new",       "confirmed parameters:",
        "day_ended",          "counters_told",       "reading_taken",
        "count_recorded",     "variance_explained",  "day_signed",
        "day_closed"}) {
    CHECK_MESSAGE(all.facts[fact] > 20, fact);
  }
  for (const std::string rule : {"pays ", "envy on ", "order of lines ", "verified from "}) {
    MESSAGE(all.facts["proposed " + rule] << " changes proposed, " << all.facts["confirmed " + rule]
                                          << " confirmed with: " << rule);
    CHECK_MESSAGE(all.facts["proposed " + rule] > 10, rule);
  }
  CHECK(all.restored > 200);
  CHECK(all.kept > 200);
  MESSAGE(all.restored << " rejections as if never called, " << all.kept << " others, "
                       << all.facts["confirmed correct"] << " corrections, "
                       << all.facts["confirmed transfer"] << " transfers, "
                       << all.facts["confirmed parameters:"] << " changes of parameters, "
                       << all.facts["hand_corrected"] << " corrected hands, "
                       << all.facts["no hand"] << " of them none, " << all.facts["shown again"]
                       << " seats shown again, " << all.facts["act_refused"] << " refused acts");
  MESSAGE(all.rounds << " rounds, " << all.messages << " messages, " << all.entries << " entries, "
                     << all.hits << " calls on meters, " << all.envies << " envies, " << all.capped
                     << " + " << all.capped_meters << " capped, " << all.shared << " shared, "
                     << all.overflows << " overflows");
}

}  // namespace
}  // namespace linkmeter::laws_test
