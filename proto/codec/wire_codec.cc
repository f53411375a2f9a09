#include "proto/codec/wire_codec.h"

#include <utility>

#include "meters/values/enrolment.h"
#include "meters/values/enum_names.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/codec/hand_codec.h"
#include "proto/codec/scratch_message.h"
#include "proto/control.pb.h"
#include "proto/wire.pb.h"

namespace linkmeter {

bool serialize(Of<Head> auto& head, auto& message) {
  return FIELD(head.entry, entry) && FIELD(head.hash, hash);
}

// ---- what the controller reports to a table besides acknowledgements ----------------------------

bool serialize(Of<SuspendedLink> auto& suspended, auto& message) {
  return FIELD(suspended.link, link) && FIELD(suspended.reason, reason);
}

// A kind that this release does not know is kept.
bool serialize(Of<AwardNotice> auto& award, auto& message) {
  auto kind = static_cast<std::uint8_t>(award.kind);
  if (!FIELD(kind, kind)) return false;
  if constexpr (IsRead<decltype(message)>) award.kind = static_cast<AwardKind>(kind);
  return FIELD(award.seat, seat) && FIELD(award.line, line) && FIELD(award.amount, amount_cents) &&
         FIELD(award.claim, claim) && FIELD(award.holder, holder) && FIELD(award.link, link) &&
         FIELD(award.level, level) && FIELD(award.on_dealer, on_dealer) &&
         FIELD(award.waits_for, waits_for) && award.amount >= Amount();
}

bool serialize(Of<ClaimNotice> auto& claim, auto& message) {
  return FIELD(claim.number, claim) && FIELD(claim.round, round) && FIELD(claim.seat, seat) &&
         FIELD(claim.link, link) && FIELD(claim.line, line) && FIELD(claim.level, level) &&
         FIELD(claim.amount, amount_cents) && FIELD(claim.state, state) &&
         FIELD(claim.needs, needs) && FIELD(claim.reason, reason) && FIELD(claim.slip, slip) &&
         FIELD(claim.source, source) && FIELD(claim.envy, envy) && claim.amount >= Amount() &&
         claim.number != ClaimNumber();
}

bool serialize(Of<HandNotice> auto& hand, auto& message) {
  return FIELD(hand.seat, seat) && FIELD(hand.entry, entry) && FIELD(hand.cards, cards) &&
         FIELD(hand.folded, folded) && FIELD(hand.awards, awards);
}

bool serialize(Of<RoundHands> auto& round, auto& message) {
  return FIELD(round.round, round) && FIELD(round.hands, hands) &&
         FIELD(round.changed_by, changed_by) && FIELD(round.awards, awards) &&
         FIELD(round.dealer, dealer) && FIELD(round.board, board) &&
         FIELD(round.take_back, take_back) && FIELD(round.draw, draw);
}

template <class Value, class Message>
bool serialize_rounds(Value& rounds, Message& message) {
  return FIELD(rounds, rounds);
}

// ---- people at the table's panel, and the table's own counts ------------------------------------

bool serialize(Of<TableSignIn> auto& sign_in, auto& message) {
  return FIELD(sign_in.question, question) && FIELD(sign_in.badge, badge) &&
         FIELD(sign_in.pin, pin) && FIELD(sign_in.is_untrusted_origin, is_strange) &&
         sign_in.pin.size() <= limits::pin_bytes_max &&
         sign_in.badge.text().size() <= limits::name_length_max;
}

bool serialize(Of<TableSignedIn> auto& signed_in, auto& message) {
  return FIELD(signed_in.question, question) && FIELD(signed_in.refusal, refusal) &&
         FIELD(signed_in.badge, badge) && FIELD(signed_in.name, name) &&
         FIELD(signed_in.roles, roles) && FIELD(signed_in.rights, rights) &&
         FIELD(signed_in.wait_s, wait_s) && FIELD(signed_in.pin_mark, pin_mark);
}

bool serialize(Of<PanelPerson> auto& person, auto& message) {
  return FIELD(person.badge, badge) && FIELD(person.roles, roles) &&
         FIELD(person.pin_mark, pin_mark);
}

bool serialize(Of<ReportedCounts::Link> auto& link, auto& message) {
  return FIELD(link.link, link) && FIELD(link.rounds, rounds) && FIELD(link.wagers, wagers) &&
         FIELD(link.handle, handle_units);
}

// Reads as many as `most`; the others are ignored.
template <class Messages, class Values>
bool read_first(const Messages& messages, std::size_t most, Values& values) {
  for (const auto& message : messages) {
    if (values.size() >= most) break;
    if (!serialize(values.emplace_back(), message)) return false;
  }
  return true;
}

bool serialize(Of<ReportedCounts> auto& counts, auto& message) {
  if (!FIELD(counts.from, from) || !FIELD(counts.up_to, up_to)) return false;
  if constexpr (IsRead<decltype(message)>) {
    return read_first(message.links(), limits::links_per_table_max, counts.links);
  } else {
    return FIELD(counts.links, links);
  }
}

bool serialize(Of<Heartbeat> auto& heartbeat, auto& message) {
  if (!FIELD(heartbeat.table, table) || !FIELD(heartbeat.unacknowledged, unacknowledged) ||
      !FIELD(heartbeat.calls_floor, calls_floor) || !FIELD(heartbeat.counts, counts) ||
      !FIELD(heartbeat.leaves, leaves)) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    return read_first(message.people(), panel_people_max, heartbeat.people);
  } else {
    return FIELD(heartbeat.people, people);
  }
}

bool serialize(Of<Hello> auto& hello, auto& message) {
  // Another release may send a longer mark of its floor: a version and a digest.
  constexpr std::size_t floor_mark_bytes_max = 128;
  return std::cmp_less_equal(message.history_size(), limits::reported_restorations_max) &&
         FIELD(hello.table, table) && FIELD_OR_DEFAULT(hello.witness, witness) &&
         FIELD(hello.question, question) && FIELD(hello.floor, floor) &&
         FIELD(hello.history, history) && FIELD(hello.agent, agent) &&
         FIELD(hello.is_new, is_new) && hello.floor.size() <= floor_mark_bytes_max &&
         (hello.agent.empty() || is_well_formed_name(hello.agent));
}

// ---- messages of a table ------------------------------------------------------------------------

template <class Value, class Message>
bool serialize_bet(Value& wager, Message& message) {
  return FIELD(wager.seat, seat) && FIELD(wager.amount, amount_units) &&
         FIELD(wager.on_dealer, on_dealer);
}

bool serialize(Of<AskedWager> auto& wager, auto& message) {
  return FIELD(wager.wager, wager) && serialize_bet(wager, message);
}

// Reading leaves the wagers of a lock and of a resolved count to take_wagers().
bool serialize(Of<LockRound> auto& lock, auto& message) {
  if constexpr (!IsRead<decltype(message)>) FIELD(lock.wagers, wagers);
  return FIELD(lock.round, round) && FIELD(lock.chips, chips) && FIELD(lock.by, by);
}

bool serialize(Of<ResolveCount> auto& resolve, auto& message) {
  if constexpr (!IsRead<decltype(message)>) FIELD(resolve.wagers, wagers);
  return FIELD(resolve.round, round) && FIELD(resolve.by, by);
}

bool serialize(Of<ShowHands> auto& show, auto& message) {
  const bool has_dealer = show.names_dealer || !show.dealer.empty();
  if constexpr (IsRead<decltype(message)>) show.names_dealer = message.has_dealer();
  return FIELD(show.round, round) && FIELD(show.hands, hands) &&
         FIELD_IF(has_dealer, show.dealer, dealer) && FIELD(show.board, board) &&
         FIELD(show.by, by) && FIELD(show.draw, draw);
}

bool serialize(Of<CloseRound> auto& close, auto& message) {
  return FIELD(close.round, round) && FIELD(close.by, by);
}

// Without the seat of one hand: a message of its own has it.
bool serialize(Of<VoidRound> auto& request, auto& message) {
  return FIELD(request.round, round) && FIELD(request.reason, reason) && FIELD(request.by, by);
}

bool serialize(Of<PlayPot> auto& pot, auto& message) {
  return FIELD(pot.round, round) && FIELD(pot.pot, pot_cents) && FIELD(pot.board, board) &&
         FIELD(pot.showdown, showdown) && FIELD(pot.hands, hands) && FIELD(pot.by, by);
}

bool serialize(Of<OpenRound> auto& round, auto& message) {
  return FIELD(round.hands, hands) && FIELD(round.wagers, wagers) && FIELD(round.chips, chips) &&
         FIELD(round.chips_expected, chips_expected) && FIELD(round.void_seats, void_seats) &&
         FIELD(round.dealer_shown, dealer_shown) && FIELD(round.draw, draw) &&
         FIELD(round.locked_at, locked_at_us) &&
         is_well_formed_text(round.hands.round.text(), limits::name_length_max);
}

bool serialize(Of<TableMessage> auto& table_message, auto& message) {
  return FIELD(table_message.table, table) && FIELD(table_message.number, number) &&
         FIELD(table_message.sent_at, sent_at_us) && table_message.number != MessageNumber();
}

namespace {

template <class Value, class Message>
bool serialize_command(Value& command, Message& message) {
  return parts::one_of(message, command, ALTERNATIVE(LockRound, lock), ALTERNATIVE(ShowHands, show),
                       ALTERNATIVE(CloseRound, close), ALTERNATIVE(PlayPot, pot),
                       ALTERNATIVE(VoidRound, void_), ALTERNATIVE(ResolveCount, resolve));
}

void encode_command(const TableCommand& command, wire::Message& message) {
  const auto* request = std::get_if<VoidRound>(&command);
  if (request == nullptr || !request->seat) {
    serialize_command(command, message);
    return;
  }
  serialize(*request, *message.mutable_void_hand());
  message.mutable_void_hand()->set_seat(request->seat->value());
}

// Moves the names out of the messages: a table sends one with each wager.
template <class Messages>
bool take_wagers(Messages& messages, std::vector<AskedWager>& wagers) {
  wagers.reserve(static_cast<std::size_t>(messages.size()));
  for (wire::Wager& message : messages) {
    AskedWager& wager = wagers.emplace_back();
    wager.wager = WagerId(std::move(*message.mutable_wager()));
    if (!serialize_bet(wager, std::as_const(message))) return false;
  }
  return true;
}

bool decode_command(wire::Message& message, TableCommand& command) {
  if (message.has_void_hand()) {
    auto& request = command.emplace<VoidRound>();
    request.seat = parts::decode_seat(message.void_hand().seat());
    return request.seat && serialize(request, message.void_hand());
  }
  if (!serialize_command(command, std::as_const(message))) return false;
  if (auto* lock = std::get_if<LockRound>(&command)) {
    return take_wagers(*message.mutable_lock()->mutable_wagers(), lock->wagers);
  }
  if (auto* resolve = std::get_if<ResolveCount>(&command)) {
    return take_wagers(*message.mutable_resolve()->mutable_wagers(), resolve->wagers);
  }
  return true;
}

}  // namespace

// ---- answers to a table -------------------------------------------------------------------------

bool serialize(Of<Acknowledgement> auto& one, auto& message) {
  return FIELD(one.number, number) && FIELD(one.entry, entry) && FIELD(one.refusal, refusal) &&
         FIELD(one.mark, mark) && FIELD(one.chips_expected, chips_expected) &&
         FIELD(one.awards, awards) && FIELD(one.take_back, take_back) &&
         FIELD(one.no_contribution, no_contribution);
}

bool serialize(Of<Acknowledgements> auto& all, auto& message) {
  return FIELD(all.list, acknowledgements) && FIELD(all.head, head);
}

bool serialize(Of<NodeAddress> auto& node, auto& message) {
  return FIELD(node.name, name) && FIELD(node.key, key) && FIELD(node.endpoint, endpoint) &&
         is_well_formed_name(node.name) && is_well_formed_key(node.key) &&
         (node.endpoint.empty() || is_well_formed_text(node.endpoint, limits::endpoint_length_max));
}

// A later release may name more nodes. The agent of this one knows the first of them.
template <class Value, class Message>
bool serialize_nodes(Value& welcome, Message& message) {
  if (!FIELD(welcome.writer, writer)) return false;
  if constexpr (IsRead<Message>) {
    return (welcome.writer.empty() ||
            is_well_formed_text(welcome.writer, limits::endpoint_length_max)) &&
           read_first(message.nodes(), limits::nodes_max, welcome.nodes);
  } else {
    return FIELD(welcome.nodes, nodes);
  }
}

bool serialize(Of<Welcome> auto& welcome, auto& message) {
  auto open_round_count = static_cast<std::uint32_t>(welcome.open_round_count);
  if (!FIELD(open_round_count, open_round_count)) return false;
  if constexpr (IsRead<decltype(message)>) welcome.open_round_count = open_round_count;
  return std::cmp_less_equal(message.history_size(), limits::reported_restorations_max) &&
         std::cmp_less_equal(message.open_rounds_size(), reported_rounds_max) &&
         FIELD(welcome.table, table) && FIELD(welcome.last_number, last_number) &&
         FIELD(welcome.head, head) && FIELD(welcome.refusal, refusal) &&
         FIELD(welcome.suspended, suspended) && FIELD(welcome.question, question) &&
         FIELD(welcome.history, history) && FIELD(welcome.again_after, again_after) &&
         FIELD(welcome.stopped, stopped) && FIELD(welcome.frozen, frozen) &&
         FIELD(welcome.open_rounds, open_rounds) && serialize_nodes(welcome, message);
}

bool serialize(Of<HeartbeatAnswer> auto& answer, auto& message) {
  if (!FIELD(answer.table, table) || !FIELD(answer.suspended, suspended) ||
      !FIELD(answer.wants_hello, wants_hello) || !FIELD(answer.ended, ended) ||
      !FIELD(answer.claims, claims) || !FIELD(answer.stopped, stopped) ||
      !FIELD(answer.frozen, frozen)) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    return !message.has_hands() || serialize_rounds(answer.hands.emplace(), message.hands());
  } else {
    return !answer.hands || serialize_rounds(*answer.hands, *message.mutable_hands());
  }
}

namespace {

template <class Value, class Message>
bool serialize_answer(Value& answer, Message& message) {
  return parts::one_of(message, answer, ALTERNATIVE(Acknowledgements, acknowledgements),
                       ALTERNATIVE(HeartbeatAnswer, heartbeat), ALTERNATIVE(Welcome, welcome),
                       ALTERNATIVE(TableSignedIn, signed_in));
}

template <class Message>
bool parse_frame(std::string_view bytes, Message& message) {
  return bytes.size() <= limits::message_bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

template <class Value, class Message>
std::optional<FromTable> read_from_table(const Message& message) {
  Value value;
  if (!serialize(value, message)) return std::nullopt;
  return value;
}

}  // namespace

std::string encode(const Hello& hello) {
  wire::FromTable from;
  serialize(hello, *from.mutable_hello());
  return from.SerializeAsString();
}

std::string encode(const Heartbeat& heartbeat) {
  wire::FromTable from;
  serialize(heartbeat, *from.mutable_heartbeat());
  return from.SerializeAsString();
}

std::string encode(const TableMessage& message) {
  parts::Scratch<wire::FromTable> from;
  serialize(message, *from->mutable_message());
  encode_command(message.command, *from->mutable_message());
  return from->SerializeAsString();
}

std::string encode(const TableSignIn& sign_in) {
  wire::FromTable from;
  serialize(sign_in, *from.mutable_sign_in());
  return from.SerializeAsString();
}

std::string encode(const ToTable& reply) {
  parts::Scratch<wire::ToTable> message;
  serialize_answer(reply, *message);
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
  const wire::FromTable& from = *scratch;
  if (!parse_frame(bytes, *scratch)) return std::nullopt;
  if (from.has_hello()) return read_from_table<Hello>(from.hello());
  if (from.has_heartbeat()) return read_from_table<Heartbeat>(from.heartbeat());
  if (from.has_sign_in()) return read_from_table<TableSignIn>(from.sign_in());
  if (!from.has_message()) return std::nullopt;
  TableMessage message;
  if (!serialize(message, from.message()) ||
      !decode_command(*scratch->mutable_message(), message.command)) {
    return std::nullopt;
  }
  return message;
}

std::optional<ToTable> decode_to_table(std::string_view bytes) {
  wire::ToTable message;
  ToTable answer;
  if (!parse_frame(bytes, message) || !serialize_answer(answer, std::as_const(message))) {
    return std::nullopt;
  }
  return answer;
}

namespace {

constexpr EnumNames<TableLinkState::never_seen, TableLinkState::not_seen> link_state_names{
    "never_seen", "linked", "lost", "not_seen"};

template <class Message>
bool parse_status(std::string_view bytes, std::size_t bytes_max, Message& message) {
  return bytes.size() <= bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string_view name(TableLinkState standing) { return link_state_names.of(standing); }

std::optional<TableLinkState> parse_link_state(std::string_view name) {
  return link_state_names.parse(name);
}

bool serialize(Of<TableLinkStatus> auto& table, auto& message) {
  std::string standing(name(table.standing));
  if (!FIELD(standing, standing)) return false;
  if constexpr (IsRead<decltype(message)>) {
    if (!parts::take(parse_link_state(standing), table.standing)) return false;
  }
  return FIELD(table.table, table) && FIELD(table.since, since_us) &&
         FIELD(table.last_heard_at, heard_at_us);
}

bool serialize(Of<ControllerStatus> auto& status, auto& message) {
  return FIELD(status.started_at, started_at_us) && FIELD(status.now, now_us) &&
         FIELD(status.tables, tables);
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
  serialize(status, *message.mutable_status());
  return message.SerializeAsString();
}

std::optional<ControllerStatus> decode_status_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse_status(bytes, limits::status_bytes_max, message) || !message.has_status()) {
    return std::nullopt;
  }
  ControllerStatus status;
  if (!serialize(status, message.status())) return std::nullopt;
  return status;
}

}  // namespace linkmeter
