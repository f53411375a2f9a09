// Naive model: a second floor beside the core, written from the rules and not from the core's
// sources: slow and simple, with its own arithmetic, hands, paytables, settlement and refusals. It
// uses the core's types for commands and for the floor's figures, and none of the core's functions.
//
// It says what the result of every message must be (Verdict), and then holds the state that the
// core must have.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"
#include "tests/property/naive_days.h"
#include "tests/property/naive_house.h"
#include "tests/property/naive_link.h"
#include "tests/property/naive_people.h"

namespace linkmeter {

struct NaiveWager {
  int seat = 0;
  std::uint32_t link = 0;
  std::int64_t cents = 0;
  bool on_dealer = false;
  friend bool operator==(const NaiveWager&, const NaiveWager&) = default;
};

struct NaiveAward {
  enum class Kind : std::uint8_t { line, envy, magic, lucky };
  Kind kind = Kind::line;
  std::uint32_t link = 0;
  int seat = 0;
  int holder = -1;  // envy: whose hand it was
  std::string line;
  int level = -1;  // -1: not from a meter
  bool whole = false;
  Exact amount = 0;
  std::uint64_t claim = 0;  // 0: none
  bool on_dealer = false;
  std::uint64_t call = 0;  // from a meter: which of the message's hits, from 1
  Exact uncut = 0;         // before a limit cut it; 0: none did
  int from = 0;  // paid at once, or owed: 1 from the rack, 2 to the game account; 0: neither
  std::uint64_t waits_for = 0;  // owed: until this claim is validated; 0: it is not
  friend bool operator==(const NaiveAward&, const NaiveAward&) = default;
};

struct NaiveCall {
  std::uint32_t link = 0;
  int level = 0;
  bool whole = false;
  Exact amount = 0;
  Exact reseeded = 0;
  Exact from_reserve = 0;
  Exact meter_before = 0;  // the meter before it
  friend bool operator==(const NaiveCall&, const NaiveCall&) = default;
};

struct NaiveSlip {
  enum class Step : std::uint8_t { open, annulled, paid };
  std::uint64_t number = 0;
  std::uint64_t entry = 0;
  std::uint64_t claim = 0;
  PaymentSource source = PaymentSource::hand_pay;
  Exact amount = 0;
  Exact wager = 0;
  bool taxable = false;
  std::optional<NaiveThreshold> threshold;
  Step step = Step::open;
  std::string issued_by, annulled_by, paid_by, note;
  Timestamp issued_at, annulled_at, paid_at;
  std::optional<VoidReason> reason;
};

// The expected result of a message.
struct Verdict {
  enum class Kind : std::uint8_t { entry, repeat, turned_away };
  Kind kind = Kind::entry;
  Refusal refusal = Refusal::none;
  std::uint64_t entry = 0;
  std::string fact;  // "round_locked", as in exports
  std::string round;
  std::optional<TableCommand> said;  // the command that the entry must repeat, word for word
  std::vector<NaiveWager> wagers;    // accepted, counted or returned, with their links
  std::uint32_t chips = 0;           // how many of them are placed by a chip
  std::vector<NaiveCall> calls;
  std::vector<NaiveAward> awards;
  std::size_t capped = 0;         // of them: by a payout limit
  std::size_t capped_meters = 0;  // of these: from a meter

  // For people's acts:
  std::optional<PersonMessage> asked;  // the act that the entry must repeat, word for word
  std::string badge;
  std::string act;                             // "reject_claim", "sign_in"
  bool restored = false;                       // M11
  std::vector<std::uint64_t> undone, put_off;  // hits, each by its first claim
  std::uint64_t proposal = 0;
  std::optional<DualControlCommand> dual;  // proposed or done
  std::string proposed_by;
  std::optional<NaiveSlip> slip;  // issued
  std::uint64_t corrects = 0;     // the entry that recorded the old hand
  std::vector<Card> old_cards;
  bool old_folded = false;
  std::vector<NaiveAward> reversed;
  std::vector<NaiveAward> envy;         // owed before, paid now
  std::vector<std::uint64_t> rejected;  // claims, by a void or a correction
  std::optional<Draw> old_draw;
  std::vector<Card> old_board;
  std::optional<NaiveDaySaid> of_day;
  bool is_no_hand = false;   // nobody has a hand at that seat
  bool shown_again = false;  // a seat after that
};

// A hand as it counts now, with its awards.
struct NaiveShown {
  std::uint64_t entry = 0;
  std::vector<Card> cards;
  bool folded = false;
  std::string keyed;
  std::optional<Draw> draw;  // at its evaluation
  std::vector<NaiveAward> brought;
  bool with_dealer = false;  // by the message that had the dealer's hand
};

struct NaiveRound {
  bool blocked = false;
  std::vector<NaiveWager> wagers;
  std::set<int> shown;
  std::map<int, NaiveShown> hands;     // of the same seats
  std::set<int> had_none;              // that had been shown and were then cleared
  std::map<int, std::string> none_by;  // who cleared the hand last
  std::string draw_by;                 // the person who corrected the draw last
  int corrections = 0;
  bool dealer_shown = false;
  bool was_blocked = false;
  std::vector<NaiveAward> all;  // of the round, without the undone ones
  std::set<int> voided;         // seats with void hands
  std::vector<Card> dealer, board;
  std::optional<Draw> dealer_draw;  // when the dealer's hand was evaluated
  std::uint64_t dealer_entry = 0;   // that last changed the dealer's side
  std::map<int, int> cards;         // how often each card index was seen
  std::optional<Draw> draw;

  [[nodiscard]] bool has_wager(int seat) const;
};

// A pot as it counts now.
struct NaivePot {
  std::uint64_t entry = 0;
  std::uint32_t link = 0;
  PlayPot pot;
  std::vector<std::uint64_t> claims;
  bool other_terms = false;  // its link has had other terms since
  int corrections = 0;
};

struct NaiveTable {
  std::string id;
  std::string game;
  int seats = 0;
  int decks = 0;
  std::string asset;
  std::int64_t draw_ppm = 0;
  std::string frozen;  // why it begins no round; "": it is not frozen
  std::string frozen_by;
  std::uint64_t last_number = 0;
  std::map<std::uint64_t, std::pair<Digest, Verdict>> heard;  // the latest 1024
  std::map<std::string, NaiveRound> rounds;
  std::deque<std::string> ended;  // the latest 8,192
  std::set<std::string> ended_ids;
  std::deque<std::pair<std::string, NaivePot>> pots;  // the latest 64
  std::uint64_t ended_count = 0;

  [[nodiscard]] bool has_ended(const std::string& round) const;
  void end(const std::string& round);
};

struct NaiveClaim {
  enum class Step : std::uint8_t { raised, validated, paid, rejected };
  std::uint64_t entry = 0;
  std::uint32_t link = 0;
  std::uint32_t table = 0;
  std::string round;
  NaiveAward award;
  Step step = Step::raised;
  std::string validated_by;
  std::string paid_by;
  std::optional<PaymentSource> source;
  Timestamp validated_at;
  Timestamp paid_at;
  // For an award from a meter: which hit, as its number and as a unique mark; and whether that hit
  // was undone as if it had not happened (M11).
  std::uint64_t call = 0;
  std::pair<std::uint64_t, std::uint64_t> mark;
  bool undone = false;
  bool put_off = false;  // it will be undone once no later hit counts
  Exact overflowed = 0;  // what its level had given to the reserve by then
  Exact reseeded = 0;
  Exact from_reserve = 0;
  Exact meter_before = 0;
  Timestamp rejected_at;
  std::string rejected_by;
  std::optional<RejectReason> reject_reason;
  std::string reject_note;
  std::string countersigned_by;
  Timestamp countersigned_at;
  std::vector<std::uint64_t> slips;
  Exact wager = 0;  // the seat's wager that won; 0: a pot
  std::string keyed;
  bool was_blocked = false;
  std::string corrected_by;
  std::vector<NaiveAward> envy;  // owed with it
  bool envy_paid = false;
  bool rejected_by_table = false;  // by a void: the naive model does not know when
};

struct NaiveProposal {
  DualControlCommand act;
  std::string by;
  Timestamp at;
};

class NaiveModel {
 public:
  // The state after entry 1; the house's choices are read from the floor's text.
  NaiveModel(const Floor& floor, const std::string& floor_text,
             const std::vector<Person>& people = {}, const std::vector<std::string>& chapters = {});
  // Entry 1 enrols this node, too.
  void enrol(const Enrolment& node) { keys_[{node.kind, node.name}] = node.key; }

  Verdict on_reply(const TableMessage& message, Timestamp now);
  // `resolved`: if he proposes or confirms parameters, their texts are a valid floor.
  Verdict on_reply(const PersonMessage& message, Timestamp now, bool resolved = true);
  Verdict on_reply(const SignIn& sign_in, Timestamp now);
  Verdict on_reply(const DayEnd& end, Timestamp now);
  Verdict on_reply(const TableCounters& counters);
  // L3: the link takes no more wagers. False: it was suspended already.
  bool on_reply(const SelfSuspension& suspension);
  // The system's clock is in doubt, by the entry of that number; and no longer in doubt. False:
  // there was no such doubt.
  void doubt_clock(std::uint64_t entry, const ClockDoubted& doubted);
  bool trust_clock(std::uint64_t doubted);
  // An entry of the system itself that changes nothing: a self-check, a clock that was set.
  void pass_over() { ++entries_; }

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] const std::vector<NaiveTerms>& terms() const { return terms_; }
  [[nodiscard]] const std::vector<NaiveBook>& books() const { return books_; }
  [[nodiscard]] const std::vector<NaiveTable>& tables() const { return tables_; }
  [[nodiscard]] const std::vector<NaiveClaim>& claims() const { return claims_; }
  [[nodiscard]] const std::vector<NaiveSlip>& slips() const { return slips_; }
  // The days that have ended, in their order.
  [[nodiscard]] const std::vector<NaiveDay>& days() const { return days_; }
  [[nodiscard]] const NaiveHouse& house() const { return asks_; }
  [[nodiscard]] const std::map<std::string, NaivePerson>& people() const { return people_; }
  // Whose key it is, by kind and name.
  [[nodiscard]] const auto& keys() const { return keys_; }
  // The proposals that wait for a second person, or have expired.
  [[nodiscard]] const std::map<std::uint64_t, NaiveProposal>& proposals() const {
    return proposals_;
  }
  [[nodiscard]] std::uint64_t last_proposal() const { return last_proposal_; }
  // The floor file and chapters in force, and the entry with which they took effect.
  [[nodiscard]] const std::string& floor_text() const { return floor_text_; }
  [[nodiscard]] const std::vector<std::string>& chapters() const { return chapters_; }
  [[nodiscard]] std::uint64_t configuration() const { return configuration_; }
  // How many hits on the level count (M11).
  [[nodiscard]] std::uint64_t calls(std::uint32_t link, int level) const;

 private:
  // Links that wait only for the clock, each with this text.
  struct DoubtedClock {
    std::uint64_t entry = 0;
    std::int64_t by_us = 0;
    std::string words;
    std::set<std::uint32_t> links;
  };
  [[nodiscard]] bool waits_for_clock(std::uint32_t link) const {
    return doubted_ && doubted_->links.contains(link) && books_[link].suspended == doubted_->words;
  }
  // Removes the clock from all reasons of suspension.
  void end_doubt();

  struct TableMessageDecision;  // decides one message
  // M11, for a claim from a meter that has just been rejected.
  void take_back(const NaiveClaim& claim, Verdict& verdict);
  struct PersonMessageDecision;  // decides one act of a person

  std::vector<NaiveTerms> terms_;
  std::vector<NaiveBook> books_;
  std::vector<NaiveTable> tables_;
  std::vector<NaiveClaim> claims_;
  std::vector<NaiveSlip> slips_;
  std::vector<NaiveDay> days_;
  NaiveHouse asks_;
  std::map<std::string, NaivePerson> people_;
  std::map<std::pair<EnrolmentKind, std::string>, std::string> keys_;
  std::map<std::uint64_t, NaiveProposal> proposals_;
  std::uint64_t last_proposal_ = 0;
  std::uint64_t entries_ = 1;
  std::string house_;
  std::string floor_text_;
  std::vector<std::string> chapters_;
  std::uint64_t configuration_ = 1;
  std::optional<DoubtedClock> doubted_;
};

}  // namespace linkmeter
