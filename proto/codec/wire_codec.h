// Wire codec: bytes <-> commands and replies. Total: any bytes give a value or nullopt, whatever
// their length, and never more memory than a few times their size.
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

// The journal's last entry and its hash, as told to every table.
struct Head {
  EntryNumber entry;
  Digest hash{};
  friend bool operator==(const Head&, const Head&) = default;
};

struct Hello {
  TableId table;
  Head witness = {};           // the last head that this table saw; entry 0: none yet
  std::uint64_t question = 0;  // which of the agent's Hellos it is; 0: not told
  // Of what the agent was configured with (config_digest.h); "" not told.
  std::string floor = {};
  // Every restoration of the journal that this table was ever told, in the order in which it was;
  // at most limits::restorations_told_max.
  std::vector<Head> history = {};
  std::string agent = {};  // which of the table's agents it is (a name); "" not told
  bool is_new = false;     // its outbox has never given a number out
  friend bool operator==(const Hello&, const Hello&) = default;
};

// Who is signed in at a table's panel, and the roles that he was told to have.
struct PanelPerson {
  Badge badge;
  std::vector<std::string> roles;
  std::uint64_t pin_mark = 0;  // as in TableSignedIn
  friend auto operator<=>(const PanelPerson&, const PanelPerson&) = default;
};
inline constexpr std::size_t panel_people_max = 64;

// What a table has counted for itself, net of voids, of the messages from `from` to `up_to`.
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

// Neither numbered nor journaled: it shows that the table is there.
struct Heartbeat {
  TableId table;
  std::uint64_t unacknowledged = 0;      // messages in its outbox without an answer
  bool calls_floor = false;              // the dealer wants a floorperson at the table
  std::vector<PanelPerson> people = {};  // signed in at its panel; at most panel_people_max
  std::optional<ReportedCounts> counts = {};
  bool leaves = false;  // the agent ends with this
  friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

struct SuspendedLink {
  LinkId link;
  std::string reason;
  friend bool operator==(const SuspendedLink&, const SuspendedLink&) = default;
};

// An award as the table is told of it, for its lights: the money is the journal's.
struct AwardNotice {
  Seat seat;
  LineId line;
  Amount amount;                     // whole cents
  std::optional<ClaimNumber> claim;  // set: a person must validate it first
  AwardKind kind = AwardKind::line;
  std::optional<Seat> holder = {};  // of an envy: whose hand it was; not told: unknown
  LinkId link = {};                 // whose award it is; "" not told
  LevelId level = {};               // off whose meter the money came; "" off none
  bool on_dealer = false;           // won by the dealer's hand
  // Of an envy: it is owed, not paid, until this claim is validated.
  std::optional<ClaimNumber> waits_for = {};
  friend bool operator==(const AwardNotice&, const AwardNotice&) = default;
};
// Of one message. A full acknowledgement of them is far below a frame's bytes.
inline constexpr std::size_t reported_awards_max = 256;

// By which a table knows its own frame again: the first eight bytes of its SHA-256.
std::uint64_t frame_checksum(const Digest& digest);

// entry 0: not journaled. `mark` (frame_checksum) is of the frame that is acknowledged; 0:
// unknown. `chips_expected`: the round is blocked, because the lock counted another number of
// chips. `no_contribution`: of a pot whose fund collects no more.
struct Acknowledgement {
  MessageNumber number;
  EntryNumber entry;
  Refusal refusal = Refusal::none;
  std::uint64_t mark = 0;
  std::optional<std::uint32_t> chips_expected = {};
  std::vector<AwardNotice> awards = {};  // at most reported_awards_max
  bool no_contribution = false;
  std::vector<AwardNotice> take_back = {};  // of a void; at most reported_awards_max
  friend bool operator==(const Acknowledgement&, const Acknowledgement&) = default;
};

struct Acknowledgements {
  std::vector<Acknowledgement> list;
  Head head;
  friend bool operator==(const Acknowledgements&, const Acknowledgements&) = default;
};

// How a claim of the table stands, as its panel is told: in words, for people.
struct ClaimNotice {
  ClaimNumber number;
  RoundId round;
  Seat seat;
  LinkId link;
  LineId line;
  LevelId level;            // off whose meter the money came; "" off none
  Amount amount;            // whole cents
  std::string state = {};   // "raised"
  std::string needs = {};   // "validation"; "": nothing more
  std::string reason = {};  // why it was rejected
  SlipNumber slip = {};     // that is open, or that it was paid on; 0: none
  std::string source = {};  // "hand_pay": where it is paid
  std::string envy = {};    // for its hand: "owed", "due" or "gone"; "": there is none
  friend bool operator==(const ClaimNotice&, const ClaimNotice&) = default;
};
inline constexpr std::size_t reported_claims_max = 32;

// A seat's hand as it counts now, and what it brought; `entry` says so: the show, or the last
// correction of it.
struct HandNotice {
  Seat seat;
  EntryNumber entry;
  std::vector<Card> cards;
  bool folded = false;
  std::vector<AwardNotice> awards = {};  // the seat's, and envy for it; not of the dealer's hand
  friend bool operator==(const HandNotice&, const HandNotice&) = default;
};
// Of an open round, all hands that count: a seat that is not there has none (any more).
struct RoundHands {
  RoundId round;
  std::vector<HandNotice> hands;
  // The last entry with which somebody changed what the dealers' messages had brought; 0: nobody
  // did, and the rest is not told.
  EntryNumber changed_by = {};
  std::vector<AwardNotice> awards = {};  // everything that the round has brought
  std::vector<Card> dealer = {};
  std::vector<Card> board = {};
  // What was paid at once and reversed since; at most reported_awards_max.
  std::vector<AwardNotice> take_back = {};
  std::optional<Draw> draw = {};  // told with the dealer's side
  friend bool operator==(const RoundHands&, const RoundHands&) = default;
};
inline constexpr std::size_t reported_rounds_max = 8;

// A round of the table that is locked, or blocked by a wrong count, and neither closed nor voided.
struct OpenRound {
  RoundHands hands;  // with all awards and the dealer's side, whether or not somebody changed it
  std::vector<AskedWager> wagers;
  std::optional<std::uint32_t> chips = {};           // the dealer's count; nullopt: not known
  std::optional<std::uint32_t> chips_expected = {};  // set: the round is blocked
  std::vector<Seat> void_seats = {};                 // whose hands are void
  bool dealer_shown = false;
  std::optional<Draw> draw = {};
  Timestamp locked_at = {};  // 0: not known
  friend bool operator==(const OpenRound&, const OpenRound&) = default;
};

struct Welcome {
  TableId table;
  MessageNumber last_number;
  Head head;
  Refusal refusal = Refusal::none;
  std::vector<SuspendedLink> suspended = {};  // of the table's links, all that are
  std::uint64_t question = 0;                 // of the Hello that it answers; 0: not told
  // The entry of each of the journal's restorations from a backup, in order; as many.
  std::vector<Head> history = {};
  // Set: history goes on from here, and what the table said after last_number is lost with what
  // the table has seen; it says that again.
  std::optional<Head> again_after = {};
  // Of the table's funds of pots, all that collect no more; they can still be won.
  std::vector<LinkId> stopped = {};
  std::string frozen = {};  // why the table takes no new round; "": it is not frozen
  std::vector<OpenRound> open_rounds = {};  // of the table, at most reported_rounds_max
  std::size_t open_round_count = 0;         // how many there are
  friend bool operator==(const Welcome&, const Welcome&) = default;
};

struct HeartbeatAnswer {
  TableId table;
  std::vector<SuspendedLink> suspended;  // of the table's links, all that are
  bool wants_hello = false;  // this controller has had no Hello from the table since it started
  std::vector<Badge> ended = {};         // of the heartbeat's people: no longer who they were
  std::vector<ClaimNotice> claims = {};  // of the table, at most reported_claims_max
  // Of the table's open rounds, at most reported_rounds_max; nullopt: the controller tells none.
  std::optional<std::vector<RoundHands>> hands = {};
  std::vector<LinkId> stopped = {};  // as of Welcome
  std::string frozen = {};           // as of Welcome
  friend bool operator==(const HeartbeatAnswer&, const HeartbeatAnswer&) = default;
};

// Is it that person? Neither numbered nor part of a round; the PIN is as it was typed.
struct TableSignIn {
  std::uint64_t question = 0;  // the agent's own count
  Badge badge;
  std::string pin;
  bool is_strange = false;  // not at home at that browser: a wrong PIN does not count to his lock
  friend bool operator==(const TableSignIn&, const TableSignIn&) = default;
};

// Names, not numbers, of roles and rights: one that an agent does not know is none that it asks of.
struct TableSignedIn {
  std::uint64_t question = 0;
  Refusal refusal = Refusal::none;
  Badge badge;
  std::string name;
  std::vector<std::string> roles;
  std::vector<std::string> rights;
  std::uint32_t wait_s = 0;    // not 0: his PIN was not looked at, and is not before that
  std::uint64_t pin_mark = 0;  // of the PIN that was right; 0: not told
  friend bool operator==(const TableSignedIn&, const TableSignedIn&) = default;
};

using FromTable = std::variant<Hello, TableMessage, Heartbeat, TableSignIn>;
using ToTable = std::variant<Welcome, Acknowledgements, HeartbeatAnswer, TableSignedIn>;

// The message's digest is not part of the bytes; the caller that decodes sets it.
std::string encode(const Hello& hello);
std::string encode(const Heartbeat& heartbeat);
std::string encode(const TableMessage& message);
std::string encode(const TableSignIn& sign_in);
std::string encode(const ToTable& reply);

// Could it be a sign-in? As encode() writes one; it costs nothing to ask.
bool may_be_sign_in(std::string_view bytes);
// Shapes only: seats, cards and amounts in range of their types, names well-formed enough to hold.
// What they mean is decide()'s business.
std::optional<FromTable> decode_from_table(std::string_view bytes);
std::optional<ToTable> decode_to_table(std::string_view bytes);

// Status codec: bytes <-> what a running controller tells of itself to who may read its folder. The
// question needs no badge and no PIN, changes nothing and is not journaled. Total: any bytes give a
// value or nothing.

// How a table stands with the controller (L9).
enum class TableLinkState : std::uint8_t {
  never_seen,  // nothing heard, ever
  linked,
  lost,      // nothing heard for the floor's lost_after
  not_seen,  // nothing heard since the controller started; the journal knows the table
};
// "never_seen"
std::string_view name(TableLinkState standing);
std::optional<TableLinkState> parse_link_state(std::string_view name);

struct TableLinkStatus {
  TableId table;
  TableLinkState standing = TableLinkState::never_seen;
  Timestamp since;                         // when it began to stand so
  std::optional<Timestamp> last_heard_at;  // the last word
  friend bool operator==(const TableLinkStatus&, const TableLinkStatus&) = default;
};

struct ControllerStatus {
  Timestamp started_at;
  std::vector<TableLinkStatus> tables;  // all of the floor, in its order
  Timestamp now = {};                   // recorded time; 0 from an older release, which tells none
  friend bool operator==(const ControllerStatus&, const ControllerStatus&) = default;
};

std::string encode_status_request();
bool is_status_request(std::string_view bytes);
// The answer, a Reply of proto/control.proto: at most limits::status_bytes_max.
std::string encode(const ControllerStatus& status);
std::optional<ControllerStatus> decode_status_reply(std::string_view bytes);

}  // namespace linkmeter
