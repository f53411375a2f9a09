#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "controller/cli/inspect/odds.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/format.h"
#include "meters/values/invariant.h"

namespace linkmeter::cli {

namespace {

using odds::Rational;

std::string dollars(const Rational& value) {
  const std::string digits = grouped(odds::decimal(value, 2));
  return digits.starts_with('-') ? "-$" + digits.substr(1) : "$" + digits;
}

std::string dollars(const std::optional<Amount>& amount) {
  return amount ? dollars(odds::in_dollars(*amount)) : "open";
}

std::string share(const std::optional<Rational>& value) {
  return value ? odds::decimal(*value, 6) : "open";
}

std::string percent(const Rational& value) {
  return odds::decimal(Rational(value * 100), 4) + " %";
}

std::string one_in(const Rational& chance) {
  return sgn(chance) == 0 ? "never" : grouped(odds::decimal(Rational(1 / chance), 2));
}

std::string wager_text(const odds::OddsInputs& terms) {
  return "wager $" + text_cents(terms.unit) +
         (terms.winners == 1 ? ""
                             : ", " + std::to_string(terms.winners) + " winners share an award");
}

void print_table(std::ostream& out, const std::vector<Column>& columns) {
  for (const std::string& line : table_lines(columns)) out << line << '\n';
}

std::string break_even_text(const odds::LevelFigures& figures) {
  if (!figures.break_even) return "open";
  return sgn(*figures.break_even) < 0 ? "any meter" : dollars(*figures.break_even);
}

void print_lines(std::ostream& out, const odds::OddsReport& sheet) {
  Column line{"line", true}, pays{"pays", true}, hands{"hands"}, chance{"one in"},
      returns{"returns per $1"};
  for (std::size_t place = 0; place < sheet.paytable.lines.size(); ++place) {
    const Line& row = sheet.paytable.lines[place];
    line.cells.push_back(row.id.text());
    pays.cells.push_back(pays_text(row.pays, sheet.paytable));
    hands.cells.push_back(grouped(std::to_string(sheet.hands[place])));
    chance.cells.push_back(one_in(sheet.chances[place]));
    returns.cells.push_back(share(sheet.figures->per_line[place]));
  }
  print_table(out, {line, pays, hands, chance, returns});
}

void print_levels(std::ostream& out, const odds::OddsReport& sheet) {
  if (sheet.terms.levels.empty()) return;
  Column level{"level", true}, seed{"seed"}, reseed{"reseed"}, rate{"rate"}, meter{"meter"},
      break_even{"break-even"}, mean{"mean at payout"}, house{"house adds per $1"};
  for (std::size_t place = 0; place < sheet.terms.levels.size(); ++place) {
    const odds::Level& row = sheet.terms.levels[place];
    const odds::LevelFigures& figures = sheet.figures->levels[place];
    level.cells.push_back(row.id.text());
    seed.cells.push_back(dollars(row.seed));
    reseed.cells.push_back(dollars(row.reseed));
    rate.cells.push_back(row.rate ? text(*row.rate) : "open");
    meter.cells.push_back(dollars(row.meter));
    break_even.cells.push_back(break_even_text(figures));
    mean.cells.push_back(figures.mean_meter ? dollars(*figures.mean_meter) : "open");
    house.cells.push_back(share(figures.house_funded));
  }
  out << '\n';
  print_table(out, {level, seed, reseed, rate, meter, break_even, mean, house});
  if (sheet.terms.reserve_rate != Rate()) {
    out << "reserve " << text(sheet.terms.reserve_rate);
    const std::optional<Rational>& with_it = sheet.figures->levels.front().mean_meter_with_reserve;
    if (with_it) {
      out << "; with it, mean of " << sheet.terms.levels.front().id.text() << " at payout "
          << dollars(*with_it);
    }
    out << '\n';
  }
}

std::string warning(const odds::Figures& figures) {
  if (!figures.hold || *figures.hold <= odds::fraction(odds::hold_warning)) return "";
  return "  warning: above " + text(odds::hold_warning) +
         ", for which 46 Pa.B. 5540 dropped paytables";
}

std::string generous(const std::optional<Rational>& returns) {
  return returns && *returns > 1 ? "  warning: above 100 %, the house loses" : "";
}

void print_returns(std::ostream& out, const WagerRules& wager, const odds::OddsReport& sheet) {
  const odds::Figures& figures = *sheet.figures;
  out << '\n';
  if (odds::is_bonus_on_base_wager(wager)) {
    out << "adds " << odds::decimal(figures.fixed, 6) << " per $1 of a Play Wager\n";
    return;
  }
  if (!sheet.terms.levels.empty()) {
    out << "fixed lines    " << share(figures.fixed) << '\n';
    if (figures.at_meter) {
      out << "at this meter  " << share(figures.at_meter) << generous(figures.at_meter) << '\n';
    }
  }
  if (!figures.long_run) return;
  out << "long run       " << share(figures.long_run) << generous(figures.long_run) << '\n'
      << "hold           " << percent(*figures.hold) << warning(figures) << '\n';
}

void print_envy(std::ostream& out, const odds::OddsReport& sheet) {
  if (sheet.envy.empty() || sheet.terms.seats == 1) return;
  std::vector<Column> columns{{"envy: other players", true}};
  for (int others = 1; others < sheet.terms.seats; ++others) {
    columns.push_back({std::to_string(others)});
  }
  for (const odds::EnvyReturn& envy : sheet.envy) {
    columns[0].cells.push_back("adds to a $" + text_cents(envy.wager) + " wager");
    for (int others = 1; others < sheet.terms.seats; ++others) {
      columns[static_cast<std::size_t>(others)].cells.push_back(
          share(Rational(envy.per_player * others)));
    }
  }
  out << '\n';
  print_table(out, columns);
}

void print_bonuses(std::ostream& out, const odds::OddsReport& sheet) {
  if (sheet.bonuses.empty()) return;
  Column bonus{"if offered", true}, pays{"pays", true}, chance{"one in"}, returns{"adds per $1"};
  for (std::size_t place = 0; place < sheet.bonuses.size(); ++place) {
    const odds::BonusReturn& row = sheet.bonuses[place];
    bonus.cells.emplace_back(row.kind == Bonus::Kind::magic_card ? "magic card" : "lucky bonus");
    pays.cells.push_back(std::to_string(sheet.paytable.bonuses[place].multiple) + " for 1");
    chance.cells.push_back(one_in(row.chance));
    returns.cells.push_back(share(row.returns));
  }
  out << '\n';
  print_table(out, {bonus, pays, chance, returns});
  out << "drawn in " << text(sheet.terms.draw_rate) << " of the rounds\n";
}

// One column for each number of decks.
void print_drawn(std::ostream& out, const WagerRules& wager,
                 const std::vector<odds::OddsReport>& sheets) {
  const odds::OddsReport& first = sheets.front();
  std::vector<Column> columns{{"one in", true}, {"pays", true}};
  const auto add_row = [&](const std::string& what, const std::string& pays, const auto& cell) {
    columns[0].cells.push_back(what);
    columns[1].cells.push_back(pays);
    for (std::size_t place = 0; place < sheets.size(); ++place) {
      columns[place + 2].cells.push_back(cell(sheets[place]));
    }
  };
  for (const odds::OddsReport& sheet : sheets) {
    const std::string decks = std::to_string(sheet.terms.decks);
    columns.push_back({decks + (sheet.terms.decks == 1 ? " deck" : " decks")});
  }
  for (std::size_t place = 0; place < first.paytable.lines.size(); ++place) {
    const Line& line = first.paytable.lines[place];
    add_row(line.id.text(), pays_text(line.pays, first.paytable),
            [place](const odds::OddsReport& sheet) { return one_in(sheet.chances[place]); });
  }
  if (!odds::is_dealer_side_only(wager)) {
    const std::string meter = dollars(first.terms.levels.front().meter);
    add_row("", "", [](const odds::OddsReport&) { return std::string(); });
    add_row("returns, fixed lines", "",
            [](const odds::OddsReport& sheet) { return share(sheet.figures->fixed); });
    add_row("returns, meter at " + meter, "",
            [](const odds::OddsReport& sheet) { return share(sheet.figures->at_meter); });
    add_row("returns, long run", "",
            [](const odds::OddsReport& sheet) { return share(sheet.figures->long_run); });
    add_row("hold", "", [](const odds::OddsReport& sheet) {
      return sheet.figures->hold ? percent(*sheet.figures->hold) : "open";
    });
    add_row("break-even meter", "", [](const odds::OddsReport& sheet) {
      return break_even_text(sheet.figures->levels.front());
    });
    add_row("mean meter at payout", "", [](const odds::OddsReport& sheet) {
      const std::optional<Rational>& mean = sheet.figures->levels.front().mean_meter;
      return mean ? dollars(*mean) : "open";
    });
    add_row("house adds per $1", "", [](const odds::OddsReport& sheet) {
      return share(sheet.figures->levels.front().house_funded);
    });
  }
  print_table(out, columns);
  for (const odds::OddsReport& sheet : sheets) {
    if (!sheet.figures || warning(*sheet.figures).empty()) continue;
    out << "\nhold" << warning(*sheet.figures) << '\n';
    break;
  }
  for (const odds::OddsReport& sheet : sheets) {
    if (!sheet.figures) continue;
    const std::string told = generous(std::max(sheet.figures->at_meter, sheet.figures->long_run));
    if (told.empty()) continue;
    out << "\nreturn" << told << '\n';
    break;
  }
}

// A paragraph of at most 80 columns.
void print_wrapped(std::ostream& out, const std::string& paragraph) {
  constexpr std::size_t columns_max = 80;
  std::istringstream words(paragraph);
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > columns_max) {
      out << std::exchange(line, "") << '\n';
    }
    line += (line.empty() ? "" : " ") + word;
  }
  out << line << '\n';
}

void print_notes(std::ostream& out, const WagerRules& wager, const odds::OddsReport& sheet) {
  const std::vector<std::string> notes = open_questions(wager, sheet);
  if (!notes.empty()) out << '\n';
  for (const std::string& note : notes) print_wrapped(out, note);
}

}  // namespace

void print_odds_text(std::ostream& out, const WagerRules& wager,
                     const std::vector<odds::OddsReport>& sheets) {
  INVARIANT(!sheets.empty());
  out << wager.id.text() << "   " << wager.title << "   " << wager.section << '\n';
  if (!sheets.front().total) {
    out << "dealer draws to 17, " << wager_text(sheets.front().terms) << "\n\n";
    print_drawn(out, wager, sheets);
    print_bonuses(out, sheets.front());
    print_notes(out, wager, sheets.front());
    return;
  }
  out << grouped(std::to_string(*sheets.front().total))
      << (looks_at_dealer(wager.hand) ? " pairs of hands, " : " hands, ")
      << wager_text(sheets.front().terms) << '\n';
  for (const odds::OddsReport& sheet : sheets) {
    const std::string id = sheet.paytable.id.text();
    out << '\n'
        << (id.empty() ? "paytable" : "paytable " + id) << "   " << sheet.paytable.section << '\n';
    print_lines(out, sheet);
    print_levels(out, sheet);
    print_returns(out, wager, sheet);
    print_envy(out, sheet);
    print_bonuses(out, sheet);
  }
  print_notes(out, wager, sheets.front());
}

}  // namespace linkmeter::cli
