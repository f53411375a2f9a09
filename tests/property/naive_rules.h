// Naive rules: the paytables, written out a second time from the sections of the chapters and not
// read from the catalogue, so that a wrong figure there is a difference too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace linkmeter {

struct NaiveLine {
  std::string line;
  std::string level;         // "": a fixed award
  std::int64_t percent = 0;  // of the level's meter
  std::int64_t for_one = 0;  // a fixed award: times the wager
};

struct NaiveEnvy {
  std::string line;
  std::int64_t one_dollar = 0;   // dollars to a wager of $1
  std::int64_t five_dollar = 0;  // dollars to a wager of $5
};

struct NaiveLevel {
  std::string level;
  std::int64_t seed_for_one = 0;  // 0: the house states seed, reseed and rate
  std::int64_t rate_percent = 0;
};

struct NaiveRules {
  std::vector<NaiveLine> lines;  // the first that fits pays
  std::vector<NaiveEnvy> envy;
  std::vector<NaiveLevel> levels;
  std::int64_t claim_from = 0;  // fixed awards of at least this for 1 need a person
  bool on_dealer = false;       // hangs on the dealer's hand, for all its bettors together
  bool fold_forfeits = false;
  bool folded_bettor_gives_envy = false;
  bool game_account_barred = false;     // for an award off a meter; table inventory always is
  bool needs_reserve_of_house = false;  // the reserve's rate is the house's, not the text's
};

NaiveRules naive_rules(const std::string& wager, const std::string& paytable);

}  // namespace linkmeter
