// Code that the types must reject: one mistake for each macro. Without a macro the file is valid,
// so a case fails to compile only because of its mistake.
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/rate.h"

namespace linkmeter {

void move_link(LinkIndex place);
void use(Amount amount);
void use(bool truth);

void wrong_code(Amount amount, const LinkId& link, const TableId& table, TableIndex place) {
  use(amount + amount);
  use(link == link);
  use(table == table);
  move_link(LinkIndex(place.value()));
#if defined(AMOUNT_PLUS_NUMBER)
  use(amount + 5);
#elif defined(AMOUNT_FROM_NUMBER)
  const Amount five = 5;
  use(five);
#elif defined(AMOUNT_FROM_DOUBLE)
  const Amount price = 1.5;
  use(price);
#elif defined(CENTS_FROM_DOUBLE)
  double cents = 150.5;
  use(Amount::cents(cents));
#elif defined(AMOUNT_EQUALS_NUMBER)
  use(amount == 500);
#elif defined(AMOUNT_TIMES_AMOUNT)
  use(amount * amount);
#elif defined(LINK_EQUALS_TABLE)
  use(link == table);
#elif defined(TABLE_AS_LINK_PLACE)
  move_link(place);
#elif defined(NUMBER_AS_LINK_PLACE)
  move_link(3U);
#elif defined(TEXT_AS_TABLE_ID)
  const TableId named = "C4-01";
  use(named == table);
#elif defined(RATE_AS_AMOUNT)
  use(Rate());
#endif
}

}  // namespace linkmeter
