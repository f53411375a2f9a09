#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "controller/cli/inspect/odds.h"
#include "controller/cli/shell/text_table.h"
#include "meters/values/amount.h"
#include "meters/values/invariant.h"

namespace linkmeter::cli {

namespace {

using odds::Rational;

std::string dollars(const Rational& value) { return money_text(odds::decimal(value, 2)); }

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

// Each row has a cell for each column.
void print_odds_table(std::ostream& out, const Json& rows, const std::vector<Column>& columns) {
  for (const std::string& line : table_lines(rows, columns)) out << line << '\n';
}

std::string break_even_text(const odds::LevelFigures& figures) {
  if (!figures.break_even) return "open";
  return sgn(*figures.break_even) < 0 ? "any meter" : dollars(*figures.break_even);
}

void print_lines(std::ostream& out, const odds::OddsReport& sheet) {
  Json rows = Json::array();
  for (std::size_t place = 0; place < sheet.paytable.lines.size(); ++place) {
    const Line& row = sheet.paytable.lines[place];
    rows.push_back(
        Json::array({row.id.text(), pays_text(row.pays, sheet.paytable),
                     grouped(std::to_string(sheet.hands[place])), one_in(sheet.chances[place]),
                     share(sheet.figures->per_line[place])}));
  }
  print_odds_table(
      out, rows,
      {left("line"), left("pays"), right("hands"), right("one in"), right("returns per $1")});
}

void print_levels(std::ostream& out, const odds::OddsReport& sheet) {
  if (sheet.terms.levels.empty()) return;
  Json rows = Json::array();
  for (std::size_t place = 0; place < sheet.terms.levels.size(); ++place) {
    const odds::Level& row = sheet.terms.levels[place];
    const odds::LevelFigures& figures = sheet.figures->levels[place];
    rows.push_back(Json::array(
        {row.id.text(), dollars(row.seed), dollars(row.reseed), row.rate ? text(*row.rate) : "open",
         dollars(row.meter), break_even_text(figures),
         figures.mean_meter ? dollars(*figures.mean_meter) : "open", share(figures.house_funded)}));
  }
  out << '\n';
  print_odds_table(out, rows,
                   {left("level"), right("seed"), right("reseed"), right("rate"), right("meter"),
                    right("break-even"), right("mean at payout"), right("house adds per $1")});
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
  std::vector<Column> columns{left("envy: other players")};
  for (int others = 1; others < sheet.terms.seats; ++others) {
    columns.push_back(right(std::to_string(others)));
  }
  Json rows = Json::array();
  for (const odds::EnvyReturn& envy : sheet.envy) {
    Json row = Json::array({"adds to a $" + text_cents(envy.wager) + " wager"});
    for (int others = 1; others < sheet.terms.seats; ++others) {
      row.push_back(share(Rational(envy.per_player * others)));
    }
    rows.push_back(std::move(row));
  }
  out << '\n';
  print_odds_table(out, rows, columns);
}

void print_bonuses(std::ostream& out, const odds::OddsReport& sheet) {
  if (sheet.bonuses.empty()) return;
  Json rows = Json::array();
  for (std::size_t place = 0; place < sheet.bonuses.size(); ++place) {
    const odds::BonusReturn& row = sheet.bonuses[place];
    rows.push_back(Json::array({row.kind == Bonus::Kind::magic_card ? "magic card" : "lucky bonus",
                                std::to_string(sheet.paytable.bonuses[place].multiple) + " for 1",
                                one_in(row.chance), share(row.returns)}));
  }
  out << '\n';
  print_odds_table(out, rows,
                   {left("if offered"), left("pays"), right("one in"), right("adds per $1")});
  out << "drawn in " << text(sheet.terms.draw_rate) << " of the rounds\n";
}

// One column for each number of decks.
void print_drawn(std::ostream& out, const WagerRules& wager,
                 const std::vector<odds::OddsReport>& sheets) {
  const odds::OddsReport& first = sheets.front();
  std::vector<Column> columns{left("one in"), left("pays")};
  for (const odds::OddsReport& sheet : sheets) {
    const std::string decks = std::to_string(sheet.terms.decks);
    columns.push_back(right(decks + (sheet.terms.decks == 1 ? " deck" : " decks")));
  }
  Json rows = Json::array();
  const auto add_row = [&](const std::string& what, const std::string& pays, const auto& cell) {
    Json row = Json::array({what, pays});
    for (const odds::OddsReport& sheet : sheets) row.push_back(cell(sheet));
    rows.push_back(std::move(row));
  };
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
  print_odds_table(out, rows, columns);
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
      << (depends_on_dealer_hand(wager.hand) ? " pairs of hands, " : " hands, ")
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
