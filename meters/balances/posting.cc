#include "meters/balances/posting.h"

#include "meters/values/enum_names.h"
#include "meters/values/int128.h"

namespace linkmeter {

std::string_view name(Account account) {
  static constexpr EnumNames<Account::meter, Account::overflow> names{
      "meter",  "reserve",      "withheld",    "pending",   "paid",
      "wagers", "seed_funding", "corrections", "transfers", "overflow"};
  return names.of(account);
}

bool is_balanced(std::span<const Posting> postings) {
  Int128 total = 0;
  for (const Posting& posting : postings) total += posting.amount.units();
  return total == 0;
}

}  // namespace linkmeter
