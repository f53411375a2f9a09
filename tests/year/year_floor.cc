#include "tests/year/year_floor.h"

#include <array>
#include <vector>

namespace linkmeter {
namespace {

struct Kind {
  const char* prefix;
  const char* game;
  int seats;
  int of_ten;      // tables of every ten
  bool is_shared;  // by the tables of the game; otherwise each table has its own links
  const char* links;
};

constexpr std::array kinds{
    Kind{"RIU", "raise-it-up", 6, 2, false, R"([[link]]
id = "OWN"
wager = "raise-it-up/progressive"
unit = "5.00"
seed = "5000.00"
rates = { main = "14%" }
tables = [TABLES]
)"},
    Kind{"C4", "crazy-4", 6, 3, true, R"([[link]]
id = "C4-FOUR"
wager = "crazy-4/four-card"
paytable = "A"
unit = "5.00"
tables = [TABLES]
[[link]]
id = "C4-FIVE"
wager = "crazy-4/five-card"
paytable = "C"
unit = "5.00"
tables = [TABLES]
)"},
    Kind{"BJ", "blackjack", 7, 2, false, R"([[link]]
id = "OWN"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
seed = "5000.00"
reseed = "5000.00"
rates = { main = "12%", reserve = "3%" }
tables = [TABLES]
)"},
    Kind{"PG", "pai-gow-poker", 6, 1, false, R"([[link]]
id = "OWN"
wager = "pai-gow-poker/progressive"
unit = "1.00"
seed = "2500.00"
reseed = "2500.00"
rates = { main = "15%" }
tables = [TABLES]
)"},
    Kind{"P", "poker", 9, 2, true, R"([[link]]
id = "POKER"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
discontinuation = "Board order 2026-1"
tables = [TABLES]
)"},
};

std::string id_of(const Kind& kind, int number) {
  const std::string digits = std::to_string(number);
  return kind.prefix + ("-" + std::string(3 - digits.size(), '0')) + digits;
}

std::string with(std::string text, const std::string& mark, const std::string& list) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), list);
  }
  return text;
}

}  // namespace

std::string year_floor_text(int tables) {
  std::string text = R"([house]
name = "House of a Year"
timezone = "America/New_York"
gaming_day_start = "06:00"
)";
  std::string links;
  for (const Kind& kind : kinds) {
    const int count = tables * kind.of_ten / 10;
    std::string list;
    for (int number = 1; number <= count; ++number) {
      const std::string id = id_of(kind, number);
      text += "[[table]]\nid = \"" + id + "\"\ngame = \"" + kind.game +
              "\"\nseats = " + std::to_string(kind.seats) + "\n";
      list += (list.empty() ? "\"" : ", \"") + id + "\"";
      if (!kind.is_shared) {
        links += with(with(kind.links, "OWN", id + "-L"), "TABLES", "\"" + id + "\"");
      }
    }
    if (kind.is_shared) links += with(kind.links, "TABLES", list);
  }
  return text + links;
}

}  // namespace linkmeter
