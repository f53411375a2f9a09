#include "proto/codec/wire_codec.h"

#include <array>

#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/codec/arena_message.h"
#include "proto/codec/parts_codec.h"
#include "proto/control.pb.h"
#include "proto/wire.pb.h"

namespace linkmeter {

namespace {

// A version and a digest; another release may send a longer one.
constexpr std::size_t floor_mark_bytes_max = 128;

using parts::decode_cards;
using parts::decode_cents;
using parts::decode_hands;
using parts::decode_seat;

// ---- what the controller reports to a table besides acknowledgements ----------------------------

template <class Messages>
void encode_suspended(const std::vector<SuspendedLink>& suspended, Messages& messages) {
  for (const SuspendedLink& one : suspended) {
    auto& added = *messages.Add();
    added.set_link(one.link.text());
    added.set_reason(one.reason);
  }
}

template <class Messages>
std::vector<SuspendedLink> decode_suspended(const Messages& messages) {
  std::vector<SuspendedLink> suspended;
  for (const auto& one : messages) {
    suspended.push_back({LinkId(one.link()), one.reason()});
  }
  return suspended;
}

template <class Messages>
void encode_awards(const std::vector<AwardNotice>& awards, Messages& messages) {
  for (const AwardNotice& award : awards) {
    auto& added = *messages.Add();
    added.set_seat(award.seat.value());
    added.set_line(award.line.text());
    added.set_amount_cents(award.amount.in_cents());
    if (award.claim) added.set_claim(award.claim->value());
    added.set_kind(static_cast<std::uint32_t>(award.kind));
    if (award.holder) added.set_holder(award.holder->value());
    added.set_link(award.link.text());
    added.set_level(award.level.text());
    added.set_on_dealer(award.on_dealer);
    if (award.waits_for) added.set_waits_for(award.waits_for->value());
  }
}

template <class Messages>
bool decode_awards(const Messages& messages, std::vector<AwardNotice>& awards) {
  for (const auto& message : messages) {
    const auto seat = parts::decode_seat(message.seat());
    const auto amount = parts::decode_cents(message.amount_cents());
    const auto kind = parts::decode_integer<std::uint8_t>(message.kind());
    if (!seat || !amount || !kind || *amount < Amount()) return false;
    awards.push_back(
        {*seat, LineId(message.line()), *amount, std::nullopt, static_cast<AwardKind>(*kind)});
    if (message.claim() > 0) awards.back().claim = ClaimNumber(message.claim());
    if (message.has_holder() && !(awards.back().holder = parts::decode_seat(message.holder()))) {
      return false;
    }
    awards.back().link = LinkId(message.link());
    awards.back().level = LevelId(message.level());
    awards.back().on_dealer = message.on_dealer();
    if (message.waits_for() > 0) awards.back().waits_for = ClaimNumber(message.waits_for());
  }
  return true;
}

template <class Messages>
void encode_claims(const std::vector<ClaimNotice>& claims, Messages& messages) {
  for (const ClaimNotice& claim : claims) {
    auto& added = *messages.Add();
    added.set_claim(claim.number.value());
    added.set_round(claim.round.text());
    added.set_seat(claim.seat.value());
    added.set_link(claim.link.text());
    added.set_line(claim.line.text());
    added.set_level(claim.level.text());
    added.set_amount_cents(claim.amount.in_cents());
    added.set_state(claim.state);
    added.set_needs(claim.needs);
    added.set_reason(claim.reason);
    added.set_slip(claim.slip.value());
    added.set_source(claim.source);
    added.set_envy(claim.envy);
  }
}

template <class Messages>
bool decode_claims(const Messages& messages, std::vector<ClaimNotice>& claims) {
  for (const auto& message : messages) {
    const auto seat = parts::decode_seat(message.seat());
    const auto amount = parts::decode_cents(message.amount_cents());
    if (!seat || !amount || *amount < Amount() || message.claim() == 0) return false;
    claims.push_back({ClaimNumber(message.claim()), RoundId(message.round()), *seat,
                      LinkId(message.link()), LineId(message.line()), LevelId(message.level()),
                      *amount, message.state(), message.needs(), message.reason(),
                      SlipNumber(message.slip()), message.source(), message.envy()});
  }
  return true;
}

template <class Message>
void encode_round(const RoundHands& round, Message& told) {
  told.set_round(round.round.text());
  told.set_changed_by(round.changed_by.value());
  encode_awards(round.awards, *told.mutable_awards());
  told.set_dealer(parts::encode_cards(round.dealer));
  told.set_board(parts::encode_cards(round.board));
  encode_awards(round.take_back, *told.mutable_take_back());
  if (round.draw) parts::encode_draw(*round.draw, *told.mutable_draw());
  for (const HandNotice& hand : round.hands) {
    auto& added = *told.add_hands();
    added.set_seat(hand.seat.value());
    added.set_cards(parts::encode_cards(hand.cards));
    added.set_folded(hand.folded);
    encode_awards(hand.awards, *added.mutable_awards());
    added.set_entry(hand.entry.value());
  }
}

template <class Message>
bool decode_round(const Message& told, RoundHands& round) {
  round.round = RoundId(told.round());
  round.changed_by = EntryNumber(told.changed_by());
  if (!decode_awards(told.awards(), round.awards) ||
      !parts::decode_cards(told.dealer(), round.dealer) ||
      !parts::decode_cards(told.board(), round.board) ||
      !decode_awards(told.take_back(), round.take_back)) {
    return false;
  }
  if (told.has_draw() && !(round.draw = parts::decode_draw(told.draw()))) return false;
  for (const auto& one : told.hands()) {
    const auto seat = parts::decode_seat(one.seat());
    if (!seat) return false;
    HandNotice hand{*seat, EntryNumber(one.entry()), {}, one.folded()};
    if (!parts::decode_cards(one.cards(), hand.cards)) return false;
    if (!decode_awards(one.awards(), hand.awards)) return false;
    round.hands.push_back(std::move(hand));
  }
  return true;
}

template <class Message>
void encode_round_hands(const std::vector<RoundHands>& rounds, Message& message) {
  for (const RoundHands& round : rounds) encode_round(round, *message.add_rounds());
}

template <class Message>
bool decode_round_hands(const Message& message, std::vector<RoundHands>& rounds) {
  for (const auto& told : message.rounds()) {
    if (!decode_round(told, rounds.emplace_back())) return false;
  }
  return true;
}

// ---- people at the table's panel, and the table's own counts ------------------------------------

void encode_sign_in(const TableSignIn& sign_in, wire::TableSignIn& body) {
  body.set_question(sign_in.question);
  body.set_badge(sign_in.badge.text());
  body.set_pin(sign_in.pin);
  body.set_is_strange(sign_in.is_strange);
}

// nullopt: the badge or the PIN is too long.
std::optional<TableSignIn> decode_sign_in(const wire::TableSignIn& body) {
  const bool is_too_long =
      body.pin().size() > limits::pin_bytes_max || body.badge().size() > limits::name_length_max;
  if (is_too_long) return std::nullopt;
  return TableSignIn{body.question(), Badge(body.badge()), body.pin(), body.is_strange()};
}

void encode_signed_in(const TableSignedIn& signed_in, wire::TableSignedIn& body) {
  body.set_question(signed_in.question);
  body.set_refusal(static_cast<std::uint32_t>(signed_in.refusal));
  body.set_badge(signed_in.badge.text());
  body.set_name(signed_in.name);
  for (const std::string& role : signed_in.roles) body.add_roles(role);
  for (const std::string& right : signed_in.rights) body.add_rights(right);
  body.set_wait_s(signed_in.wait_s);
  body.set_pin_mark(signed_in.pin_mark);
}

// The caller decodes the refusal.
TableSignedIn decode_signed_in(const wire::TableSignedIn& body, Refusal refusal) {
  return TableSignedIn{body.question(),
                       refusal,
                       Badge(body.badge()),
                       body.name(),
                       {body.roles().begin(), body.roles().end()},
                       {body.rights().begin(), body.rights().end()},
                       body.wait_s(),
                       body.pin_mark()};
}

void encode_people(const std::vector<PanelPerson>& people, wire::Heartbeat& body) {
  for (const PanelPerson& person : people) {
    wire::PanelPerson& added = *body.add_people();
    added.set_badge(person.badge.text());
    for (const std::string& role : person.roles) added.add_roles(role);
    added.set_pin_mark(person.pin_mark);
  }
}

// People beyond panel_people_max are ignored.
std::vector<PanelPerson> decode_people(const wire::Heartbeat& body) {
  std::vector<PanelPerson> people;
  for (const wire::PanelPerson& one : body.people()) {
    if (people.size() >= panel_people_max) break;
    people.push_back(
        {Badge(one.badge()), {one.roles().begin(), one.roles().end()}, one.pin_mark()});
  }
  return people;
}

void encode_own_counts(const ReportedCounts& counts, wire::OwnCounts& body) {
  body.set_from(counts.from.value());
  body.set_up_to(counts.up_to.value());
  for (const ReportedCounts::Link& link : counts.links) {
    wire::LinkCounted& added = *body.add_links();
    added.set_link(link.link.text());
    added.set_rounds(link.rounds);
    added.set_wagers(link.wagers);
    added.set_handle_units(link.handle.units());
  }
}

// Links beyond limits::links_per_table_max are ignored.
ReportedCounts decode_own_counts(const wire::OwnCounts& body) {
  ReportedCounts counts{MessageNumber(body.from()), MessageNumber(body.up_to()), {}};
  for (const wire::LinkCounted& link : body.links()) {
    if (counts.links.size() >= limits::links_per_table_max) break;
    counts.links.push_back({LinkId(link.link()), link.rounds(), link.wagers(),
                            Amount::from_units(link.handle_units())});
  }
  return counts;
}

// ---- messages of a table ------------------------------------------------------------------------

template <class Message>
void encode_wagers(const std::vector<AskedWager>& wagers, Message& message) {
  for (const AskedWager& wager : wagers) {
    wire::Wager* added = message.add_wagers();
    added->set_seat(wager.seat.value());
    added->set_wager(wager.wager.text());
    added->set_amount_units(wager.amount.units());
    added->set_on_dealer(wager.on_dealer);
  }
}

template <class Messages>
bool decode_wagers(Messages& messages, std::vector<AskedWager>& wagers) {
  wagers.reserve(static_cast<std::size_t>(messages.size()));
  for (wire::Wager& message : messages) {
    const auto seat = decode_seat(message.seat());
    if (!seat) return false;
    wagers.push_back(AskedWager{*seat, WagerId(std::move(*message.mutable_wager())),
                                Amount::from_units(message.amount_units()), message.on_dealer()});
  }
  return true;
}

struct EncodeBody {
  wire::Message& message;

  void operator()(const LockRound& lock) const {
    wire::Lock& body = *message.mutable_lock();
    body.set_round(lock.round.text());
    encode_wagers(lock.wagers, body);
    if (lock.chips) body.set_chips(*lock.chips);
    body.set_by(lock.by.text());
  }
  void operator()(const ResolveCount& resolve) const {
    wire::Resolve& body = *message.mutable_resolve();
    body.set_round(resolve.round.text());
    encode_wagers(resolve.wagers, body);
    body.set_by(resolve.by.text());
  }
  void operator()(const ShowHands& show) const {
    wire::Show& body = *message.mutable_show();
    body.set_round(show.round.text());
    for (const ShownHand& hand : show.hands) parts::encode_hand(hand, *body.add_hands());
    if (show.names_dealer || !show.dealer.empty()) {
      body.set_dealer(parts::encode_cards(show.dealer));
    }
    body.set_board(parts::encode_cards(show.board));
    body.set_by(show.by.text());
    if (show.draw) parts::encode_draw(*show.draw, *body.mutable_draw());
  }
  void operator()(const CloseRound& close) const {
    wire::Close& body = *message.mutable_close();
    body.set_round(close.round.text());
    body.set_by(close.by.text());
  }
  void operator()(const VoidRound& request) const {
    if (request.seat) {
      wire::VoidHand& body = *message.mutable_void_hand();
      body.set_round(request.round.text());
      body.set_seat(request.seat->value());
      body.set_reason(request.reason);
      body.set_by(request.by.text());
      return;
    }
    wire::Void& body = *message.mutable_void_();
    body.set_round(request.round.text());
    body.set_reason(request.reason);
    body.set_by(request.by.text());
  }
  void operator()(const PlayPot& pot) const {
    wire::Pot& body = *message.mutable_pot();
    body.set_round(pot.round.text());
    body.set_pot_cents(pot.pot.in_cents());
    body.set_board(parts::encode_cards(pot.board));
    body.set_showdown(pot.showdown);
    for (const ShownHand& hand : pot.hands) parts::encode_hand(hand, *body.add_hands());
    body.set_by(pot.by.text());
  }
};

std::optional<TableCommand> decode_body(wire::Lock& body) {
  LockRound lock{RoundId(body.round()), {}, std::nullopt, Badge(body.by())};
  if (!decode_wagers(*body.mutable_wagers(), lock.wagers)) return std::nullopt;
  if (body.has_chips()) lock.chips = body.chips();
  return lock;
}

std::optional<TableCommand> decode_body(wire::Resolve& body) {
  ResolveCount resolve{RoundId(body.round()), {}, Badge(body.by())};
  if (!decode_wagers(*body.mutable_wagers(), resolve.wagers)) return std::nullopt;
  return resolve;
}

std::optional<TableCommand> decode_body(const wire::Show& body) {
  ShowHands show{RoundId(body.round()), {}, {}, {}, Badge(body.by())};
  if (!decode_hands(body.hands(), show.hands) || !decode_cards(body.dealer(), show.dealer) ||
      !decode_cards(body.board(), show.board)) {
    return std::nullopt;
  }
  show.names_dealer = body.has_dealer();
  if (body.has_draw() && !(show.draw = parts::decode_draw(body.draw()))) return std::nullopt;
  return show;
}

std::optional<TableCommand> decode_body(const wire::Pot& body) {
  PlayPot pot{RoundId(body.round()), {}, {}, body.showdown(), {}, Badge(body.by())};
  const auto amount = decode_cents(body.pot_cents());
  if (!amount || !decode_hands(body.hands(), pot.hands) || !decode_cards(body.board(), pot.board)) {
    return std::nullopt;
  }
  pot.pot = *amount;
  return pot;
}

std::optional<TableCommand> decode_body(const wire::VoidHand& body) {
  const auto seat = parts::decode_seat(body.seat());
  if (!seat) return std::nullopt;
  return VoidRound{RoundId(body.round()), body.reason(), Badge(body.by()), *seat};
}

std::optional<TableCommand> decode_command(wire::Message& message) {
  switch (message.body_case()) {
    case wire::Message::kLock: return decode_body(*message.mutable_lock());
    case wire::Message::kResolve: return decode_body(*message.mutable_resolve());
    case wire::Message::kShow: return decode_body(message.show());
    case wire::Message::kClose:
      return CloseRound{RoundId(message.close().round()), Badge(message.close().by())};
    case wire::Message::kVoid:
      return VoidRound{RoundId(message.void_().round()), message.void_().reason(),
                       Badge(message.void_().by())};
    case wire::Message::kPot: return decode_body(message.pot());
    case wire::Message::kVoidHand: return decode_body(message.void_hand());
    case wire::Message::BODY_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

void encode_head(const Head& head, wire::Head& message) {
  message.set_entry(head.entry.value());
  message.set_hash(parts::encode_digest(head.hash));
}

std::optional<Head> decode_head(const wire::Head& message) {
  Head head;
  head.entry = EntryNumber(message.entry());
  if (!parts::decode_digest(message.hash(), head.hash)) return std::nullopt;
  return head;
}

// False: one of them is invalid, or there are too many.
bool decode_history(const google::protobuf::RepeatedPtrField<wire::Head>& messages,
                    std::vector<Head>& history) {
  if (std::cmp_greater(messages.size(), limits::reported_restorations_max)) return false;
  for (const wire::Head& message : messages) {
    const auto head = decode_head(message);
    if (!head) return false;
    history.push_back(*head);
  }
  return true;
}

std::optional<Refusal> decode_refusal(std::uint32_t value) {
  const auto number = parts::decode_integer<std::uint8_t>(value);
  if (!number) return std::nullopt;
  return static_cast<Refusal>(*number);
}

void encode_open_round(const OpenRound& round, wire::OpenRound& message) {
  encode_round(round.hands, *message.mutable_hands());
  encode_wagers(round.wagers, message);
  if (round.chips) message.set_chips(*round.chips);
  if (round.chips_expected) message.set_chips_expected(*round.chips_expected);
  for (const Seat seat : round.void_seats) message.add_void_seats(seat.value());
  message.set_dealer_shown(round.dealer_shown);
  if (round.draw) parts::encode_draw(*round.draw, *message.mutable_draw());
  message.set_locked_at_us(round.locked_at.microseconds());
}

std::optional<OpenRound> decode_open_round(wire::OpenRound message) {
  OpenRound round;
  if (!decode_round(message.hands(), round.hands) ||
      !is_well_formed_text(round.hands.round.text(), limits::name_length_max) ||
      !decode_wagers(*message.mutable_wagers(), round.wagers)) {
    return std::nullopt;
  }
  if (message.has_chips()) round.chips = message.chips();
  if (message.has_chips_expected()) round.chips_expected = message.chips_expected();
  for (const std::uint32_t number : message.void_seats()) {
    const auto seat = decode_seat(number);
    if (!seat) return std::nullopt;
    round.void_seats.push_back(*seat);
  }
  round.dealer_shown = message.dealer_shown();
  if (message.has_draw() && !(round.draw = parts::decode_draw(message.draw()))) {
    return std::nullopt;
  }
  round.locked_at = Timestamp::from_microseconds(message.locked_at_us());
  return round;
}

struct EncodeReply {
  wire::ToTable& message;

  void operator()(const Welcome& welcome) const {
    wire::Welcome& body = *message.mutable_welcome();
    body.set_table(welcome.table.text());
    body.set_last_number(welcome.last_number.value());
    encode_head(welcome.head, *body.mutable_head());
    body.set_refusal(static_cast<std::uint32_t>(welcome.refusal));
    encode_suspended(welcome.suspended, *body.mutable_suspended());
    body.set_question(welcome.question);
    for (const Head& one : welcome.history) encode_head(one, *body.add_history());
    if (welcome.again_after) encode_head(*welcome.again_after, *body.mutable_again_after());
    for (const LinkId& link : welcome.stopped) body.add_stopped(link.text());
    body.set_frozen(welcome.frozen);
    for (const OpenRound& round : welcome.open_rounds) {
      encode_open_round(round, *body.add_open_rounds());
    }
    body.set_open_round_count(static_cast<std::uint32_t>(welcome.open_round_count));
  }
  void operator()(const Acknowledgements& acknowledgements) const {
    wire::Acknowledgements& body = *message.mutable_acknowledgements();
    for (const Acknowledgement& one : acknowledgements.list) {
      wire::Acknowledgement* added = body.add_acknowledgements();
      added->set_number(one.number.value());
      added->set_entry(one.entry.value());
      added->set_refusal(static_cast<std::uint32_t>(one.refusal));
      added->set_mark(one.mark);
      if (one.chips_expected) added->set_chips_expected(*one.chips_expected);
      encode_awards(one.awards, *added->mutable_awards());
      encode_awards(one.take_back, *added->mutable_take_back());
      added->set_no_contribution(one.no_contribution);
    }
    encode_head(acknowledgements.head, *body.mutable_head());
  }
  void operator()(const HeartbeatAnswer& answer) const {
    wire::HeartbeatAnswer& body = *message.mutable_heartbeat();
    body.set_table(answer.table.text());
    encode_suspended(answer.suspended, *body.mutable_suspended());
    body.set_wants_hello(answer.wants_hello);
    for (const Badge& badge : answer.ended) body.add_ended(badge.text());
    encode_claims(answer.claims, *body.mutable_claims());
    if (answer.hands) encode_round_hands(*answer.hands, *body.mutable_hands());
    for (const LinkId& link : answer.stopped) body.add_stopped(link.text());
    body.set_frozen(answer.frozen);
  }
  void operator()(const TableSignedIn& signed_in) const {
    encode_signed_in(signed_in, *message.mutable_signed_in());
  }
};

std::optional<ToTable> decode_reply(const wire::Welcome& body) {
  const auto head = decode_head(body.head());
  const auto refusal = decode_refusal(body.refusal());
  if (!head || !refusal) return std::nullopt;
  Welcome welcome{TableId(body.table()),
                  MessageNumber(body.last_number()),
                  *head,
                  *refusal,
                  decode_suspended(body.suspended()),
                  body.question()};
  if (!decode_history(body.history(), welcome.history)) return std::nullopt;
  if (body.has_again_after()) {
    welcome.again_after = decode_head(body.again_after());
    if (!welcome.again_after) return std::nullopt;
  }
  for (const std::string& link : body.stopped()) welcome.stopped.emplace_back(link);
  welcome.frozen = body.frozen();
  if (std::cmp_greater(body.open_rounds_size(), reported_rounds_max)) return std::nullopt;
  for (const wire::OpenRound& message : body.open_rounds()) {
    auto round = decode_open_round(message);
    if (!round) return std::nullopt;
    welcome.open_rounds.push_back(std::move(*round));
  }
  welcome.open_round_count = body.open_round_count();
  return welcome;
}

std::optional<ToTable> decode_reply(const wire::Acknowledgements& body) {
  Acknowledgements acknowledgements;
  const auto head = decode_head(body.head());
  if (!head) return std::nullopt;
  acknowledgements.head = *head;
  for (const wire::Acknowledgement& one : body.acknowledgements()) {
    const auto refusal = decode_refusal(one.refusal());
    if (!refusal) return std::nullopt;
    acknowledgements.list.push_back(Acknowledgement{
        MessageNumber(one.number()), EntryNumber(one.entry()), *refusal, one.mark(),
        one.has_chips_expected() ? std::optional(one.chips_expected()) : std::nullopt});
    Acknowledgement& added = acknowledgements.list.back();
    if (!decode_awards(one.awards(), added.awards)) return std::nullopt;
    added.no_contribution = one.no_contribution();
    if (!decode_awards(one.take_back(), added.take_back)) return std::nullopt;
  }
  return acknowledgements;
}

std::optional<ToTable> decode_reply(const wire::HeartbeatAnswer& body) {
  HeartbeatAnswer answer{TableId(body.table()), decode_suspended(body.suspended()),
                         body.wants_hello()};
  for (const std::string& badge : body.ended()) answer.ended.emplace_back(badge);
  for (const std::string& link : body.stopped()) answer.stopped.emplace_back(link);
  answer.frozen = body.frozen();
  if (!decode_claims(body.claims(), answer.claims)) return std::nullopt;
  if (body.has_hands() && !decode_round_hands(body.hands(), answer.hands.emplace())) {
    return std::nullopt;
  }
  return answer;
}

std::optional<ToTable> decode_reply(const wire::TableSignedIn& body) {
  const auto refusal = decode_refusal(body.refusal());
  if (!refusal) return std::nullopt;
  return decode_signed_in(body, *refusal);
}

std::optional<FromTable> decode_hello(const wire::Hello& body) {
  Hello hello{TableId(body.table())};
  if (body.has_witness()) {
    const auto witness = decode_head(body.witness());
    if (!witness) return std::nullopt;
    hello.witness = *witness;
  }
  if (!decode_history(body.history(), hello.history)) return std::nullopt;
  hello.question = body.question();
  if (body.floor().size() > floor_mark_bytes_max) return std::nullopt;
  hello.floor = body.floor();
  if (!body.agent().empty() && !is_well_formed_name(body.agent())) return std::nullopt;
  hello.agent = body.agent();
  hello.is_new = body.is_new();
  return hello;
}

template <class Message>
bool parse_frame(std::string_view bytes, Message& message) {
  return bytes.size() <= limits::message_bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string encode(const Hello& hello) {
  wire::FromTable message;
  wire::Hello& body = *message.mutable_hello();
  body.set_table(hello.table.text());
  if (hello.witness != Head{}) encode_head(hello.witness, *body.mutable_witness());
  body.set_question(hello.question);
  body.set_floor(hello.floor);
  for (const Head& one : hello.history) encode_head(one, *body.add_history());
  body.set_agent(hello.agent);
  body.set_is_new(hello.is_new);
  return message.SerializeAsString();
}

std::string encode(const Heartbeat& heartbeat) {
  wire::FromTable message;
  wire::Heartbeat& body = *message.mutable_heartbeat();
  body.set_table(heartbeat.table.text());
  body.set_unacknowledged(heartbeat.unacknowledged);
  body.set_calls_floor(heartbeat.calls_floor);
  encode_people(heartbeat.people, body);
  if (heartbeat.counts) encode_own_counts(*heartbeat.counts, *body.mutable_counts());
  body.set_leaves(heartbeat.leaves);
  return message.SerializeAsString();
}

std::string encode(const TableMessage& message) {
  parts::Scratch<wire::FromTable> from;
  wire::Message& body = *from->mutable_message();
  body.set_table(message.table.text());
  body.set_number(message.number.value());
  body.set_sent_at_us(message.sent_at.microseconds());
  std::visit(EncodeBody{body}, message.command);
  return from->SerializeAsString();
}

std::string encode(const TableSignIn& sign_in) {
  wire::FromTable from;
  encode_sign_in(sign_in, *from.mutable_sign_in());
  return from.SerializeAsString();
}

std::string encode(const ToTable& reply) {
  parts::Scratch<wire::ToTable> message;
  std::visit(EncodeReply{*message}, reply);
  return message->SerializeAsString();
}

std::uint64_t frame_checksum(const Digest& digest) {
  std::uint64_t mark = 0;
  for (std::size_t at = 0; at < sizeof(mark); ++at) mark = mark << 8U | digest[at];
  return mark;
}

bool may_be_sign_in(std::string_view bytes) {
  constexpr char tag = 4 << 3 | 2;  // field 4 of FromTable, with a length
  return !bytes.empty() && bytes.front() == tag;
}

std::optional<FromTable> decode_from_table(std::string_view bytes) {
  parts::Scratch<wire::FromTable> scratch;
  wire::FromTable& from = *scratch;
  if (!parse_frame(bytes, from)) return std::nullopt;
  if (from.has_hello()) return decode_hello(from.hello());
  if (from.has_heartbeat()) {
    Heartbeat heartbeat{TableId(from.heartbeat().table()), from.heartbeat().unacknowledged(),
                        from.heartbeat().calls_floor(), decode_people(from.heartbeat())};
    if (from.heartbeat().has_counts()) {
      heartbeat.counts = decode_own_counts(from.heartbeat().counts());
    }
    heartbeat.leaves = from.heartbeat().leaves();
    return heartbeat;
  }
  if (from.has_sign_in()) return decode_sign_in(from.sign_in());
  if (!from.has_message() || from.message().number() == 0) return std::nullopt;
  std::optional<TableCommand> command = decode_command(*from.mutable_message());
  if (!command) return std::nullopt;
  TableMessage message;
  message.table = TableId(from.message().table());
  message.number = MessageNumber(from.message().number());
  message.sent_at = Timestamp::from_microseconds(from.message().sent_at_us());
  message.command = std::move(*command);
  return message;
}

std::optional<ToTable> decode_to_table(std::string_view bytes) {
  wire::ToTable message;
  if (!parse_frame(bytes, message)) return std::nullopt;
  if (message.has_welcome()) return decode_reply(message.welcome());
  if (message.has_acknowledgements()) return decode_reply(message.acknowledgements());
  if (message.has_heartbeat()) return decode_reply(message.heartbeat());
  if (message.has_signed_in()) return decode_reply(message.signed_in());
  return std::nullopt;
}

namespace {

constexpr std::array<std::string_view, 4> names = {"never_seen", "linked", "lost", "not_seen"};

template <class Message>
bool parse_status(std::string_view bytes, std::size_t bytes_max, Message& message) {
  return bytes.size() <= bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string_view name(TableLinkState standing) {
  return names.at(static_cast<std::size_t>(standing));
}

std::optional<TableLinkState> parse_link_state(std::string_view name) {
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names.at(at) == name) return static_cast<TableLinkState>(at);
  }
  return std::nullopt;
}

std::string encode_status_request() {
  control::Request message;
  message.mutable_status();
  return message.SerializeAsString();
}

bool is_status_request(std::string_view bytes) {
  control::Request message;
  return parse_status(bytes, limits::control_bytes_max, message) && message.has_status();
}

std::string encode(const ControllerStatus& status) {
  control::Reply message;
  control::Status& body = *message.mutable_status();
  body.set_started_at_us(status.started_at.microseconds());
  body.set_now_us(status.now.microseconds());
  for (const TableLinkStatus& table : status.tables) {
    control::TableStanding& added = *body.add_tables();
    added.set_table(table.table.text());
    added.set_standing(std::string(name(table.standing)));
    added.set_since_us(table.since.microseconds());
    if (table.last_heard_at) added.set_heard_at_us(table.last_heard_at->microseconds());
  }
  return message.SerializeAsString();
}

std::optional<ControllerStatus> decode_status_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse_status(bytes, limits::status_bytes_max, message) || !message.has_status()) {
    return std::nullopt;
  }
  ControllerStatus status;
  status.started_at = Timestamp::from_microseconds(message.status().started_at_us());
  status.now = Timestamp::from_microseconds(message.status().now_us());
  for (const control::TableStanding& table : message.status().tables()) {
    const std::optional<TableLinkState> standing = parse_link_state(table.standing());
    if (!standing) return std::nullopt;
    TableLinkStatus added{
        TableId(table.table()), *standing, Timestamp::from_microseconds(table.since_us()), {}};
    if (table.has_heard_at_us()) {
      added.last_heard_at = Timestamp::from_microseconds(table.heard_at_us());
    }
    status.tables.push_back(std::move(added));
  }
  return status;
}

}  // namespace linkmeter
