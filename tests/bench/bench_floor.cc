#include "tests/bench/bench_floor.h"

namespace linkmeter::bench {

std::string table_name(std::size_t table) { return "C4-" + std::to_string(table + 1); }

std::string floor_text(std::size_t tables) {
  std::string names, texts;
  for (std::size_t at = 0; at < tables; ++at) {
    names += (at == 0 ? "\"" : ", \"") + table_name(at) + '"';
    texts += "[[table]]\nid = \"" + table_name(at) +
             "\"\ngame = \"crazy-4\"\nseats = 6\n"
             "pace = 10000000\n" +
             "asset = \"T-" + std::to_string(at + 1) + "\"\n";
  }
  return "[house]\nname = \"Bench\"\ntimezone = \"America/New_York\"\n"
         "gaming_day_start = \"06:00\"\n[[link]]\nid = \"C4\"\nwager = \"crazy-4/five-card\"\n"
         "paytable = \"C\"\nunit = \"5.00\"\ntables = [" +
         names + "]\n" + texts;
}

}  // namespace linkmeter::bench
