#include "meters/floor/config_digest.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace linkmeter {

namespace {

// One line for each item, its values separated by blanks; names contain no blanks.
class ConfigText {
 public:
  ConfigText& line(std::string_view what) {
    if (!text_.empty()) text_ += '\n';
    text_ += what;
    return *this;
  }
  ConfigText& operator<<(std::string_view value) {
    text_ += ' ';
    text_ += value.empty() ? "-" : value;
    return *this;
  }
  ConfigText& operator<<(std::int64_t value) {
    return *this << std::string_view(std::to_string(value));
  }
  ConfigText& operator<<(Amount value) { return *this << value.units(); }
  ConfigText& operator<<(Rate value) { return *this << value.ppm(); }
  template <class Value>
  ConfigText& operator<<(const std::optional<Value>& value) {
    return value ? *this << *value : *this << std::string_view();
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::int64_t number(bool value) { return value ? 1 : 0; }

void write(ConfigText& text, const LinkConfig& link) {
  text.line("link") << link.id.text() << link.wager.text() << link.paytable.text() << link.unit
                    << link.minimum << link.maximum << link.reserve_rate << link.payout_limit
                    << number(link.payout_limit_caps_meter);
  for (const LevelConfig& level : link.levels) {
    text.line("level") << level.id.text() << level.seed << level.reseed << level.rate
                       << level.limit;
  }
  if (!link.pot) return;
  text.line("pot") << link.pot->minimum_pot << link.pot->contribution
                   << linkmeter::text(link.pot->qualifying) << link.pot->losing_hand
                   << link.pot->winning_hand << link.pot->table;
}

void write(ConfigText& text, const LinkRules& rules) {
  const WagerRules& wager = rules.wager;
  text.line("wager") << name(wager.placement) << name(wager.decided_by) << name(wager.sharing)
                     << name(wager.dealer_sharing) << number(wager.fold_forfeits)
                     << number(wager.folded_hand_gives_envy) << number(wager.envy_of_non_bettors)
                     << wager.verified_from << name(wager.verified_by) << name(wager.cards_stay);
  for (const PaymentSource source : wager.meter_award_not_from) {
    text.line("not_from") << static_cast<std::int64_t>(source);
  }
  for (const Line& line : rules.paytable.lines) {
    text.line("line") << line.id.text() << name(line.category)
                      << static_cast<std::int64_t>(line.pays.kind)
                      << static_cast<std::int64_t>(line.pays.level.value()) << line.pays.share
                      << line.pays.multiple;
  }
  for (const Bonus& bonus : rules.paytable.bonuses) {
    text.line("bonus") << name(bonus.kind) << bonus.multiple
                       << static_cast<std::int64_t>(bonus.first_cards);
  }
  for (const EnvyLine& envy : rules.paytable.envy) {
    for (const EnvyStep& step : envy.by_wager) {
      text.line("envy") << envy.line.text() << step.wager << step.amount << number(step.or_more);
    }
  }
}

void write(ConfigText& text, const GameRules& game) {
  text.line("game") << game.id.text() << name(game.dealing) << number(game.joker)
                    << number(game.folds);
  text.line("cards");
  for (const std::size_t count :
       {game.player_cards_min, game.player_cards_max, game.dealer_cards_min, game.dealer_cards_max,
        game.board_cards_max}) {
    text << static_cast<std::int64_t>(count);
  }
}

}  // namespace

std::string table_config_text(const Floor& floor, const FloorRules& rules, TableIndex table) {
  const TableConfig& terms = floor.table(table);
  ConfigText text;
  text.line("table") << terms.id.text() << terms.game.text() << std::int64_t{terms.seats}
                     << std::int64_t{terms.decks} << terms.asset << terms.draw_rate;
  write(text, rules.game(table));
  std::vector<LinkIndex> links;
  for (std::uint32_t index = 0; index < floor.links.size(); ++index) {
    if (floor.link(LinkIndex(index)).has_table(table)) links.emplace_back(index);
  }
  std::sort(links.begin(), links.end(), [&](LinkIndex left, LinkIndex right) {
    return floor.link(left).id < floor.link(right).id;
  });
  for (const LinkIndex link : links) {
    write(text, floor.link(link));
    write(text, rules.link(link));
  }
  return text.text();
}

std::string table_config_digest(const Digest& digest) {
  std::string mark(1, table_config_version);
  mark.append(digest.begin(), digest.end());
  return mark;
}

bool table_configs_differ(std::string_view sent, std::string_view own) {
  return !sent.empty() && !own.empty() && sent.front() == own.front() && sent != own;
}

}  // namespace linkmeter
