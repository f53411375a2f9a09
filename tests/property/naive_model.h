// Naive model: a second floor beside the core, written from the rules and not from the core's
// sources: slow, obvious, with arithmetic, hands, paytables, settlement and refusals of its own.
// It takes the core's types for what was said and for the floor's figures, and none of the core's
// functions.
//
// It says what must become of every message (Verdict) and then stands where the core must stand.
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
  int level = -1;  // -1: not off a meter
  bool whole = false;
  Exact amount = 0;
  std::uint64_t claim = 0;  // 0: none
  bool on_dealer = false;
  std::uint64_t call = 0;  // off a meter: which of the message's calls, from 1
  Exact uncut = 0;         // before a limit cut it; 0: none did
  int from = 0;  // paid at once, or owed: 1 from the rack, 2 to the game account; 0: neither
  std::uint64_t waits_for = 0;  // owed: until this claim is found good; 0: it is not
  friend bool operator==(const NaiveAward&, const NaiveAward&) = default;
};

struct NaiveCall {
  std::uint32_t link = 0;
  int level = 0;
  bool whole = false;
  Exact amount = 0;
  Exact reseeded = 0;
  Exact from_reserve = 0;
  Exact stood = 0;  // the meter before it
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

// What must become of a message.
struct Verdict {
  enum class Kind : std::uint8_t { entry, repeat, turned_away };
  Kind kind = Kind::entry;
  Refusal refusal = Refusal::none;
  std::uint64_t entry = 0;
  std::string fact;  // "round_locked", as exports call it
  std::string round;
  std::optional<TableCommand> said;  // what the entry must repeat, word for word
  std::vector<NaiveWager> wagers;    // accepted, counted or returned, with their links
  std::uint32_t chips = 0;           // how many of them are placed by a chip
  std::vector<NaiveCall> calls;
  std::vector<NaiveAward> awards;
  std::size_t capped = 0;         // of them: by a payout limit
  std::size_t capped_meters = 0;  // of these: off a meter

  // Of what people ask:
  std::optional<PersonMessage> asked;  // what the entry must repeat, word for word
  std::string badge;
  std::string act;                             // "reject_claim", "sign_in"
  bool restored = false;                       // M11
  std::vector<std::uint64_t> undone, put_off;  // calls, each as its first claim
  std::uint64_t proposal = 0;
  std::optional<DualControlCommand> dual;  // proposed or done
  std::string proposed_by;
  std::optional<NaiveSlip> slip;  // issued
  std::uint64_t corrects = 0;     // the entry that said the old hand
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

// A hand as it counts now, with what it brought.
struct NaiveShown {
  std::uint64_t entry = 0;
  std::vector<Card> cards;
  bool folded = false;
  std::string keyed;
  std::optional<Draw> draw;  // when it was looked at
  std::vector<NaiveAward> brought;
  bool with_dealer = false;  // by the message that had the dealer's hand
};

struct NaiveRound {
  bool blocked = false;
  std::vector<NaiveWager> wagers;
  std::set<int> shown;
  std::map<int, NaiveShown> hands;     // of the same seats
  std::set<int> had_none;              // that had been shown, and nobody had a hand there
  std::map<int, std::string> none_by;  // who said so, last
  std::string draw_by;                 // the person who put the draw right, last
  int corrections = 0;
  bool dealer_shown = false;
  bool was_blocked = false;
  std::vector<NaiveAward> all;  // that the round has brought, and nobody has undone
  std::set<int> voided;         // seats whose hands are
  std::vector<Card> dealer, board;
  std::optional<Draw> dealer_draw;  // when the dealer's hand was looked at
  std::uint64_t dealer_entry = 0;   // that said something of the dealer's side last
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
  bool other_terms = false;  // its link has others since
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
  // Off a meter: which call on it, as its number and as a mark that no other call has; and whether
  // that call was taken back as if it had never been (M11).
  std::uint64_t call = 0;
  std::pair<std::uint64_t, std::uint64_t> mark;
  bool undone = false;
  bool put_off = false;  // it is to be, once no later call stands
  Exact overflowed = 0;  // what its level had given to the reserve by then
  Exact reseeded = 0;
  Exact from_reserve = 0;
  Exact stood = 0;
  Timestamp rejected_at;
  std::string rejected_by;
  std::optional<RejectReason> reject_reason;
  std::string reject_note;
  std::string countersigned_by;
  Timestamp countersigned_at;
  std::vector<std::uint64_t> slips;
  Exact wager = 0;  // what the seat had put on what won; 0: a pot
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
  // As the floor stands after entry 1; what the house chose is read from its own words.
  NaiveModel(const Floor& floor, const std::string& floor_text,
             const std::vector<Person>& people = {}, const std::vector<std::string>& chapters = {});

  Verdict on_reply(const TableMessage& message, Timestamp now);
  // `resolved`: the texts of the parameters that he proposes or confirms, if he does, are a floor.
  Verdict on_reply(const PersonMessage& message, Timestamp now, bool resolved = true);
  Verdict on_reply(const SignIn& sign_in, Timestamp now);
  Verdict on_reply(const DayEnd& end, Timestamp now);
  Verdict on_reply(const TableCounters& counters);
  // L3: the link takes no more wagers. False: it was suspended already.
  bool on_reply(const SelfSuspension& suspension);
  // The system's clock is in doubt, by the entry of that number, and not any more. False: nobody
  // had doubted it so.
  void doubt_clock(std::uint64_t entry, const ClockDoubted& doubted);
  bool trust_clock(std::uint64_t doubted);
  // An entry of the system's own that changes nothing: a self-check, a clock that was set.
  void pass_over() { ++entries_; }

  [[nodiscard]] std::uint64_t entries() const { return entries_; }
  [[nodiscard]] const std::vector<NaiveTerms>& terms() const { return terms_; }
  [[nodiscard]] const std::vector<NaiveBook>& books() const { return books_; }
  [[nodiscard]] const std::vector<NaiveTable>& tables() const { return tables_; }
  [[nodiscard]] const std::vector<NaiveClaim>& claims() const { return claims_; }
  [[nodiscard]] const std::vector<NaiveSlip>& slips() const { return slips_; }
  // Those that have ended, in their order.
  [[nodiscard]] const std::vector<NaiveDay>& days() const { return days_; }
  [[nodiscard]] const NaiveHouse& house() const { return asks_; }
  [[nodiscard]] const std::map<std::string, NaivePerson>& people() const { return people_; }
  // Whose key it is, by kind and name.
  [[nodiscard]] const auto& keys() const { return keys_; }
  // Those that wait for a second person, or expired waiting.
  [[nodiscard]] const std::map<std::uint64_t, NaiveProposal>& proposals() const {
    return proposals_;
  }
  [[nodiscard]] std::uint64_t last_proposal() const { return last_proposal_; }
  // The floor file and chapters in force, and the entry that they took effect with.
  [[nodiscard]] const std::string& floor_text() const { return floor_text_; }
  [[nodiscard]] const std::vector<std::string>& chapters() const { return chapters_; }
  [[nodiscard]] std::uint64_t configuration() const { return configuration_; }
  // How many calls on the level stand (M11).
  [[nodiscard]] std::uint64_t calls(std::uint32_t link, int level) const;

 private:
  // Links that wait for the clock alone, each with these words.
  struct DoubtedClock {
    std::uint64_t entry = 0;
    std::int64_t by_us = 0;
    std::string words;
    std::set<std::uint32_t> links;
  };
  [[nodiscard]] bool waits_for_clock(std::uint32_t link) const {
    return doubted_ && doubted_->links.contains(link) && books_[link].suspended == doubted_->words;
  }
  // No book speaks of the clock any more.
  void end_doubt();

  struct Hearing;  // one message, decided
  // M11, of a claim off a meter that has just been rejected.
  void take_back(const NaiveClaim& claim, Verdict& verdict);
  struct Asking;  // what one person asks, decided

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
