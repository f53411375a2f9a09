#include "meters/refusal.h"

#include <array>

namespace linkmeter {

namespace {

struct Words {
  Refusal refusal;
  std::string_view name;
  std::string_view sentence;
};

constexpr std::array words{
    Words{Refusal::none, "none", "accepted"},
    Words{Refusal::message_malformed, "message_malformed", "the bytes are not a message"},
    Words{Refusal::table_unknown, "table_unknown", "this floor has no such table"},
    Words{Refusal::table_not_yours, "table_not_yours",
          "the message names another table than the one it came from"},
    Words{Refusal::message_number_reused, "message_number_reused",
          "this number was answered before, for other content"},
    Words{Refusal::message_number_forgotten, "message_number_forgotten",
          "this number was answered too long ago to be answered again"},
    Words{Refusal::message_out_of_order, "message_out_of_order",
          "a message is missing before this one"},
    Words{Refusal::key_unknown, "key_unknown", "the connection's key is no table's any more"},
    Words{Refusal::history_differs, "history_differs",
          "the controller's journal does not have what this table has seen of it"},
    Words{Refusal::configuration_differs, "configuration_differs",
          "the table was started with another floor file than the one in force"},
    Words{Refusal::name_malformed, "name_malformed",
          "a round, badge or reason is empty, too long or has characters that are not allowed"},
    Words{Refusal::round_id_used, "round_id_used", "this table has locked this round already"},
    Words{Refusal::too_many_open_rounds, "too_many_open_rounds",
          "too many rounds of this table are still open"},
    Words{Refusal::round_unknown, "round_unknown", "this table has locked no such round"},
    Words{Refusal::round_closed, "round_closed", "the round is closed or voided"},
    Words{Refusal::round_blocked, "round_blocked",
          "the chip count differs; a floorperson must resolve it or void the round"},
    Words{Refusal::round_not_blocked, "round_not_blocked", "there is no wrong count to resolve"},
    Words{Refusal::claim_exists, "claim_exists",
          "a claim was raised: no void any more, and its hand is corrected once it is rejected"},
    Words{Refusal::wrong_game, "wrong_game", "this game is not played that way at this table"},
    Words{Refusal::too_many_wagers, "too_many_wagers", "more wagers than a round can hold"},
    Words{Refusal::seat_unknown, "seat_unknown", "the table has no such seat"},
    Words{Refusal::wager_not_offered, "wager_not_offered", "the table does not offer this wager"},
    Words{Refusal::wager_not_a_unit, "wager_not_a_unit",
          "the amount is not the unit of a link, or not between its minimum and maximum"},
    Words{Refusal::seat_wagered_twice, "seat_wagered_twice", "one seat has this wager twice"},
    Words{Refusal::amount_out_of_range, "amount_out_of_range",
          "an amount of another sign, size or number of decimals than it may have here"},
    Words{Refusal::meter_full, "meter_full", "a meter would exceed what the system can hold"},
    Words{Refusal::link_suspended, "link_suspended", "the link takes no wagers: it is suspended"},
    Words{Refusal::card_malformed, "card_malformed", "a card that this game does not have"},
    Words{Refusal::wrong_card_count, "wrong_card_count",
          "more or fewer cards than the hand has in this game"},
    Words{Refusal::card_already_shown, "card_already_shown",
          "a card was shown more often than the decks hold it"},
    Words{Refusal::seat_already_shown, "seat_already_shown", "this seat was shown already"},
    Words{Refusal::dealer_already_shown, "dealer_already_shown",
          "the dealer's hand was shown already"},
    Words{Refusal::fold_without_wager, "fold_without_wager", "a fold for a seat that never bet"},
    Words{Refusal::showdown_incomplete, "showdown_incomplete",
          "a showdown needs five board cards and two live hands"},
    Words{Refusal::dealer_hand_missing, "dealer_hand_missing",
          "the dealer's hand is empty, and a wager of the round hangs on it"},
    Words{Refusal::draw_made, "draw_made", "the round has drawn another card or position"},
    Words{Refusal::claim_unknown, "claim_unknown", "there is no such claim"},
    Words{Refusal::claim_not_raised, "claim_not_raised", "the claim is not waiting for validation"},
    Words{Refusal::claim_not_validated, "claim_not_validated",
          "the claim is not waiting for payment"},
    Words{Refusal::source_not_allowed, "source_not_allowed",
          "the chapter bars payment of this award from that source"},
    Words{Refusal::claim_settled, "claim_settled", "the claim is paid or rejected already"},
    Words{Refusal::person_unknown, "person_unknown", "there is no such badge"},
    Words{Refusal::person_locked, "person_locked",
          "too many failed sign-ins; two managers can set a new PIN"},
    Words{Refusal::pin_wrong, "pin_wrong", "there is no such badge with this PIN"},
    Words{Refusal::right_missing, "right_missing", "no role of this person has the right"},
    Words{Refusal::person_exists, "person_exists",
          "the badge is, or was, somebody's, or there is no room for more people"},
    Words{Refusal::roles_conflict, "roles_conflict",
          "roles of another department, or ones that may not be one person's (section 605a.8)"},
    Words{Refusal::last_of_its_kind, "last_of_its_kind",
          "nobody would be left for this half of dual control"},
    Words{Refusal::link_unknown, "link_unknown",
          "there is no such link or level, or no meter that its reserve could open"},
    Words{Refusal::link_not_suspended, "link_not_suspended", "the link operates"},
    Words{Refusal::link_suspended_already, "link_suspended_already",
          "the link is suspended already"},
    Words{Refusal::below_zero, "below_zero", "more than the meter holds"},
    Words{Refusal::proposal_unknown, "proposal_unknown",
          "there is no such proposal, or it is done"},
    Words{Refusal::proposal_expired, "proposal_expired",
          "confirmed later than two minutes after it was proposed"},
    Words{Refusal::same_department, "same_department",
          "dual control takes two persons of two departments"},
    Words{Refusal::summary_differs, "summary_differs",
          "what is confirmed is not what was proposed"},
    Words{Refusal::key_malformed, "key_malformed", "that is no public key"},
    Words{Refusal::key_taken, "key_taken",
          "the key is somebody's already, or no more can be enrolled"},
    Words{Refusal::not_enrolled, "not_enrolled", "nobody of that name is enrolled"},
    Words{Refusal::floor_unresolved, "floor_unresolved",
          "the floor file cannot be resolved against its chapters"},
    Words{Refusal::parameters_unchanged, "parameters_unchanged",
          "the floor file says what is in force already"},
    Words{Refusal::parameters_outdated, "parameters_outdated",
          "other parameters took effect since this was proposed"},
    Words{
        Refusal::tables_differ, "tables_differ",
        "a change cannot add, remove, move or rename a table, nor change its game, seats or decks"},
    Words{Refusal::links_differ, "links_differ",
          "a change cannot add, remove, move or rename a link"},
    Words{Refusal::link_redefined, "link_redefined",
          "a change cannot give a link another wager, other tables or other levels"},
    Words{Refusal::seed_changed, "seed_changed",
          "the level was opened with its seed; reseed is what a change can set"},
    Words{
        Refusal::link_has_open_rounds, "link_has_open_rounds",
        "a round with a wager on the link is open; it is settled by the terms it was locked with"},
    Words{Refusal::limit_below_meter, "limit_below_meter",
          "a limit may only be set at or above the meter (M9)"},
    Words{Refusal::pin_to_be_changed, "pin_to_be_changed",
          "somebody else knows this PIN; its owner changes it first: linkmeter person pin"},
    Words{Refusal::proposals_too_many, "proposals_too_many",
          "too many proposals of this person wait already; they expire after two minutes"},
    Words{Refusal::pin_unchanged, "pin_unchanged", "the new PIN is the old one"},
    Words{Refusal::same_meter, "same_meter", "a transfer is from one meter to another"},
    Words{Refusal::parameters_too_many, "parameters_too_many",
          "it changes more than two persons can read; change it in several steps"},
    Words{Refusal::same_hand, "same_hand",
          "one of the two gave the other his PIN, or one person gave it to both"},
    Words{Refusal::second_signature_missing, "second_signature_missing",
          "an amount like this takes a second signature before it is paid"},
    Words{Refusal::second_signature_made, "second_signature_made",
          "the claim has its second signature"},
    Words{Refusal::second_signature_not_needed, "second_signature_not_needed",
          "an amount like this takes no second signature"},
    Words{Refusal::same_person, "same_person",
          "another person has to sign: not who validated it, nor who corrected its hand"},
    Words{Refusal::slip_missing, "slip_missing", "a claim is paid on a slip; issue one first"},
    Words{Refusal::slip_unknown, "slip_unknown", "there is no such slip"},
    Words{Refusal::slip_void, "slip_void", "the slip is void"},
    Words{Refusal::slip_used, "slip_used", "the slip is paid"},
    Words{Refusal::slip_of_another_claim, "slip_of_another_claim", "the slip is another claim's"},
    Words{Refusal::slip_open, "slip_open",
          "the claim has a slip that is still to be paid; void it first"},
    Words{Refusal::slip_source_differs, "slip_source_differs",
          "the slip says another source; void it and issue another one"},
    Words{Refusal::slip_stored_already, "slip_stored_already", "the slip's copy is stored already"},
    Words{Refusal::notice_not_offered, "notice_not_offered",
          "only a fund of pots has a notice of adjustment"},
    Words{Refusal::notice_unchanged, "notice_unchanged", "the notice stands as asked already"},
    Words{Refusal::seat_not_shown, "seat_not_shown", "no hand of this seat was shown in the round"},
    Words{Refusal::cards_unchanged, "cards_unchanged",
          "the hand is known with these cards already"},
    Words{Refusal::correction_not_possible, "correction_not_possible",
          "the hand was weighed against the dealer's together with others; reject its claims"},
};

const Words& words_of(Refusal refusal) {
  for (const Words& entry : words) {
    if (entry.refusal == refusal) return entry;
  }
  return words.front();
}

}  // namespace

std::string_view name(Refusal refusal) { return words_of(refusal).name; }

std::string_view sentence(Refusal refusal) { return words_of(refusal).sentence; }

std::optional<Refusal> parse_refusal(std::string_view name) {
  for (const Words& entry : words) {
    if (entry.name == name) return entry.refusal;
  }
  return std::nullopt;
}

}  // namespace linkmeter
