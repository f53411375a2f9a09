// Naive settlement: who is paid what, in which order, written from the rules (M4 to M7, M13). It
// goes through every seat, link and line, one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meters/facts/table_command.h"
#include "tests/property/naive_link.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

// Takes the awards of one message from the books and writes them into the verdict, in order.
class NaiveSettlement {
 public:
  NaiveSettlement(const std::vector<NaiveTerms>& terms, std::vector<NaiveBook>& books,
                  std::uint32_t table, std::size_t claims_before, Verdict& verdict)
      : terms_(terms),
        books_(books),
        table_(table),
        claims_before_(claims_before),
        verdict_(verdict) {}

  void settle(const NaiveRound& round, const ShowHands& show);
  void settle(std::uint32_t link, const PlayPot& pot);
  // What depends on the dealer's hand of this message; or only what plays against it.
  void settle_dealers(const NaiveRound& round, const ShowHands& show, bool only_against);
  bool bonuses_only = false;  // Magic Card and Lucky, and no line
  // A correction by one person pays nothing: everything that it settled waits for another person.
  // An award that `paid` already contains stays paid: it is removed from both lists.
  void pay_nothing(std::vector<NaiveAward>& paid);

 private:
  // Whether a person must validate this line before it is paid.
  [[nodiscard]] bool is_looked_at(std::uint32_t link, const std::string& line) const;
  // 1, 2, 3 in the order of the awards, whatever the numbers were.
  void number_claims();
  [[nodiscard]] std::uint64_t next_claim() const;
  void owe_envy(int holder);
  // The links at this table, in the chapter's order of settlement.
  [[nodiscard]] std::vector<std::uint32_t> links_by_turn() const;
  // One bettor of a wager, with the cards that count for him and their line.
  struct Bet {
    NaiveWager wager;
    std::vector<Card> cards;
    const NaiveLine* line = nullptr;
  };

  [[nodiscard]] std::vector<NaiveWager> bettors(const NaiveRound& round, std::uint32_t link,
                                                bool on_dealer) const;
  void settle_dealer(std::uint32_t link, const NaiveRound& round, const std::vector<Card>& dealer);
  void settle_against(std::uint32_t link, const NaiveRound& round, const ShowHands& show);
  void settle_together(std::uint32_t link, const NaiveRound& round, const std::vector<Bet>& bets);
  void settle_seat(std::uint32_t link, const NaiveRound& round, const ShownHand& hand);
  void give_bonuses(const NaiveRound& round, const NaiveWager& wager,
                    const std::vector<Card>& cards);
  void give_envy(std::uint32_t link, const NaiveRound& round, int holder, const std::string& line);
  Exact call(std::uint32_t link, const std::string& level, std::int64_t percent,
             std::optional<Exact> most);
  void award_fixed(const NaiveWager& wager, const NaiveLine& line);
  void give(NaiveAward award);
  void award(const NaiveWager& wager, const NaiveLine& line, Exact amount);
  [[nodiscard]] Exact left_of_limit(std::uint32_t link, int seat) const;

  const std::vector<NaiveTerms>& terms_;
  std::vector<NaiveBook>& books_;
  std::uint32_t table_;
  std::size_t claims_before_;
  Verdict& verdict_;
  std::map<int, Exact> limited_;  // by seat: paid under a payout limit
};

}  // namespace linkmeter
