#include "proto/codec/journal_codec.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "meters/values/number.h"
#include "meters/values/text.h"
#include "proto/codec/act_codec.h"
#include "proto/codec/arena_message.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/day_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/person_fact_codec.h"
#include "proto/codec/slip_codec.h"
#include "proto/codec/system_fact_codec.h"
#include "proto/host/release.h"
#include "proto/journal.pb.h"

namespace linkmeter {

namespace {

using parts::decode_cards;
using parts::decode_cents;
using parts::decode_hands;
using parts::decode_placed;
using parts::decode_seat;
using parts::encode_cards;

constexpr std::uint32_t reserve_pool = 0;

void encode_posting(const Posting& posting, journal::Posting& message) {
  message.set_account(static_cast<std::uint32_t>(posting.account));
  message.set_link(posting.link.value());
  message.set_pool(posting.pool.is_reserve() ? reserve_pool
                                             : posting.pool.level_index().value() + 1U);
  message.set_units(posting.amount.units());
}

bool decode_posting(const journal::Posting& message, Posting& posting) {
  if (message.account() < static_cast<std::uint32_t>(Account::meter) ||
      message.account() > static_cast<std::uint32_t>(Account::overflow) ||
      message.pool() > limits::levels_max) {
    return false;
  }
  posting.account = static_cast<Account>(message.account());
  posting.link = LinkIndex(message.link());
  posting.pool = message.pool() == reserve_pool
                     ? Pool::reserve()
                     : Pool::level(LevelIndex(static_cast<std::uint8_t>(message.pool() - 1)));
  posting.amount = Amount::from_units(message.units());
  return posting.amount <= limits::lifetime_max && posting.amount >= -limits::lifetime_max;
}

template <class Message>
void encode_settled(const std::vector<JackpotHit>& calls, const std::vector<Award>& awards,
                    Message& message) {
  for (const JackpotHit& call : calls) parts::encode_call(call, *message.add_calls());
  parts::encode_awards(awards, message.mutable_awards());
}

template <class Message>
bool decode_settled(const Message& message, std::vector<JackpotHit>& calls,
                    std::vector<Award>& awards) {
  for (const journal::MeterCall& one : message.calls()) {
    if (!parts::decode_call(one, calls.emplace_back())) return false;
  }
  return parts::decode_awards(message.awards(), awards);
}

template <class Message>
void encode_rejections(const RejectedClaims& rejected, Message& message) {
  if (rejected.claims.empty()) return;
  journal::RejectedClaims& fact = *message.mutable_rejected();
  for (const ClaimNumber claim : rejected.claims) fact.add_claims(claim.value());
  parts::encode_reversal(rejected.calls, *fact.mutable_calls());
}

template <class Message>
RejectedClaims decode_rejections(const Message& message) {
  RejectedClaims rejected;
  for (const std::uint64_t claim : message.rejected().claims()) {
    rejected.claims.emplace_back(claim);
  }
  rejected.calls = parts::decode_reversal(message.rejected().calls());
  return rejected;
}

template <class Messages>
void encode_placed_all(const std::vector<PlacedWager>& wagers, Messages* messages) {
  for (const PlacedWager& wager : wagers) parts::encode_placed(wager, *messages->Add());
}

struct EncodeFact {
  journal::Entry& entry;

  void operator()(const FloorOpened& opened) const {
    journal::FloorOpened& fact = *entry.mutable_floor_opened();
    parts::encode_floor(opened.floor, *fact.mutable_floor());
    fact.set_floor_text(opened.floor_text);
    for (const std::string& text : opened.catalogue_texts) fact.add_catalogue_texts(text);
    for (const Person& person : opened.people) parts::encode_person(person, *fact.add_people());
    for (const Enrolment& enrolment : opened.enrolments) {
      parts::encode_enrolment(enrolment, *fact.add_enrolments());
    }
    fact.set_seal_key(opened.seal_key);
    fact.set_journal_key(opened.journal_key);
    for (const Digest& code : opened.recovery_codes) {
      fact.add_recovery_codes(parts::encode_digest(code));
    }
  }
  void operator()(const RoundLocked& locked) const {
    journal::RoundLocked& fact = *entry.mutable_round_locked();
    fact.set_round(locked.round.text());
    encode_placed_all(locked.wagers, fact.mutable_wagers());
    if (locked.chips) fact.set_chips(*locked.chips);
    fact.set_by(locked.by.text());
  }
  void operator()(const CountMismatched& differed) const {
    journal::CountDiffered& fact = *entry.mutable_count_differed();
    fact.set_round(differed.round.text());
    encode_placed_all(differed.wagers, fact.mutable_wagers());
    fact.set_chips(differed.chips);
    fact.set_chips_expected(differed.chips_expected);
    fact.set_by(differed.by.text());
  }
  void operator()(const CountResolved& resolved) const {
    journal::CountResolved& fact = *entry.mutable_count_resolved();
    fact.set_round(resolved.round.text());
    encode_placed_all(resolved.wagers, fact.mutable_wagers());
    fact.set_by(resolved.by.text());
  }
  void operator()(const HandsShown& shown) const {
    journal::HandsShown& fact = *entry.mutable_hands_shown();
    fact.set_round(shown.round.text());
    for (const ShownHand& hand : shown.hands) parts::encode_hand(hand, *fact.add_hands());
    fact.set_dealer(encode_cards(shown.dealer));
    fact.set_board(encode_cards(shown.board));
    encode_settled(shown.calls, shown.awards, fact);
    if (shown.draw) parts::encode_draw(*shown.draw, *fact.mutable_draw());
    fact.set_by(shown.by.text());
  }
  void operator()(const HandCorrected& corrected) const {
    journal::HandCorrected& fact = *entry.mutable_hand_corrected();
    fact.set_table(corrected.table.value());
    fact.set_round(corrected.round.text());
    fact.set_corrects(corrected.corrects.value());
    fact.set_seat(corrected.seat.value());
    fact.set_old_cards(encode_cards(corrected.old_cards));
    fact.set_old_folded(corrected.old_folded);
    fact.set_cards(encode_cards(corrected.cards));
    fact.set_folded(corrected.folded);
    encode_settled(corrected.calls, corrected.awards, fact);
    parts::encode_awards(corrected.reversed, fact.mutable_reversed());
    fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
    fact.set_note(corrected.note);
    fact.set_by(corrected.by.text());
    encode_rejections(corrected.rejected, fact);
  }
  void operator()(const HandVoided& voided) const {
    journal::HandVoided& fact = *entry.mutable_hand_voided();
    fact.set_round(voided.round.text());
    fact.set_seat(voided.seat.value());
    fact.set_reason(voided.reason);
    encode_placed_all(voided.returned, fact.mutable_returned());
    parts::encode_awards(voided.reversed, fact.mutable_reversed());
    encode_rejections(voided.rejected, fact);
    fact.set_by(voided.by.text());
  }
  void operator()(const DealerCorrected& corrected) const {
    journal::DealerCorrected& fact = *entry.mutable_dealer_corrected();
    fact.set_table(corrected.table.value());
    fact.set_round(corrected.round.text());
    fact.set_corrects(corrected.corrects.value());
    fact.set_old_cards(encode_cards(corrected.old_cards));
    fact.set_cards(encode_cards(corrected.cards));
    fact.set_old_board(encode_cards(corrected.old_board));
    fact.set_board(encode_cards(corrected.board));
    if (corrected.old_draw) parts::encode_draw(*corrected.old_draw, *fact.mutable_old_draw());
    if (corrected.draw) parts::encode_draw(*corrected.draw, *fact.mutable_draw());
    encode_settled(corrected.calls, corrected.awards, fact);
    parts::encode_awards(corrected.reversed, fact.mutable_reversed());
    encode_rejections(corrected.rejected, fact);
    fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
    fact.set_note(corrected.note);
    fact.set_by(corrected.by.text());
  }
  void operator()(const PotCorrected& corrected) const {
    journal::PotCorrected& fact = *entry.mutable_pot_corrected();
    fact.set_table(corrected.table.value());
    fact.set_round(corrected.round.text());
    fact.set_corrects(corrected.corrects.value());
    fact.set_link(corrected.link.value());
    fact.set_pot_cents(corrected.pot.in_cents());
    fact.set_board(encode_cards(corrected.board));
    fact.set_showdown(corrected.showdown);
    for (const ShownHand& hand : corrected.hands) parts::encode_hand(hand, *fact.add_hands());
    fact.set_old_board(encode_cards(corrected.old_board));
    fact.set_old_showdown(corrected.old_showdown);
    for (const ShownHand& hand : corrected.old_hands) {
      parts::encode_hand(hand, *fact.add_old_hands());
    }
    encode_settled(corrected.calls, corrected.awards, fact);
    encode_rejections(corrected.rejected, fact);
    fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
    fact.set_note(corrected.note);
    fact.set_by(corrected.by.text());
  }
  void operator()(const RoundClosed& closed) const {
    entry.mutable_round_closed()->set_round(closed.round.text());
    entry.mutable_round_closed()->set_by(closed.by.text());
  }
  void operator()(const RoundVoided& voided) const {
    journal::RoundVoided& fact = *entry.mutable_round_voided();
    fact.set_round(voided.round.text());
    fact.set_reason(voided.reason);
    encode_placed_all(voided.returned, fact.mutable_returned());
    fact.set_by(voided.by.text());
    parts::encode_awards(voided.reversed, fact.mutable_reversed());
    encode_rejections(voided.rejected, fact);
  }
  void operator()(const PotPlayed& pot) const {
    journal::PotPlayed& fact = *entry.mutable_pot_played();
    fact.set_round(pot.round.text());
    fact.set_pot_cents(pot.pot.in_cents());
    fact.set_link(pot.link.value());
    fact.set_contribution_cents(pot.contribution.in_cents());
    fact.set_board(encode_cards(pot.board));
    fact.set_showdown(pot.showdown);
    for (const ShownHand& hand : pot.hands) parts::encode_hand(hand, *fact.add_hands());
    encode_settled(pot.calls, pot.awards, fact);
    fact.set_by(pot.by.text());
  }
  void operator()(const MessageRefused& no) const {
    entry.mutable_message_refused()->set_refusal(static_cast<std::uint32_t>(no.refusal));
  }
  // What people did, and the system itself: slip_codec, person_fact_codec, system_fact_codec.
  template <class Other>
  void operator()(const Other& fact) const {
    parts::encode_fact(fact, entry);
  }
};

std::optional<Fact> decode_fact(const journal::FloorOpened& message) {
  FloorOpened fact;
  if (!parts::decode_floor(message.floor(), fact.floor)) return std::nullopt;
  fact.floor_text = message.floor_text();
  fact.catalogue_texts.assign(message.catalogue_texts().begin(), message.catalogue_texts().end());
  for (const acts::Person& one : message.people()) {
    const auto person = parts::decode_person(one);
    if (!person) return std::nullopt;
    fact.people.push_back(*person);
  }
  for (const acts::Enrolment& one : message.enrolments()) {
    auto enrolment = parts::decode_enrolment(one);
    if (!enrolment) return std::nullopt;
    fact.enrolments.push_back(std::move(*enrolment));
  }
  fact.seal_key = message.seal_key();
  fact.journal_key = message.journal_key();
  if (fact.journal_key.size() > limits::journal_key_bytes_max) return std::nullopt;
  if (!fact.seal_key.empty() && fact.seal_key.size() != limits::seal_key_bytes) return std::nullopt;
  for (const std::string& code : message.recovery_codes()) {
    if (!parts::decode_digest(code, fact.recovery_codes.emplace_back())) return std::nullopt;
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::RoundLocked& message) {
  RoundLocked fact{RoundId(message.round()), {}, std::nullopt, Badge(message.by())};
  if (message.has_chips()) fact.chips = message.chips();
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::CountDiffered& message) {
  CountMismatched fact{
      RoundId(message.round()), {}, message.chips(), message.chips_expected(), Badge(message.by())};
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::CountResolved& message) {
  CountResolved fact{RoundId(message.round()), {}, Badge(message.by())};
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandsShown& message) {
  HandsShown fact;
  fact.round = RoundId(message.round());
  fact.by = Badge(message.by());
  if (!decode_hands(message.hands(), fact.hands) || !decode_cards(message.dealer(), fact.dealer) ||
      !decode_cards(message.board(), fact.board) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  if (message.has_draw() && !(fact.draw = parts::decode_draw(message.draw()))) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandCorrected& message) {
  HandCorrected fact;
  const auto seat = decode_seat(message.seat());
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  if (!seat || !reason || !decode_cards(message.old_cards(), fact.old_cards) ||
      !decode_cards(message.cards(), fact.cards) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  if (!parts::decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.seat = *seat;
  fact.old_folded = message.old_folded();
  fact.folded = message.folded();
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::RoundVoided& message) {
  RoundVoided fact{RoundId(message.round()), message.reason(), {}, Badge(message.by()), {}, {}};
  if (!decode_placed(message.returned(), fact.returned) ||
      !parts::decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandVoided& message) {
  HandVoided fact;
  const auto seat = decode_seat(message.seat());
  if (!seat || !decode_placed(message.returned(), fact.returned) ||
      !parts::decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.round = RoundId(message.round());
  fact.seat = *seat;
  fact.reason = message.reason();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::DealerCorrected& message) {
  DealerCorrected fact;
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  if (!reason || !decode_cards(message.old_cards(), fact.old_cards) ||
      !decode_cards(message.cards(), fact.cards) ||
      !decode_cards(message.old_board(), fact.old_board) ||
      !decode_cards(message.board(), fact.board) ||
      !decode_settled(message, fact.calls, fact.awards) ||
      !parts::decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  if (message.has_old_draw() && !(fact.old_draw = parts::decode_draw(message.old_draw()))) {
    return std::nullopt;
  }
  if (message.has_draw() && !(fact.draw = parts::decode_draw(message.draw()))) return std::nullopt;
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::PotCorrected& message) {
  PotCorrected fact;
  const auto pot = decode_cents(message.pot_cents());
  const auto reason = parts::decode_numbered(message.reason(), HandReason::other_error);
  if (!pot || !reason || !decode_cards(message.board(), fact.board) ||
      !decode_cards(message.old_board(), fact.old_board) ||
      !decode_hands(message.hands(), fact.hands) ||
      !decode_hands(message.old_hands(), fact.old_hands) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.link = LinkIndex(message.link());
  fact.pot = *pot;
  fact.showdown = message.showdown();
  fact.old_showdown = message.old_showdown();
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::PotPlayed& message) {
  PotPlayed fact;
  const auto pot = decode_cents(message.pot_cents());
  const auto contribution = decode_cents(message.contribution_cents());
  if (!pot || !contribution || !decode_cards(message.board(), fact.board) ||
      !decode_hands(message.hands(), fact.hands) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  fact.round = RoundId(message.round());
  fact.pot = *pot;
  fact.link = LinkIndex(message.link());
  fact.contribution = *contribution;
  fact.showdown = message.showdown();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::MessageRefused& message) {
  const auto number = parts::decode_integer<std::uint8_t>(message.refusal());
  if (!number) return std::nullopt;
  return MessageRefused{static_cast<Refusal>(*number)};
}

std::optional<Fact> decode_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kFloorOpened: return decode_fact(message.floor_opened());
    case journal::Entry::kRoundLocked: return decode_fact(message.round_locked());
    case journal::Entry::kCountDiffered: return decode_fact(message.count_differed());
    case journal::Entry::kCountResolved: return decode_fact(message.count_resolved());
    case journal::Entry::kHandsShown: return decode_fact(message.hands_shown());
    case journal::Entry::kHandCorrected: return decode_fact(message.hand_corrected());
    case journal::Entry::kRoundClosed:
      return RoundClosed{RoundId(message.round_closed().round()),
                         Badge(message.round_closed().by())};
    case journal::Entry::kRoundVoided: return decode_fact(message.round_voided());
    case journal::Entry::kPotPlayed: return decode_fact(message.pot_played());
    case journal::Entry::kHandVoided: return decode_fact(message.hand_voided());
    case journal::Entry::kDealerCorrected: return decode_fact(message.dealer_corrected());
    case journal::Entry::kPotCorrected: return decode_fact(message.pot_corrected());
    case journal::Entry::kMessageRefused: return decode_fact(message.message_refused());
    case journal::Entry::kClaimValidated:
    case journal::Entry::kClaimCountersigned:
    case journal::Entry::kClaimPaid:
    case journal::Entry::kSlipIssued:
    case journal::Entry::kSlipVoided:
    case journal::Entry::kSlipStored: return parts::decode_slip_fact(message);
    case journal::Entry::kNoticePosted:
    case journal::Entry::kClaimRejected:
    case journal::Entry::kLinkSuspended:
    case journal::Entry::kTableFrozen:
    case journal::Entry::kPinChanged:
    case journal::Entry::kSignedIn:
    case journal::Entry::kSignInFailed:
    case journal::Entry::kRecovered:
    case journal::Entry::kRecoveryFailed:
    case journal::Entry::kPinsTried:
    case journal::Entry::kActProposed:
    case journal::Entry::kActConfirmed:
    case journal::Entry::kActRefused: return parts::decode_person_fact(message);
    case journal::Entry::kDayEnded:
    case journal::Entry::kReadingTaken:
    case journal::Entry::kCountersTold:
    case journal::Entry::kCountRecorded:
    case journal::Entry::kVarianceExplained:
    case journal::Entry::kDaySigned:
    case journal::Entry::kDayClosed:
    case journal::Entry::kFundMoved:
    case journal::Entry::kDisplayAdjusted: return parts::decode_day_fact(message);
    case journal::Entry::kClockDoubted:
    case journal::Entry::kClockReturned:
    case journal::Entry::kHistoryRestored:
    case journal::Entry::kHeadSigned:
    case journal::Entry::kSelfChecked:
    case journal::Entry::kClockChanged: return parts::decode_system_fact(message);
    case journal::Entry::FACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

// A reader before this one: what it knows of facts and acts, which are added at the end.
struct OlderReader {
  std::string_view release;  // the first with this reader
  std::size_t facts, acts;
};
// From reader 1 on. When the journal gets a new reader, the one that was this program's is added.
constexpr std::array older_readers{OlderReader{"0.1.0", 37, 13}};
static_assert(journal_reader == older_readers.size() + 1);

// What an entry says of the readers that it needs. Reader 1 needs no words.
struct Needed {
  std::uint32_t reader = 1;
  std::string release;
};

// What an entry with this fact says for ever, whichever release writes it: the oldest reader that
// knows it.
Needed reader_needed(const Fact& fact) {
  const auto* proposed = std::get_if<ActProposed>(&fact);
  const auto* confirmed = std::get_if<ActConfirmed>(&fact);
  const DualControlCommand* act = proposed != nullptr    ? &proposed->act
                                  : confirmed != nullptr ? &confirmed->act
                                                         : nullptr;
  for (std::size_t at = 0; at < older_readers.size(); ++at) {
    const OlderReader& reader = older_readers[at];
    if (fact.index() < reader.facts && (act == nullptr || act->index() < reader.acts)) {
      return {static_cast<std::uint32_t>(at + 1), std::string(reader.release)};
    }
  }
  return {journal_reader, std::string(journal_reader_release)};
}

std::string write(const Entry& entry, const Needed& needed) {
  parts::Scratch<journal::Entry> scratch;
  journal::Entry& message = *scratch;
  message.set_number(entry.number.value());
  message.set_recorded_at_us(entry.recorded_at.microseconds());
  if (entry.origin) {
    journal::Origin& origin = *message.mutable_origin();
    origin.set_table(entry.origin->table.value());
    origin.set_number(entry.origin->number.value());
    origin.set_digest(parts::encode_digest(entry.origin->digest));
    origin.set_sent_at_us(entry.origin->sent_at.microseconds());
  }
  for (const Posting& posting : entry.postings) encode_posting(posting, *message.add_postings());
  std::visit(EncodeFact{message}, entry.fact);
  if (needed.reader > 1) {
    message.set_needs_reader(needed.reader);
    message.set_needs_release(needed.release);
  }
  return message.SerializeAsString();
}

// What is known here of an entry; there may be more in it.
std::optional<Entry> read_known(const journal::Entry& message) {
  Entry entry;
  entry.number = EntryNumber(message.number());
  entry.recorded_at = Timestamp::from_microseconds(message.recorded_at_us());
  if (message.has_origin()) {
    Origin& origin = entry.origin.emplace();
    origin.table = TableIndex(message.origin().table());
    origin.number = MessageNumber(message.origin().number());
    origin.sent_at = Timestamp::from_microseconds(message.origin().sent_at_us());
    if (!parts::decode_digest(message.origin().digest(), origin.digest)) return std::nullopt;
  }
  entry.postings.reserve(static_cast<std::size_t>(message.postings_size()));
  for (const journal::Posting& posting : message.postings()) {
    if (!decode_posting(posting, entry.postings.emplace_back())) return std::nullopt;
  }
  std::optional<Fact> fact = decode_fact(message);
  if (!fact) return std::nullopt;
  entry.fact = std::move(*fact);
  return entry;
}

// "0.10.0" as numbers; nullopt: it is not such a name.
std::optional<std::vector<std::uint64_t>> numbers_of(std::string_view release) {
  std::vector<std::uint64_t> numbers;
  for (;;) {
    const std::size_t point = release.find('.');
    const auto number = parse_number(release.substr(0, point));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (point == std::string_view::npos) return numbers;
    release.remove_prefix(point + 1);
  }
}

// False also where either is not the name of a release.
bool is_newer(std::string_view release, std::string_view than) {
  if (release.size() > limits::name_length_max) return false;
  const auto one = numbers_of(release), other = numbers_of(than);
  return one && other && *one > *other;
}

std::string needs_release(const std::string& release) {
  return "it needs release " + release + " or later; this is " + std::string(this_release().name);
}

bool parse(std::string_view bytes, journal::Entry& message) {
  return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string encode(const Entry& entry) { return write(entry, reader_needed(entry.fact)); }

std::optional<Entry> decode_entry(std::string_view bytes) {
  parts::Scratch<journal::Entry> scratch;
  const journal::Entry& message = *scratch;
  if (!parse(bytes, *scratch) || message.needs_reader() > journal_reader) return std::nullopt;
  std::optional<Entry> entry = read_known(message);
  if (!entry) return std::nullopt;
  // Another release may name a newer reader than its entry needs.
  Needed needed = reader_needed(entry->fact);
  if (message.needs_reader() > needed.reader) {
    needed = {message.needs_reader(), message.needs_release()};
  }
  // Written again, an entry that is wholly known gives its own bytes.
  if (write(*entry, needed) != bytes) return std::nullopt;
  return entry;
}

std::string why_unreadable(std::string_view bytes, std::string_view written_by) {
  parts::Scratch<journal::Entry> scratch;
  const journal::Entry& message = *scratch;
  if (!parse(bytes, *scratch)) return "its bytes are not an entry";
  if (message.needs_reader() > journal_reader) {
    return needs_release(is_well_formed_text(message.needs_release(), limits::name_length_max)
                             ? message.needs_release()
                             : "of journal reader " + std::to_string(message.needs_reader()));
  }
  // The entry of a start names its own release.
  const std::string release =
      message.has_self_checked() ? message.self_checked().version() : std::string(written_by);
  if (is_newer(release, this_release().name)) return needs_release(release);
  if (read_known(message)) {
    return "it holds what this release does not know: a newer release has written it";
  }
  return "its bytes are not an entry";
}

}  // namespace linkmeter
