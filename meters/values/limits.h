// All limits of the system in one place. The relations between them are checked at compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::limits {

// Money: one wager or pot contribution; one pot; an amount in a file or message; the balance of a
// meter, reserve or withheld sum; the lifetime total of what entered or left one of these; N in "N
// for 1".
inline constexpr Amount wager_max = Amount::dollars(10'000);
inline constexpr Amount pot_max = Amount::dollars(10'000'000);
inline constexpr Amount amount_max = Amount::in_text_max();
inline constexpr Amount meter_max = Amount::dollars(10'000'000'000);
inline constexpr Amount lifetime_max = Amount::dollars(60'000'000'000);
inline constexpr std::int64_t multiple_max = 1'000'000;

// The floor.
inline constexpr std::size_t tables_max = 4'096;
inline constexpr std::size_t links_max = 1'024;
inline constexpr std::size_t links_per_table_max = 128;
inline constexpr std::size_t levels_max = 8;
inline constexpr std::uint8_t seats_max = 10;
inline constexpr int decks_max = 8;
inline constexpr std::size_t name_length_max = 64;
inline constexpr std::size_t reason_length_max = 200;
// Rounds per hour that a table may play: the highest pace that a floor file may state, and the pace
// of a table whose floor file states none and whose game pace.h does not list.
inline constexpr std::uint32_t pace_max = 10'000'000;
inline constexpr std::uint32_t pace_default = 1'200;
// Steps of the signature ladder; tax thresholds.
inline constexpr std::size_t payment_policy_steps_max = 16;

// A round.
inline constexpr std::size_t wagers_per_round_max = 64;
inline constexpr std::size_t cards_per_hand_max = 24;  // a dealer's hand of eight decks ends sooner
inline constexpr std::size_t rounds_open_per_table_max = 4'096;
inline constexpr std::size_t ended_rounds_remembered = 8'192;  // per table: days of dealing
inline constexpr std::size_t pots_remembered = 64;  // per table, for corrections: about two hours
// Corrections of the hands and the dealer's side of one round together, or of one pot; slips of one
// claim, void ones included. Each of them stays in memory and on disk.
inline constexpr std::uint32_t corrections_max = 32;
inline constexpr std::size_t slips_per_claim_max = 16;

// People. The second person of dual control must confirm within two minutes.
inline constexpr std::size_t people_max = 4'096;
inline constexpr std::size_t enrolments_max = 2 * tables_max;  // tables, viewers and nodes
inline constexpr std::uint32_t sign_in_failures_max = 5;
inline constexpr std::size_t pin_bytes_max = 256;
// How long a person who holds `alter` is locked (account_lock.h), and how long the last such person
// of a department is delayed: the first time, then twice as long each time, up to a maximum.
inline constexpr std::int64_t minute_us = 60'000'000;
inline constexpr std::int64_t lock_us_first = 15 * minute_us;
inline constexpr std::int64_t hour_us = 60 * minute_us;
inline constexpr std::int64_t lock_us_max = 24 * hour_us;
inline constexpr std::int64_t last_wait_us_first = minute_us;
inline constexpr std::int64_t last_wait_us_max = hour_us;
// Recovery (recovery.h): how many codes each maker creates and how many of them a recovery needs;
// how long the next try is delayed after wrong codes.
inline constexpr std::size_t recovery_codes_made = 3;
inline constexpr std::size_t recovery_codes_needed = 2;
inline constexpr std::int64_t recovery_wait_us_first = minute_us;
inline constexpr std::int64_t recovery_wait_us_max = 60 * minute_us;
inline constexpr std::int64_t confirmation_us_max = 120'000'000;
// How far a doubted clock may differ for two managers to confirm it: a house may have been closed
// for up to two years, or its books may have been kept by a clock that was a century ahead.
inline constexpr std::int64_t clock_ahead_us_max = std::int64_t{731} * 86'400 * 1'000'000;
inline constexpr std::int64_t clock_behind_us_max = std::int64_t{36'525} * 86'400 * 1'000'000;
// Proposals that wait for a second person stay in memory and on disk, so their number per person is
// limited. At most one of them is a change of parameters.
inline constexpr std::size_t proposals_open_per_person_max = 8;

// Facts about one gaming day after its end: the tables' counters, people's counts and explanations.
// The last day_explanations_reserved of them are reserved for explanations of open differences, so
// that nobody can fill a day that then cannot be closed. day_facts_per_item_max limits the facts of
// one person about one item.
inline constexpr std::size_t day_facts_max = 16'384;
inline constexpr std::size_t day_explanations_reserved = 4'096;
inline constexpr std::uint32_t day_facts_per_item_max = 32;
// Tables report their counters even if people have filled the day, each table once.
inline constexpr std::size_t day_facts_stored_max = day_facts_max + tables_max;
static_assert(day_explanations_reserved < day_facts_max);
// Rounds or wagers that a table may report as counted; amounts read off signs in one reading.
inline constexpr std::uint64_t table_count_max = 1'000'000'000'000;
inline constexpr std::size_t signs_seen_max = 1'000;

// Nodes: controllers of one house that replicate one journal. How long the house may have been
// without a writer, as recorded: a house may be closed for up to two years.
inline constexpr std::size_t nodes_max = 8;
inline constexpr std::size_t endpoint_length_max = 255;  // "tcp://10.0.0.5:6057"
inline constexpr std::int64_t writer_gap_us_max = clock_ahead_us_max;
inline constexpr std::int64_t writer_epoch_max = std::int64_t{1} << 60U;

// Facts that the system itself records.
inline constexpr std::size_t seal_key_bytes = 32;            // Ed25519, public
inline constexpr std::size_t digest_bytes = 32;              // SHA-256
inline constexpr std::size_t journal_key_bytes_max = 1'024;  // a public key in DER
inline constexpr std::size_t signature_bytes_max = 1'024;
inline constexpr std::size_t check_words_max = 1'000;  // the message of a failed self-check

// The controller reports the journal's last restorations to a table, and the table reports back the
// last one that it knows.
inline constexpr std::size_t reported_restorations_max = 256;

// Messages. A table has at most messages_open_max unanswered messages, and the controller remembers
// at least as many answers, so the answer to an honest resend is never forgotten. One constant ties
// the two programs together.
inline constexpr std::size_t answers_remembered = 1'024;
// Slots of a table session's rings per row of the state tables. Larger rows reduce the rows that a
// turn with many messages writes; a row of this size still fits a page, so one message does not
// write more.
inline constexpr std::size_t answers_per_row = 16;
inline constexpr std::size_t ended_per_row = 32;
static_assert(name_length_max <= 255);  // a round's name is stored after a length of one byte
static_assert(answers_remembered % answers_per_row == 0);
static_assert(ended_rounds_remembered % ended_per_row == 0);
inline constexpr std::size_t messages_open_max = 256;
inline constexpr std::size_t message_bytes_max = std::size_t{64} << 10U;
inline constexpr std::size_t turn_messages_max = 4'096;
inline constexpr std::size_t control_bytes_max = std::size_t{32} << 10U;  // a request, a reply
// A controller's status: at most this much for each table.
inline constexpr std::size_t status_bytes_max = 1'024 + tables_max * (name_length_max + 64);
// A change of parameters: its floor file and chapters together. changes_max limits its lines
// (before and after), which are all kept; summary_length_max limits the bytes of them in its
// summary. A request carries the summary once, a reply twice.
inline constexpr std::size_t parameters_bytes_max = std::size_t{1} << 20U;
inline constexpr std::size_t control_request_bytes_max = parameters_bytes_max + control_bytes_max;
// A copy of the state, read over the staff socket.
inline constexpr std::size_t snapshot_bytes_max = std::size_t{512} << 20U;
inline constexpr std::size_t changes_max = 10'000;
inline constexpr std::size_t summary_length_max = 12'000;

// Nodes. etcd takes at most 1.5 MiB in one request. A commit is stored in keys of at most
// entry_batch_bytes_max; an entry that is longer is stored in parts.
inline constexpr std::size_t entry_batch_bytes_max = std::size_t{1} << 20U;
inline constexpr std::uint32_t entry_parts_max = 64;
inline constexpr std::size_t node_text_max = 256;  // an endpoint of a node
// The entries that one node gives another at once are about entry_batch_bytes_max; a single longer
// entry goes alone. Its longest text, a change of parameters, is far below this.
inline constexpr std::size_t entry_reply_bytes_max = std::size_t{8} << 20U;
inline constexpr std::size_t entry_reply_entries_max = 4'096;
// A slip's copy or a day's report that one node gives another.
inline constexpr std::size_t node_file_bytes_max = entry_reply_bytes_max - 1'024;
inline constexpr std::size_t cluster_status_bytes_max = std::size_t{256} << 10U;
static_assert(entry_reply_bytes_max >= entry_batch_bytes_max + 4 * parameters_bytes_max);

static_assert(messages_open_max <= answers_remembered);
static_assert(2 * (summary_length_max + 512) + 1'024 <= control_bytes_max);
// One frame tells a table why its links are suspended, which of them no longer collect, and the
// journal's restorations, and which nodes the house has.
static_assert(links_per_table_max * (2 * name_length_max + reason_length_max + 24) +
                  reported_restorations_max * 48 +
                  (nodes_max + 1) * (2 * name_length_max + endpoint_length_max) <=
              message_bytes_max - 1'024);
// M1 cannot overflow: a wager in cents times a rate of 100%, and the wagers of a full round on one
// meter.
static_assert(wager_max.units() / Amount::units_per_cent <=
              std::numeric_limits<std::int64_t>::max() / Rate::ppm_whole);
static_assert(wager_max.units() <= (std::numeric_limits<std::int64_t>::max() - meter_max.units()) /
                                       static_cast<std::int64_t>(wagers_per_round_max));
// M4: meter + reseed + reserve fits into an Amount.
static_assert(meter_max.units() <= std::numeric_limits<std::int64_t>::max() / 8);
static_assert(amount_max <= meter_max);
// If an entry moves at most limits::entry_max, no balance within its limit overflows.
inline constexpr Amount entry_max = Amount::dollars(30'000'000'000);
static_assert(lifetime_max.units() <= std::numeric_limits<std::int64_t>::max() - entry_max.units());
// "N for 1" on the largest wager fits into an Amount.
static_assert(wager_max.units() <= std::numeric_limits<std::int64_t>::max() / multiple_max);

}  // namespace linkmeter::limits
