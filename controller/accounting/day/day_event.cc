#include "controller/accounting/day/day_event.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "controller/view/display_names.h"
#include "meters/facts/operator_command.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

// "-3600.000000": the clock was set back by an hour.
std::string signed_seconds(std::int64_t microseconds) {
  constexpr std::int64_t per_second = 1'000'000;
  const bool is_back = microseconds < 0;
  const auto size = is_back ? -static_cast<std::uint64_t>(microseconds)
                            : static_cast<std::uint64_t>(microseconds);
  const std::string fraction = std::to_string(size % per_second);
  return (is_back ? "-" : "+") + std::to_string(size / per_second) + "." +
         std::string(6 - fraction.size(), '0') + fraction;
}

std::string with_note(std::string words, const std::string& note) {
  return note.empty() ? words : std::move(words) + ": " + note;
}

std::string cards_text(const std::vector<Card>& cards) {
  std::string all;
  for (const Card card : cards) all += (all.empty() ? "" : " ") + text(card);
  return all.empty() ? "no cards" : all;
}

std::string hand_text(const std::vector<Card>& cards, bool folded) {
  return cards_text(cards) + (folded ? " folded" : "");
}

// What a rejection does to the hits of meters (M11).
std::string calls_text(const ClaimRejected& no) {
  std::string text = no.restored ? ", the meter is as if it had not been called"
                                 : ", the reseed and the reserve stay where they are";
  const std::vector<ClaimNumber>& undone = no.hits.undone;
  if (undone.size() <= (no.restored ? 1U : 0U)) return text;
  text += "; undone with it are the calls of claims";
  for (const ClaimNumber hit : undone) text += " " + std::to_string(hit.value());
  return text;
}

// The event of each kind of fact; other facts are not events.
struct Eventful {
  const Entry& entry;
  const Floor& floor;

  [[nodiscard]] DayEvent event(std::string kind, std::string words) const {
    return {std::move(kind), entry.number, entry.recorded_at, std::move(words)};
  }
  [[nodiscard]] std::string table() const {
    return entry.origin ? table_name(floor, entry.origin->table) : "nobody";
  }

  template <class Fact>
  std::optional<DayEvent> operator()(const Fact&) const {
    return std::nullopt;
  }
  std::optional<DayEvent> operator()(const CountMismatched& differed) const {
    return event("count_differed", table() + " round " + differed.round.text() + ": " +
                                       std::to_string(differed.chips) + " chips, " +
                                       std::to_string(differed.chips_expected) + " expected");
  }
  std::optional<DayEvent> operator()(const CountResolved& resolved) const {
    return event("count_resolved", table() + " round " + resolved.round.text() + ": " +
                                       std::to_string(resolved.wagers.size()) + " wagers, by " +
                                       resolved.by.text());
  }
  std::optional<DayEvent> operator()(const HandCorrected& hand) const {
    return event(
        "hand_corrected",
        with_note(table_name(floor, hand.table) + " round " + hand.round.text() + " seat " +
                      std::to_string(hand.seat.value()) + ": " +
                      hand_text(hand.old_cards, hand.old_folded) + " -> " +
                      (hand.is_no_hand() ? "no hand" : hand_text(hand.cards, hand.folded)) +
                      undone_text(hand.reversed, hand.rejected) + ", " +
                      std::string(name(hand.reason)) + ", by " + hand.by.text(),
                  hand.note));
  }
  std::optional<DayEvent> operator()(const RoundVoided& voided) const {
    if (voided.reversed.empty() && voided.rejected.claims.empty()) return std::nullopt;
    return event("round_voided", table() + " round " + voided.round.text() +
                                     undone_text(voided.reversed, voided.rejected) +
                                     by_text(voided.by) + ": " + voided.reason);
  }
  std::optional<DayEvent> operator()(const HandVoided& voided) const {
    return event("hand_voided", table() + " round " + voided.round.text() + " seat " +
                                    std::to_string(voided.seat.value()) +
                                    undone_text(voided.reversed, voided.rejected) +
                                    by_text(voided.by) + ": " + voided.reason);
  }
  std::optional<DayEvent> operator()(const DealerCorrected& corrected) const {
    return event(
        "dealer_corrected",
        with_note(table_name(floor, corrected.table) + " round " + corrected.round.text() + ": " +
                      cards_text(corrected.old_cards) + " -> " + cards_text(corrected.cards) +
                      undone_text(corrected.reversed, corrected.rejected) + ", " +
                      std::string(name(corrected.reason)) + by_text(corrected.by),
                  corrected.note));
  }
  std::optional<DayEvent> operator()(const PotCorrected& corrected) const {
    return event("pot_corrected",
                 with_note(table_name(floor, corrected.table) + " pot " + corrected.round.text() +
                               undone_text({}, corrected.rejected) + ", " +
                               std::string(name(corrected.reason)) + by_text(corrected.by),
                           corrected.note));
  }
  static std::string by_text(const Badge& by) { return by.empty() ? "" : ", by " + by.text(); }
  // ", claim 7 is rejected, 300.00 to be taken back"
  static std::string undone_text(const std::vector<Award>& reversed,
                                 const RejectedClaims& rejected) {
    std::string words;
    for (const ClaimNumber claim : rejected.claims) {
      words += ", claim " + std::to_string(claim.value()) + " is rejected";
    }
    return words + taken_back_text(reversed);
  }
  static std::string taken_back_text(const std::vector<Award>& reversed) {
    return awards_text(", ", reversed, " to be taken back from seat ");
  }
  static std::string awards_text(const char* before, const std::vector<Award>& awards,
                                 const char* after) {
    std::string words;
    for (const Award& award : awards) {
      words += before + text_cents(award.amount) + after + std::to_string(award.seat.value());
    }
    return words;
  }
  std::optional<DayEvent> operator()(const ClaimRejected& no) const {
    return event(
        "claim_rejected",
        with_note("claim " + std::to_string(no.claim.value()) + ": " +
                      std::string(name(no.reason)) + calls_text(no) + taken_back_text(no.reversed) +
                      awards_text(", envy of ", no.envy, " is due to seat ") + ", by " +
                      no.by.text(),
                  no.note));
  }
  // Two recovery codes replaced the PIN, and no PIN was needed: the report must show that.
  std::optional<DayEvent> operator()(const Recovered& recovered) const {
    std::string codes;
    for (const std::uint32_t code : recovered.codes) {
      codes += (codes.empty() ? "" : " and ") + std::to_string(code);
    }
    return event("recovered", recovered.badge.text() + " has a new PIN by the recovery codes " +
                                  codes + "; every link was suspended");
  }
  std::optional<DayEvent> operator()(const RecoveryFailed& failed) const {
    return event("recovery_failed", "wrong recovery codes were tried for " + failed.badge.text());
  }
  std::optional<DayEvent> operator()(const LinkSuspended& suspended) const {
    const bool by_itself = suspended.by.empty();
    DayEvent told = event(by_itself ? "suspended_itself" : "suspended",
                          with_note(link_name(floor, suspended.link) +
                                        (by_itself ? std::string() : " by " + suspended.by.text()),
                                    suspended.note));
    told.link = suspended.link;
    if (by_itself) told.difference = suspended.note.empty() ? "suspended" : suspended.note;
    return told;
  }
  std::optional<DayEvent> operator()(const TableFrozen& frozen) const {
    const std::string by = frozen.by.empty() ? " by the system" : " by " + frozen.by.text();
    return event("table_frozen",
                 with_note("table " + floor.table(frozen.table).id.text() + by, frozen.note));
  }
  std::optional<DayEvent> operator()(const NoticePosted& notice) const {
    return event(notice.posted ? "notice_posted" : "notice_cleared",
                 link_name(floor, notice.link) + ", by " + notice.by.text());
  }
  std::optional<DayEvent> operator()(const DisplayAdjusted& adjusted) const {
    return event("display_adjusted",
                 with_note(link_name(floor, adjusted.link) + ": shown " +
                               text_cents(adjusted.shown) + ", kept " + text_cents(adjusted.kept) +
                               ", by " + adjusted.by.text() + " and " + adjusted.witness.text(),
                           adjusted.note));
  }
  std::optional<DayEvent> operator()(const SelfChecked& checked) const {
    if (checked.failures.empty()) return std::nullopt;
    std::string words;
    for (const SelfChecked::Failure& failure : checked.failures) {
      words += (words.empty() ? "" : "; ") + with_note(failure.check, failure.words);
    }
    return event("self_check_failed", std::move(words));
  }
  std::optional<DayEvent> operator()(const ClockChanged& changed) const {
    DayEvent told = event("clock_changed", signed_seconds(changed.by_us) + " s");
    told.difference = told.words;
    return told;
  }
  std::optional<DayEvent> operator()(const ClockDoubted& doubted) const {
    DayEvent told = event("clock_doubted", clock_difference_text(doubted.by_us));
    told.difference = signed_seconds(doubted.by_us) + " s";
    return told;
  }
  std::optional<DayEvent> operator()(const ClockReturned& returned) const {
    return event("clock_returned",
                 "the doubt of entry " + std::to_string(returned.doubted.value()) + " has ended");
  }
  std::optional<DayEvent> operator()(const WriterChanged& changed) const {
    return event("writer_changed", sentence(changed));
  }
  std::optional<DayEvent> operator()(const HistoryRestored& restored) const {
    DayEvent told =
        event("history_restored", "at " + utc_text(restored.restored_at) + " from a backup of " +
                                      utc_text(restored.backup_made_at) + ", up to entry " +
                                      std::to_string(restored.ended_with.value()) + " " +
                                      hex(restored.hash));
    told.difference = "since entry " + std::to_string(restored.ended_with.value());
    return told;
  }
  std::optional<DayEvent> operator()(const ActConfirmed& confirmed) const {
    const DualControlCommand& act = confirmed.act;
    const char* kind = nullptr;
    if (std::holds_alternative<CorrectMeter>(act)) kind = "correction";
    if (std::holds_alternative<TransferMeter>(act)) kind = "transfer";
    if (std::holds_alternative<StopCollecting>(act)) kind = "collecting_ended";
    if (std::holds_alternative<Discontinue>(act)) kind = "discontinued";
    if (std::holds_alternative<ResumeLink>(act)) kind = "resumed";
    if (std::holds_alternative<ResumeLinks>(act)) kind = "resumed";
    if (std::holds_alternative<UnfreezeTable>(act)) kind = "table_unfrozen";
    if (std::holds_alternative<ReplaceKey>(act)) kind = "key_replaced";
    if (std::holds_alternative<ChangeParameters>(act)) kind = "parameters_changed";
    if (std::holds_alternative<AcceptHistory>(act)) kind = "history_accepted";
    if (std::holds_alternative<ConfirmClock>(act)) kind = "clock_confirmed";
    if (std::holds_alternative<LeaveCluster>(act)) kind = "cluster_left";
    if (std::holds_alternative<NewRecoveryCodes>(act)) kind = "recovery_codes_made";
    if (kind == nullptr) return std::nullopt;
    return event(kind, words_of(act) + ", by " + confirmed.proposed_by.text() + " and " +
                           confirmed.by.text());
  }

  // "resume 2 suspended links: C4-MEGA: ...; RIU: ..."
  static std::string in_one_line(std::string text) {
    constexpr std::string_view line = "\n    ";
    for (bool is_first = true;; is_first = false) {
      const std::size_t at = text.find(line);
      if (at == std::string::npos) return text;
      text.replace(at, line.size(), is_first ? " " : "; ");
    }
  }
  // A change of parameters has a line for each term. Here they are one line.
  static std::string words_of(const DualControlCommand& act) {
    const auto* change = std::get_if<ChangeParameters>(&act);
    if (change == nullptr) return in_one_line(summary(act));
    std::string words;
    for (const std::string& line : change->changes) words += (words.empty() ? "" : "; ") + line;
    return words.empty() ? "nothing that anybody would see" : words;
  }
};

}  // namespace

std::optional<DayEvent> day_event(const Entry& entry, const Floor& floor) {
  return std::visit(Eventful{entry, floor}, entry.fact);
}

}  // namespace linkmeter
