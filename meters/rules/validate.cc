#include "meters/rules/validate.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "meters/rules/clock_trust.h"
#include "meters/rules/decide_parameters.h"
#include "meters/rules/decide_restoration.h"
#include "meters/rules/discontinuation.h"
#include "meters/rules/laws.h"
#include "meters/rules/level_hits.h"
#include "meters/rules/validate_day.h"
#include "meters/values/int128.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

// The accounts that a transfer may touch: pools, and what they owe one another. Not the house's
// money, awards or wagers.
bool is_of_transfer(const Posting& posting) {
  switch (posting.account) {
    case Account::meter:
    case Account::reserve:
    case Account::withheld:
    case Account::transfers:
    case Account::overflow: return true;
    default: return false;
  }
}

std::optional<std::string> in_words(Refusal refusal) {
  if (refusal == Refusal::none) return std::nullopt;
  return std::string(sentence(refusal));
}

}  // namespace

std::optional<std::string> too_late(const State& state, const std::vector<PlacedWager>& wagers,
                                    const Round* locked) {
  const bool is_late = std::any_of(wagers.begin(), wagers.end(), [&](const PlacedWager& wager) {
    return !state.link(wager.link).ending.collects() &&
           (locked == nullptr || !locked->has_wager_on(wager.link));
  });
  if (is_late) return "a wager on a link that collects no more";
  return std::nullopt;
}

std::optional<std::string> too_late(const State& state, const PotPlayed& pot) {
  const LinkLifecycle& ending = state.link(pot.link).ending;
  if (ending.has_ended()) return "a pot for a fund that has ended";
  if (!ending.collects() && pot.contribution != Amount()) {
    return "a contribution to a fund that collects no more";
  }
  return std::nullopt;
}

std::optional<std::string> lifecycle_violation(const State& state, const StopCollecting& stop) {
  return in_words(check_command(state, stop));
}

// An old entry may have returned the reseed of a fund to the house.
std::optional<std::string> lifecycle_violation(const State& state, const Discontinue& end) {
  if (check_command(state, end, FundReseed::house) == Refusal::none) return std::nullopt;
  return in_words(check_command(state, end));
}

std::optional<std::string> lifecycle_violation(const State& state, const DualControlCommand& act,
                                               const std::vector<Posting>& postings) {
  if (std::holds_alternative<StopCollecting>(act) && !postings.empty()) {
    return "money moves where only collecting ends";
  }
  if (std::holds_alternative<TransferMeter>(act) &&
      !std::all_of(postings.begin(), postings.end(), is_of_transfer)) {
    return "it books more than a transfer moves";
  }
  const auto* end = std::get_if<Discontinue>(&act);
  if (end == nullptr) return std::nullopt;
  if (auto no = lifecycle_violation(state, *end)) return no;
  const auto is_by = [&](FundReseed reseed) {
    return check_command(state, *end, reseed) == Refusal::none &&
           postings == ending_of(state, *end, reseed).postings;
  };
  if (is_by(FundReseed::patrons) || is_by(FundReseed::house)) return std::nullopt;
  return "it is not what the ending moves";
}

std::optional<std::string> posting_violation(const Floor& floor,
                                             const std::vector<Posting>& postings) {
  for (const Posting& posting : postings) {
    const bool known = posting.link.value() < floor.links.size() &&
                       (posting.pool.is_reserve() || posting.pool.level_index().value() <
                                                         floor.link(posting.link).levels.size());
    if (!known) return "a posting to an unknown pool";
    if (posting.account == Account::meter && posting.pool.is_reserve()) {
      return "a meter posting on the reserve";
    }
    if (posting.account == Account::reserve && !posting.pool.is_reserve()) {
      return "a reserve posting on a level";
    }
  }
  return std::nullopt;
}

namespace {

Int128 size_of(Int128 units) { return units < 0 ? -units : units; }

Int128 balance_before(const State& state, const Posting& posting) {
  if (!state.is_open()) return 0;
  return state.link(posting.link).balance(posting.account, posting.pool).units();
}

}  // namespace

bool overflows(const State& state, const std::vector<Posting>& postings) {
  constexpr Int128 most = Int128{limits::lifetime_max.units()} + limits::entry_max.units();
  // Fast path: nearly always, not even the sum of all postings would exceed the range of one
  // balance.
  Int128 together = 0;
  for (const Posting& posting : postings) together += size_of(posting.amount.units());
  const bool are_small = std::all_of(postings.begin(), postings.end(), [&](const Posting& posting) {
    return size_of(balance_before(state, posting)) + together <= most;
  });
  if (are_small) return false;
  std::map<std::tuple<LinkIndex, Pool, Account>, Int128> running;
  return std::any_of(postings.begin(), postings.end(), [&](const Posting& posting) {
    Int128& balance = running
                          .try_emplace({posting.link, posting.pool, posting.account},
                                       balance_before(state, posting))
                          .first->second;
    balance += posting.amount.units();
    return balance > most || balance < -most;
  });
}

// validate_entry() of laws.h: validates whether an entry can follow a state. One short function per
// fact.

namespace {

using ViolationText = std::optional<std::string>;

class EntryValidator {
 public:
  EntryValidator(const State& state, const Entry& entry) : state_(state), entry_(entry) {}

  // Not sent by a table: before this entry there are no tables.
  ViolationText operator()(const FloorOpened& opened) const {
    for (const LinkConfig& link : opened.floor.links) {
      if (link.levels.size() > limits::levels_max) return "a link with too many levels";
      if (link.pot && link.levels.empty()) return "a fund of pots without a level";
      for (const TableIndex table : link.tables) {
        if (table.value() >= opened.floor.tables.size()) return "a link of an unknown table";
      }
    }
    return std::nullopt;
  }
  ViolationText operator()(const RoundLocked& locked) const {
    if (ViolationText no = no_room_for(locked.round)) return no;
    if (ViolationText no = placement_violation(locked.wagers)) return no;
    return too_late(state_, locked.wagers);
  }
  ViolationText operator()(const CountMismatched& differed) const {
    if (ViolationText no = no_room_for(differed.round)) return no;
    if (ViolationText no = placement_violation(differed.wagers)) return no;
    return too_late(state_, differed.wagers);
  }
  ViolationText operator()(const CountResolved& resolved) const {
    if (ViolationText no = not_open(resolved.round)) return no;
    if (!round(resolved.round)->blocked) return "the round is not blocked";
    if (ViolationText no = placement_violation(resolved.wagers)) return no;
    return too_late(state_, resolved.wagers, round(resolved.round));
  }
  ViolationText operator()(const HandsShown& shown) const {
    if (ViolationText no = not_open(shown.round)) return no;
    if (round(shown.round)->blocked) return "the round is blocked";
    return award_violation(entry_.origin->table, shown.hits, shown.awards);
  }
  ViolationText operator()(const HandCorrected& corrected) const {
    if (ViolationText no = from_no_person(corrected.by)) return no;
    if (corrected.table.value() >= state_.floor().tables.size()) return "an unknown table";
    const Round* open = state_.session(corrected.table).find_round(corrected.round);
    if (open == nullptr) return "the round is not open";
    const SeatShown* shown = open->find_shown(corrected.seat);
    if (shown == nullptr) return "the seat was not shown";
    if (corrected.corrects != shown->entry) return "it corrects another entry than the hand's";
    if (corrected.old_cards != shown->hand.cards || corrected.old_folded != shown->hand.folded) {
      return "it corrects another hand than was shown";
    }
    CardCounts seen = open->cards;
    for (const Card card : corrected.old_cards) {
      if (!seen.remove(card)) return "the old hand has cards that were never seen";
    }
    if (ViolationText no = reversal_violation(corrected, *open, *shown)) return no;
    if (ViolationText no = rejection_violation(corrected.rejected, open->all_awards())) return no;
    const bool is_settled = !corrected.hits.empty() || !corrected.awards.empty() ||
                            (!entry_.postings.empty() && corrected.rejected.claims.empty());
    if (corrected.is_no_hand() && is_settled) return "a seat without a hand wins";
    return award_violation(corrected.table, corrected.hits, corrected.awards);
  }
  ViolationText operator()(const RoundClosed& closed) const { return not_open(closed.round); }
  ViolationText operator()(const RoundVoided& voided) const {
    if (ViolationText no = not_open(voided.round)) return no;
    const Round& open = *round(voided.round);
    // Only accrued wagers may be returned, or counts and contributions would fall below zero.
    if (voided.returned != (open.blocked ? std::vector<PlacedWager>{} : open.wagers)) {
      return "other wagers are returned than accrued";
    }
    return undo_violation(open.all_awards(), voided.reversed, voided.rejected);
  }
  ViolationText operator()(const HandVoided& voided) const {
    if (ViolationText no = not_open(voided.round)) return no;
    const Round& open = *round(voided.round);
    if (open.blocked) return "the round is blocked";
    if (open.is_void(voided.seat)) return "the hand is void already";
    std::vector<PlacedWager> its;
    for (const PlacedWager& wager : open.wagers) {
      if (wager.seat == voided.seat) its.push_back(wager);
    }
    if (voided.returned != its) return "other wagers are returned than accrued";
    std::vector<Award> awards = open.all_awards();
    std::erase_if(awards, [&voided](const Award& award) {
      return award.seat != voided.seat && award.holder != voided.seat;
    });
    return undo_violation(awards, voided.reversed, voided.rejected);
  }
  ViolationText operator()(const DealerCorrected& corrected) const {
    if (ViolationText no = from_no_person(corrected.by)) return no;
    if (corrected.table.value() >= state_.floor().tables.size()) return "an unknown table";
    const Round* open = state_.session(corrected.table).find_round(corrected.round);
    if (open == nullptr) return "the round is not open";
    if (open->blocked) return "the round is blocked";
    const DealerShown& dealer = open->dealer;
    if (dealer.entry == EntryNumber() || corrected.corrects != dealer.entry) {
      return "it corrects another entry than the dealer's";
    }
    if (corrected.old_cards != dealer.cards || corrected.old_board != dealer.board ||
        corrected.old_draw != open->draw) {
      return "it corrects another hand than was shown";
    }
    const Draw was = open->draw.value_or(Draw());
    const Draw is = corrected.draw.value_or(Draw());
    if (was.magic.has_value() != is.magic.has_value() ||
        was.seat.has_value() != is.seat.has_value() ||
        open->draw.has_value() != corrected.draw.has_value()) {
      return "it draws what was not drawn";
    }
    std::vector<Award> standing = open->all_awards();
    for (const Award& award : corrected.reversed) {
      if (ViolationText no = take_out(standing, award)) return no;
    }
    if (ViolationText no = rejection_violation(corrected.rejected, standing)) return no;
    return award_violation(corrected.table, corrected.hits, corrected.awards);
  }
  ViolationText operator()(const PotCorrected& corrected) const {
    if (ViolationText no = from_no_person(corrected.by)) return no;
    if (corrected.table.value() >= state_.floor().tables.size()) return "an unknown table";
    const PlayedPot* pot = state_.session(corrected.table).find_pot(corrected.round);
    if (pot == nullptr) return "the pot is not known";
    if (corrected.corrects != pot->entry) return "it corrects another entry than the pot's";
    if (corrected.link != pot->link || corrected.pot != pot->pot) return "it moves the pot";
    if (corrected.old_board != pot->board || corrected.old_showdown != pot->showdown ||
        corrected.old_hands != pot->hands) {
      return "it corrects another pot than was played";
    }
    if (state_.link(pot->link).ending.has_ended()) return "a pot for a fund that has ended";
    if (pot->terms_changed) return "a pot that was played by other terms";
    if (ViolationText no = undo_violation(pot->awards, {}, corrected.rejected)) return no;
    return award_violation(corrected.table, corrected.hits, corrected.awards);
  }
  ViolationText operator()(const PotPlayed& pot) const {
    if (ViolationText no = from_no_table()) return no;
    if (ViolationText no = placement_violation({PlacedWager{Seat(), pot.link, pot.contribution}}))
      return no;
    if (ViolationText no = too_late(state_, pot)) return no;
    return award_violation(entry_.origin->table, pot.hits, pot.awards);
  }
  ViolationText operator()(const MessageRefused&) const { return from_no_table(); }
  ViolationText operator()(const ClaimValidated& validated) const {
    if (ViolationText no = claim_not_in(ClaimState::raised, validated.claim)) return no;
    const Claim& claim = claim_of(validated.claim);
    if (validated.posts_notice && !state_.floor().link(claim.link).pot) {
      return "a notice on a link that no pots feed";
    }
    if (claim.corrected_by == validated.by) return "who corrected the hand validates its claim";
    if (validated.envy != claim.envy) return "other envy is paid than is owed";
    return overpaid(claim, validated.envy);
  }
  ViolationText operator()(const ClaimPaid& paid) const {
    if (ViolationText no = claim_not_in(ClaimState::validated, paid.claim)) return no;
    const Claim& claim = claim_of(paid.claim);
    if (!may_pay(claim.link, claim.table, claim.amount.units()))
      return "more is paid than there can be";
    const Slip* open = state_.open_slip(claim);
    // Entries from before slips existed pay a claim without a slip.
    if (paid.slip == SlipNumber())
      return open == nullptr ? std::nullopt : ViolationText("the slip is open");
    if (open == nullptr || open->number != paid.slip) return "it is not the claim's open slip";
    return open->source == paid.source ? std::nullopt
                                       : ViolationText("the slip says another source");
  }
  ViolationText operator()(const ClaimCountersigned& countersigned) const {
    if (ViolationText no = claim_not_in(ClaimState::validated, countersigned.claim)) return no;
    if (ViolationText no = from_no_person(countersigned.by)) return no;
    const Claim& claim = claim_of(countersigned.claim);
    if (!claim.countersigned_by.empty()) return "the claim is countersigned already";
    if (claim.validated_by == countersigned.by) return "both signatures are one person's";
    if (claim.corrected_by == countersigned.by) return "who corrected the hand signs its claim";
    return std::nullopt;
  }
  ViolationText operator()(const SlipIssued& issued) const {
    if (ViolationText no = claim_not_in(ClaimState::validated, issued.claim)) return no;
    if (ViolationText no = from_no_person(issued.by)) return no;
    if (issued.slip.value() != state_.slips().size() + 1) return "slips are not consecutive";
    const Claim& claim = claim_of(issued.claim);
    if (state_.open_slip(claim) != nullptr) return "the claim has an open slip";
    if (issued.amount != claim.amount || issued.wager != claim.wager) {
      return "the slip is not what the claim is";
    }
    if (issued.taxable && !issued.threshold) return "taxable by no threshold";
    return std::nullopt;
  }
  ViolationText operator()(const SlipVoided& voided) const {
    if (ViolationText no = from_no_person(voided.by)) return no;
    const Slip* slip = state_.find_slip(voided.slip);
    if (slip == nullptr || slip->state != SlipState::issued) return "the slip is not open";
    return std::nullopt;
  }
  ViolationText operator()(const SlipStored& stored) const {
    if (entry_.origin) return "the system's own step from a table";
    const Slip* slip = state_.find_slip(stored.slip);
    if (slip == nullptr || slip->stored) return "no slip waits for its copy";
    return std::nullopt;
  }
  ViolationText operator()(const NoticePosted& notice) const {
    if (ViolationText no = from_no_person(notice.by)) return no;
    if (!knows(notice.link)) return "an unknown link";
    return state_.floor().link(notice.link).pot ? std::nullopt
                                                : ViolationText("a notice on no fund of pots");
  }
  ViolationText operator()(const ClaimRejected& rejected) const {
    if (ViolationText no = from_no_person(rejected.by)) return no;
    const Claim* claim = state_.find_claim(rejected.claim);
    if (claim == nullptr ||
        (claim->state != ClaimState::raised && claim->state != ClaimState::validated)) {
      return "the claim is not in that state";
    }
    if (state_.open_slip(*claim) != nullptr) return "the slip is open";
    if (!rejected.envy.empty() && (claim->envy_paid || rejected.envy != claim->envy)) {
      return "other envy is paid than is owed";
    }
    if (!rejected.reversed.empty() && (!claim->envy_paid || rejected.reversed != claim->envy)) {
      return "it reverses what was not paid";
    }
    if (!rejected.envy.empty() && claim->corrected_by == rejected.by) {
      return "who corrected the hand pays its envy";
    }
    if (ViolationText no = overpaid(*claim, rejected.envy)) return no;
    if (rejected.restored && !claim->level) return "a fixed award restores no meter";
    const std::vector<ClaimNumber>& undone = rejected.hits.undone;
    if (undone.empty()) {
      if (rejected.restored && !is_last_hit(*claim)) return "a later claim has won the level";
    } else if (rejected.restored != std::any_of(undone.begin(), undone.end(), [&](ClaimNumber one) {
                 const Claim* other = state_.find_claim(one);
                 return other != nullptr && is_same_hit(*other, *claim);
               })) {
      return "it does not say whether the claim's own call is undone";
    }
    return hit_reversal_violation(state_, std::span(&rejected.claim, 1), rejected.hits);
  }
  ViolationText operator()(const LinkSuspended& suspended) const {
    if (entry_.origin) return "a person's step from a table";
    if (!knows(suspended.link)) return "an unknown link";
    if (suspended.note.empty()) return "a link suspended without a reason";
    return suspended.by.empty() ? std::nullopt : from_no_person(suspended.by);
  }
  ViolationText operator()(const TableFrozen& frozen) const {
    if (entry_.origin) return "a person's step from a table";
    if (frozen.table.value() >= state_.floor().tables.size()) return "an unknown table";
    if (frozen.note.empty()) return "a table frozen without a reason";
    return frozen.by.empty() ? std::nullopt : from_no_person(frozen.by);
  }
  ViolationText operator()(const PinChanged& changed) const { return from_no_person(changed.by); }
  ViolationText operator()(const SignedIn& signed_in) const {
    return from_no_person(signed_in.badge);
  }
  ViolationText operator()(const SignInFailed& failed) const {
    return from_no_person(failed.badge);
  }
  ViolationText operator()(const CommandRejected& refused) const {
    return from_no_person(refused.by);
  }
  ViolationText operator()(const Recovered& recovered) const {
    if (ViolationText no = from_no_person(recovered.badge)) return no;
    if (!are_enough(state_.recovery(), recovered.codes)) {
      return "a recovery by other than two codes of each who made them";
    }
    const std::vector<RecoveryCode>& codes = state_.recovery().codes;
    for (const std::uint32_t code : recovered.codes) {
      if (code == 0 || code > codes.size() || codes[code - 1].is_used) {
        return "a recovery by a code that is not valid";
      }
    }
    return std::nullopt;
  }
  ViolationText operator()(const RecoveryFailed& failed) const {
    if (entry_.origin) return "a person's step from a table";
    return failed.badge.empty() ? std::nullopt : from_no_person(failed.badge);
  }
  ViolationText operator()(const PinsTried& counted) const {
    if (entry_.origin) return "the system's own step from a table";
    for (const PinsTried::Tries& one : counted.tries) {
      if (ViolationText no = from_no_person(one.badge)) return no;
    }
    return std::nullopt;
  }
  ViolationText operator()(const SelfChecked& checked) const {
    if (entry_.origin) return "the system's own step from a table";
    // No entry may come between the check and its entry.
    if (checked.verified != state_.last_entry()) return "it vouches for another entry";
    return std::nullopt;
  }
  ViolationText operator()(const ClockChanged&) const {
    if (entry_.origin) return "the system's own step from a table";
    return std::nullopt;
  }
  ViolationText operator()(const HeadSigned& signing) const {
    if (entry_.origin) return "the system's own step from a table";
    if (signing.head > state_.last_entry()) return "it signs an entry that is not there";
    if (signing.signature.empty() || signing.signature.size() > limits::signature_bytes_max) {
      return "its signature is empty or too long";
    }
    if (state_.keys().of(KeyKind::journal).empty()) return "the journal has no key";
    return std::nullopt;
  }
  ViolationText operator()(const ActProposed& proposed) const {
    if (proposed.proposal != state_.last_proposal().next()) {
      return "its proposal number is not the next one";
    }
    if (ViolationText no = from_no_person(proposed.by)) return no;
    return std::visit([this](const auto& act) { return this->violation_of(act); }, proposed.act);
  }
  ViolationText operator()(const ActConfirmed& confirmed) const {
    const Proposal* proposal = state_.find_proposal(confirmed.proposal);
    if (proposal == nullptr || !is_of(*proposal, confirmed.act) ||
        proposal->by != confirmed.proposed_by) {
      return "it confirms what nobody proposed";
    }
    if (ViolationText no = from_no_person(confirmed.by)) return no;
    const Person* first = state_.find_person(confirmed.proposed_by);
    const Person* second = state_.find_person(confirmed.by);
    if (first == nullptr || second == nullptr) return "nobody has the badge of one half";
    if (first->department == second->department) return "both halves are of one department";
    if (ViolationText no = lifecycle_violation(state_, confirmed.act, entry_.postings)) return no;
    return std::visit([this](const auto& act) { return this->violation_of(act); }, confirmed.act);
  }
  ViolationText operator()(const ClockDoubted&) const {
    if (entry_.origin) return "the system's own step from a table";
    return std::nullopt;
  }
  ViolationText operator()(const ClockReturned& returned) const {
    return clock_violation(state_, entry_, returned);
  }
  ViolationText operator()(const WriterChanged& changed) const {
    if (entry_.origin) return "the system's own step from a table";
    if (auto no = writer_violation(state_.writer(), changed)) return no;
    if (state_.enrolments().find(EnrolmentKind::node, changed.node) == nullptr) {
      return "a writer that is not enrolled";
    }
    return std::nullopt;
  }
  ViolationText operator()(const HistoryRestored& restored) const {
    return restoration_violation(state_, entry_, restored);
  }
  // Facts about gaming days.
  template <class DayFact>
  ViolationText operator()(const DayFact& fact) const {
    return day_violation(state_, entry_, fact);
  }

 private:
  // Whether the command is the proposed one. The person who confirms new recovery codes adds codes
  // to them.
  [[nodiscard]] static bool is_of(const Proposal& proposal, const DualControlCommand& confirmed) {
    const auto* made = std::get_if<NewRecoveryCodes>(&confirmed);
    const auto* first = std::get_if<NewRecoveryCodes>(&proposal.act);
    if (made == nullptr || first == nullptr) return proposal.act == confirmed;
    return made->codes.size() >= first->codes.size() &&
           std::equal(first->codes.begin(), first->codes.end(), made->codes.begin());
  }
  // Why this is not a fact of a known person that no table sent; nullopt: it is.
  [[nodiscard]] ViolationText from_no_person(const Badge& badge) const {
    if (entry_.origin) return "a person's step from a table";
    if (state_.find_person(badge) == nullptr) return "nobody has that badge";
    return std::nullopt;
  }
  [[nodiscard]] ViolationText violation_of(const AcceptHistory& accept) const {
    return restoration_violation(state_, accept);
  }
  [[nodiscard]] ViolationText violation_of(const LeaveCluster& leave) const {
    return leave_violation(state_.enrolments(), state_.writer(), state_.last_entry(), leave);
  }
  [[nodiscard]] ViolationText violation_of(const ConfirmClock& confirm) const {
    return clock_violation(state_, confirm);
  }
  [[nodiscard]] static ViolationText violation_of(const NewRecoveryCodes& made) {
    return are_confirmed_codes(made.codes) ? std::nullopt
                                           : ViolationText("recovery codes that nobody made");
  }
  [[nodiscard]] ViolationText violation_of(const ResumeLink& resume) const {
    return state_.floor().find_link(resume.link) ? std::nullopt : ViolationText("an unknown link");
  }
  [[nodiscard]] ViolationText violation_of(const ResumeLinks& resume) const {
    const bool are_known = std::all_of(
        resume.links.begin(), resume.links.end(),
        [this](const auto& one) { return state_.floor().find_link(one.link).has_value(); });
    return are_known ? std::nullopt : ViolationText("an unknown link");
  }
  [[nodiscard]] ViolationText violation_of(const UnfreezeTable& unfreeze) const {
    return state_.find_table(unfreeze.table) ? std::nullopt : ViolationText("an unknown table");
  }
  [[nodiscard]] ViolationText violation_of(const ReplaceKey& replace) const {
    if (!is_well_formed(replace)) return "a key of another form";
    return replace.replaces == state_.keys().of(replace.kind)
               ? std::nullopt
               : ViolationText("it replaces a key that is not in force");
  }
  [[nodiscard]] ViolationText violation_of(const CorrectMeter& correct) const {
    return state_.floor().find_link(correct.link) ? std::nullopt : ViolationText("an unknown link");
  }
  [[nodiscard]] static ViolationText violation_of(const TransferMeter&) { return std::nullopt; }
  [[nodiscard]] ViolationText violation_of(const StopCollecting& stop) const {
    return lifecycle_violation(state_, stop);
  }
  [[nodiscard]] ViolationText violation_of(const Discontinue& end) const {
    return lifecycle_violation(state_, end);
  }
  [[nodiscard]] ViolationText violation_of(const AddPerson& add) const {
    return state_.find_person(add.person.badge) == nullptr
               ? std::nullopt
               : ViolationText("the badge is somebody's");
  }
  [[nodiscard]] ViolationText violation_of(const RemovePerson& remove) const {
    return known(remove.badge);
  }
  [[nodiscard]] ViolationText violation_of(const SetRoles& set) const { return known(set.badge); }
  [[nodiscard]] ViolationText violation_of(const ResetPin& reset) const {
    return known(reset.badge);
  }
  [[nodiscard]] ViolationText violation_of(const Enrol& enrol) const {
    return state_.enrolments().find_key(enrol.enrolment.key) == nullptr
               ? std::nullopt
               : ViolationText("the key is somebody's");
  }
  [[nodiscard]] ViolationText violation_of(const Revoke& revoke) const {
    return state_.enrolments().find(revoke.kind, revoke.name) != nullptr
               ? std::nullopt
               : ViolationText("nobody of that name is enrolled");
  }
  [[nodiscard]] ViolationText violation_of(const ChangeParameters& change) const {
    if (change.since == EntryNumber()) return "parameters that change no known configuration";
    const Rejection no = object(state_, change);
    return no.refusal == Refusal::none ? std::nullopt : ViolationText(sentence(no.refusal));
  }
  [[nodiscard]] ViolationText known(const Badge& badge) const {
    return state_.find_person(badge) != nullptr ? std::nullopt
                                                : ViolationText("nobody has that badge");
  }
  [[nodiscard]] ViolationText from_no_table() const {
    if (!entry_.origin) return "a table's fact without its message";
    return std::nullopt;
  }
  [[nodiscard]] const Round* round(const RoundId& id) const {
    return state_.session(entry_.origin->table).find_round(id);
  }
  [[nodiscard]] ViolationText no_room_for(const RoundId& id) const {
    if (ViolationText no = from_no_table()) return no;
    if (round(id) != nullptr) return "the round is open already";
    if (state_.session(entry_.origin->table).rounds().size() >= limits::rounds_open_per_table_max) {
      return "too many open rounds";
    }
    return std::nullopt;
  }
  [[nodiscard]] ViolationText not_open(const RoundId& id) const {
    if (ViolationText no = from_no_table()) return no;
    if (round(id) == nullptr) return "the round is not open";
    return std::nullopt;
  }
  [[nodiscard]] bool knows(LinkIndex link) const {
    return link.value() < state_.floor().links.size();
  }
  [[nodiscard]] bool knows(LinkIndex link, LevelIndex level) const {
    return knows(link) && level.value() < state_.floor().link(link).levels.size();
  }
  [[nodiscard]] ViolationText placement_violation(const std::vector<PlacedWager>& wagers) const {
    std::optional<LinkIndex> before;  // most rounds have one link
    for (const PlacedWager& wager : wagers) {
      if (!knows(wager.link)) return "a wager on an unknown link";
      if (wager.amount < Amount() || wager.amount > limits::wager_max) {
        return "a wager that nobody could make";
      }
      const bool is_known = std::exchange(before, wager.link) == wager.link;
      if (!is_known && !state_.floor().link(wager.link).has_table(entry_.origin->table)) {
        return "a wager on a link of other tables";
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] ViolationText award_violation(TableIndex table, const std::vector<JackpotHit>& hits,
                                              const std::vector<Award>& awards) const {
    for (const JackpotHit& hit : hits) {
      if (!knows(hit.link, hit.level)) return "a call on an unknown level";
    }
    std::uint64_t claims = state_.claims().size();
    std::map<LinkIndex, Int128> paid;  // paid at once by this entry
    const std::uint64_t claims_before = claims;
    const auto claims_after = claims + static_cast<std::uint64_t>(std::count_if(
                                           awards.begin(), awards.end(), [](const Award& award) {
                                             return award.claim.has_value();
                                           }));
    for (const Award& award : awards) {
      if (!knows(award.link)) return "an award of an unknown link";
      const LinkConfig& terms = state_.floor().link(award.link);
      if (!terms.has_table(table)) return "an award of a link of other tables";
      if (award.claim && award.source) return "an award that waits, and is paid";
      if (award.waits_for &&
          (award.kind != AwardKind::envy || award.claim ||
           award.waits_for->value() <= claims_before || award.waits_for->value() > claims_after)) {
        return "an award waits for no claim of its entry";
      }
      if (!award.claim && !may_pay(award.link, table, paid[award.link] += award.amount.units())) {
        return "more is paid than there can be";
      }
      if (award.level && !knows(award.link, *award.level)) return "an award of an unknown level";
      if (award.claim && award.claim->value() != ++claims) return "claims are not consecutive";
    }
    return std::nullopt;
  }
  // Whether the total paid at a table stays within the range of Amount.
  [[nodiscard]] bool may_pay(LinkIndex link, TableIndex table, Int128 units) const {
    const std::vector<TableCount>& tables = state_.link(link).tables;
    const auto count = std::find_if(tables.begin(), tables.end(),
                                    [table](const TableCount& one) { return one.table == table; });
    return count != tables.end() &&
           Int128{count->paid.in_all.units()} + units <= Int128{limits::lifetime_max.units()};
  }
  // Whether the entries show that the seat's own hand decides this link. Awards that depend on the
  // dealer's hand alone stay unchanged by a correction. Only the rules, not the entries,
  // distinguish the two if the dealer's hand was shown, the link gave no Envy, and no correction
  // settled or reversed anything of the link.
  [[nodiscard]] bool is_known_own(LinkIndex link, const HandCorrected& corrected, const Round& open,
                                  const SeatShown& shown) const {
    if (!open.dealer_shown) return true;
    const auto has_award = [link](const std::vector<Award>& awards) {
      return std::any_of(awards.begin(), awards.end(),
                         [link](const Award& award) { return award.link == link; });
    };
    if (has_award(corrected.reversed) || has_award(corrected.awards)) return true;
    return std::any_of(shown.awards.begin(), shown.awards.end(), [&](const Award& award) {
      const Claim* claim = award.claim ? state_.find_claim(*award.claim) : nullptr;
      return award.link == link && (award.kind == AwardKind::envy ||
                                    (claim != nullptr && !claim->corrected_by.empty() &&
                                     claim->corrected_by != open.taken_back_by(award.seat)));
    });
  }
  // Checks that the correction undoes the old hand. Each reversed award was paid and is reversed
  // once. If no player has a hand, all paid awards are reversed. Otherwise an award that the hand
  // wins again may stay paid, except Envy that was paid with a claim. No claim of the old hand
  // stands.
  [[nodiscard]] ViolationText reversal_violation(const HandCorrected& corrected, const Round& open,
                                                 const SeatShown& shown) const {
    std::vector<Award> standing = open.all_awards();
    for (const Award& award : corrected.reversed) {
      if (ViolationText no = take_out(standing, award)) return no;
    }
    for (const Award& award : shown.awards) {
      if (std::find(standing.begin(), standing.end(), award) == standing.end()) continue;
      if (!is_known_own(award.link, corrected, open, shown)) continue;
      if (is_paid(award) && (corrected.is_no_hand() || award.waits_for)) {
        return "an award stands for a hand that was taken back";
      }
      if (award.claim && !is_rejected(*award.claim, corrected.rejected)) {
        return "a claim stands for a hand that was taken back";
      }
    }
    return std::nullopt;
  }
  // Whether the award was paid, at once or with the claim that it waited for.
  [[nodiscard]] bool is_paid(const Award& award) const {
    if (award.claim) return false;
    const Claim* awaited = award.waits_for ? state_.find_claim(*award.waits_for) : nullptr;
    return awaited == nullptr || awaited->envy_paid;
  }
  [[nodiscard]] bool is_rejected(ClaimNumber number, const RejectedClaims& now) const {
    const Claim* claim = state_.find_claim(number);
    return (claim != nullptr && claim->state == ClaimState::rejected) ||
           std::find(now.claims.begin(), now.claims.end(), number) != now.claims.end();
  }
  [[nodiscard]] ViolationText take_out(std::vector<Award>& standing, const Award& reversed) const {
    const auto found = std::find(standing.begin(), standing.end(), reversed);
    if (found == standing.end()) return "it reverses what the hand did not bring";
    if (reversed.claim) return "it reverses what has a claim";
    if (!is_paid(reversed)) return "it reverses what was not paid";
    standing.erase(found);
    return std::nullopt;
  }
  // Checks that only pending claims of these awards are rejected, each once.
  [[nodiscard]] ViolationText rejection_violation(const RejectedClaims& rejected,
                                                  const std::vector<Award>& awards) const {
    std::set<ClaimNumber> seen;
    for (const ClaimNumber number : rejected.claims) {
      const Claim* claim = state_.find_claim(number);
      const bool is_its = std::any_of(awards.begin(), awards.end(), [number](const Award& award) {
        return award.claim == number;
      });
      if (claim == nullptr || !is_its) return "it rejects a claim of something else";
      if (claim->state != ClaimState::raised || !seen.insert(number).second) {
        return "the claim is not in that state";
      }
    }
    return hit_reversal_violation(state_, rejected.claims, rejected.hits);
  }
  // Checks that no claim stands for awards that no longer count. (An old void reversed nothing.)
  [[nodiscard]] ViolationText undo_violation(std::vector<Award> awards,
                                             const std::vector<Award>& reversed,
                                             const RejectedClaims& rejected) const {
    for (const Award& award : reversed) {
      if (ViolationText no = take_out(awards, award)) return no;
    }
    for (const Award& award : awards) {
      if (award.claim && !is_rejected(*award.claim, rejected)) {
        return "a claim stands for a hand that was taken back";
      }
    }
    return rejection_violation(rejected, awards);
  }
  [[nodiscard]] ViolationText overpaid(const Claim& claim, const std::vector<Award>& envy) const {
    std::map<LinkIndex, Int128> paid;
    for (const Award& award : envy) {
      if (!may_pay(award.link, claim.table, paid[award.link] += award.amount.units())) {
        return "more is paid than there can be";
      }
    }
    return std::nullopt;
  }
  // REQUIRES: the claim is for an award of a meter.
  [[nodiscard]] bool is_last_hit(const Claim& claim) const {
    return state_.link(claim.link).levels[claim.level->value()].last_hit == claim.hit;
  }
  // REQUIRES: claim_not_in() returned nullopt.
  [[nodiscard]] const Claim& claim_of(ClaimNumber number) const {
    const Claim* found = state_.find_claim(number);
    INVARIANT(found != nullptr);
    return *found;
  }
  [[nodiscard]] ViolationText claim_not_in(ClaimState wanted, ClaimNumber number) const {
    const Claim* claim = state_.find_claim(number);
    if (entry_.origin) return "a person's step from a table";
    if (claim == nullptr || claim->state != wanted) return "the claim is not in that state";
    return std::nullopt;
  }

  const State& state_;
  const Entry& entry_;
};

}  // namespace

ViolationText validate_entry(const State& state, const Entry& entry) {
  if (entry.number != state.last_entry().next()) return "its number is not the next one";
  const auto* opened = std::get_if<FloorOpened>(&entry.fact);
  if ((opened != nullptr) == state.is_open()) return "the floor opens once, with entry 1";
  if (entry.origin) {
    if (entry.origin->table.value() >= state.floor().tables.size()) return "an unknown table";
    if (entry.origin->number != state.session(entry.origin->table).last_number().next()) {
      return "its message number is not the table's next one";
    }
  }
  if (ViolationText no =
          posting_violation(opened != nullptr ? opened->floor : state.floor(), entry.postings)) {
    return no;
  }
  if (overflows(state, entry.postings)) return "a posting moves more than there can be";
  if (waiting_restoration(state) != nullptr && waits_for_acceptance(entry.fact)) {
    return "a restored history is not accepted";
  }
  return std::visit(EntryValidator(state, entry), entry.fact);
}

}  // namespace linkmeter
