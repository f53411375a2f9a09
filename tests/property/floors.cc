#include "tests/property/floors.h"

#include <utility>

#include "meters/edge/fault.h"

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

const std::string house =
    "[house]\nname = \"Test House\"\ntimezone = \"America/New_York\"\n"
    "gaming_day_start = \"06:00\"\n";

std::string table(const std::string& id, const std::string& game, int seats, int decks = 0) {
  return "[[table]]\nid = \"" + id + "\"\ngame = \"" + game +
         "\"\nseats = " + std::to_string(seats) +
         (decks == 0 ? "" : "\ndecks = " + std::to_string(decks)) + "\nasset = \"T-1\"\n";
}

std::string link(const std::string& id, const std::string& wager, const std::string& keys) {
  return "[[link]]\nid = \"" + id + "\"\nwager = \"" + wager + "\"\n" + keys + "\n";
}

// Both units of one progressive on one table, with a reserve and a rate of four decimals.
std::string raise_it_up() {
  return house +
         link("R-1", "raise-it-up/progressive",
              "unit = \"1.00\"\nseed = \"1000.00\"\nreseed = \"1500.00\"\n"
              "rates = { main = \"14.2857%\", reserve = \"3.3333%\" }\ntables = [\"R1\"]") +
         link("R-5", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"5000.00\"\nrates = { main = \"14%\" }\n"
              "tables = [\"R1\"]") +
         link("R-FULL", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"7000.01\"\nreseed = \"5000.00\"\n"
              "rates = { main = \"99%\", reserve = \"1%\" }\ntables = [\"R2\"]") +
         table("R1", "raise-it-up", 6) + table("R2", "raise-it-up", 2);
}

std::string five_card() {
  std::string text = house;
  text += link("C-A1", "crazy-4/five-card",
               "paytable = \"A\"\nunit = \"1.00\"\ntables = [\"C1\", \"C2\"]");
  text += link("C-C5", "crazy-4/five-card",
               "paytable = \"C\"\nunit = \"5.00\"\ntables = [\"C2\", \"C3\", \"C4\"]");
  text += link("C-B1", "crazy-4/five-card", "paytable = \"B\"\nunit = \"1.00\"\ntables = [\"C3\"]");
  text += link("C-D5", "crazy-4/five-card", "paytable = \"D\"\nunit = \"5.00\"\ntables = [\"C1\"]");
  for (const char* id : {"C1", "C2", "C3", "C4"}) text += table(id, "crazy-4", 6);
  return text;
}

std::string hit_and_run() {
  const std::string wager = "blackjack/hit-and-run";
  return house +
         link("B-VARIES", wager,
              "minimum = \"1.00\"\nmaximum = \"25.00\"\nseed = \"1000.00\"\n"
              "reseed = \"1000.01\"\nrates = { main = \"12.3457%\", reserve = \"3.21%\" }\n"
              "tables = [\"B1\"]") +
         link("B-1", wager,
              "unit = \"1.00\"\nseed = \"1000.00\"\nrates = { main = \"0.0001%\", "
              "reserve = \"99.9999%\" }\ntables = [\"B2\"]") +
         link("B-5", wager,
              "unit = \"5.00\"\nseed = \"3000.00\"\nrates = { main = \"10%\" }\n"
              "tables = [\"B2\"]") +
         link("B-ODD", wager,
              "unit = \"0.37\"\nseed = \"1000.00\"\nreseed = \"4000.00\"\n"
              "rates = { main = \"33.3333%\", reserve = \"66.6667%\" }\ntables = [\"B3\"]") +
         table("B1", "blackjack", 7) + table("B2", "blackjack", 7, 1) +
         table("B3", "blackjack", 3, 2);
}

// A poker room that shares one fund; funds with all to one side; a table without a fund.
std::string poker() {
  const std::string wager = "poker/bad-beat";
  return house +
         link("P-ROOM", wager,
              "contribution = { minimum_pot = \"20.00\", amount = \"1.00\" }\n"
              "seed = \"500.00\"\nreseed = \"0.00\"\n"
              "rates = { main = \"80%\", reserve = \"20%\" }\nqualifying = \"full_house\"\n"
              "split = { losing_hand = \"50%\", winning_hand = \"25%\", table = \"25%\" }\n"
              "tables = [\"P1\", \"P2\", \"P3\"]") +
         link("P-LOSER", wager,
              "contribution = { minimum_pot = \"3.33\", amount = \"3.33\" }\n"
              "seed = \"0.00\"\nrates = { main = \"33.3333%\" }\nqualifying = \"high_card\"\n"
              "split = { losing_hand = \"100%\", winning_hand = \"0%\", table = \"0%\" }\n"
              "tables = [\"P4\"]") +
         link("P-THIRDS", wager,
              "contribution = { minimum_pot = \"0.50\", amount = \"0.07\" }\n"
              "seed = \"0.05\"\nreseed = \"0.02\"\n"
              "rates = { main = \"14.2857%\", reserve = \"85.7143%\" }\nqualifying = \"pair\"\n"
              "split = { losing_hand = \"33.3333%\", winning_hand = \"33.3333%\", "
              "table = \"33.3334%\" }\ntables = [\"P5\"]") +
         link("P-TABLE", wager,
              "contribution = { minimum_pot = \"10.00\", amount = \"2.00\" }\n"
              "seed = \"100.00\"\nrates = { main = \"100%\" }\nqualifying = \"four_of_a_kind\"\n"
              "split = { losing_hand = \"0%\", winning_hand = \"0.0001%\", table = \"99.9999%\" }\n"
              "tables = [\"P6\"]") +
         table("P1", "poker", 9) + table("P2", "poker", 10) + table("P3", "poker", 2) +
         table("P4", "poker", 6) + table("P5", "poker", 7) + table("P6", "poker", 4) +
         table("P7", "poker", 5);
}

// Meters at the edge of what the system holds: royals are refused there, by name.
std::string full() {
  return house +
         link("R-RICH", "raise-it-up/progressive",
              "unit = \"5.00\"\nseed = \"1000000000.00\"\nrates = { main = \"14%\", "
              "reserve = \"5%\" }\ntables = [\"R1\"]") +
         link("P-RICH", "poker/bad-beat",
              "contribution = { minimum_pot = \"10000.00\", amount = \"10000.00\" }\n"
              "seed = \"1000000000.00\"\nrates = { main = \"60%\", reserve = \"40%\" }\n"
              "qualifying = \"full_house\"\nsplit = { losing_hand = \"50%\", "
              "winning_hand = \"25%\", table = \"25%\" }\ntables = [\"P1\"]") +
         table("R1", "raise-it-up", 6) + table("P1", "poker", 9);
}

std::string small() {
  return house +
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
    case 0: return floor_from("raise-it-up", raise_it_up());
    case 1: return floor_from("five-card", five_card());
    case 2: return floor_from("hit-and-run", hit_and_run());
    case 3: return floor_from("poker", poker());
    case 4: return floor_from("full", full());
    case 5: return floor_from("small", small());
    default: break;
  }
  return accepted(read_floor(LINKMETER_SOURCE_DIR "/config/demo/floor.toml", catalogue));
}

FloorOpened opened(const FloorFile& file) {
  return FloorOpened{file.floor, file.text, file.catalogue_texts};
}

}  // namespace linkmeter
