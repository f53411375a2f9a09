#include "controller/view/ending_words.h"

#include "controller/view/place_names.h"

namespace linkmeter {

std::string went_to_text(const LinkLifecycle& ending, const Floor& floor) {
  if (!ending.went_to) return "";
  const auto [link, pool] = *ending.went_to;
  return link_name(floor, link) + " " + pool_name(floor, link, pool);
}

void add_lifecycle(Json& link, const LinkLifecycle& ending, const Floor& floor) {
  link["collecting"] = ending.collects();
  link["discontinued"] = ending.has_ended();
  link["went_to"] = nullptr;
  if (!ending.went_to) return;
  const auto [to, pool] = *ending.went_to;
  link["went_to"] = Json{{"link", link_name(floor, to)}, {"level", pool_name(floor, to, pool)}};
}

}  // namespace linkmeter
