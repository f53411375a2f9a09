#include "controller/view/claim_cards.h"

#include <algorithm>
#include <string>
#include <variant>

#include "controller/store/journal_reader.h"
#include "meters/facts/settled.h"

namespace linkmeter {
namespace {

// How many entries are read first to find a lock; then four times as many before them, and so on. A
// round is rarely longer.
constexpr std::uint64_t first_window = 256;

bool locks(const Entry& entry, const Claim& claim) {
  if (!entry.origin || entry.origin->table != claim.table) return false;
  const auto* locked = std::get_if<RoundLocked>(&entry.fact);
  const auto* differed = std::get_if<CountMismatched>(&entry.fact);
  return (locked != nullptr && locked->round == claim.round) ||
         (differed != nullptr && differed->round == claim.round);
}

// Finds the last lock of that name before the claim: a table may reuse a name after a long time.
EntryNumber lock_of(const Journal& journal, const Claim& claim) {
  std::uint64_t window = first_window;
  for (std::uint64_t end = claim.entry.value(); end > 1; window *= 4) {
    const std::uint64_t begin = end > window ? end - window : 1;
    std::optional<EntryNumber> found;
    journal.read(EntryNumber(begin), [&](const StoredEntry& stored) {
      if (stored.number.value() >= end) return false;
      if (locks(decoded(stored), claim)) found = stored.number;
      return true;
    });
    if (found) return *found;
    end = begin;
  }
  return claim.entry;
}

// Adds the cards that one entry of the round or pot reports.
struct CardCollector {
  ClaimCards& cards;

  void operator()(const HandsShown& shown) const {
    for (const ShownHand& hand : shown.hands) lay(hand);
    cards.dealer.insert(cards.dealer.end(), shown.dealer.begin(), shown.dealer.end());
    cards.board.insert(cards.board.end(), shown.board.begin(), shown.board.end());
  }
  void operator()(const HandCorrected& corrected) const {
    take_away(corrected.seat);
    if (corrected.is_no_hand()) return;
    lay({corrected.seat, corrected.cards, corrected.folded, Amount()});
  }
  void operator()(const DealerCorrected& corrected) const {
    cards.dealer = corrected.cards;
    cards.board = corrected.board;
  }
  void operator()(const HandVoided& voided) const { take_away(voided.seat); }
  void operator()(const PotPlayed& pot) const { lay_pot(pot); }
  void operator()(const PotCorrected& pot) const { lay_pot(pot); }
  // No other fact has cards.
  template <class Other>
  void operator()(const Other&) const {}

 private:
  void take_away(Seat seat) const {
    std::erase_if(cards.hands, [seat](const ShownHand& hand) { return hand.seat == seat; });
  }
  void lay(const ShownHand& hand) const {
    take_away(hand.seat);
    cards.hands.push_back(hand);
  }
  template <class Pot>
  void lay_pot(const Pot& pot) const {
    cards.hands = pot.hands;
    cards.board = pot.board;
  }
};

}  // namespace

const ShownHand* ClaimCards::find(Seat seat) const {
  const auto found = std::find_if(hands.begin(), hands.end(),
                                  [seat](const ShownHand& hand) { return hand.seat == seat; });
  return found == hands.end() ? nullptr : &*found;
}

EntryNumber beginning_of(const Journal& journal, const Claim& claim) {
  std::optional<Entry> entry = find_entry(journal, claim.entry);
  while (entry) {
    if (std::holds_alternative<PotPlayed>(entry->fact)) return entry->number;
    const auto* corrected = std::get_if<PotCorrected>(&entry->fact);
    if (corrected == nullptr) return lock_of(journal, claim);
    // The search only goes back, so it ends, whatever the journal contains.
    if (corrected->corrects >= entry->number) break;
    entry = find_entry(journal, corrected->corrects);
  }
  return claim.entry;
}

ClaimCards claim_cards(const Journal& journal, const Claim& claim) {
  ClaimCards cards;
  journal.read(beginning_of(journal, claim), [&](const StoredEntry& stored) {
    if (stored.number > claim.entry) return false;
    const Entry entry = decoded(stored);
    const Settled outcome = settled(entry);
    const bool is_of_round =
        outcome.table == claim.table && outcome.round != nullptr && *outcome.round == claim.round;
    if (is_of_round) std::visit(CardCollector{cards}, entry.fact);
    return true;
  });
  return cards;
}

}  // namespace linkmeter
