// Wire codec: bytes <-> commands and replies. Total: any bytes of any length give a value or
// nullopt, and use only a few times their size in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/table_command.h"
#include "meters/state/table_session.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The journal's last entry and its hash, as sent to every table.
struct Head {
  EntryNumber entry;
  Digest hash{};
  friend bool operator==(const Head&, const Head&) = default;
};

struct Hello {
  TableId table;
  Head witness = {};           // the last head that this table saw; entry 0: none yet
  std::uint64_t question = 0;  // the number of the agent's Hello; 0: unknown
  // Of the agent's configuration (config_digest.h); "": unknown.
  std::string floor = {};
  // Every restoration of the journal that was reported to this table, in that order; at most
  // limits::reported_restorations_max.
  std::vector<Head> history = {};
  std::string agent = {};  // identifies the agent (a name); "": unknown
  bool is_new = false;     // its outbox has never assigned a number
  friend bool operator==(const Hello&, const Hello&) = default;
};

// A person who is signed in at a table's panel, with the roles that the controller reported.
struct PanelPerson {
  Badge badge;
  std::vector<std::string> roles;
  std::uint64_t pin_mark = 0;  // as in TableSignedIn
  friend auto operator<=>(const PanelPerson&, const PanelPerson&) = default;
};
inline constexpr std::size_t panel_people_max = 64;

// The table's own counters for the messages from `from` to `up_to`, net of voids.
struct ReportedCounts {
  struct Link {
    LinkId link;
    std::uint64_t rounds = 0;
    std::uint64_t wagers = 0;
    Amount handle;
    friend bool operator==(const Link&, const Link&) = default;
  };
  MessageNumber from;
  MessageNumber up_to;
  std::vector<Link> links;
  friend bool operator==(const ReportedCounts&, const ReportedCounts&) = default;
};

// Neither numbered nor journaled: it shows that the table is present.
struct Heartbeat {
  TableId table;
  std::uint64_t unacknowledged = 0;      // messages in its outbox without an answer
  bool calls_floor = false;              // the dealer requests a floorperson
  std::vector<PanelPerson> people = {};  // signed in at its panel; at most panel_people_max
  std::optional<ReportedCounts> counts = {};
  bool leaves = false;  // the agent ends now
  friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

struct SuspendedLink {
  LinkId link;
  std::string reason;
  friend bool operator==(const SuspendedLink&, const SuspendedLink&) = default;
};

// An award as reported to the table, for its lights. The journal holds the money.
struct AwardNotice {
  Seat seat;
  LineId line;
  Amount amount;                     // whole cents
  std::optional<ClaimNumber> claim;  // set: a person must validate it first
  AwardKind kind = AwardKind::line;
  std::optional<Seat> holder = {};  // Envy: the seat with the winning hand; nullopt: unknown
  LinkId link = {};                 // the link of the award; "": unknown
  LevelId level = {};               // the meter that paid it; "": a fixed award
  bool on_dealer = false;           // won by the dealer's hand
  // Envy that is owed, and paid when this claim is validated.
  std::optional<ClaimNumber> waits_for = {};
  friend bool operator==(const AwardNotice&, const AwardNotice&) = default;
};
// Awards of one message. An acknowledgement with all of them is far smaller than a frame.
inline constexpr std::size_t reported_awards_max = 256;

// Identifies a frame to its table: the first eight bytes of its SHA-256.
std::uint64_t frame_checksum(const Digest& digest);

// entry 0: not journaled. `mark`: frame_checksum of the acknowledged frame; 0: unknown.
// `chips_expected`: the round is blocked, because the chip count of the lock differs.
// `no_contribution`: for a pot whose fund has stopped collecting.
struct Acknowledgement {
  MessageNumber number;
  EntryNumber entry;
  Refusal refusal = Refusal::none;
  std::uint64_t mark = 0;
  std::optional<std::uint32_t> chips_expected = {};
  std::vector<AwardNotice> awards = {};  // at most reported_awards_max
  bool no_contribution = false;
  std::vector<AwardNotice> take_back = {};  // for a void; at most reported_awards_max
  friend bool operator==(const Acknowledgement&, const Acknowledgement&) = default;
};

struct Acknowledgements {
  std::vector<Acknowledgement> list;
  Head head;
  friend bool operator==(const Acknowledgements&, const Acknowledgements&) = default;
};

// The state of a claim, for the table's panel: in words, for people.
struct ClaimNotice {
  ClaimNumber number;
  RoundId round;
  Seat seat;
  LinkId link;
  LineId line;
  LevelId level;            // the meter that paid it; "": a fixed award
  Amount amount;            // whole cents
  std::string state = {};   // "raised"
  std::string needs = {};   // "validation"; "": nothing more
  std::string reason = {};  // why it was rejected
  SlipNumber slip = {};     // the open slip, or the slip that it was paid on; 0: none
  std::string source = {};  // "hand_pay": the source
  std::string envy = {};    // of its hand: "owed", "due" or "gone"; "": there is none
  friend bool operator==(const ClaimNotice&, const ClaimNotice&) = default;
};
inline constexpr std::size_t reported_claims_max = 32;

// A seat's current hand and its awards. `entry`: the entry of the hand, or of its last correction.
struct HandNotice {
  Seat seat;
  EntryNumber entry;
  std::vector<Card> cards;
  bool folded = false;
  std::vector<AwardNotice> awards = {};  // of the seat, and Envy for it; not of the dealer's hand
  friend bool operator==(const HandNotice&, const HandNotice&) = default;
};
// All valid hands of an open round: other seats have none, or none any more.
struct RoundHands {
  RoundId round;
  std::vector<HandNotice> hands;
  // The last entry with which a person changed results of the dealer's messages; 0: none, and the
  // rest is left out.
  EntryNumber changed_by = {};
  std::vector<AwardNotice> awards = {};  // all awards of the round
  std::vector<Card> dealer = {};
  std::vector<Card> board = {};
  // Awards that were paid at once and reversed since; at most reported_awards_max.
  std::vector<AwardNotice> take_back = {};
  std::optional<Draw> draw = {};  // only with the dealer's side
  friend bool operator==(const RoundHands&, const RoundHands&) = default;
};
inline constexpr std::size_t reported_rounds_max = 8;

// An open round of the table: locked, or blocked by a wrong count.
struct OpenRound {
  RoundHands hands;  // with all awards and the dealer's side, changed or not
  std::vector<AskedWager> wagers;
  std::optional<std::uint32_t> chips = {};           // the dealer's count; nullopt: not known
  std::optional<std::uint32_t> chips_expected = {};  // set: the round is blocked
  std::vector<Seat> void_seats = {};                 // seats with void hands
  bool dealer_shown = false;
  std::optional<Draw> draw = {};
  Timestamp locked_at = {};  // 0: not known
  friend bool operator==(const OpenRound&, const OpenRound&) = default;
};

// A controller of the house, as another node or an agent reaches it.
struct NodeAddress {
  std::string name;
  std::string key;       // public, in Z85
  std::string endpoint;  // for tables; "": unknown
  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};

struct Welcome {
  TableId table;
  MessageNumber last_number;
  Head head;
  Refusal refusal = Refusal::none;
  std::vector<SuspendedLink> suspended = {};  // all suspended links of the table
  std::uint64_t question = 0;                 // of the answered Hello; 0: unknown
  // The entries of the journal's restorations from a backup, in order; at most as many.
  std::vector<Head> history = {};
  // Set: history continues from this entry. The table's messages after last_number are lost, and
  // the table resends them.
  std::optional<Head> again_after = {};
  // The table's funds of pots that have stopped collecting; they can still be won.
  std::vector<LinkId> stopped = {};
  std::string frozen = {};  // why the table takes no new round; "": it is not frozen
  std::vector<OpenRound> open_rounds = {};  // of the table, at most reported_rounds_max
  std::size_t open_round_count = 0;         // how many there are
  std::string writer = {};                  // where the writer serves tables; "": unknown
  // All nodes of the house; at most limits::nodes_max. {}: the controller is no node.
  std::vector<NodeAddress> nodes = {};
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct HeartbeatAnswer {
  TableId table;
  std::vector<SuspendedLink> suspended;  // all suspended links of the table
  bool wants_hello = false;  // this controller has had no Hello from the table since it started
  std::vector<Badge> ended = {};         // people of the heartbeat whose sign-in has ended
  std::vector<ClaimNotice> claims = {};  // of the table, at most reported_claims_max
  // Of the table's open rounds, at most reported_rounds_max; nullopt: unknown.
  std::optional<std::vector<RoundHands>> hands = {};
  std::vector<LinkId> stopped = {};  // as in Welcome
  std::string frozen = {};           // as in Welcome
  friend bool operator==(const HeartbeatAnswer&, const HeartbeatAnswer&) = default;
};

// A sign-in at a panel. Neither numbered nor part of a round. The PIN is as typed.
struct TableSignIn {
  std::uint64_t question = 0;  // the agent's own count
  Badge badge;
  std::string pin;
  // No trusted origin: a wrong PIN does not count toward the lock.
  bool is_untrusted_origin = false;
  friend bool operator==(const TableSignIn&, const TableSignIn&) = default;
};

// Roles and rights by name: an agent ignores a name that it does not know.
struct TableSignedIn {
  std::uint64_t question = 0;
  Refusal refusal = Refusal::none;
  Badge badge;
  std::string name;
  std::vector<std::string> roles;
  std::vector<std::string> rights;
  std::uint32_t wait_s = 0;    // not 0: the PIN was not verified, and will not be for so long
  std::uint64_t pin_mark = 0;  // identifies the correct PIN; 0: unknown
  friend bool operator==(const TableSignedIn&, const TableSignedIn&) = default;
};

using FromTable = std::variant<Hello, TableMessage, Heartbeat, TableSignIn>;
using ToTable = std::variant<Welcome, Acknowledgements, HeartbeatAnswer, TableSignedIn>;

// The message's digest is not part of the bytes; the caller sets it after decoding.
std::string encode(const Hello& hello);
std::string encode(const Heartbeat& heartbeat);
std::string encode(const TableMessage& message);
std::string encode(const TableSignIn& sign_in);
std::string encode(const ToTable& reply);

// Whether the bytes can be a sign-in, as encode() writes it. Cheap.
bool may_be_sign_in(std::string_view bytes);
// Checks form only: seats, cards and amounts in the range of their types, and lengths of names.
// decide() checks the rest.
std::optional<FromTable> decode_from_table(std::string_view bytes);
std::optional<ToTable> decode_to_table(std::string_view bytes);

// Status codec: bytes <-> the status of a running controller. The request needs no badge and no
// PIN, changes nothing and is not journaled. Total: any bytes give a value or nullopt.

// The link status of a table (L9).
enum class TableLinkState : std::uint8_t {
  never_seen,  // no message, ever
  linked,
  lost,      // no message for the floor's lost_after
  not_seen,  // no message since the controller started, but before
};
// "never_seen"
std::string_view name(TableLinkState standing);
std::optional<TableLinkState> parse_link_state(std::string_view name);

struct TableLinkStatus {
  TableId table;
  TableLinkState standing = TableLinkState::never_seen;
  Timestamp since;                         // when this status began
  std::optional<Timestamp> last_heard_at;  // the last message
  friend bool operator==(const TableLinkStatus&, const TableLinkStatus&) = default;
};

struct ControllerStatus {
  Timestamp started_at;
  std::vector<TableLinkStatus> tables;  // all tables of the floor, in its order
  Timestamp now = {};                   // recorded time; 0 from an older release
  friend bool operator==(const ControllerStatus&, const ControllerStatus&) = default;
};

std::string encode_status_request();
bool is_status_request(std::string_view bytes);
// The answer, a Reply of proto/control.proto: at most limits::status_bytes_max.
std::string encode(const ControllerStatus& status);
std::optional<ControllerStatus> decode_status_reply(std::string_view bytes);

}  // namespace linkmeter
