#include "meters/balances/posting.h"

#include "meters/values/int128.h"

namespace linkmeter {

std::string_view name(Account account) {
  switch (account) {
    case Account::meter: return "meter";
    case Account::reserve: return "reserve";
    case Account::withheld: return "withheld";
    case Account::pending: return "pending";
    case Account::paid: return "paid";
    case Account::wagers: return "wagers";
    case Account::seed_funding: return "seed_funding";
    case Account::corrections: return "corrections";
    case Account::transfers: return "transfers";
    case Account::overflow: return "overflow";
  }
  return "unknown";
}

bool is_balanced(std::span<const Posting> postings) {
  Int128 total = 0;
  for (const Posting& posting : postings) total += posting.amount.units();
  return total == 0;
}

}  // namespace linkmeter
