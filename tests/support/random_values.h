// RandomValues: commands, facts and replies with every field at random, within the limits of their
// types on the wire and on disk. The same seed gives the same values.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/values/limits.h"
#include "proto/codec/wire_codec.h"
#include "tests/support/random_parts.h"

namespace linkmeter {

class RandomValues : public RandomParts {
 public:
  using RandomParts::RandomParts;

  std::vector<Card> cards() {
    return several([this] { return Card::from_index(static_cast<std::uint8_t>(below(53))); });
  }
  std::vector<ShownHand> hands() {
    return several([this] {
      return ShownHand{seat(), cards(), coin(), cents(),
                       perhaps([this] { return LineId(text() + "x"); })};
    });
  }
  std::vector<AskedWager> asked() {
    return several([this] { return AskedWager{seat(), WagerId(text()), cents(), coin()}; });
  }
  std::vector<PlacedWager> placed() {
    return several([this] { return PlacedWager{seat(), LinkIndex(place()), cents(), coin()}; });
  }
  LevelIndex level() { return LevelIndex(static_cast<std::uint8_t>(below(limits::levels_max))); }
  std::vector<JackpotHit> calls() {
    return several([this] {
      JackpotHit call{LinkIndex(place()), level(), coin(), cents(), {}, {}};
      call.reseeded = Amount::from_units(std::abs(units()));
      call.stood = Amount::from_units(std::abs(units()));
      call.from_reserve = Amount::from_units(std::abs(units()));
      return call;
    });
  }
  CallReversal reversal() {
    const auto claims = [this] {
      return several([this] { return ClaimNumber(1 + below(1'000'000)); });
    };
    return {claims(), claims()};
  }
  std::vector<Award> awards() {
    return several([this] {
      Award award;
      award.kind = static_cast<AwardKind>(1 + below(4));
      award.link = LinkIndex(place());
      award.seat = seat();
      award.holder = perhaps([this] { return seat(); });
      award.line = LineId(text());
      award.level = perhaps([this] { return level(); });
      award.whole_meter = coin();
      award.amount = cents();
      award.claim = perhaps([this] { return ClaimNumber(1 + below(1'000'000)); });
      award.on_dealer = coin();
      award.call = place();
      award.uncut = perhaps([this] { return cents(); });
      award.source = perhaps([this] { return source(); });
      award.waits_for = perhaps([this] { return ClaimNumber(1 + below(1'000'000)); });
      return award;
    });
  }

  std::optional<Draw> draw() {
    return perhaps([this] {
      Draw made;
      made.magic =
          perhaps([this] { return Card::from_index(static_cast<std::uint8_t>(below(53))); });
      made.seat = perhaps([this] { return seat(); });
      return made;
    });
  }
  ShowHands show(const RoundId& round, const Badge& by) {
    ShowHands shown{round, hands(), cards(), cards(), by, draw()};
    shown.names_dealer = !shown.dealer.empty() || coin();
    return shown;
  }

  // One command of each kind in turn.
  TableCommand command(std::size_t kind) {
    const RoundId round(text());
    const Badge by(text());
    switch (kind % std::variant_size_v<TableCommand>) {
      case 0: return LockRound{round, asked(), perhaps([this] { return place(); }), by};
      case 1: return ResolveCount{round, asked(), by};
      case 2: return show(round, by);
      case 3: return CloseRound{round, by};
      case 4: return VoidRound{round, text(), by, coin() ? std::optional(seat()) : std::nullopt};
      default: return PlayPot{round, cents(), cards(), coin(), hands(), by};
    }
  }
  TableMessage message(std::size_t kind) {
    TableMessage message;
    message.table = TableId(text());
    message.number = MessageNumber(number() | 1U);  // 0 is not a message number
    message.sent_at = time();
    message.command = command(kind);
    return message;
  }

  FloorOpened floor_opened() {
    FloorOpened opened;
    if (coin()) opened.journal_key = bytes(1 + below(90));
    if (coin()) opened.seal_key = std::string(limits::seal_key_bytes, text()[0]);
    opened.recovery_codes = several([this] { return digest(); });
    opened.floor.house = text();
    opened.floor.tables = several([this] {
      return TableConfig{TableId(text()),
                         GameId(text()),
                         static_cast<std::uint8_t>(below(256)),
                         static_cast<int>(below(limits::decks_max + 1U)),
                         text(),
                         rate(),
                         static_cast<std::uint32_t>(1 + below(limits::pace_max))};
    });
    opened.floor.links = several([this] {
      LinkConfig link{
          LinkId(text()), WagerId(text()), PaytableId(text()), {}, {}, {}, {}, rate(), {}, {}};
      link.unit = perhaps([this] { return cents(); });
      link.minimum = perhaps([this] { return cents(); });
      link.maximum = perhaps([this] { return cents(); });
      link.levels = several([this] {
        const auto most = static_cast<std::uint64_t>(limits::meter_max.units());
        const auto held = [&] { return Amount::from_units(static_cast<int>(below(most) % 1000)); };
        return LevelConfig{LevelId(text()), held(), limits::meter_max, rate(),
                           perhaps([] { return limits::meter_max; })};
      });
      link.payout_limit = perhaps([this] { return cents(); });
      link.payout_limit_caps_meter = coin();
      link.tables = several([this] { return TableIndex(place()); });
      link.pot = perhaps([this] {
        return PotConfig{
            cents(),
            cents(),
            coin() ? PokerThreshold{HandCategory::full_house, "AT"}
                   : PokerThreshold{static_cast<HandCategory>(
                         static_cast<std::uint64_t>(HandCategory::royal_flush) + below(10))},
            rate(),
            rate(),
            rate()};
      });
      return link;
    });
    opened.floor.second_signature = several([this] { return SignatureStep{cents(), roles()}; });
    opened.floor.taxable = several([this] { return threshold(); });
    opened.floor_text = text();
    opened.catalogue_texts = several([this] { return text(); });
    opened.people = several([this] { return person(); });
    return opened;
  }
  TaxThreshold threshold() {
    return {time(), text(), cents(),
            static_cast<std::int64_t>(below(static_cast<std::uint64_t>(limits::multiple_max) + 1))};
  }
  PaymentSource source() { return static_cast<PaymentSource>(below(3)); }
  std::set<Role> roles() {
    std::set<Role> all;
    for (std::uint64_t count = below(4); count > 0; --count) {
      all.insert(static_cast<Role>(1 + below(10)));
    }
    return all;
  }
  Person person() {
    Person one;
    one.badge = Badge(text());
    one.name = text();
    one.department = static_cast<Department>(1 + below(5));
    one.roles = roles();
    one.pin = bytes(below(40));
    one.failures = place();
    one.locked_until = time();
    one.removed = coin();
    one.pin_is_given = coin();
    if (coin()) one.known_to = {Badge(text()), Badge(text())};
    one.pin_before = bytes(below(40));
    return one;
  }
  Enrolment enrolment() {
    return {coin() ? EnrolmentKind::table : EnrolmentKind::viewer, text(), text()};
  }
  DualControlCommand dual_act() {
    switch (below(18)) {
      case 0: return ResumeLink{LinkId(text()), text()};
      case 1:
        return CorrectMeter{LinkId(text()), LevelId(text()), Amount::from_units(units()),
                            static_cast<CorrectionReason>(1 + below(5)), text()};
      case 2:
        return TransferMeter{LinkId(text()),
                             LevelId(text()),
                             LinkId(text()),
                             LevelId(text()),
                             Amount::from_units(units()),
                             static_cast<TransferReason>(1 + below(3)),
                             text()};
      case 3: return AddPerson{person()};
      case 4: return RemovePerson{Badge(text())};
      case 5: return SetRoles{Badge(text()), roles()};
      case 6: {
        const FloorOpened opened = floor_opened();
        return ChangeParameters{opened.floor_text,
                                opened.catalogue_texts,
                                opened.floor,
                                digest(),
                                digest(),
                                EntryNumber(number()),
                                several([this] { return text(); })};
      }
      case 7: return Enrol{enrolment()};
      case 8: return Revoke{enrolment().kind, text()};
      case 9: return StopCollecting{LinkId(text()), text()};
      case 10: return Discontinue{LinkId(text()), LinkId(text()), LevelId(text()), text()};
      case 11:
        return AcceptHistory{EntryNumber(number()), EntryNumber(number()), digest(), time(),
                             text()};
      case 12: return UnfreezeTable{TableId(text())};
      case 13:
        return ConfirmClock{EntryNumber(number()), static_cast<std::int64_t>(number()) - 1'000,
                            text()};
      case 14:
        return ReplaceKey{static_cast<KeyKind>(1 + below(5)), bytes(below(40)), bytes(below(40)),
                          bytes(below(80))};
      case 15:
        return ResumeLinks{several([this] {
                             return ResumeLinks::Suspended{LinkId(text()), text()};
                           }),
                           place(), text()};
      case 16: return NewRecoveryCodes{several([this] { return digest(); })};
      default: return ResetPin{Badge(text()), bytes(below(40))};
    }
  }
  SelfChecked self_checked() {
    SelfChecked checked;
    checked.failures = several([this] { return SelfChecked::Failure{text(), text()}; });
    checked.manifest = digest();
    checked.verified = EntryNumber(number());
    checked.head = digest();
    checked.quick = coin();
    checked.version = text();
    checked.clock_synchronised = coin();
    return checked;
  }
  HandCorrected hand_corrected(const RoundId& round, const Badge& by) {
    HandCorrected corrected;
    corrected.table = TableIndex(place());
    corrected.round = round;
    corrected.corrects = EntryNumber(number());
    corrected.seat = Seat(static_cast<std::uint8_t>(1 + below(9)));
    corrected.old_cards = cards();
    corrected.old_folded = coin();
    corrected.cards = cards();
    corrected.folded = coin();
    corrected.calls = calls();
    corrected.awards = awards();
    corrected.reversed = awards();
    corrected.reason = static_cast<HandReason>(1 + below(5));
    corrected.note = text();
    corrected.by = by;
    corrected.rejected = rejected();
    return corrected;
  }
  RejectedClaims rejected() {
    if (coin()) return {};
    return {{ClaimNumber(number())}, reversal()};
  }
  HandVoided hand_voided(const RoundId& round, const Badge& by) {
    return HandVoided{round, seat(), text(), placed(), awards(), rejected(), by};
  }
  DealerCorrected dealer_corrected(const RoundId& round, const Badge& by) {
    DealerCorrected corrected;
    corrected.table = TableIndex(place());
    corrected.round = round;
    corrected.corrects = EntryNumber(number());
    corrected.old_cards = cards();
    corrected.cards = cards();
    corrected.old_board = cards();
    corrected.board = cards();
    corrected.old_draw = draw();
    corrected.draw = draw();
    corrected.calls = calls();
    corrected.awards = awards();
    corrected.reversed = awards();
    corrected.rejected = rejected();
    corrected.reason = static_cast<HandReason>(1 + below(5));
    corrected.note = text();
    corrected.by = by;
    return corrected;
  }
  PotCorrected pot_corrected(const RoundId& round, const Badge& by) {
    PotCorrected corrected;
    corrected.table = TableIndex(place());
    corrected.round = round;
    corrected.corrects = EntryNumber(number());
    corrected.link = LinkIndex(place());
    corrected.pot = cents();
    corrected.board = cards();
    corrected.showdown = coin();
    corrected.hands = hands();
    corrected.old_board = cards();
    corrected.old_showdown = coin();
    corrected.old_hands = hands();
    corrected.calls = calls();
    corrected.awards = awards();
    corrected.rejected = rejected();
    corrected.reason = static_cast<HandReason>(1 + below(5));
    corrected.note = text();
    corrected.by = by;
    return corrected;
  }
  // One fact of each kind in turn.
  Fact fact(std::size_t kind) {
    const RoundId round(text());
    const Badge by(text());
    switch (kind % std::variant_size_v<Fact>) {
      case 0: return floor_opened();
      case 1: return RoundLocked{round, placed(), perhaps([this] { return place(); }), by};
      case 2: return CountMismatched{round, placed(), place(), place(), by};
      case 3: return CountResolved{round, placed(), by};
      case 4: return HandsShown{round, hands(), cards(), cards(), calls(), awards(), by, draw()};
      case 5: return RoundClosed{round, by};
      case 6: return RoundVoided{round, text(), placed(), by, awards(), rejected()};
      case 7:
        return PotPlayed{round,   cents(), LinkIndex(place()), cents(), cards(), coin(),
                         hands(), calls(), awards(),           by};
      case 8: return MessageRefused{Refusal::seat_unknown};
      case 9: return ClaimValidated{ClaimNumber(number()), by, coin(), Badge(text()), awards()};
      case 10: return ClaimPaid{ClaimNumber(number()), source(), by, SlipNumber(number())};
      case 11:
        return ClaimRejected{ClaimNumber(number()),
                             static_cast<RejectReason>(1 + below(6)),
                             text(),
                             coin(),
                             by,
                             reversal(),
                             awards(),
                             awards()};
      case 12: return LinkSuspended{LinkIndex(place()), text(), by};
      case 13: return PinChanged{by, bytes(below(40)), bytes(below(40))};
      case 14: return SignedIn{by};
      case 15: return SignInFailed{by, perhaps([this] { return time(); })};
      case 16: return ActProposed{ProposalNumber(number()), dual_act(), by};
      case 17: return ActConfirmed{ProposalNumber(number()), dual_act(), Badge(text()), by};
      case 18: return CommandRejected{text(), Refusal::right_missing, by, text()};
      case 19: return self_checked();
      case 20: return ClockChanged{static_cast<std::int64_t>(number()) - 1'000};
      case 21: return ClaimCountersigned{ClaimNumber(number()), by};
      case 22:
        return SlipIssued{SlipNumber(number()),
                          ClaimNumber(number()),
                          source(),
                          cents(),
                          cents(),
                          coin(),
                          perhaps([this] { return threshold(); }),
                          by};
      case 23:
        return SlipVoided{SlipNumber(number()), static_cast<VoidReason>(1 + below(4)), text(), by};
      case 24: return SlipStored{SlipNumber(number()), digest()};
      case 25: return NoticePosted{LinkIndex(place()), coin(), by};
      case 26: return hand_corrected(round, by);
      case 27: return DayEnded{day(), time(), reading()};
      case 28:
        return ReadingTaken{reading(), several([this] {
                              return SeenAmount{LinkIndex(place()), level(), cents()};
                            }),
                            text(), by};
      case 29:
        return CountersReported{TableIndex(place()), MessageNumber(number()),
                                MessageNumber(number()), link_counts(), link_counts()};
      case 30:
        return CountRecorded{day(),
                             static_cast<CountKind>(1 + below(3)),
                             perhaps([this] { return TableIndex(place()); }),
                             LinkIndex(place()),
                             cents(),
                             text(),
                             Badge(text()),
                             by,
                             text(),
                             text()};
      case 31:
        return VarianceExplained{
            day(), text(), text(), text(), perhaps([this] { return EntryNumber(number()); }), by};
      case 32: return DaySigned{day(), digest(), by};
      case 33: return DayClosed{day(), digest(), by};
      case 34: return HistoryRestored{EntryNumber(number()), digest(), time(), time()};
      case 35:
        return FundMoved{day(),
                         LinkIndex(place()),
                         several([this] { return TableIndex(place()); }),
                         perhaps([this] { return cents(); }),
                         text(),
                         Badge(text()),
                         Badge(text()),
                         by};
      case 36:
        return ClockDoubted{static_cast<ClockFault>(1 + below(4)),
                            static_cast<std::int64_t>(number()) - 1'000};
      case 37: return ClockReturned{EntryNumber(number())};
      case 38:
        return DisplayAdjusted{LinkIndex(place()), cents(), cents(), text(), Badge(text()), by};
      case 39: return TableFrozen{TableIndex(place()), text(), by};
      case 40: return hand_voided(round, by);
      case 41: return dealer_corrected(round, by);
      case 42: return HeadSigned{EntryNumber(number()), digest(), digest(), bytes(below(80))};
      case 43: return Recovered{by, bytes(below(40)), several([this] { return place(); })};
      case 44: return RecoveryFailed{by, time()};
      case 45:
        return PinsTried{several([this] { return PinsTried::Tries{Badge(text()), number()}; })};
      default: return pot_corrected(round, by);
    }
  }
  GamingDay day() { return GamingDay::from_number(static_cast<std::int32_t>(below(100'000))); }
  std::vector<LinkCount> link_counts() {
    return several([this] {
      return LinkCount{LinkIndex(place()), number(), number(), Amount::from_units(units())};
    });
  }
  PoolBalances pool_book() {
    const auto any = [this] { return Amount::from_units(units()); };
    return {any(), any(), any(), any(), any(), any(), any(), any(), any(), any()};
  }
  LinkReading link_reading() {
    LinkReading reading;
    reading.book.levels = several([this] {
      return LevelBalances{pool_book(), number(), number(), number()};
    });
    reading.book.reserve = pool_book();
    reading.book.tables = several([this] {
      return TableCount{
          TableIndex(place()),
          number(),
          number(),
          Amount::from_units(units()),
          {Amount::from_units(units()), Amount::from_units(units()), Amount::from_units(units())}};
    });
    reading.book.suspended = text();
    reading.book.handle_before = Amount::from_units(units());
    reading.book.pending_adjustment = coin();
    for (std::size_t level = 0; level < reading.book.levels.size(); ++level) {
      reading.shown.push_back(perhaps([this] { return cents(); }));
    }
    return reading;
  }
  Reading reading() {
    return several([this] { return link_reading(); });
  }
  Entry entry(std::size_t kind) {
    Entry entry;
    entry.number = EntryNumber(number());
    entry.recorded_at = time();
    entry.origin = perhaps([this] {
      return Origin{TableIndex(place()), MessageNumber(number()), digest(), time()};
    });
    entry.fact = fact(kind);
    entry.postings = several([this] {
      return Posting{static_cast<Account>(1 + below(10)), LinkIndex(place()),
                     coin() ? Pool::reserve() : Pool::level(level()), Amount::from_units(units())};
    });
    return entry;
  }
  Head head() { return {EntryNumber(number()), digest()}; }
};

}  // namespace linkmeter
