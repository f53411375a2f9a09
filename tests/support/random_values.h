// RandomValues: commands, facts and replies with every field at random, within the limits of their
// types on the wire and on disk. The same seed gives the same values.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>
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
      JackpotHit hit{LinkIndex(place()), level(), coin(), cents(), {}, {}};
      hit.reseeded = Amount::from_units(std::abs(units()));
      hit.meter_before = Amount::from_units(std::abs(units()));
      hit.from_reserve = Amount::from_units(std::abs(units()));
      return hit;
    });
  }
  HitReversal reversal() {
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
      award.hit = place();
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
    one.pin_set_by_other = coin();
    if (coin()) one.known_to = {Badge(text()), Badge(text())};
    one.pin_before = bytes(below(40));
    return one;
  }
  Enrolment enrolment() { return {numbered(EnrolmentKind::node), text(), text()}; }
  DualControlCommand dual_act() {
    switch (below(19)) {
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
      case 17: return LeaveCluster{text(), EntryNumber(number()), time(), coin()};
      case 16: return NewRecoveryCodes{several([this] { return digest(); })};
      default: return ResetPin{Badge(text()), bytes(below(40))};
    }
  }
  RejectedClaims rejected() {
    if (coin()) return {};
    return {{ClaimNumber(number())}, reversal()};
  }
  // One fact of each kind in turn.
  Fact fact(std::size_t kind) {
    return fact_at(kind % std::variant_size_v<Fact>,
                   std::make_index_sequence<std::variant_size_v<Fact>>());
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

 private:
  template <std::size_t... at>
  Fact fact_at(std::size_t kind, std::index_sequence<at...>) {
    Fact made;
    ((at == kind ? void(made = of_kind<std::variant_alternative_t<at, Fact>>()) : void()), ...);
    return made;
  }
  // Every member of the fact's list, by its type. The parts of a floor depend on each other.
  template <class Kind>
  Kind of_kind() {
    Kind made;
    if constexpr (std::is_same_v<Kind, FloorOpened>) {
      made = floor_opened();
    } else {
      for_each_field(made, [&](const auto& field) { fill(field); });
    }
    return made;
  }
  template <class Member, Shown shown>
  void fill(const Field<Member, shown>& field) {
    constexpr bool is_bytes = shown == Shown::never || shown == Shown::as_hex;
    if constexpr (is_bytes && std::is_same_v<Member, std::string>) {
      field.value = bytes(below(80));
    } else {
      make(field.value);
    }
  }

  void make(std::string& value) { value = text(); }
  void make(bool& value) { value = coin(); }
  void make(std::int64_t& value) { value = static_cast<std::int64_t>(number()) - 1'000; }
  void make(std::uint64_t& value) { value = number(); }
  void make(std::uint32_t& value) { value = place(); }
  void make(Amount& value) { value = cents(); }
  void make(Timestamp& value) { value = time(); }
  void make(GamingDay& value) { value = day(); }
  void make(Digest& value) { value = digest(); }
  void make(Seat& value) { value = seat(); }
  void make(LevelIndex& value) { value = level(); }
  template <class Kind>
  void make(Name<Kind>& value) {
    value = Name<Kind>(text());
  }
  template <class Kind, class Integer>
  void make(Numbered<Kind, Integer>& value) {
    value = Numbered<Kind, Integer>(static_cast<Integer>(number()));
  }
  template <class Kind>
  void make(std::optional<Kind>& value) {
    value.reset();
    if (coin()) make(value.emplace());
  }
  template <class Kind>
  void make(std::vector<Kind>& value) {
    value.clear();
    for (std::uint64_t count = below(4); count > 0; --count) make(value.emplace_back());
  }
  void make(PaymentSource& value) { value = source(); }
  void make(Refusal& value) { value = coin() ? Refusal::seat_unknown : Refusal::right_missing; }
  void make(RejectReason& value) { value = numbered(RejectReason::game_protection); }
  void make(VoidReason& value) { value = numbered(VoidReason::other_error); }
  void make(HandReason& value) { value = numbered(HandReason::other_error); }
  void make(CountKind& value) { value = numbered(CountKind::chips); }
  void make(WriterReason& value) { value = numbered(WriterReason::left); }
  void make(ClockFault& value) { value = numbered(ClockFault::unsynchronised); }
  template <class Enumeration>
  Enumeration numbered(Enumeration last) {
    return static_cast<Enumeration>(1 + below(static_cast<std::uint64_t>(last)));
  }
  void make(std::vector<Card>& value) { value = cards(); }
  void make(std::vector<ShownHand>& value) { value = hands(); }
  void make(std::vector<PlacedWager>& value) { value = placed(); }
  void make(std::vector<JackpotHit>& value) { value = calls(); }
  void make(std::vector<Award>& value) { value = awards(); }
  void make(std::vector<LinkCount>& value) { value = link_counts(); }
  void make(std::optional<Draw>& value) { value = draw(); }
  void make(HitReversal& value) { value = reversal(); }
  void make(RejectedClaims& value) { value = rejected(); }
  void make(TaxThreshold& value) { value = threshold(); }
  void make(Reading& value) { value = reading(); }
  void make(SeenAmount& value) { value = {LinkIndex(place()), level(), cents()}; }
  void make(SelfChecked::Failure& value) { value = {text(), text()}; }
  void make(PinsTried::Tries& value) { value = {Badge(text()), number()}; }
  void make(DualControlCommand& value) { value = dual_act(); }
};

}  // namespace linkmeter
