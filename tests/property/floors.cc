#include "tests/property/floors.h"

#include <utility>

#include "proto/host/fault.h"
#include "tests/support/keys.h"
#include "tests/support/staff.h"

namespace linkmeter {

namespace {

const char* const catalogue = LINKMETER_SOURCE_DIR "/config/catalogue";

[[noreturn]] void refuse(const Violations& violations) {
  std::string said;
  for (const Violation& one : violations) said += one.text() + "\n";
  throw Fault(said);
}

FloorFile accepted(std::variant<FloorFile, Violations> floor) {
  if (const auto* violations = std::get_if<Violations>(&floor)) refuse(*violations);
  return std::move(std::get<FloorFile>(floor));
}

const std::string house_text =
    "[house]\nname = \"Test House\"\ntimezone = \"America/New_York\"\n"
    "gaming_day_start = \"06:00\"\n"
    "second_signature = [{ from = \"1200.00\", roles = [\"floorperson\"] }, "
    "{ from = \"5000.00\", roles = [\"floorperson\", \"table_games_manager\"] }]\n"
    "taxable = [{ since = \"1970-01-01\", amount = \"1200.00\", ratio = 300 }]\n";

// Trials deal faster than any table: pace_test tests the pace.
std::string table(const std::string& id, const std::string& game, int seats, int decks = 0) {
  return "[[table]]\nid = \"" + id + "\"\ngame = \"" + game +
         "\"\nseats = " + std::to_string(seats) +
         (decks == 0 ? "" : "\ndecks = " + std::to_string(decks)) +
         "\nasset = \"T-1\"\npace = 10000000\n";
}

std::string link(const std::string& id, const std::string& wager, const std::string& keys) {
  return "[[link]]\nid = \"" + id + "\"\nwager = \"" + wager + "\"\n" + keys + "\n";
}

// Both units of one progressive on one table, with a reserve and a rate of four decimals; other
// choices of envy; a limit a little above the seed.
std::string raise_it_up_text() {
  return house_text +
         link("R-1", "raise-it-up/progressive",
              "unit = \"1.00\"\nseed = \"1000.00\"\nreseed = \"1500.00\"\n"
              "rates = { main = \"14.2857%\", reserve = \"3.3333%\" }\ntables = [\"R1\"]") +
         link("R-5", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"5000.00\"\nrates = { main = \"14%\" }\n"
              "folded_hand_gives_envy = false\ntables = [\"R1\"]") +
         link("R-FULL", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"7000.01\"\nreseed = \"5000.00\"\n"
              "limit = \"7003.33\"\nenvy_of_non_bettors = false\n"
              "rates = { main = \"99%\", reserve = \"1%\" }\ntables = [\"R2\"]") +
         table("R1", "raise-it-up", 6) + table("R2", "raise-it-up", 3);
}

std::string five_card() {
  const std::string wager = "crazy-4/five-card";
  return link("C-A1", wager, "paytable = \"A\"\nunit = \"1.00\"\ntables = [\"C1\", \"C2\"]") +
         link("C-C5", wager,
              "paytable = \"C\"\nunit = \"5.00\"\n"
              "limit = { mega = \"50000.25\", minor = \"1251.00\" }\n"
              "tables = [\"C2\", \"C3\", \"C4\"]") +
         link("C-B1", wager,
              "paytable = \"B\"\nunit = \"1.00\"\nfolded_hand_gives_envy = true\n"
              "tables = [\"C3\"]") +
         link("C-D5", wager, "paytable = \"D\"\nunit = \"5.00\"\ntables = [\"C1\"]");
}

std::string four_card() {
  const std::string wager = "crazy-4/four-card";
  return link("F-A1", wager, "paytable = \"A\"\nunit = \"1.00\"\ntables = [\"C1\", \"C2\"]") +
         link("F-B5", wager,
              "paytable = \"B\"\nunit = \"5.00\"\nlimit = \"5002.50\"\n"
              "tables = [\"C2\", \"C3\"]") +
         link("F-A5", wager,
              "paytable = \"A\"\nunit = \"5.00\"\nenvy_of_non_bettors = false\n"
              "folded_hand_gives_envy = true\ntables = [\"C4\"]") +
         link("F-B1", wager,
              "paytable = \"B\"\nunit = \"1.00\"\nenvy_of_non_bettors = true\n"
              "tables = [\"C5\"]");
}

std::string hand_bonus_text() {
  const std::string wager = "crazy-4/five-card-hand-bonus";
  return link("H-1", wager,
              "unit = \"1.00\"\nmagic_card = true\nlucky_bonus = true\n"
              "limit = \"10001.10\"\ntables = [\"C1\", \"C3\"]") +
         link("H-5", wager,
              "unit = \"5.00\"\nfold_forfeits = true\nlucky_bonus = true\n"
              "tables = [\"C2\", \"C3\"]") +
         link("H-PLAIN", wager, "unit = \"5.00\"\nmagic_card = false\ntables = [\"C5\"]") +
         link("H-MAGIC", wager, "unit = \"1.00\"\nmagic_card = true\ntables = [\"C6\"]");
}

// All three progressives, alone and side by side, in both units.
std::string crazy_4() {
  std::string text = house_text + four_card() + five_card() + hand_bonus_text();
  for (const char* id : {"C1", "C2", "C3", "C4", "C5", "C6"}) text += table(id, "crazy-4", 6);
  return text;
}

std::string blackjack() {
  const std::string run = "blackjack/hit-and-run";
  const std::string beat = "blackjack/bad-beat";
  return house_text +
         link("B-VARIES", run,
              "minimum = \"1.00\"\nmaximum = \"25.00\"\nseed = \"1000.00\"\n"
              "reseed = \"1000.01\"\nrates = { main = \"12.3457%\", reserve = \"3.21%\" }\n"
              "tables = [\"B1\"]") +
         link("BB-ALL", beat,
              "minimum = \"1.00\"\nmaximum = \"25.00\"\nseed = \"5000.00\"\n"
              "any_20 = true\nmagic_card = true\nlucky_bonus = true\nlimit = \"5004.04\"\n"
              "rates = { main = \"12%\", reserve = \"3%\" }\ntables = [\"B1\"]") +
         link("B-1", run,
              "unit = \"1.00\"\nseed = \"1000.00\"\nrates = { main = \"0.0001%\", "
              "reserve = \"99.9999%\" }\ntables = [\"B2\"]") +
         link("B-5", run,
              "unit = \"5.00\"\nseed = \"3000.00\"\nrates = { main = \"10%\" }\n"
              "limit = \"3000.00\"\ntables = [\"B2\"]") +
         link("B-ODD", run,
              "unit = \"0.37\"\nseed = \"1000.00\"\nreseed = \"4000.00\"\n"
              "rates = { main = \"33.3333%\", reserve = \"66.6667%\" }\ntables = [\"B3\"]") +
         link("BB-ODD", beat,
              "minimum = \"0.07\"\nmaximum = \"9.99\"\nseed = \"5000.01\"\n"
              "reseed = \"7777.77\"\nfold_forfeits = true\nlucky_bonus = true\n"
              "rates = { main = \"33.3333%\", reserve = \"66.6667%\" }\ntables = [\"B3\"]") +
         link("BB-LOW", beat,
              "minimum = \"1.00\"\nmaximum = \"4.99\"\nseed = \"5000.00\"\nany_20 = true\n"
              "rates = { main = \"99.9999%\" }\ntables = [\"B4\"]") +
         link("BB-HIGH", beat,
              "minimum = \"5.00\"\nmaximum = \"100.00\"\nseed = \"6000.00\"\n"
              "magic_card = true\nany_20 = false\nrates = { main = \"14.25%\" }\n"
              "tables = [\"B4\"]") +
         table("B1", "blackjack", 7) + table("B2", "blackjack", 7, 1) +
         table("B3", "blackjack", 3, 2) + table("B4", "blackjack", 7, 6);
}

std::string pai_gow_bonuses() {
  const std::string fortune = "pai-gow-poker/fortune-bonus";
  const std::string emperor = "pai-gow-poker/emperors-treasure";
  return link("FB-A", fortune,
              "paytable = \"A\"\nminimum = \"1.00\"\nmaximum = \"100.00\"\n"
              "payout_limit = \"50000.00\"\ntables = [\"G1\", \"G2\"]") +
         link("ET-C", emperor,
              "paytable = \"C\"\nminimum = \"5.00\"\nmaximum = \"75.50\"\n"
              "payout_limit = \"60000.00\"\ntables = [\"G1\"]") +
         link("FB-B", fortune,
              "paytable = \"B\"\nminimum = \"0.50\"\nmaximum = \"50.00\"\ntables = [\"G3\"]") +
         link("ET-A", emperor,
              "paytable = \"A\"\nminimum = \"1.00\"\nmaximum = \"9.00\"\ntables = [\"G2\"]") +
         link("FB-C", fortune,
              "paytable = \"C\"\nminimum = \"1.00\"\nmaximum = \"5.00\"\ntables = [\"G4\"]") +
         link("FB-D", fortune,
              "paytable = \"D\"\nminimum = \"5.01\"\nmaximum = \"500.00\"\n"
              "payout_limit = \"55555.55\"\ntables = [\"G4\"]") +
         link("ET-B", emperor,
              "paytable = \"B\"\nminimum = \"1.00\"\nmaximum = \"25.00\"\n"
              "tables = [\"G3\", \"G5\"]") +
         link("ET-D", emperor,
              "paytable = \"D\"\nminimum = \"4.99\"\nmaximum = \"10.00\"\ntables = [\"G4\"]");
}

// Meters below, at and above the amount that one seat may be paid in a round.
std::string pai_gow() {
  const std::string wager = "pai-gow-poker/progressive";
  return house_text +
         link("PG-1", wager,
              "unit = \"1.00\"\nseed = \"2000.00\"\nrates = { main = \"15%\", "
              "reserve = \"5%\" }\nlimit = \"2001.00\"\npayout_limit = \"50000.00\"\n"
              "tables = [\"G1\"]") +
         link("PG-5", wager,
              "unit = \"5.00\"\nseed = \"80000.00\"\nreseed = \"70000.07\"\n"
              "rates = { main = \"15%\", reserve = \"5.5555%\" }\nlimit = \"80000.50\"\n"
              "payout_limit = \"65000.00\"\npayout_limit_caps_meter = true\n"
              "tables = [\"G1\"]") +
         pai_gow_bonuses() +
         link("PG-2", wager,
              "unit = \"5.00\"\nseed = \"49999.00\"\nrates = { main = \"99.9999%\" }\n"
              "payout_limit = \"50000.00\"\npayout_limit_caps_meter = true\n"
              "tables = [\"G2\"]") +
         link("PG-3", wager,
              "unit = \"5.00\"\nseed = \"90000.00\"\nrates = { main = \"10%\" }\n"
              "payout_limit = \"50000.00\"\ntables = [\"G4\"]") +
         table("G1", "pai-gow-poker", 6) + table("G2", "pai-gow-poker", 6) +
         table("G3", "pai-gow-poker", 4) + table("G4", "pai-gow-poker", 5) +
         table("G5", "pai-gow-poker", 2);
}

std::string three_card_prime() {
  const std::string wager = "three-card-prime/bad-beat-bonus";
  return house_text +
         link("T-A", wager,
              "paytable = \"A\"\nminimum = \"1.00\"\nmaximum = \"10000.00\"\n"
              "payout_limit = \"50000.00\"\ntables = [\"T1\", \"T2\"]") +
         link("T-B", wager,
              "paytable = \"B\"\nminimum = \"0.25\"\nmaximum = \"10000.00\"\n"
              "tables = [\"T3\"]") +
         link("T-LOW", wager,
              "paytable = \"B\"\nminimum = \"0.07\"\nmaximum = \"4.99\"\ntables = [\"T4\"]") +
         link("T-HIGH", wager,
              "paytable = \"A\"\nminimum = \"5.00\"\nmaximum = \"9999.99\"\n"
              "payout_limit = \"66666.66\"\ntables = [\"T4\"]") +
         table("T1", "three-card-prime", 6) + table("T2", "three-card-prime", 1) +
         table("T3", "three-card-prime", 4) + table("T4", "three-card-prime", 6);
}

// A poker room with one shared fund; funds that give everything to one side; a table without a
// fund. P-THIRDS is a fund that an older release opened without an approved discontinuation
// procedure.
std::string poker() {
  const std::string wager = "poker/bad-beat";
  return house_text +
         link("P-ROOM", wager,
              "contribution = { minimum_pot = \"20.00\", amount = \"1.00\" }\n"
              "seed = \"500.00\"\nreseed = \"0.00\"\n"
              "rates = { main = \"80%\", reserve = \"20%\" }\nqualifying = \"full_house\"\n"
              "split = { losing_hand = \"50%\", winning_hand = \"25%\", table = \"25%\" }\n"
              "discontinuation = \"order 7\"\ntables = [\"P1\", \"P2\", \"P3\"]") +
         link("P-LOSER", wager,
              "contribution = { minimum_pot = \"3.33\", amount = \"3.33\" }\n"
              "seed = \"0.00\"\nrates = { main = \"33.3333%\", "
              "reserve = \"66.6667%\" }\nqualifying = \"high_card\"\n"
              "split = { losing_hand = \"100%\", winning_hand = \"0%\", table = \"0%\" }\n"
              "discontinuation = \"order 8\"\ntables = [\"P4\"]") +
         link("P-THIRDS", wager,
              "contribution = { minimum_pot = \"0.50\", amount = \"0.07\" }\n"
              "seed = \"0.05\"\nreseed = \"0.02\"\n"
              "rates = { main = \"14.2857%\", reserve = \"85.7143%\" }\n"
              "qualifying = { category = \"pair\", ranks = \"9K\" }\n"
              "split = { losing_hand = \"33.3333%\", winning_hand = \"33.3333%\", "
              "table = \"33.3334%\" }\ntables = [\"P5\"]") +
         link("P-TABLE", wager,
              "contribution = { minimum_pot = \"10.00\", amount = \"2.00\" }\n"
              "seed = \"100.00\"\nrates = { main = \"100%\" }\nqualifying = \"four_of_a_kind\"\n"
              "split = { losing_hand = \"0%\", winning_hand = \"0.0001%\", table = \"99.9999%\" }\n"
              "discontinuation = \"order 9\"\ntables = [\"P6\"]") +
         table("P1", "poker", 9) + table("P2", "poker", 10) + table("P3", "poker", 2) +
         table("P4", "poker", 6) + table("P5", "poker", 7) + table("P6", "poker", 4) +
         table("P7", "poker", 5);
}

// Meters at the largest amount that the system holds: royals are refused there, with their name.
std::string full() {
  return house_text +
         link("R-RICH", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"1000000000.00\"\nrates = { main = \"14%\", "
              "reserve = \"5%\" }\ntables = [\"R1\"]") +
         link("P-RICH", "poker/bad-beat",
              "contribution = { minimum_pot = \"10000.00\", amount = \"10000.00\" }\n"
              "seed = \"1000000000.00\"\nrates = { main = \"60%\", reserve = \"40%\" }\n"
              "qualifying = \"full_house\"\nsplit = { losing_hand = \"50%\", "
              "winning_hand = \"25%\", table = \"25%\" }\ndiscontinuation = \"order 10\"\n"
              "tables = [\"P1\"]") +
         table("R1", "raise-it-up", 6) + table("P1", "poker", 9);
}

// Every game in one house.
std::string mixed() {
  return house_text +
         link("R", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"5000.00\"\nrates = { main = \"14%\" }\n"
              "tables = [\"R1\"]") +
         link("F", "crazy-4/four-card",
              "paytable = \"B\"\nunit = \"1.00\"\ntables = [\"C1\", \"C2\"]") +
         link("C", "crazy-4/five-card",
              "paytable = \"D\"\nunit = \"5.00\"\ntables = [\"C1\", \"C2\"]") +
         link("H", "crazy-4/five-card-hand-bonus",
              "unit = \"1.00\"\nmagic_card = true\nlucky_bonus = true\ntables = [\"C2\"]") +
         link("BB", "blackjack/bad-beat",
              "minimum = \"1.00\"\nmaximum = \"25.00\"\nseed = \"5000.00\"\n"
              "lucky_bonus = true\nrates = { main = \"12%\", reserve = \"3%\" }\n"
              "tables = [\"B1\"]") +
         link("HR", "blackjack/hit-and-run",
              "unit = \"1.00\"\nseed = \"1000.00\"\nrates = { main = \"20%\" }\n"
              "tables = [\"B1\"]") +
         link("PG", "pai-gow-poker/progressive",
              "unit = \"1.00\"\nseed = \"2000.00\"\nrates = { main = \"20%\" }\n"
              "tables = [\"G1\"]") +
         link("FB", "pai-gow-poker/fortune-bonus",
              "paytable = \"A\"\nminimum = \"1.00\"\nmaximum = \"25.00\"\ntables = [\"G1\"]") +
         link("ET", "pai-gow-poker/emperors-treasure",
              "paytable = \"D\"\nminimum = \"1.00\"\nmaximum = \"25.00\"\ntables = [\"G1\"]") +
         link("T", "three-card-prime/bad-beat-bonus",
              "paytable = \"A\"\nminimum = \"5.00\"\nmaximum = \"500.00\"\ntables = [\"T1\"]") +
         link("P", "poker/bad-beat",
              "contribution = { minimum_pot = \"20.00\", amount = \"1.00\" }\n"
              "seed = \"500.00\"\nrates = { main = \"70%\", reserve = \"30%\" }\n"
              "limit = \"500.50\"\nqualifying = \"full_house\"\n"
              "split = { losing_hand = \"50%\", winning_hand = \"25%\", table = \"25%\" }\n"
              "discontinuation = \"order 11\"\ntables = [\"P1\"]") +
         table("R1", "raise-it-up", 6) + table("C1", "crazy-4", 6) + table("C2", "crazy-4", 5) +
         table("B1", "blackjack", 7) + table("G1", "pai-gow-poker", 6) +
         table("T1", "three-card-prime", 6) + table("P1", "poker", 9);
}

std::string small() {
  return house_text +
         link("R-1", "raise-it-up/progressive",
              "unit = \"1.00\"\nseed = \"1000.00\"\nrates = { main = \"15%\", reserve = \"5%\" }\n"
              "tables = [\"R1\"]") +
         table("R1", "raise-it-up", 3);
}

}  // namespace

FloorFile floor_from(const std::string& name, const std::string& text) {
  const auto texts = read_catalogue_texts(catalogue);
  if (const auto* violations = std::get_if<Violations>(&texts)) refuse(*violations);
  return accepted(parse_floor(name, text, std::get<std::vector<CatalogueText>>(texts)));
}

FloorFile test_floor(std::size_t which) {
  switch (which) {
    case 0: return floor_from("raise-it-up", raise_it_up_text());
    case 1: return floor_from("crazy-4", crazy_4());
    case 2: return floor_from("blackjack", blackjack());
    case 3: return floor_from("poker", poker());
    case 4: return floor_from("full", full());
    case 5: return floor_from("small", small());
    case 6: return floor_from("pai-gow-poker", pai_gow());
    case 7: return floor_from("three-card-prime", three_card_prime());
    case 8: return floor_from("mixed", mixed());
    default: break;
  }
  return accepted(read_floor(LINKMETER_SOURCE_DIR "/config/demo/floor.toml", catalogue));
}

std::vector<Person> trial_staff() {
  std::vector<Person> staff = standard_staff();
  staff.push_back(person_of("A-1", Department::finance, {Role::accountant}));
  staff.push_back(person_of("A-2", Department::finance, {Role::accountant}));
  staff.push_back(
      person_of("FM-2", Department::finance, {Role::accountant, Role::finance_manager}));
  staff.push_back(person_of("S-1", Department::security, {Role::security_officer}));
  return staff;
}

FloorOpened opened(const FloorFile& file) {
  return FloorOpened{file.floor, file.text, file.catalogue_texts, trial_staff(),
                     keys_of(file.floor)};
}

}  // namespace linkmeter
