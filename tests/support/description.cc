#include "tests/support/description.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {

namespace {

std::string signed_text(Amount amount) {
  return (amount < Amount() ? "-" : "+") + text_exact(amount < Amount() ? -amount : amount);
}

std::string pool_name(const LinkConfig& link, Pool pool) {
  return pool.is_reserve() ? "reserve" : link.levels[pool.level_index().value()].id.text();
}

std::string cards_text(const std::vector<Card>& cards) {
  std::string all;
  for (const Card card : cards) all += (all.empty() ? "" : " ") + text(card);
  return all;
}

std::string number_text(std::uint64_t number) { return std::to_string(number); }

// Prints one fact: one line for each thing that it contains, indented below the entry's first line.
class FactText {
 public:
  explicit FactText(const Floor& floor) : floor_(floor) {}
  [[nodiscard]] const std::string& told() const { return text_; }

  void operator()(const FloorOpened& opened) {
    text_ += " house=\"" + opened.floor.house + "\"";
    for (const LinkConfig& link : opened.floor.links) {
      line("link " + link.id.text() + " " + link.wager.text() +
           (link.paytable.empty() ? "" : " paytable " + link.paytable.text()));
    }
  }
  void operator()(const RoundLocked& locked) {
    head(locked.round, locked.by);
    if (locked.chips) text_ += " chips=" + number_text(*locked.chips);
    wagers("wager", locked.wagers);
  }
  void operator()(const CountMismatched& differed) {
    head(differed.round, differed.by);
    text_ += " chips=" + number_text(differed.chips) +
             " expected=" + number_text(differed.chips_expected);
    wagers("wager", differed.wagers);
  }
  void operator()(const CountResolved& resolved) {
    head(resolved.round, resolved.by);
    wagers("wager", resolved.wagers);
  }
  void operator()(const HandsShown& shown) {
    head(shown.round, shown.by);
    hands(shown.hands);
    if (!shown.dealer.empty()) line("dealer " + cards_text(shown.dealer));
    if (!shown.board.empty()) line("board " + cards_text(shown.board));
    if (shown.draw) {
      line("draw" + draw_text(shown.draw));
    }
    awards(shown.hits, shown.awards);
  }
  void operator()(const HandCorrected& corrected) {
    text_ += " " + floor_.table(corrected.table).id.text();
    head(corrected.round, corrected.by);
    text_ += " seat " + number_text(corrected.seat.value()) + " corrects #" +
             number_text(corrected.corrects.value()) + " " + std::string(name(corrected.reason)) +
             noted(corrected.note);
    line("was" + hand_text(corrected.old_cards, corrected.old_folded));
    line(corrected.is_no_hand() ? "is no hand"
                                : "is" + hand_text(corrected.cards, corrected.folded));
    awards({}, corrected.reversed, "reversed ");
    rejected(corrected.rejected);
    awards(corrected.hits, corrected.awards);
  }
  void operator()(const DealerCorrected& corrected) {
    text_ += " " + floor_.table(corrected.table).id.text();
    head(corrected.round, corrected.by);
    text_ += " corrects #" + number_text(corrected.corrects.value()) + " " +
             std::string(name(corrected.reason)) + noted(corrected.note);
    if (corrected.cards != corrected.old_cards) {
      line("dealer was" + hand_text(corrected.old_cards, false));
      line("dealer is" + hand_text(corrected.cards, false));
    }
    if (corrected.board != corrected.old_board) {
      line("board was" + hand_text(corrected.old_board, false));
      line("board is" + hand_text(corrected.board, false));
    }
    if (corrected.draw != corrected.old_draw) {
      line("draw was" + draw_text(corrected.old_draw));
      line("draw is" + draw_text(corrected.draw));
    }
    awards({}, corrected.reversed, "reversed ");
    rejected(corrected.rejected);
    awards(corrected.hits, corrected.awards);
  }
  void operator()(const PotCorrected& corrected) {
    text_ += " " + floor_.table(corrected.table).id.text();
    head(corrected.round, corrected.by);
    text_ += " corrects #" + number_text(corrected.corrects.value()) + " " +
             std::string(name(corrected.reason)) + noted(corrected.note);
    text_ += (corrected.showdown ? " showdown" : "");
    for (const ShownHand& hand : corrected.old_hands) {
      const auto same = std::find(corrected.hands.begin(), corrected.hands.end(), hand);
      if (same == corrected.hands.end()) line("was " + pot_hand(hand));
    }
    for (const ShownHand& hand : corrected.hands) {
      const auto same = std::find(corrected.old_hands.begin(), corrected.old_hands.end(), hand);
      if (same == corrected.old_hands.end()) line("is " + pot_hand(hand));
    }
    if (corrected.board != corrected.old_board) {
      line("board was" + hand_text(corrected.old_board, false));
      line("board is" + hand_text(corrected.board, false));
    }
    rejected(corrected.rejected);
    awards(corrected.hits, corrected.awards);
  }
  void operator()(const RoundClosed& closed) { head(closed.round, closed.by); }
  void operator()(const RoundVoided& voided) {
    head(voided.round, voided.by);
    text_ += " reason=\"" + voided.reason + "\"";
    wagers("returned", voided.returned);
    awards({}, voided.reversed, "take back ");
    rejected(voided.rejected);
  }
  void operator()(const HandVoided& voided) {
    head(voided.round, voided.by);
    text_ += " seat " + number_text(voided.seat.value()) + " reason=\"" + voided.reason + "\"";
    wagers("returned", voided.returned);
    awards({}, voided.reversed, "take back ");
    rejected(voided.rejected);
  }
  void operator()(const PotPlayed& pot) {
    head(pot.round, pot.by);
    text_ += " " + floor_.link(pot.link).id.text() + " pot=" + text_cents(pot.pot) +
             " contribution=" + text_cents(pot.contribution) + (pot.showdown ? " showdown" : "");
    hands(pot.hands);
    if (!pot.board.empty()) line("board " + cards_text(pot.board));
    awards(pot.hits, pot.awards);
  }
  void operator()(const MessageRefused& no) { text_ += " " + std::string(name(no.refusal)); }
  void operator()(const ClaimValidated& validated) {
    text_ += " claim " + number_text(validated.claim.value()) + " by " + validated.by.text() +
             (validated.posts_notice ? ", pending adjustment posted" : "") +
             (validated.notified.empty() ? "" : ", notified " + validated.notified.text());
    awards({}, validated.envy, "paid ");
  }
  void operator()(const ClaimPaid& paid) {
    text_ += " claim " + number_text(paid.claim.value()) + " from " +
             std::string(name(paid.source)) +
             (paid.slip == SlipNumber() ? "" : " on slip " + number_text(paid.slip.value())) +
             " by " + paid.by.text();
  }
  void operator()(const ClaimCountersigned& countersigned) {
    text_ +=
        " claim " + number_text(countersigned.claim.value()) + " by " + countersigned.by.text();
  }
  void operator()(const SlipIssued& issued) {
    text_ += " " + number_text(issued.slip.value()) + " claim " +
             number_text(issued.claim.value()) + " from " + std::string(name(issued.source)) + " " +
             text_cents(issued.amount) + " by " + issued.by.text();
    if (!issued.threshold) return;
    line(std::string(issued.taxable ? "taxable" : "not taxable") + ", wager " +
         text_cents(issued.wager) + ": " + text(*issued.threshold));
  }
  void operator()(const SlipVoided& voided) {
    text_ += " " + number_text(voided.slip.value()) + " " + std::string(name(voided.reason)) +
             " by " + voided.by.text() + noted(voided.note);
  }
  void operator()(const SlipStored& stored) { text_ += " " + number_text(stored.slip.value()); }
  void operator()(const NoticePosted& notice) {
    text_ += " " + floor_.link(notice.link).id.text() +
             (notice.posted ? " posted by " : " cleared by ") + notice.by.text();
  }
  void operator()(const DayEnded& ended) { text_ += " " + text(ended.day); }
  void operator()(const ReadingTaken& taken) {
    text_ += " by " + taken.by.text() + noted(taken.note);
  }
  void operator()(const CountersReported& told) {
    text_ += " " + floor_.table(told.table).id.text() + " messages " +
             number_text(told.from.value()) + " to " + number_text(told.up_to.value());
    for (const LinkCount& one : told.reported) {
      line(floor_.link(one.link).id.text() + " rounds=" + number_text(one.rounds) +
           " wagers=" + number_text(one.wagers) + " handle=" + text_cents(one.handle));
    }
  }
  void operator()(const CountRecorded& count) {
    text_ += " " + text(count.day) + " " + std::string(name(count.kind)) + " " +
             floor_.link(count.link).id.text() +
             (count.table ? " " + floor_.table(*count.table).id.text() : "") + " " +
             text_cents(count.amount) + " by " + count.by.text() + " before " +
             count.witness.text() + noted(count.note) +
             (count.notice.empty() ? "" : ", notice: " + count.notice) +
             (count.recording.empty() ? "" : ", recording: " + count.recording);
  }
  void operator()(const VarianceExplained& explained) {
    text_ += " " + text(explained.day) + " " + explained.item + " " + explained.difference +
             " by " + explained.by.text() + noted(explained.note);
  }
  void operator()(const FundMoved& moved) {
    text_ += " " + text(moved.day) + " " + floor_.link(moved.link).id.text();
    for (const TableIndex table : moved.tables) text_ += " " + floor_.table(table).id.text();
    text_ += (moved.verified ? " " + text_cents(*moved.verified) : " uncounted") + " by " +
             moved.by.text() + " carried by " + moved.carried_by.text() + " accounted for by " +
             moved.accounted_by.text() + noted(moved.note);
  }
  void operator()(const DisplayAdjusted& adjusted) {
    text_ += " " + floor_.link(adjusted.link).id.text() + " shown " + text_cents(adjusted.shown) +
             " kept " + text_cents(adjusted.kept) + " by " + adjusted.by.text() + " before " +
             adjusted.witness.text() + noted(adjusted.note);
  }
  void operator()(const DaySigned& first) {
    text_ += " " + text(first.day) + " by " + first.by.text();
  }
  void operator()(const DayClosed& closed) {
    text_ += " " + text(closed.day) + " by " + closed.by.text();
  }
  void operator()(const ClaimRejected& rejected) {
    text_ += " claim " + number_text(rejected.claim.value()) + " " +
             std::string(name(rejected.reason)) + " by " + rejected.by.text() +
             (rejected.restored ? " restored" : "") +
             (rejected.hits.deferred.empty() ? "" : " deferred");
    // If only the claim's own call is undone, no list is printed.
    const std::vector<ClaimNumber>& undone = rejected.hits.undone;
    if (undone.size() > (rejected.restored ? 1U : 0U)) {
      text_ += " undone";
      for (const ClaimNumber hit : undone) text_ += " " + number_text(hit.value());
    }
    text_ += noted(rejected.note);
    awards({}, rejected.envy, "paid ");
    awards({}, rejected.reversed, "take back ");
  }
  void operator()(const LinkSuspended& suspended) {
    text_ += " " + floor_.link(suspended.link).id.text() +
             (suspended.by.empty() ? "" : " by " + suspended.by.text()) + noted(suspended.note);
  }
  void operator()(const TableFrozen& frozen) {
    text_ += " " + floor_.table(frozen.table).id.text() +
             (frozen.by.empty() ? "" : " by " + frozen.by.text()) + noted(frozen.note);
  }
  void operator()(const PinChanged& changed) { text_ += " " + changed.by.text(); }
  void operator()(const SignedIn& signed_in) { text_ += " " + signed_in.badge.text(); }
  void operator()(const SignInFailed& failed) {
    text_ += " " + failed.badge.text();
    if (!failed.locked_until) return;
    text_ += *failed.locked_until == until_new_pin
                 ? ", locked until a new PIN is set"
                 : ", locked until " + std::to_string(failed.locked_until->microseconds()) + " us";
  }
  void operator()(const Recovered& recovered) {
    text_ += " " + recovered.badge.text() + " with codes";
    for (const std::uint32_t code : recovered.codes) text_ += " " + std::to_string(code);
  }
  void operator()(const RecoveryFailed& failed) { text_ += " " + failed.badge.text(); }
  void operator()(const PinsTried& counted) {
    for (const PinsTried::Tries& one : counted.tries) {
      text_ += " " + one.badge.text() + " " + std::to_string(one.count);
    }
  }
  void operator()(const ActProposed& proposed) {
    text_ += " " + number_text(proposed.proposal.value()) + " by " + proposed.by.text();
    line(summary(proposed.act));
  }
  void operator()(const ActConfirmed& confirmed) {
    text_ += " " + number_text(confirmed.proposal.value()) + " by " + confirmed.proposed_by.text() +
             " and " + confirmed.by.text();
    line(summary(confirmed.act));
  }
  void operator()(const SelfChecked& checked) {
    text_ += checked.failures.empty() ? " passed" : " failed";
    for (const SelfChecked::Failure& failure : checked.failures) {
      line(failure.check + ": " + failure.words);
    }
  }
  void operator()(const ClockChanged& changed) {
    text_ += " by " + std::to_string(changed.by_us) + " us";
  }
  void operator()(const ClockDoubted& doubted) {
    text_ += " " + std::string(name(doubted.fault)) + ": " + clock_difference_text(doubted.by_us);
  }
  void operator()(const ClockReturned& returned) {
    text_ += " after #" + number_text(returned.doubted.value());
  }
  void operator()(const HeadSigned& signing) {
    text_ += " #" + number_text(signing.head.value()) + " " + hex(signing.hash);
  }
  void operator()(const WriterChanged& changed) {
    text_ += " epoch " + std::to_string(changed.epoch) + ": " + sentence(changed);
  }
  void operator()(const HistoryRestored& restored) {
    text_ += " up to #" + number_text(restored.ended_with.value()) + " at " +
             utc_text(restored.restored_at) + " from a backup of " +
             utc_text(restored.backup_made_at);
  }
  void operator()(const CommandRejected& no) {
    text_ += " " + no.act + " by " + no.by.text() + " " + std::string(name(no.refusal)) +
             (no.about.empty() ? "" : " " + no.about);
  }

 private:
  static std::string noted(const std::string& note) {
    return note.empty() ? "" : " \"" + note + "\"";
  }
  void line(const std::string& text) { text_ += "\n  " + text; }
  void head(const RoundId& round, const Badge& by) {
    text_ += " " + round.text();
    if (!by.empty()) text_ += " by=" + by.text();
  }
  void wagers(std::string_view word, const std::vector<PlacedWager>& list) {
    for (const PlacedWager& wager : list) {
      line(std::string(word) + " seat " + number_text(wager.seat.value()) + " " +
           floor_.link(wager.link).id.text() + " " + text_cents(wager.amount) +
           (wager.on_dealer ? " on dealer" : ""));
    }
  }
  static std::string hand_text(const std::vector<Card>& cards, bool folded) {
    return (cards.empty() ? "" : " " + cards_text(cards)) + (folded ? " folded" : "");
  }
  void hands(const std::vector<ShownHand>& list) {
    for (const ShownHand& hand : list) {
      line("hand seat " + number_text(hand.seat.value()) + hand_text(hand.cards, hand.folded) +
           (hand.keyed ? " keyed " + hand.keyed->text() : "") +
           (hand.won > Amount() ? " won " + text_cents(hand.won) : ""));
    }
  }
  static std::string pot_hand(const ShownHand& hand) {
    return "seat " + number_text(hand.seat.value()) + hand_text(hand.cards, hand.folded);
  }
  static std::string draw_text(const std::optional<Draw>& draw) {
    if (!draw) return " none";
    return (draw->magic ? " magic " + text(*draw->magic) : "") +
           (draw->seat ? " seat " + number_text(draw->seat->value()) : "");
  }
  void rejected(const RejectedClaims& claims) {
    for (const ClaimNumber claim : claims.claims) {
      line("rejected claim " + number_text(claim.value()));
    }
    calls("undone", claims.hits.undone);
    calls("deferred", claims.hits.deferred);
  }
  void calls(std::string_view word, const std::vector<ClaimNumber>& list) {
    if (list.empty()) return;
    std::string told(word);
    for (const ClaimNumber hit : list) told += " " + number_text(hit.value());
    line(told);
  }
  void awards(const std::vector<JackpotHit>& hits, const std::vector<Award>& list,
              std::string_view word = "") {
    for (const JackpotHit& hit : hits) {
      line("called " + floor_.link(hit.link).id.text() + " " +
           pool_name(floor_.link(hit.link), Pool::level(hit.level)) +
           (hit.whole ? " whole " : " part ") + text_cents(hit.amount));
    }
    for (const Award& award : list) {
      const LinkConfig& link = floor_.link(award.link);
      line(std::string(word) + std::string(name(award.kind)) + " seat " +
           number_text(award.seat.value()) + " " + link.id.text() + " " + award.line.text() +
           (award.level ? " " + pool_name(link, Pool::level(*award.level)) : "") +
           (award.holder ? " of seat " + number_text(award.holder->value()) : "") + " " +
           text_cents(award.amount) + (award.uncut ? " cut from " + text_cents(*award.uncut) : "") +
           (award.on_dealer ? " on dealer" : "") +
           (award.claim ? " claim " + number_text(award.claim->value()) : "") +
           (award.waits_for ? " waits for claim " + number_text(award.waits_for->value()) : ""));
    }
  }

  const Floor& floor_;
  std::string text_;
};

std::string text(const LinkLifecycle& ending, const std::string& link, const Floor& floor) {
  if (ending.collects()) return "";
  if (!ending.has_ended()) return link + " collects no more\n";
  if (!ending.went_to) return link + " discontinued\n";
  const LinkConfig& to = floor.link(ending.went_to->link);
  return link + " discontinued, to " + to.id.text() + " " + pool_name(to, ending.went_to->pool) +
         "\n";
}

std::string balances(const PoolBalances& pool) {
  return "amount=" + text_exact(pool.held) + " withheld=" + text_exact(pool.withheld) +
         " pending=" + text_exact(pool.pending) + " paid=" + text_exact(pool.paid) +
         " contributed=" + text_exact(pool.contributed) + " seeded=" + text_exact(pool.seeded) +
         (pool.overflowed == Amount() ? "" : " overflowed=" + text_exact(pool.overflowed)) +
         (pool.corrected == Amount() ? "" : " corrected=" + signed_text(pool.corrected)) +
         (pool.transferred == Amount() ? "" : " transferred=" + signed_text(pool.transferred));
}

}  // namespace

std::string text(const Posting& posting, const Floor& floor) {
  const LinkConfig& link = floor.link(posting.link);
  return link.id.text() + " " + pool_name(link, posting.pool) + " " +
         std::string(name(posting.account)) + " " + signed_text(posting.amount);
}

std::string description(const Entry& entry, const Floor& floor) {
  std::string all = "#" + number_text(entry.number.value()) + " " + std::string(name(entry.fact));
  if (entry.origin) {
    all += " " + floor.table(entry.origin->table).id.text() + ":" +
           number_text(entry.origin->number.value());
  }
  const auto* opened = std::get_if<FloorOpened>(&entry.fact);
  const Floor& known = opened != nullptr ? opened->floor : floor;
  FactText telling(known);
  std::visit(telling, entry.fact);
  all += telling.told();
  for (const Posting& posting : entry.postings) all += "\n  post " + text(posting, known);
  return all + "\n";
}

std::string description(const State& state) {
  std::string all;
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkConfig& terms = state.floor().links[index];
    const LinkBalances& book = state.link(LinkIndex(index));
    if (!book.suspended.empty()) all += terms.id.text() + " suspended \"" + book.suspended + "\"\n";
    if (book.pending_adjustment) all += terms.id.text() + " pending adjustment\n";
    all += text(book.ending, terms.id.text(), state.floor());
    for (std::size_t level = 0; level < book.levels.size(); ++level) {
      all += terms.id.text() + " " + terms.levels[level].id.text() + " " +
             balances(book.levels[level].pool) + " hits=" + number_text(book.levels[level].hits) +
             " partial_hits=" + number_text(book.levels[level].partial_hits) + "\n";
    }
    if (terms.reserve_rate > Rate() ||
        book.reserve != PoolBalances()) {  // M9 fills a reserve that has no rate
      all += terms.id.text() + " reserve " + balances(book.reserve) + "\n";
    }
    for (const TableCount& count : book.tables) {
      all += terms.id.text() + " table " + state.floor().table(count.table).id.text() +
             " rounds=" + number_text(count.rounds) + " wagers=" + number_text(count.wagers) +
             " handle=" + text_cents(count.handle) + "\n";
    }
  }
  return all;
}

}  // namespace linkmeter
