// Link codec: the balances of a link, as readings in the journal and the state tables hold them.
#pragma once

#include <optional>

#include "meters/balances/link_balances.h"

namespace linkmeter::journal {
class LinkReading;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_link_book(const LinkBalances& book, journal::LinkReading& message);
// nullopt: it names a level beyond limits::levels_max.
std::optional<LinkBalances> decode_link_book(const journal::LinkReading& message);

}  // namespace linkmeter::parts
