// Every maximum of the system, in one place, with the relations between them proved at compile
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter::limits {

// Money: one wager or pot contribution; one pot; an amount in a file or message; what a meter,
// reserve or withheld sum holds; all that ever came or went on one; N in "N for 1".
inline constexpr Amount wager_max = Amount::dollars(10'000);
inline constexpr Amount pot_max = Amount::dollars(10'000'000);
inline constexpr Amount amount_max = Amount::dollars(1'000'000'000);
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
// Rounds an hour that a table may play: what a floor file may say, and what holds where it says
// nothing about a game that pace.h does not know.
inline constexpr std::uint32_t pace_max = 10'000'000;
inline constexpr std::uint32_t pace_default = 1'200;
inline constexpr std::size_t house_terms_max = 16;  // steps of the ladder; tax thresholds

// A round.
inline constexpr std::size_t wagers_per_round_max = 64;
inline constexpr std::size_t cards_per_hand_max = 24;  // a dealer's hand of eight decks ends sooner
inline constexpr std::size_t rounds_open_per_table_max = 4'096;
inline constexpr std::size_t ended_rounds_remembered = 8'192;  // per table: days of dealing
inline constexpr std::size_t pots_remembered = 64;  // per table, to be put right: about two hours
// Of one round's hands and dealer's side together, or of one pot; of one claim, void ones included.
// Each of them stays in memory and on disk.
inline constexpr std::uint32_t corrections_max = 32;
inline constexpr std::size_t slips_per_claim_max = 16;

// People. Both halves of dual control within two minutes.
inline constexpr std::size_t people_max = 4'096;
inline constexpr std::size_t enrolments_max = 2 * tables_max;  // tables and viewers
inline constexpr std::uint32_t sign_in_failures_max = 5;
inline constexpr std::size_t pin_bytes_max = 256;
// How long a person who holds `alter` is locked (lock_out.h), and how long one waits who is the
// last of the department: the first time, then twice as long each time.
inline constexpr std::int64_t minute_us = 60'000'000;
inline constexpr std::int64_t lock_us_first = 15 * minute_us;
inline constexpr std::int64_t hour_us = 60 * minute_us;
inline constexpr std::int64_t lock_us_max = 24 * hour_us;
inline constexpr std::int64_t last_wait_us_first = minute_us;
inline constexpr std::int64_t last_wait_us_max = hour_us;
// Recovery (recovery.h): each maker makes so many codes, a recovery takes so many of each; how long
// the next try waits after wrong ones.
inline constexpr std::size_t recovery_codes_made = 3;
inline constexpr std::size_t recovery_codes_needed = 2;
inline constexpr std::int64_t recovery_wait_us_first = minute_us;
inline constexpr std::int64_t recovery_wait_us_max = 60 * minute_us;
inline constexpr std::int64_t confirmation_us_max = 120'000'000;
// What two managers may confirm of a clock in doubt: a house is closed for two years at most, and
// books may have been kept by a clock that was a century ahead.
inline constexpr std::int64_t clock_ahead_us_max = std::int64_t{731} * 86'400 * 1'000'000;
inline constexpr std::int64_t clock_behind_us_max = std::int64_t{36'525} * 86'400 * 1'000'000;
// What waits for a second person stands in memory and on disk: so many of one person, and of them
// one change of parameters.
inline constexpr std::size_t proposals_open_per_person_max = 8;

// What is said of one gaming day after its end: each table's counters, people's counts and
// explanations. The last of these places are kept for explanations of open differences, so that a
// day which somebody has filled can still be closed. One person says so much of one item.
inline constexpr std::size_t day_facts_max = 16'384;
inline constexpr std::size_t day_explanations_reserved = 4'096;
inline constexpr std::uint32_t day_facts_per_item_max = 32;
// Tables tell their counters whatever people have said, each of them once.
inline constexpr std::size_t day_facts_stored_max = day_facts_max + tables_max;
static_assert(day_explanations_reserved < day_facts_max);
// Rounds or wagers that a table says it has counted; amounts that a person read off signs in one
// reading.
inline constexpr std::uint64_t table_count_max = 1'000'000'000'000;
inline constexpr std::size_t signs_seen_max = 1'000;

// What the system notes of itself.
inline constexpr std::size_t seal_key_bytes = 32;            // Ed25519, public
inline constexpr std::size_t digest_bytes = 32;              // SHA-256
inline constexpr std::size_t journal_key_bytes_max = 1'024;  // a public key in DER
inline constexpr std::size_t signature_bytes_max = 1'024;
inline constexpr std::size_t check_words_max = 1'000;  // of a failed self-check

// A table is told the journal's last restorations, and says the last that it was told.
inline constexpr std::size_t reported_restorations_max = 256;

// Messages. A table may have as many messages open as the controller remembers answers for: so
// every honest resend falls inside what is remembered, and one constant ties the two programs
// together.
inline constexpr std::size_t answers_remembered = 1'024;
// So many slots of a desk's rings stand in one row of the state tables: a turn writes a row for
// what many messages changed, and for one message no more than fits a page.
inline constexpr std::size_t answers_per_row = 16;
inline constexpr std::size_t ended_per_row = 32;
static_assert(name_length_max <= 255);  // a round's name stands after its length in one byte
static_assert(answers_remembered % answers_per_row == 0);
static_assert(ended_rounds_remembered % ended_per_row == 0);
inline constexpr std::size_t messages_open_max = 256;
inline constexpr std::size_t message_bytes_max = std::size_t{64} << 10U;
inline constexpr std::size_t turn_messages_max = 4'096;
inline constexpr std::size_t control_bytes_max = std::size_t{32} << 10U;  // a request, a reply
// What a controller tells of itself: of every table at most so much.
inline constexpr std::size_t status_bytes_max = 1'024 + tables_max * (name_length_max + 64);
// A change of parameters: its floor file and chapters together. It has at most so many lines before
// and after, all of them kept; so many bytes of them are in its summary, which a request carries
// once and a reply twice.
inline constexpr std::size_t parameters_bytes_max = std::size_t{1} << 20U;
inline constexpr std::size_t control_request_bytes_max = parameters_bytes_max + control_bytes_max;
// A copy of the state that is read over the staff socket.
inline constexpr std::size_t snapshot_bytes_max = std::size_t{512} << 20U;
inline constexpr std::size_t changes_max = 10'000;
inline constexpr std::size_t summary_length_max = 12'000;

static_assert(messages_open_max <= answers_remembered);
static_assert(2 * (summary_length_max + 512) + 1'024 <= control_bytes_max);
// One frame tells a table of all its links why they are suspended, and which collect no more, and
// of the journal's restorations.
static_assert(links_per_table_max * (2 * name_length_max + reason_length_max + 24) +
                  reported_restorations_max * 48 <=
              message_bytes_max - 1'024);
// M1 cannot overflow: a wager in cents times a whole rate, and a full round of them on one meter.
static_assert(wager_max.units() / Amount::units_per_cent <=
              std::numeric_limits<std::int64_t>::max() / Rate::ppm_whole);
static_assert(wager_max.units() <= (std::numeric_limits<std::int64_t>::max() - meter_max.units()) /
                                       static_cast<std::int64_t>(wagers_per_round_max));
// M4: meter + reseed + reserve fits.
static_assert(meter_max.units() <= std::numeric_limits<std::int64_t>::max() / 8);
static_assert(amount_max <= meter_max);
// Whatever an entry moves within limits::entry_max, no balance that was within its limit overflows.
inline constexpr Amount entry_max = Amount::dollars(30'000'000'000);
static_assert(lifetime_max.units() <= std::numeric_limits<std::int64_t>::max() - entry_max.units());
// "N for 1" on the largest wager fits.
static_assert(wager_max.units() <= std::numeric_limits<std::int64_t>::max() / multiple_max);

}  // namespace linkmeter::limits
