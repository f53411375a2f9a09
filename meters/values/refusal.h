// Refusal: every reason to say no, in order of precedence: where several apply, the first is given.
// A refused message changes no money. Numbers are in the journal and on the wire: for ever, never
// reused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace linkmeter {

enum class Refusal : std::uint8_t {
  none = 0,

  // Not this table's to say. These are answered and logged, not journaled: a stranger cannot make
  // the journal grow, and the number of the table that was named is not used up.
  message_malformed = 1,         // the bytes are not a message
  table_unknown = 2,             // no such table on this floor
  table_not_yours = 3,           // sent over the connection of another table
  message_number_reused = 4,     // an answered number with other content
  message_number_forgotten = 5,  // answered longer ago than answers are remembered
  message_out_of_order = 6,      // a number is missing before this one: resend from there

  key_unknown = 7,      // over a connection whose key is no table's, or no more; before the others
  history_differs = 8,  // this journal does not have what the table has seen of it
  configuration_differs = 9,  // the table was started with other terms than are in force

  history_not_accepted = 10,  // a restored backup that two managers have not accepted yet: it waits

  // About the round. From here on a refusal uses up the message's number and is an entry.
  name_malformed = 20,        // a round, badge or reason that is not a well-formed name
  round_id_used = 21,         // a lock or pot for a round that is or was there (a wager after lock)
  too_many_open_rounds = 22,  // limits::rounds_open_per_table_max
  round_unknown = 23,         // no such round at this table
  round_closed = 24,          // closed or voided already
  round_blocked = 25,         // the chip count differs and nobody has resolved it
  round_not_blocked = 26,     // a resolve with nothing to resolve
  claim_exists = 27,          // a validated or paid claim, of what is voided or corrected
  wrong_game = 28,            // a pot where rounds are dealt, a round where pots are played

  // About wagers (M10). One bad wager refuses the whole message.
  too_many_wagers = 40,      // limits::wagers_per_round_max
  seat_unknown = 41,         // no such seat at this table
  wager_not_offered = 42,    // a wager kind that no link of this table takes
  wager_not_a_unit = 43,     // not the unit of any link, or outside minimum and maximum
  seat_wagered_twice = 44,   // one seat, the same wager kind twice
  amount_out_of_range = 45,  // of a sign, size or decimals that it cannot have there
  meter_full = 46,           // would take a meter above limits::meter_max
  link_suspended = 47,       // the wager's link is suspended

  // About cards and hands.
  card_malformed = 60,        // not a card, or a joker in a game without one
  wrong_card_count = 61,      // more or fewer cards than the hand has in this game
  card_already_shown = 62,    // more copies of a card than the decks hold
  seat_already_shown = 63,    // each seat is shown once
  dealer_already_shown = 64,  // what hangs on the dealer's hand is settled once
  fold_without_wager = 65,    // a fold for a seat that never bet
  showdown_incomplete = 66,   // a showdown without five board cards or two live hands
  dealer_hand_missing = 67,   // an empty dealer's hand, or a close, while a wager hangs on it
  draw_made = 68,             // another Magic Card or Lucky position than the round has drawn

  // About claims.
  claim_unknown = 80,        // no such claim
  claim_not_raised = 81,     // validated, paid or rejected already
  claim_not_validated = 82,  // paid before a person validated it
  source_not_allowed = 83,   // from a source that the chapter bars
  claim_settled = 84,        // a rejection of what is paid or rejected already

  // About people and what they ask. Journaled with the person, if there is such a person.
  person_unknown = 100,      // no such badge, or removed
  person_locked = 101,       // too many failed sign-ins
  pin_wrong = 102,           // said by the edge
  right_missing = 103,       // no role of this person has the right
  person_exists = 104,       // the badge is somebody's already; limits::people_max
  roles_conflict = 105,      // roles of several departments, or ones that L11 keeps apart
  last_of_its_kind = 106,    // would leave a half of dual control with nobody
  link_unknown = 107,        // no such link or level; a reserve that opens no meter
  link_not_suspended = 108,  // a resume, with nothing to resume
  link_suspended_already = 109,
  below_zero = 110,        // a correction or transfer of more than is there
  proposal_unknown = 111,  // no such proposal, or it is done
  proposal_expired = 112,  // confirmed too late: propose it again
  same_department = 113,   // both halves of dual control from one department or person
  summary_differs = 114,   // confirmed another thing than was proposed
  key_malformed = 115,     // not a public key
  key_taken = 116,         // the key is somebody's already
  not_enrolled = 117,      // a revocation, with nothing to revoke

  // About a change of parameters. Links and tables are for ever those of entry 1.
  floor_unresolved = 120,      // the texts are no floor, or not the one that was proposed
  parameters_unchanged = 121,  // nothing would change
  parameters_outdated = 122,   // another change took effect since it was proposed
  tables_differ = 123,         // a table more, less, elsewhere or of another name, game or size
  links_differ = 124,          // a link more, less, elsewhere or of another name
  link_redefined = 125,        // another wager, other tables or levels of a link
  seed_changed = 126,          // the meter was opened with its seed
  link_has_open_rounds = 127,  // a wager on the link waits for its hand
  limit_below_meter = 128,     // M9

  // About people and what they ask, too. The first is said before any other of an act, but for
  // person_unknown and person_locked.
  pin_to_be_changed = 129,    // a PIN that others know: the person's, or the proposer's
  proposals_too_many = 130,   // limits::proposals_open_per_person_max, one of parameters; said last
  pin_unchanged = 131,        // the new PIN is the old one
  same_meter = 132,           // a transfer from a meter to itself
  parameters_too_many = 133,  // more lines before and after than are kept
  same_hand = 134,            // one of the two may have made the other's PIN, or a third both

  // About the second signature and slips.
  second_signature_missing = 135,     // a slip, before the signature that the ladder asks for
  second_signature_made = 136,        // it is there already
  second_signature_not_needed = 137,  // the ladder asks for none
  same_person = 138,   // who validated it cannot countersign, issue its slip or pay; who corrected
                       // it cannot validate it, or reject it so that its Envy is paid
  slip_missing = 139,  // a payment on no slip
  slip_unknown = 140,  // no such slip
  slip_void = 141,     // of a slip that is void
  slip_used = 142,     // of a slip that is paid
  slip_of_another_claim = 143,
  slip_open = 144,  // a second slip, or a rejection, while one is to be paid: void it first
  slip_source_differs = 145,  // a payment from elsewhere than the slip says
  slip_stored_already = 146,  // its copy is known

  // About notices.
  notice_not_offered = 147,  // the link is not fed by pots
  notice_unchanged = 148,    // it stands as it should already

  // About corrections of a hand.
  seat_not_shown = 149,           // no hand of that seat to correct
  cards_unchanged = 150,          // the hand that is known already
  correction_not_possible = 151,  // no hand, where it was weighed against the dealer's

  hand_void = 190,         // a void, a show or a correction of a hand that is void
  award_shared = 191,      // a void of a hand that shares an award of the dealer's hand
  dealer_not_shown = 192,  // nothing of the kind was shown that could be put right
  pot_unknown = 193,       // no pot of that name among the table's latest ones
  // About corrections and slips without end.
  corrections_too_many = 230,  // limits::corrections_max, of one round or pot
  slips_too_many = 231,        // limits::slips_per_claim_max
  // About gaming days.
  day_unknown = 152,           // before the first one of this journal
  day_not_over = 153,          // it is not over, or its end is no entry yet
  day_closed = 154,            // nothing more is said of it
  day_before_open = 155,       // days are closed one after the other
  day_not_signed = 156,        // a second signature without the first
  day_signed_already = 157,    // by the same person, under this very report
  report_not_ready = 158,      // the day's report is being made
  report_differs = 159,        // it is not the report that was read, or that was signed
  variance_unexplained = 160,  // a difference that nobody has explained
  claims_pending = 161,        // a claim that was open at the day's end and has no accepted note
  item_unknown = 162,          // the report has no such difference
  variance_differs = 163,      // it is another one by now
  entry_unknown = 164,         // no such entry
  day_full = 165,              // limits::day_facts_max
  count_not_possible = 166,    // a box of no pots, a fund of one table, a table of other links
  witness_missing = 167,       // nobody else, or nobody who may witness

  // About restored backups.
  restoration_known = 174,       // no person's: the journal says so already
  restoration_unknown = 175,     // no such restoration, or the entry says another one
  restoration_accepted = 176,    // it is accepted
  history_to_be_accepted = 177,  // first of all, a restored history
  // About the fund of pots (§ 553.20).
  transfer_not_possible = 178,  // of no table, of one twice, or of other links' tables
  carrier_missing = 179,        // carried by nobody of security
  floorperson_missing = 180,    // nobody else, or no floorperson or above
  display_not_offered = 181,    // the link is not fed by pots
  display_differs = 182,        // it shows another amount than was read
  witness_not_signed = 183,     // without the PIN of who was there
  // About endings.
  collecting_ended = 168,  // a wager on a link that collects no more, money that would go there
  still_collecting = 169,  // an ending before the link has stopped collecting
  reseed_stays = 170,      // would take from a meter what the house put there
  not_alike = 171,         // from a fund of pots to a meter of a table game, or back
  procedure_not_approved = 172,  // a fund of pots whose ending the Board has not approved
  to_house = 173,                // players' money with no other progressive to go to
  link_has_open_claims = 184,    // an award of the link is not settled
  link_ended = 185,              // it was discontinued

  // About the resolution of a wrong chip count.
  badge_missing = 198,            // a step that needs somebody's right, with nobody's badge: a
                                  // resolve, or a void that rejects claims
  wager_not_locked = 199,         // a wager that the lock did not have
  uncounted_wager_missing = 200,  // without a wager of the lock that is not placed by chip
  // About numbers from outside.
  counters_out_of_range = 206,  // a table says that it counted what no table can count
  signs_too_many = 207,         // limits::signs_seen_max
  // About agents that have one table's key.
  another_agent = 208,  // another agent of the table is connected: not journaled, this one waits
  // About the fund of pots (§ 553.20(d), (f)), too.
  notice_missing = 201,         // a box was counted, and no compliance representative is named
  recording_missing = 202,      // at a closed table, and surveillance's record is not named
  notified_not_possible = 203,  // a Bad Beat's notice goes to somebody of security or finance
  // About requests over the staff socket.
  too_many_attempts = 204,  // wrong PINs from this user: the next one waits
  too_many_requests = 205,  // this user has as many requests open as one user may have
  // About the pace and the freezing of a table, and about resuming several links.
  pace_exceeded = 226,         // a message before its time: not journaled, say it again later
  table_frozen = 227,          // a lock or pot of a frozen table; said before any other reason
                               // but name_malformed
  table_frozen_already = 228,  // frozen before; the first reason stays
  table_not_frozen = 229,      // nothing to unfreeze
  // About the system's clock (clock_doubt.h).
  clock_not_doubted = 236,      // nobody doubts it
  clock_doubt_unknown = 237,    // another doubt has replaced it since
  clock_too_far = 238,          // farther away than any house is closed
  clock_to_be_confirmed = 239,  // no link operates while the clock is in doubt
  // About keys of the house.
  key_not_proved = 246,      // the signature is not of the key before
  key_outdated = 247,        // another key took its place since it was proposed
  key_not_made = 248,        // the controller, or its token, had no new key
  pins_to_be_changed = 249,  // somebody's PIN is still sealed with the key of PINs before
  pin_key_replaced = 250,    // the PIN of the proposal was sealed with a key before
  // About resuming links together.
  suspensions_changed = 251,  // a link of the list was resumed, or suspended anew, since
  // About PINs, locks and recovery.
  pin_malformed = 212,          // a new PIN that is not 6 to 12 digits
  pin_too_simple = 213,         // a new PIN that anybody would try first
  recovery_codes_wrong = 214,   // not two different recovery codes that are valid
  recovery_waits = 215,         // tried too soon after wrong ones
  recovery_not_possible = 216,  // fewer than two codes are left, or none were made
  not_here = 217,               // only on the controller's machine, by the data folder's owner
  // About a change of parameters, too.
  discontinuation_removed = 218,  // a fund of pots would lose the approval of its ending
  // About corrections of a pot.
  terms_changed = 224,           // the pot was played by other terms than are in force
  recovery_codes_missing = 232,  // new codes are confirmed without three codes of the second person
  pin_used_before = 233,         // the new PIN is the one before the last
  // About readings.
  sign_named_twice = 234,  // a reading has two amounts for one level
};

// "wager_not_a_unit"; and one sentence for people.
std::string_view name(Refusal refusal);
std::string_view sentence(Refusal refusal);
std::optional<Refusal> parse_refusal(std::string_view name);

// Of two reasons to refuse the same message, the one that takes precedence; `none` has the least.
constexpr Refusal first_of(Refusal one, Refusal other) {
  if (one == Refusal::none || other == Refusal::none) return one == Refusal::none ? other : one;
  return one < other ? one : other;
}

// Does a refusal of a table's message use up its number and become an entry?
constexpr bool is_journaled(Refusal refusal) {
  return refusal >= Refusal::name_malformed && refusal != Refusal::pace_exceeded &&
         refusal != Refusal::another_agent;
}

}  // namespace linkmeter
