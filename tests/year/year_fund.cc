#include "tests/year/year_fund.h"

#include "meters/rules/decide_day.h"

namespace linkmeter {

std::vector<LinkIndex> YearFund::funds() const {
  std::vector<LinkIndex> funds;
  for (std::uint32_t at = 0; at < house_.floor().links.size(); ++at) {
    if (house_.floor().link(LinkIndex(at)).pot) funds.emplace_back(at);
  }
  return funds;
}

TableIndex YearFund::any_table() {
  const std::vector<LinkIndex> all = funds();
  const LinkConfig& fund = house_.floor().link(all[dice_.below(all.size())]);
  return fund.tables[dice_.below(fund.tables.size())];
}

void YearFund::adjust_displays() {
  for (const LinkIndex fund : funds()) {
    const LinkId& id = house_.floor().link(fund).id;
    if (has(YearFault::display_missing)) {
      expect(YearFault::display_missing, "display_missing/" + id.text());
      continue;
    }
    const Amount truth = shown_now(house_.state(), fund);
    house_.act("FM-1", AdjustDisplay{id, truth, truth, "", Badge("F-1")});
  }
}

void YearFund::carry(const std::map<LinkIndex, MoveFund>& containers) {
  for (auto [fund, container] : containers) {
    const bool is_empty = *container.verified == Amount();
    if (has(YearFault::cage_missing)) {
      if (!is_empty) {
        expect(YearFault::cage_missing, "cage_missing/" + container.link.text());
      }
      continue;
    }
    if (has(YearFault::cage_short) && !is_empty) {
      *container.verified = *container.verified - Amount::dollars(1);
      expect(YearFault::cage_short, "cage/" + container.link.text());
    }
    house_.act("C-1", container);
  }
}

void YearFund::count_boxes(GamingDay day) {
  const TableIndex none(static_cast<std::uint32_t>(house_.floor().tables.size()));
  TableIndex wrong = none, missing = none;
  if (has(YearFault::wrong_box)) wrong = any_table();
  if (has(YearFault::box_missing)) {
    do missing = any_table();
    while (missing == wrong);
  }
  std::map<LinkIndex, MoveFund> containers;
  for (const LinkIndex fund : funds()) {
    const LinkConfig& terms = house_.floor().link(fund);
    const MoveFund empty{day, terms.id, {}, Amount(), "", Badge("SEC-1"), Badge("F-1")};
    for (const TableIndex table : terms.tables) {
      const TableId& id = house_.floor().table(table).id;
      const std::string at = "/" + terms.id.text() + "/" + id.text();
      Amount amount = house_.take_box(table);
      if (table == missing) {
        if (amount > Amount()) expect(YearFault::box_missing, "box_missing" + at);
        continue;
      }
      if (table == wrong) {
        amount = amount + Amount::dollars(2);
        expect(YearFault::wrong_box, "box" + at);
      }
      house_.act("C-1", RecordCount{day, CountKind::poker_box, id, terms.id, amount, "",
                                    Badge("SEC-1"), "R. Diaz"});
      MoveFund& container = containers.try_emplace(fund, empty).first->second;
      container.tables.push_back(id);
      *container.verified += amount;
    }
  }
  carry(containers);
  if (has(YearFault::wrong_fund)) count_funds(day);
}

void YearFund::count_funds(GamingDay day) {
  for (const LinkIndex fund : funds()) {
    const LinkId& id = house_.floor().link(fund).id;
    house_.act("C-1",
               RecordCount{day, CountKind::fund_kept, TableId(), id, Amount(), "", Badge("SEC-1")});
    expect(YearFault::wrong_fund, "fund/" + id.text());
  }
}

}  // namespace linkmeter
