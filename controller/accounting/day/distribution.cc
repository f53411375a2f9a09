#include "controller/accounting/day/distribution.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/view/display_names.h"
#include "meters/game/hand.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// What a share is paid for, its rate, and how many seats have part in it.
struct SharePart {
  const char* of = "table";
  Rate rate;
  std::size_t among = 0;
};

// The part of each seat, computed from the cards as the settlement computes it.
class Parts {
 public:
  Parts(const PotPlayed& pot, const PotConfig& terms) : terms_(terms) {
    for (const ShownHand& hand : pot.hands) {
      if (hand.folded) continue;
      std::vector<Card> cards = hand.cards;
      cards.insert(cards.end(), pot.board.begin(), pot.board.end());
      ranks_[hand.seat] = best_five(cards);
      winning_ = std::max(winning_, ranks_[hand.seat]);
    }
    for (const auto& [seat, rank] : ranks_) {
      if (rank < winning_) losing_ = std::max(losing_, rank);
    }
    for (const ShownHand& hand : pot.hands) ++counts_[kind_of(hand.seat)];
  }

  [[nodiscard]] SharePart of(Seat seat) const {
    const Kind kind = kind_of(seat);
    const std::size_t among = counts_.at(kind);
    if (kind == Kind::winning) return {"winning_hand", terms_.winning_hand, among};
    if (kind == Kind::losing) return {"losing_hand", terms_.losing_hand, among};
    return {"table", terms_.table, among};
  }

 private:
  enum class Kind : std::uint8_t { winning, losing, other };
  [[nodiscard]] Kind kind_of(Seat seat) const {
    const auto found = ranks_.find(seat);
    if (found == ranks_.end()) return Kind::other;
    if (found->second == winning_) return Kind::winning;
    return found->second == losing_ ? Kind::losing : Kind::other;
  }

  const PotConfig& terms_;
  std::map<Seat, PokerRank> ranks_;
  PokerRank winning_, losing_;
  std::map<Kind, std::size_t> counts_;
};

Json by_whom(const Entry& entry, const Badge& by) {
  return Json{{"entry", entry.number.value()}, {"at", text(entry.recorded_at)}, {"by", by.text()}};
}

// What happened to the display after the hit: the first event of each kind. The verification posts
// the notice; an adjustment before the verification does not count.
class Aftermath {
 public:
  // `link`: the fund's name.
  Aftermath(const std::vector<Claim>& hit, LinkId link) : hit_(hit), link_(std::move(link)) {}

  Json posted, cleared, adjusted;

  // The next entry. False: nothing more is searched for.
  bool note(const Entry& entry) {
    if (const auto* validated = std::get_if<ClaimValidated>(&entry.fact)) {
      if (is_of_hit(validated->claim)) {
        is_verified_ = true;
        if (validated->posts_notice) note_posted(entry, validated->by);
      }
    } else if (const auto* notice = std::get_if<NoticePosted>(&entry.fact)) {
      if (notice->link == hit_.front().link) note(entry, *notice);
    } else if (const auto* display = std::get_if<DisplayAdjusted>(&entry.fact)) {
      if (display->link == hit_.front().link && is_verified_) note(entry, *display);
    } else if (const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact)) {
      const auto* correct = std::get_if<CorrectMeter>(&confirmed->act);
      if (correct != nullptr && correct->link == link_ &&
          correct->reason == CorrectionReason::display_adjustment) {
        note_cleared(entry, confirmed->by);
      }
    }
    return adjusted.is_null();
  }

 private:
  [[nodiscard]] bool is_of_hit(ClaimNumber number) const {
    return std::any_of(hit_.begin(), hit_.end(),
                       [number](const Claim& claim) { return claim.number == number; });
  }
  void note(const Entry& entry, const NoticePosted& notice) {
    if (notice.posted) {
      note_posted(entry, notice.by);
    } else {
      note_cleared(entry, notice.by);
    }
  }
  void note_posted(const Entry& entry, const Badge& by) {
    if (posted.is_null()) posted = by_whom(entry, by);
  }
  // Only the notice of this hit: an earlier one was posted for another hit.
  void note_cleared(const Entry& entry, const Badge& by) {
    if (!posted.is_null() && cleared.is_null()) cleared = by_whom(entry, by);
  }
  void note(const Entry& entry, const DisplayAdjusted& display) {
    adjusted = by_whom(entry, display.by);
    adjusted["witness"] = display.witness.text();
    adjusted["shown"] = text_cents(display.shown);
    adjusted["kept"] = text_cents(display.kept);
    if (cleared.is_null() && !posted.is_null()) cleared = adjusted;
  }

  const std::vector<Claim>& hit_;
  const LinkId link_;
  bool is_verified_ = false;
};

Json cards_held(const PotPlayed& pot, Seat seat) {
  for (const ShownHand& hand : pot.hands) {
    if (hand.seat == seat) return cards_json(hand.cards);
  }
  return Json::array();
}

Json share_of_hit(const Claim& claim, const PotPlayed& pot, const Parts& parts) {
  const SharePart part = parts.of(claim.seat);
  return Json{{"seat", claim.seat.value()},
              {"for", part.of},
              {"part", text(part.rate)},
              {"among", part.among},
              {"hand", cards_held(pot, claim.seat)},
              {"amount", text_cents(claim.amount)},
              {"claim", claim.number.value()},
              {"state", name(claim.state)},
              {"verified_by", text_or_null(claim.validated_by)},
              {"verified_at", moment_or_null(claim.validated_at)},
              {"source", claim.source ? Json(name(*claim.source)) : Json()},
              {"slips", numbers_json(claim.slips)},
              {"paid_by", text_or_null(claim.paid_by)},
              {"paid_at", moment_or_null(claim.paid_at)},
              {"rejected_by", text_or_null(claim.rejected_by)},
              {"rejected_at", moment_or_null(claim.rejected_at)}};
}

// A pot has one level, so the entry has one hit.
const JackpotHit& jackpot_hit_of(const PotPlayed& pot) {
  if (pot.hits.empty()) throw Fault("the entry that raised the claim has called no meter");
  return pot.hits.front();
}

// The pot that the claims of the entry were raised for: as it was played, or as it was corrected.
PotPlayed pot_of(const Entry& raised) {
  if (const auto* pot = std::get_if<PotPlayed>(&raised.fact)) return *pot;
  const auto* corrected = std::get_if<PotCorrected>(&raised.fact);
  if (corrected == nullptr) throw Fault("the claim was not raised by a pot");
  PotPlayed pot;
  pot.round = corrected->round;
  pot.pot = corrected->pot;
  pot.link = corrected->link;
  pot.board = corrected->board;
  pot.showdown = corrected->showdown;
  pot.hands = corrected->hands;
  pot.hits = corrected->hits;
  pot.awards = corrected->awards;
  return pot;
}

}  // namespace

std::vector<Claim> hit_of(const State& state, const Claim& claim) {
  std::vector<Claim> hit;
  if (!state.floor().link(claim.link).pot) return hit;
  for (const Claim& other : state.claims()) {
    if (is_same_hit(other, claim)) hit.push_back(other);
  }
  return hit;
}

Json distribution_json(const Journal& journal, const std::vector<Claim>& hit, const Floor& floor,
                       const std::function<bool()>& stops) {
  const Claim& first = hit.front();
  const Entry raised = entry_at(journal, first.entry);
  const PotPlayed pot = pot_of(raised);
  const Configuration then = configuration_at(journal, first.entry);
  const std::optional<PotConfig>& terms = then.floor.link(first.link).pot;
  if (!terms) throw Fault("the link was no fund of pots then");
  const JackpotHit& jackpot = jackpot_hit_of(pot);
  const Parts parts(pot, *terms);
  Json shares = Json::array();
  Amount sum, rejected;
  for (const Claim& claim : hit) {
    shares.push_back(share_of_hit(claim, pot, parts));
    sum += claim.amount;
    if (claim.state == ClaimState::rejected) rejected += claim.amount;
  }
  Aftermath after(hit, floor.link(first.link).id);
  journal.read(first.entry, [&](const StoredEntry& stored) {
    return after.note(decoded(stored)) && !(stops && stops());
  });
  return Json{{"distribution", "linkmeter-distribution 1"},
              {"house", then.floor.house},
              {"link", link_name(floor, first.link)},
              {"table", table_name(floor, first.table)},
              {"asset", floor.table(first.table).asset},
              {"round", first.round.text()},
              {"entry", first.entry.value()},
              {"configuration", then.since.value()},
              {"raised_at", text(first.raised_at)},
              {"pot", text_cents(pot.pot)},
              {"board", cards_json(pot.board)},
              {"line", first.line.text()},
              {"award", text_cents(jackpot.amount)},
              {"shares", std::move(shares)},
              {"sum", text_cents(sum)},
              {"difference", text_cents(sum - jackpot.amount)},
              {"rejected", text_cents(rejected)},
              {"notice_posted", std::move(after.posted)},
              {"notice_cleared", std::move(after.cleared)},
              {"display_adjusted", std::move(after.adjusted)}};
}

}  // namespace linkmeter
