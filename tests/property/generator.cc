#include "tests/property/generator.h"

#include <algorithm>
#include <map>

#include "controller/store/hash_chain.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

TableTraffic::TableTraffic(const Floor& floor, TableIndex table, Dice dice, unsigned mistakes)
    : floor_(floor), table_(table), terms_(floor.table(table)), dice_(dice), mistakes_(mistakes) {
  for (const LinkConfig& link : floor_.links) {
    if (link.has_table(table_)) links_.push_back(&link);
  }
}

namespace {

// One for each wager that a sensor counts.
std::uint32_t chips_of(const std::vector<AskedWager>& wagers) {
  const std::vector<std::string> by_chip{"raise-it-up/progressive", "crazy-4/four-card",
                                         "crazy-4/five-card", "blackjack/hit-and-run",
                                         "pai-gow-poker/progressive"};
  std::uint32_t chips = 0;
  for (const AskedWager& one : wagers) {
    chips += std::find(by_chip.begin(), by_chip.end(), one.wager.text()) != by_chip.end() ? 1U : 0U;
  }
  return chips;
}

}  // namespace

std::string TableTraffic::new_id() { return "r" + std::to_string(++rounds_); }

Badge TableTraffic::someone() { return dice_.one_in(3) ? Badge("dealer-7") : Badge(); }

// Mostly a floorperson, because only he may resolve a count; now and then another person, or
// nobody.
Badge TableTraffic::resolver() {
  if (dice_.percent(85)) return Badge("F-1");
  const std::vector<std::string> others{"", "F-2", "D-1", "TGM-1", "PSS-1", "X-9"};
  return Badge(dice_.pick(others));
}

// A void that rejects claims needs a floorperson; the dealer does not always know that.
Badge TableTraffic::voider() { return dice_.percent(70) ? resolver() : someone(); }

// The locked wagers without some of the chips; now and then the list of another round.
std::vector<AskedWager> TableTraffic::resolved(const Played& round) {
  if (dice_.percent(10)) return wagers();
  std::vector<AskedWager> list;
  for (const AskedWager& wager : round.wagers) {
    const bool stays = chips_of({wager}) == 0 ? !dice_.one_in(30) : !dice_.one_in(4);
    if (stays) list.push_back(wager);
  }
  return list;
}

bool TableTraffic::waits_for_dealer(const Played& round) const {
  return !round.dealer_shown &&
         std::any_of(round.wagers.begin(), round.wagers.end(), [](const AskedWager& wager) {
           const std::string& kind = wager.wager.text();
           return wager.on_dealer || kind.starts_with("blackjack/") ||
                  kind == "three-card-prime/bad-beat-bonus";
         });
}

Amount TableTraffic::amount_on(const LinkConfig& link) {
  if (link.unit) return *link.unit;
  const std::vector<Amount> likely{*link.minimum, *link.maximum, Amount::dollars(1),
                                   Amount::dollars(5), Amount::cents(499)};
  const Amount one = dice_.pick(likely);
  if (dice_.percent(60) && one >= *link.minimum && one <= *link.maximum) return one;
  const auto cents = static_cast<std::size_t>((*link.maximum - *link.minimum).in_cents());
  return *link.minimum + Amount::cents(static_cast<std::int64_t>(dice_.below(cents + 1)));
}

std::vector<AskedWager> TableTraffic::wagers() {
  std::map<WagerId, std::vector<const LinkConfig*>> kinds;
  for (const LinkConfig* link : links_) {
    if (!link->pot) kinds[link->wager].push_back(link);
  }
  std::vector<AskedWager> asked;
  for (std::uint8_t seat = 1; seat <= terms_.seats; ++seat) {
    for (const auto& [kind, choices] : kinds) {
      const bool on_either = kind.text() == "crazy-4/five-card-hand-bonus";
      if (dice_.percent(60)) {
        asked.push_back({Seat(seat), kind, amount_on(*dice_.pick(choices)), false});
      }
      if (on_either && dice_.percent(60)) {
        asked.push_back({Seat(seat), kind, amount_on(*dice_.pick(choices)), true});
      }
    }
  }
  return asked;
}

LockRound TableTraffic::lock() {
  const bool joker = terms_.game.text() == "pai-gow-poker";
  Played round{new_id(), wagers(), false, {}, false, Deck(terms_.decks, joker)};
  LockRound lock{RoundId(round.id), round.wagers, std::nullopt, someone()};
  const std::uint32_t chips = chips_of(round.wagers);
  if (dice_.percent(70)) lock.chips = chips;
  if (dice_.one_in(10)) {
    lock.chips = static_cast<std::uint32_t>(dice_.below(9));
    round.blocked = *lock.chips != chips;
  }
  open_.push_back(std::move(round));
  return lock;
}

std::vector<Card> TableTraffic::hand(Played& round) {
  const std::string& game = terms_.game.text();
  if (game == "raise-it-up" || game == "three-card-prime") return round.deck.three_cards(dice_);
  if (game == "crazy-4") return round.deck.five_cards(dice_);
  if (game == "pai-gow-poker") return round.deck.seven_cards(dice_);
  return dice_.percent(15) ? std::vector<Card>() : round.deck.player_cards(dice_);
}

void TableTraffic::take_back(const NaiveTable& table) {
  for (Played& played : open_) {
    const auto round = table.rounds.find(played.id);
    if (round == table.rounds.end()) continue;
    for (const int seat : round->second.had_none) {
      const bool is_new =
          round->second.shown.count(seat) == 0 && std::erase(played.shown, seat) > 0;
      if (is_new) played.again.push_back(seat);
    }
  }
}

void TableTraffic::show_seats(Played& round, ShowHands& show, bool all) {
  for (std::uint8_t seat = 1; seat <= terms_.seats; ++seat) {
    const bool shown = std::find(round.shown.begin(), round.shown.end(), seat) != round.shown.end();
    const bool again = std::find(round.again.begin(), round.again.end(), seat) != round.again.end();
    if (shown || !(all || again || dice_.percent(40))) continue;
    const bool has_bet =
        std::any_of(round.wagers.begin(), round.wagers.end(),
                    [seat](const AskedWager& wager) { return wager.seat == Seat(seat); });
    if (!has_bet && !again && dice_.percent(60)) continue;
    ShownHand hand_shown;
    hand_shown.seat = Seat(seat);
    hand_shown.folded = has_bet && dice_.percent(20);
    if (!hand_shown.folded || dice_.percent(70)) hand_shown.cards = hand(round);
    if (dice_.percent(10)) hand_shown.keyed = LineId(dice_.one_in(30) ? "two words" : "flush");
    show.hands.push_back(std::move(hand_shown));
    round.shown.push_back(seat);
  }
  round.again.clear();
  for (std::size_t place = show.hands.size(); place > 1; --place) {
    std::swap(show.hands[place - 1], show.hands[dice_.below(place)]);
  }
}

void TableTraffic::show_dealer(Played& round, ShowHands& show) {
  const std::string& game = terms_.game.text();
  round.dealer_shown = true;
  if (game == "blackjack") {
    show.dealer = round.deck.dealer_cards(dice_);
  } else if (game == "raise-it-up") {
    show.dealer = round.deck.any_cards(dice_, dice_.below(4));
    round.dealer_shown = !show.dealer.empty();
  } else {
    show.dealer = hand(round);
  }
  show.names_dealer = true;
}

// Often a card of a hand that is shown here; a seat of the table, or the dealer's.
Draw TableTraffic::draw(const ShowHands& show) {
  std::vector<Card> seen = show.dealer;
  for (const ShownHand& one : show.hands) {
    seen.insert(seen.end(), one.cards.begin(), one.cards.end());
  }
  Draw draw;
  if (!seen.empty() && dice_.percent(70)) {
    draw.magic = dice_.pick(seen);
    if (draw.magic->is_joker()) draw.magic.reset();
  }
  if (!draw.magic && dice_.percent(80)) {
    draw.magic = Card::from_index(static_cast<std::uint8_t>(dice_.below(52)));
  }
  if (!draw.magic || dice_.percent(85)) {
    draw.seat = Seat(static_cast<std::uint8_t>(dice_.below(terms_.seats + 1U)));
  }
  return draw;
}

ShowHands TableTraffic::show(Played& round) {
  ShowHands show;
  show.round = RoundId(round.id);
  show.by = someone();
  const std::string& game = terms_.game.text();
  // Now and then a second time, which is refused except at Raise It Up.
  const bool dealer = round.dealer_shown ? dice_.one_in(20) : dice_.percent(50);
  // If hands play against the dealer's hand, it comes with the players' hands.
  const bool against = dealer && (game == "blackjack" || game == "three-card-prime");
  show_seats(round, show, dice_.percent(against ? 85 : 50));
  if (dealer) show_dealer(round, show);
  if (dice_.one_in(6) && game == "raise-it-up") show.board = round.deck.any_cards(dice_, 3);
  if (dice_.one_in(6) && game == "crazy-4") show.board = round.deck.any_cards(dice_, 1);
  const bool draws = game == "blackjack" || game == "crazy-4" || dice_.one_in(10);
  if (round.draw && dice_.percent(40)) {
    show.draw = round.draw;  // a repeat
  } else if (!round.draw && draws && dice_.percent(50)) {
    show.draw = round.draw = draw(show);
  }
  return show;
}

void TableTraffic::end(std::size_t round) {
  ended_.push_back(open_[round].id);
  if (ended_.size() > 400) ended_.pop_front();
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(round));
}

TableCommand TableTraffic::go_on(std::size_t place) {
  Played& round = open_[place];
  const RoundId id(round.id);
  const std::size_t choice = dice_.below(100);
  if (round.blocked && choice < 70) {
    ResolveCount resolve{id, resolved(round), resolver()};
    round.wagers = resolve.wagers;
    round.blocked = false;
    return resolve;
  }
  if (choice < 3 && !round.wagers.empty()) {  // of one hand only, mostly one with a wager
    const Seat seat = dice_.pick(round.wagers).seat;
    return VoidRound{id, "exposed card", voider(),
                     dice_.one_in(6) ? Seat(static_cast<std::uint8_t>(dice_.below(9))) : seat};
  }
  if (choice < 60 || !round.again.empty()) return show(round);
  if (choice < 62) return ResolveCount{id, round.wagers, resolver()};
  if (choice < 82 && waits_for_dealer(round) && dice_.percent(90)) {
    ShowHands last;
    last.round = id;
    last.by = someone();
    show_seats(round, last, true);
    show_dealer(round, last);
    return last;
  }
  // A blocked round stays open when its close is refused; the generator wrongly takes it for ended.
  end(place);
  if (choice < 82) return CloseRound{id, someone()};
  return VoidRound{id, "misdeal", voider()};
}

PlayPot TableTraffic::pot() {
  PlayPot pot;
  pot.round = RoundId(new_id());
  pot.by = someone();
  ended_.push_back(pot.round.text());
  if (ended_.size() > 400) ended_.pop_front();
  const std::int64_t least = links_.empty() ? 2'000 : links_.front()->pot->minimum_pot.in_cents();
  const std::vector<std::int64_t> cents{least,
                                        least - 1,
                                        least + 1,
                                        1,
                                        50'000,
                                        1'000'000'000,
                                        least + static_cast<std::int64_t>(dice_.below(100'000))};
  pot.pot = Amount::cents(std::max<std::int64_t>(dice_.pick(cents), 1));
  const auto seats = static_cast<std::size_t>(dice_.between(2, std::max<int>(terms_.seats, 2)));
  PotCards cards = deal_pot(dice_, seats);
  pot.showdown = dice_.percent(85);
  pot.board = cards.board;
  if (!pot.showdown) pot.board.resize(dice_.below(4), Card::from_index(0));
  std::vector<std::uint8_t> places;
  for (std::uint8_t seat = 1; seat <= std::max<std::uint8_t>(terms_.seats, 2); ++seat) {
    places.push_back(seat);
  }
  std::size_t live = 0;
  for (std::size_t count = 0; count < seats; ++count) {
    const std::size_t at = dice_.below(places.size());
    ShownHand hand_shown;
    hand_shown.seat = Seat(places[at]);
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(at));
    hand_shown.folded = live >= 2 && dice_.percent(45);
    live += hand_shown.folded ? 0 : 1;
    const bool unseen = hand_shown.folded || !pot.showdown;
    if (!unseen || dice_.percent(50)) hand_shown.cards = cards.hands[count];
    pot.hands.push_back(std::move(hand_shown));
  }
  pot.hands.front().won = pot.pot;
  return pot;
}

TableCommand TableTraffic::next() {
  if (dice_.one_in(60)) open_wanted_ = dice_.one_in(5) ? 20 : 1 + dice_.below(4);
  const std::string used =
      ended_.empty() ? "r0" : ended_[ended_.size() - 1 - dice_.below(ended_.size())];
  TableCommand command = [this]() -> TableCommand {
    if (terms_.game.text() == "poker") return pot();
    if (open_.empty() || (open_.size() < open_wanted_ && dice_.percent(40))) return lock();
    return go_on(dice_.below(open_.size()));
  }();
  if (dice_.percent(mistakes_)) spoil(command, dice_, terms_.seats, used);
  return command;
}

FloorTraffic::FloorTraffic(const Floor& floor, std::uint64_t seed)
    : floor_(floor), dice_(seed), people_(dice_.fork()), days_(dice_.fork()) {
  for (std::uint32_t table = 0; table < floor_.tables.size(); ++table) {
    tables_.emplace_back(floor_, TableIndex(table), dice_.fork(), 15U);
  }
  said_.resize(floor_.tables.size());
}

TableMessage FloorTraffic::new_message(std::uint32_t table) {
  TableMessage message;
  message.table = floor_.table(TableIndex(table)).id;
  message.number = MessageNumber(said_[table].size() + 1);
  message.sent_at = Timestamp::from_microseconds(sent_us_ += 1 + dice_.between(0, 999'999));
  message.command = tables_[table].next();
  return message;
}

void FloorTraffic::go_on() {
  now_us_ += static_cast<std::int64_t>(dice_.below(1'000'000));
  if (dice_.one_in(150)) now_us_ += 1'000'000 * dice_.between(-40, 200);
}

TimedInput FloorTraffic::next(const NaiveModel& model) {
  go_on();
  const Timestamp now = Timestamp::from_microseconds(now_us_);
  if (!dice_.percent(24)) {
    if (dice_.percent(15)) {
      if (auto message = end_of_round(model)) return {now, std::move(*message)};
    }
    for (std::size_t place = 0; place < tables_.size(); ++place) {
      tables_[place].take_back(model.tables()[place]);
    }
    return {now, table_message()};
  }
  TimedInput heard = dice_.one_in(6) ? days_.next(model, now) : people_.next(model, now);
  now_us_ = heard.now.microseconds();
  return heard;
}

std::optional<TableMessage> FloorTraffic::end_of_round(const NaiveModel& model) {
  std::vector<std::pair<std::uint32_t, TableCommand>> ends;
  for (std::uint32_t table = 0; table < floor_.tables.size(); ++table) {
    for (const auto& [id, round] : model.tables()[table].rounds) {
      const bool is_held =
          std::any_of(round.wagers.begin(), round.wagers.end(), [&model](const NaiveWager& one) {
            const NaiveBook& book = model.books()[one.link];
            return !book.suspended.empty() || book.stopped;
          });
      if (!is_held) continue;
      // A round with a wager on the dealer's hand cannot be closed without that hand.
      if (round.blocked || (!round.dealer_shown && dice_.one_in(2))) {
        ends.emplace_back(table, VoidRound{RoundId(id), "misdeal", Badge("F-1")});
      } else {
        ends.emplace_back(table, CloseRound{RoundId(id), Badge()});
      }
    }
  }
  if (ends.empty()) return std::nullopt;
  const auto& [table, command] = dice_.pick(ends);
  TableMessage message;
  message.table = floor_.table(TableIndex(table)).id;
  message.number = MessageNumber(said_[table].size() + 1);
  message.sent_at = Timestamp::from_microseconds(sent_us_ += 1 + dice_.between(0, 999'999));
  message.command = command;
  message.digest = sha256(encode(message));
  said_[table].push_back(message);
  return message;
}

TableMessage FloorTraffic::table_message() {
  const auto table = static_cast<std::uint32_t>(dice_.below(floor_.tables.size()));
  std::vector<TableMessage>& said = said_[table];
  const std::size_t choice = dice_.below(100);
  if (choice < 4 && !said.empty()) {
    // A repeat, mostly of a recent message, sometimes of one that was forgotten long ago.
    const std::size_t back =
        dice_.percent(70) ? std::min<std::size_t>(said.size(), 20) : said.size();
    TableMessage again = said[said.size() - 1 - dice_.below(back)];
    if (choice < 1) {
      again.sent_at = Timestamp::from_microseconds(1);  // other content under the same number
      again.digest = sha256(encode(again));
    }
    return again;
  }
  TableMessage message = new_message(table);
  if (choice == 4) {
    message.table = TableId("NOWHERE");
  } else if (choice == 5) {
    message.number = MessageNumber(message.number.value() + 1 + dice_.below(3));
  }
  message.digest = sha256(encode(message));
  if (choice != 4 && choice != 5) said.push_back(message);
  return message;
}

}  // namespace linkmeter
