#include "controller/view/display_names.h"

#include <cstddef>
#include <vector>

namespace linkmeter {
namespace {

template <class Terms, class Place>
std::string name_at(const std::vector<Terms>& all, Place place) {
  const std::size_t at = place.value();
  return at < all.size() ? all[at].id.text() : "#" + std::to_string(at);
}

}  // namespace

std::string table_name(const Floor& floor, TableIndex table) {
  return name_at(floor.tables, table);
}

std::string link_name(const Floor& floor, LinkIndex index) { return name_at(floor.links, index); }

std::string pool_name(const Floor& floor, LinkIndex link, Pool pool) {
  if (pool.is_reserve()) return "reserve";
  const std::size_t at = link.value();
  return name_at(at < floor.links.size() ? floor.links[at].levels : std::vector<LevelConfig>(),
                 pool.level_index());
}

std::string_view payment_source_text(PaymentSource source) {
  switch (source) {
    case PaymentSource::table_inventory: return "the table inventory container";
    case PaymentSource::game_account: return "the player's game account";
    case PaymentSource::hand_pay: return "hand pay at the cage";
  }
  return "";
}

}  // namespace linkmeter
