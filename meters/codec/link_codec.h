// Link codec: the book of a link as the state tables hold it.
#pragma once

#include "meters/link.h"

namespace linkmeter::state {
class LinkBook;
}  // namespace linkmeter::state

namespace linkmeter::parts {

void encode_link_book(const LinkBook& book, state::LinkBook& message);
LinkBook decode_link_book(const state::LinkBook& message);

}  // namespace linkmeter::parts
