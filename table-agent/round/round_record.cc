#include "table-agent/round/round_record.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/codec/fnv1a.h"
#include "proto/codec/round_script.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"
#include "table-agent/round/wager_text.h"

namespace linkmeter {

namespace {

constexpr std::array<std::string_view, 6> phases = {"over",    "said",    "counted",
                                                    "blocked", "refused", "ending"};
constexpr std::array<std::string_view, 4> light_names = {"off", "accepted", "refused", "returned"};
constexpr std::size_t number_digits = 6;
constexpr std::size_t said_max = 256;
constexpr char apart = ';';

template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? std::to_string(*value) : "-";
}

std::string none_as(const std::string& name) { return name.empty() ? "-" : name; }

bool contains(const std::vector<AwardNotice>& awards, const AwardNotice& award) {
  return std::find(awards.begin(), awards.end(), award) != awards.end();
}

std::string text_of(const AwardNotice& win) {
  return std::to_string(win.seat.value()) + " " + win.line.text() + " " +
         std::to_string(win.amount.in_cents()) + " " +
         std::to_string(win.claim ? win.claim->value() : 0) + " " +
         std::to_string(static_cast<unsigned>(win.kind)) + " " +
         (win.holder ? std::to_string(win.holder->value()) : "-") + " " + none_as(win.link.text()) +
         " " + none_as(win.level.text()) + (win.on_dealer ? " dealer" : "") +
         (win.waits_for ? " waits " + std::to_string(win.waits_for->value()) : "");
}

AwardNotice read_award(WordReader& in) {
  constexpr std::uint64_t cents_max = limits::lifetime_max.units() / Amount::units_per_cent;
  AwardNotice win;
  win.seat = in.seat();
  win.line = LineId(std::string(in.any_word()));
  win.amount = Amount::cents(static_cast<std::int64_t>(in.number(cents_max)));
  if (const std::uint64_t claim = in.number(); claim > 0) win.claim = ClaimNumber(claim);
  win.kind = static_cast<AwardKind>(in.number<std::uint8_t>());
  if (const auto holder = in.number_or_none<std::uint8_t>()) win.holder = Seat(*holder);
  win.link = LinkId(in.name_or_none());
  win.level = LevelId(in.name_or_none());
  win.on_dealer = in.takes("dealer");
  if (in.takes("waits")) win.waits_for = ClaimNumber(in.number());
  return win;
}

// "12 + {...}": the message, whether it is answered, and the script line that submits it.
std::string text_of(const RoundRecord::Shown& shown) {
  return std::to_string(shown.number.value()) + (shown.is_answered ? " + " : " - ") +
         event_text(shown.show);
}

RoundRecord::Shown read_shown(WordReader& in) {
  RoundRecord::Shown shown;
  shown.number = MessageNumber(in.number());
  shown.is_answered = in.either("+", "-");
  auto parsed = parse_script_line(in.rest());
  auto* event = std::get_if<ScriptEvent>(&parsed);
  auto* command = event != nullptr ? std::get_if<TableCommand>(event) : nullptr;
  auto* show = command != nullptr ? std::get_if<ShowHands>(command) : nullptr;
  if (show == nullptr) return in.mistaken(), shown;
  shown.show = std::move(*show);
  return shown;
}

// "9 12 + {...}": the entry of the change, and the dealer's side as a show.
std::string text_of(const RoundRecord::Change& change) {
  return std::to_string(change.by.value()) + " " + text_of(change.side);
}

RoundRecord::Change read_change(WordReader& in) {
  const EntryNumber entry(in.number());
  return {entry, read_shown(in)};
}

// "asks 1700000000000000 r7": a round that was left open, and since when. "asks": nobody has
// decided about it; "on": a person continues it.
constexpr std::string_view asks = "asks", goes_on = "on";

void read_left_open(WordReader& in, RoundRecord& round) {
  round.is_left_open = in.either(asks, goes_on);
  round.left_open_since = Timestamp::from_microseconds(in.number<std::int64_t>());
  const auto name = parse_hex(in.word());
  round.named = RoundId(name.value_or(""));
  if (!name || !is_well_formed_text(*name, limits::name_length_max)) in.mistaken();
}

// One part of the text that place() writes.
void read_part(WordReader& in, RoundRecord& round) {
  const std::string_view kind = in.word();
  if (kind == "n") return read_left_open(in, round);
  if (kind == "w") return round.wagers.push_back(read_wager(in));
  if (kind == "a") return round.wins.push_back(read_award(in));
  if (kind == "r") return round.returned.push_back(read_wager(in));
  if (kind == "v") return round.void_seats.push_back(in.seat());
  if (kind == "t") return round.to_take_back.push_back(read_award(in));
  if (kind == "b") return round.paid_before.push_back(read_award(in));
  if (kind == "s") return round.shows.push_back(read_shown(in));
  if (kind == "c") return static_cast<void>(round.change.emplace(read_change(in)));
  if (kind == "e") return round.submitted.push_back({in.number(), MessageNumber(in.number())});
  in.mistaken();
}

bool ends(const TableCommand& command) {
  const auto* voided = std::get_if<VoidRound>(&command);
  return std::holds_alternative<CloseRound>(command) || (voided != nullptr && !voided->seat);
}

}  // namespace

RoundId RoundRecord::id_of(std::uint64_t of) const {
  return RoundId("v" + house + "-" + padded(static_cast<std::int64_t>(of), number_digits));
}

RoundRecord RoundRecord::at(std::string_view place, const std::function<std::string()>& new_word) {
  RoundRecord round;
  if (place.empty()) {
    round.house = new_word();
    return round;
  }
  auto stored = read(place);
  if (!stored) {
    throw Fault("outbox: \"" + std::string(place) + "\" is not a place of a table's round");
  }
  return std::move(*stored);
}

bool RoundRecord::was_submitted(std::string_view event) const {
  return std::any_of(
      submitted.begin(), submitted.end(),
      [mark = fingerprint(event)](const Submitted& one) { return one.event == mark; });
}

void RoundRecord::note_submitted(std::string_view event, MessageNumber message) {
  if (submitted.size() == said_max) submitted.erase(submitted.begin());
  submitted.push_back({fingerprint(event), message});
}

RoundRecord RoundRecord::begun() const {
  RoundRecord round;
  round.house = house;
  round.number = number + 1;
  round.phase = Phase::submitted;
  return round;
}

RoundRecord RoundRecord::next(const LockRound& lock) const {
  RoundRecord round = begun();
  round.chips = lock.chips;
  round.wagers = lock.wagers;
  return round;
}

RoundRecord RoundRecord::next(std::string_view event, MessageNumber message) const {
  RoundRecord round = begun();
  round.note_submitted(event, message);
  return round;
}

RoundRecord RoundRecord::after(const TableCommand& command, std::string_view event,
                               MessageNumber message) const {
  RoundRecord round = *this;
  round.is_left_open = false;  // any command for it means that a person continues it
  round.note_submitted(event, message);
  if (const auto* show = std::get_if<ShowHands>(&command)) {
    for (const ShownHand& hand : show->hands) round.forget(hand.seat);
    round.shows.push_back({message, *show});
  }
  if (ends(command)) round.phase = Phase::ending;
  return round;
}

Refusal RoundRecord::refusal_now(const TableCommand& command, bool lock_is_answered) const {
  const bool resolves = std::holds_alternative<ResolveCount>(command);
  const bool voids = std::holds_alternative<VoidRound>(command) && ends(command);
  switch (phase) {
    case Phase::over:
    case Phase::ending: return Refusal::round_closed;
    case Phase::refused: return ends(command) ? Refusal::none : Refusal::round_unknown;
    case Phase::blocked: return resolves || voids ? Refusal::none : Refusal::round_blocked;
    case Phase::counted: return resolves ? Refusal::round_not_blocked : Refusal::none;
    case Phase::submitted:
      return resolves && !lock_is_answered ? Refusal::round_not_blocked : Refusal::none;
  }
  INVARIANT(false);
  return Refusal::none;
}

void RoundRecord::on_reply(const TableCommand& command, const Answered& answered) {
  if (std::holds_alternative<LockRound>(command)) {
    on_lock(answered);
  } else if (answered.refusal != Refusal::none) {
    on_refusal(command, answered);
  } else if (const auto* resolve = std::get_if<ResolveCount>(&command)) {
    wagers = resolve->wagers;
    chips_expected.reset();
    light = Light::accepted;
    if (phase != Phase::ending) phase = Phase::counted;
  } else if (std::holds_alternative<ShowHands>(command) ||
             std::holds_alternative<PlayPot>(command)) {
    if (std::holds_alternative<PlayPot>(command)) phase = Phase::over;
    for (Shown& shown : shows) {
      if (shown.number != answered.number) continue;
      shown.is_answered = true;
      for (const ShownHand& hand : shown.show.hands) on_shown(hand.seat, answered);
    }
    for (const AwardNotice& award : answered.awards) {
      if (wins.size() == reported_awards_max) break;
      wins.push_back(award);
      won_since.emplace_back(answered.entry, award);
    }
  } else if (const auto* voided = std::get_if<VoidRound>(&command)) {
    on_void(*voided, answered);
  } else {
    phase = Phase::over;
    light = Light::off;
  }
}

// Void hands win nothing more, and what was paid for them must be taken back.
void RoundRecord::on_void(const VoidRound& voided, const Answered& answered) {
  const std::optional<Seat>& seat = voided.seat;
  std::erase_if(wins, [&seat](const AwardNotice& win) {
    return !seat || win.seat == *seat || win.holder == *seat;
  });
  std::erase_if(paid_before, [this](const AwardNotice& award) { return !contains(wins, award); });
  // A heartbeat may have reported it before this answer arrived.
  const bool is_told = change && change->by >= answered.entry;
  for (const AwardNotice& award : answered.take_back) {
    if (!is_told && to_take_back.size() < reported_awards_max) to_take_back.push_back(award);
  }
  if (!seat) {
    phase = Phase::over;
    light = Light::returned;
    return;
  }
  void_seats.push_back(*seat);
  for (const AskedWager& wager : wagers) {
    if (wager.seat == *seat) returned.push_back(wager);
  }
  std::erase_if(wagers, [&seat](const AskedWager& wager) { return wager.seat == *seat; });
}

bool RoundRecord::was_paid_before(const AwardNotice& award) const {
  return contains(paid_before, award);
}

bool RoundRecord::is_void(Seat seat) const {
  return std::find(void_seats.begin(), void_seats.end(), seat) != void_seats.end();
}

// The command had no effect, so it may be submitted again. What the controller says about the round
// overrides the record.
void RoundRecord::on_refusal(const TableCommand& command, const Answered& answered) {
  std::erase_if(submitted, [&](const Submitted& one) { return one.number == answered.number; });
  std::erase_if(shows, [&](const Shown& one) { return one.number == answered.number; });
  if (std::holds_alternative<PlayPot>(command)) {
    phase = Phase::over;
    return;
  }
  const bool is_over =
      answered.refusal == Refusal::round_closed || answered.refusal == Refusal::round_unknown;
  if (is_over && (ends(command) || phase != Phase::refused)) {
    phase = Phase::over;
    if (light == Light::accepted) light = Light::off;
  } else if (phase == Phase::ending && !ends(command)) {
    return;  // the answer to the command that ends it comes later
  } else if (answered.refusal == Refusal::round_blocked) {
    phase = Phase::blocked;
  } else if (phase == Phase::ending) {
    phase = chips_expected ? Phase::blocked : Phase::counted;
  }
}

void RoundRecord::on_lock(const Answered& answered) {
  const bool is_ending = phase == Phase::ending;
  if (answered.refusal != Refusal::none) {
    why = answered.refusal;
    light = Light::refused;
    phase = Phase::refused;
  } else if (answered.chips_expected) {
    chips_expected = answered.chips_expected;
    if (!is_ending) phase = Phase::blocked;
  } else {
    light = Light::accepted;
    if (!is_ending) phase = Phase::counted;
  }
}

bool RoundRecord::has_wager(Seat seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const AskedWager& wager) { return wager.seat == seat; });
}

std::vector<const ShowHands*> RoundRecord::dealer_side_facts() const {
  std::vector<const ShowHands*> sides;
  if (change) sides.push_back(&change->side.show);
  for (const Shown& one : shows) {
    if (!change || one.number > change->side.number) sides.push_back(&one.show);
  }
  return sides;
}

std::vector<Card> RoundRecord::cards_of(std::vector<Card> ShowHands::*side) const {
  std::vector<Card> cards;
  for (const ShowHands* one : dealer_side_facts()) {
    cards.insert(cards.end(), (one->*side).begin(), (one->*side).end());
  }
  return cards;
}

std::optional<Draw> RoundRecord::draw() const {
  std::optional<Draw> draw;
  for (const ShowHands* one : dealer_side_facts()) {
    if (one->draw) draw = draw ? draw->with(*one->draw) : *one->draw;
  }
  return draw;
}

std::string_view RoundRecord::light_state() const {
  if (light != Light::off) return light_names[static_cast<std::size_t>(light)];
  if (phase == Phase::submitted || (phase == Phase::ending && !chips_expected)) return "waiting";
  return phase == Phase::blocked ? "blocked" : "off";
}

std::multiset<std::string> RoundRecord::lights() const {
  std::multiset<std::string> shown;
  std::string state(light_state());
  if (light == Light::refused) state += " " + std::string(name(why));
  for (const AskedWager& wager : wagers) {
    if (state != "off" && state != "blocked") shown.insert(light_text(wager, state));
  }
  for (const AskedWager& wager : returned) shown.insert(light_text(wager, "returned"));
  for (const AwardNotice& win : wins) {
    shown.insert("win " + std::to_string(win.seat.value()) + " " + win.line.text() + " " +
                 std::to_string(win.amount.in_cents()) +
                 (win.claim || win.waits_for ? " pending " : " paid ") +
                 std::string(name(win.kind)));
  }
  if (phase == Phase::blocked && chips && chips_expected) {
    shown.insert("count " + std::to_string(*chips) + " " + std::to_string(*chips_expected));
  }
  return shown;
}

std::string light_text(const AskedWager& wager, std::string_view state) {
  return "light " + wager_text(wager) + " " + std::string(state);
}

std::string RoundRecord::place() const {
  std::string text = house + " " + std::to_string(number) + " " +
                     std::string(phases[static_cast<std::size_t>(phase)]) + " " +
                     std::string(light_names[static_cast<std::size_t>(light)]) + " " +
                     text_of(chips) + " " + text_of(chips_expected) + " " +
                     std::to_string(static_cast<unsigned>(why));
  if (!named.empty()) {
    text += apart + ("n " + std::string(is_left_open ? asks : goes_on) + " " +
                     std::to_string(left_open_since.microseconds()) + " " +
                     hexadecimal(named.text()));  // the name may contain any printable character
  }
  for (const AskedWager& wager : wagers) text += apart + ("w " + wager_text(wager));
  for (const AwardNotice& win : wins) text += apart + ("a " + text_of(win));
  for (const AskedWager& wager : returned) text += apart + ("r " + wager_text(wager));
  for (const Seat seat : void_seats) text += apart + ("v " + std::to_string(seat.value()));
  for (const AwardNotice& award : to_take_back) text += apart + ("t " + text_of(award));
  for (const AwardNotice& award : paid_before) text += apart + ("b " + text_of(award));
  for (const Shown& one : shows) text += apart + ("s " + text_of(one));
  if (change) text += apart + ("c " + text_of(*change));
  for (const Submitted& one : submitted) {
    text += apart + ("e " + std::to_string(one.event) + " " + std::to_string(one.number.value()));
  }
  return text;
}

std::optional<RoundRecord> RoundRecord::read(std::string_view place) {
  std::size_t end = std::min(place.find(apart), place.size());
  WordReader in(place.substr(0, end));
  RoundRecord round;
  round.house = in.name();
  round.number = in.number();
  round.phase = static_cast<Phase>(in.one_of(phases));
  round.light = static_cast<Light>(in.one_of(light_names));
  round.chips = in.number_or_none<std::uint32_t>();
  round.chips_expected = in.number_or_none<std::uint32_t>();
  round.why = static_cast<Refusal>(in.number<std::uint8_t>());
  if (in.end()) return std::nullopt;
  while (end < place.size()) {
    place.remove_prefix(end + 1);
    end = std::min(place.find(apart), place.size());
    WordReader part(place.substr(0, end));
    read_part(part, round);
    if (part.end()) return std::nullopt;
  }
  return round;
}

RoundCommands::RoundCommands(const std::vector<StoredMessage>& unacknowledged,
                             const RoundId& round) {
  for (const StoredMessage& message : unacknowledged) {
    auto decoded = decode_from_table(message.bytes);
    auto* submitted = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
    if (submitted != nullptr && round_of(submitted->command) == round) {
      add(message.number, std::move(submitted->command));
    }
  }
}

void RoundCommands::add(MessageNumber number, TableCommand command) {
  commands_.emplace(number, std::move(command));
}

std::optional<TableCommand> RoundCommands::take(MessageNumber number) {
  auto found = commands_.extract(number);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

bool RoundCommands::has_end() const {
  return std::any_of(commands_.begin(), commands_.end(),
                     [](const auto& submitted) { return ends(submitted.second); });
}

// The part of RoundRecord that tracks which hands of a round count, as reported by the controller.

namespace {

std::vector<AwardNotice> paid_at_once(std::vector<AwardNotice> awards) {
  std::erase_if(awards, [](const AwardNotice& award) { return award.claim || award.waits_for; });
  return awards;
}

std::vector<AwardNotice> bounded(std::vector<AwardNotice> awards) {
  if (awards.size() > reported_awards_max) awards.resize(reported_awards_max);
  return awards;
}

}  // namespace

RoundRecord RoundRecord::next(const OpenRound& open) const {
  RoundRecord round = begun();
  round.named = open.hands.round;
  round.is_left_open = true;
  round.left_open_since = open.locked_at;
  round.phase = open.chips_expected ? Phase::blocked : Phase::counted;
  round.light = open.chips_expected ? Light::off : Light::accepted;
  round.chips = open.chips;
  round.chips_expected = open.chips_expected;
  round.wagers = open.wagers;
  round.void_seats = open.void_seats;
  round.wins = bounded(open.hands.awards);
  // Another agent told the dealer to pay it.
  round.paid_before = paid_at_once(round.wins);
  round.to_take_back = bounded(open.hands.take_back);
  ShowHands show{round.named, {}, open.hands.dealer, open.hands.board, Badge()};
  show.names_dealer = open.dealer_shown;
  show.draw = open.draw;
  for (const HandNotice& hand : open.hands.hands) {
    show.hands.push_back({hand.seat, hand.cards, hand.folded, Amount()});
    round.hands_by[hand.seat] = hand.entry;
  }
  const bool is_any_shown = !show.hands.empty() || show.names_dealer || show.draw ||
                            !show.dealer.empty() || !show.board.empty();
  if (open.hands.changed_by != EntryNumber()) {
    ShowHands side = show;
    side.hands.clear();
    side.names_dealer = true;
    round.change = Change{open.hands.changed_by, {MessageNumber(), std::move(side), true}};
  }
  if (is_any_shown) round.shows.push_back({MessageNumber(), std::move(show), true});
  return round;
}

const ShownHand* RoundRecord::submitted_hand(Seat seat) const {
  const ShownHand* latest = nullptr;
  for (const Shown& shown : shows) {
    for (const ShownHand& hand : shown.show.hands) {
      if (hand.seat == seat) latest = &hand;
    }
  }
  return latest;
}

const RoundRecord::Correction* RoundRecord::correction_of(Seat seat) const {
  const auto found = std::find_if(corrections.begin(), corrections.end(),
                                  [seat](const Correction& one) { return one.seat == seat; });
  return found == corrections.end() ? nullptr : &*found;
}

const ShownHand* RoundRecord::hand_of(Seat seat) const {
  const Correction* correction = correction_of(seat);
  if (correction == nullptr) return submitted_hand(seat);
  return correction->hand ? &*correction->hand : nullptr;
}

std::vector<ShownHand> RoundRecord::hands() const {
  std::vector<ShownHand> hands;
  for (const Shown& shown : shows) {
    for (const ShownHand& hand : shown.show.hands) {
      const bool is_latest = submitted_hand(hand.seat) == &hand;
      if (is_latest && correction_of(hand.seat) == nullptr) hands.push_back(hand);
    }
  }
  for (const Correction& correction : corrections) {
    if (correction.hand) hands.push_back(*correction.hand);
  }
  return hands;
}

bool RoundRecord::has_just_raised(ClaimNumber claim) const {
  return std::any_of(won_since.begin(), won_since.end(), [claim](const auto& won) {
    return won.second.claim == claim || won.second.waits_for == claim;
  });
}

bool RoundRecord::is_waiting(Seat seat) const {
  return std::any_of(shows.begin(), shows.end(), [seat](const Shown& shown) {
    const auto& hands = shown.show.hands;
    return !shown.is_answered &&
           std::any_of(hands.begin(), hands.end(),
                       [seat](const ShownHand& hand) { return hand.seat == seat; });
  });
}

void RoundRecord::forget(Seat seat) {
  std::erase_if(corrections, [seat](const Correction& one) { return one.seat == seat; });
  hands_by.erase(seat);
}

void RoundRecord::on_shown(Seat seat, const Answered& answered) {
  hands_by[seat] = answered.entry;
  for (Shown& shown : shows) {  // a hand that was taken back is no longer on the table
    if (shown.number >= answered.number) continue;
    std::erase_if(shown.show.hands, [seat](const ShownHand& hand) { return hand.seat == seat; });
  }
}

bool RoundRecord::replace_wins(Seat seat, const std::vector<AwardNotice>& awards) {
  std::vector<AwardNotice> now;
  std::size_t place = 0;  // the position of the first of them
  bool is_found = false;
  for (const AwardNotice& win : wins) {
    const bool is_of_hand = !win.on_dealer && win.holder.value_or(win.seat) == seat;
    if (is_of_hand && !is_found) place = now.size();
    is_found = is_found || is_of_hand;
    if (!is_of_hand) now.push_back(win);
  }
  if (!is_found) place = now.size();
  const std::size_t room = reported_awards_max - std::min(reported_awards_max, now.size());
  const auto count = static_cast<std::ptrdiff_t>(std::min(room, awards.size()));
  now.insert(now.begin() + static_cast<std::ptrdiff_t>(place), awards.begin(),
             awards.begin() + count);
  if (now == wins) return false;
  wins = std::move(now);
  return true;
}

bool RoundRecord::on_hand(const HandNotice& notice) {
  const auto [by, is_new] = hands_by.try_emplace(notice.seat, notice.entry);
  if (!is_new && by->second == notice.entry) return false;
  by->second = notice.entry;
  const ShownHand* dealers = submitted_hand(notice.seat);
  ShownHand hand = dealers != nullptr ? *dealers : ShownHand{notice.seat, {}, false, Amount()};
  hand.cards = notice.cards;
  hand.folded = notice.folded;
  std::erase_if(corrections, [&](const Correction& one) { return one.seat == notice.seat; });
  // After a restart it is not known which entry recorded the dealer's show; then a hand with the
  // same cards is not a correction.
  if (!is_new || dealers == nullptr || *dealers != hand) corrections.push_back({notice.seat, hand});
  return replace_wins(notice.seat, notice.awards);
}

bool RoundRecord::is_correction_unreported(Seat seat) const {
  if (correction_of(seat) == nullptr) return false;
  const auto by = hands_by.find(seat);
  return !change || (by != hands_by.end() && change->by < by->second);
}

bool RoundRecord::take_back(Seat seat) {
  const Correction* known = correction_of(seat);
  if (known != nullptr && !known->hand) return false;
  std::erase_if(corrections, [seat](const Correction& one) { return one.seat == seat; });
  corrections.push_back({seat, std::nullopt});
  hands_by.erase(seat);
  return replace_wins(seat, {});
}

// REQUIRES: every show has its answer, so `hands` includes them all.
bool RoundRecord::on_dealer_side(const RoundHands& hands) {
  Change now{hands.changed_by, {{}, {id(), {}, hands.dealer, hands.board, Badge()}, true}};
  now.side.show.names_dealer = true;
  // A controller of the previous release does not report the draw, and no correction removes a
  // draw.
  now.side.show.draw = hands.draw ? hands.draw : draw();
  for (const Shown& shown : shows) now.side.number = std::max(now.side.number, shown.number);
  if (change == now) return false;
  change = std::move(now);
  return true;
}

// A person changed more than one hand: the reported awards replace those of the round.
bool RoundRecord::on_change(const RoundHands& hands, const std::vector<AwardNotice>& before) {
  const bool is_waiting_for_show = std::any_of(
      shows.begin(), shows.end(), [](const Shown& shown) { return !shown.is_answered; });
  if (is_waiting_for_show) return false;
  const auto won = std::exchange(won_since, {});
  bool has_changed = false;
  // The awards to take back only grow. A controller of the previous release reports none.
  if (!hands.take_back.empty() && hands.take_back != to_take_back) {
    to_take_back = bounded(hands.take_back);
    has_changed = true;
  }
  if (hands.changed_by == EntryNumber()) return has_changed;
  std::vector<AwardNotice> won_before = before;
  for (const auto& [entry, award] : won) {
    if (entry > hands.changed_by) std::erase(won_before, award);
  }
  has_changed = on_wins(hands, won_before) || has_changed;
  return on_dealer_side(hands) || has_changed;
}

// An award that a change leaves as it was is not paid a second time.
bool RoundRecord::on_wins(const RoundHands& hands, const std::vector<AwardNotice>& before) {
  const bool is_known = change && change->by == hands.changed_by;
  const std::vector<AwardNotice> now = bounded(hands.awards);
  std::vector<AwardNotice> stands = is_known ? paid_before : paid_at_once(before);
  std::erase_if(stands, [&now](const AwardNotice& award) {
    return std::find(now.begin(), now.end(), award) == now.end();
  });
  if (now == wins && stands == paid_before) return false;
  wins = now;
  paid_before = std::move(stands);
  return true;
}

bool RoundRecord::on_hands(const std::vector<RoundHands>& rounds) {
  const auto found = std::find_if(rounds.begin(), rounds.end(), [this](const RoundHands& one) {
    return number > 0 && one.round == id();
  });
  if (found == rounds.end()) {  // it is not open there: there will be no more reports about it
    won_since.clear();
    return false;
  }
  bool has_changed = false;
  const std::vector<AwardNotice> before = wins;
  std::set<Seat> gone;
  for (const ShownHand& hand : hands()) gone.insert(hand.seat);
  for (const HandNotice& hand : found->hands) {
    gone.erase(hand.seat);
    // A submitted show without an answer gets its hand from the answer.
    if (!is_waiting(hand.seat)) has_changed = on_hand(hand) || has_changed;
  }
  for (const Seat seat : gone) {
    if (!is_waiting(seat)) has_changed = take_back(seat) || has_changed;
  }
  return on_change(*found, before) || has_changed;
}

}  // namespace linkmeter
