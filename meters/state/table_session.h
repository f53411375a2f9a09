// TableSession: what the controller knows of one table: the last message number, the answers to
// recent messages, the open rounds, the ids of recently ended rounds, whether the table is frozen,
// and how much of its pace it has used.
//
// It implements exactly-once processing. A repeat of a remembered number with the same content gets
// the first answer; with other content it is refused. A number that is not the next one is refused
// and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/state/round.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// EndedRounds: the ids of the rounds that a table ended recently, in a ring with a hash index.
// Lookups take constant time, for ids that are present and for ids that are not.
class EndedRounds {
 public:
  [[nodiscard]] bool contains(const RoundId& id) const;
  // Replaces the oldest id when the ring is full.
  void add(const RoundId& id);
  // The ring as stored: slot = count % limits::ended_rounds_remembered.
  [[nodiscard]] const std::vector<RoundId>& ring() const { return ring_; }
  // The number of rounds that the table has ever ended.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // REQUIRES: a ring within the limit.
  static EndedRounds restored(std::vector<RoundId> ring, std::uint64_t count);

  // The lookup index is derived, so it is not compared.
  friend bool operator==(const EndedRounds& left, const EndedRounds& right) {
    return left.count_ == right.count_ && left.ring_ == right.ring_;
  }

 private:
  // The index: an open-addressing table of ring slots, at most half full. Its size is a power of
  // two.
  struct Cell {
    std::uint32_t hash = 0;
    std::uint32_t slot = 0;  // counted from 1; 0: empty
  };
  [[nodiscard]] std::size_t within(std::size_t cell) const { return cell & (cells_.size() - 1); }
  [[nodiscard]] std::size_t slot_of(std::uint32_t hash) const { return within(hash); }
  [[nodiscard]] std::size_t after(std::size_t cell) const { return within(cell + 1); }
  void note(std::size_t slot);
  void forget(std::size_t slot);
  void grow();

  std::vector<RoundId> ring_;  // grows to its limit
  std::uint64_t count_ = 0;
  std::vector<Cell> cells_;
};

// The answer to a message. Refusal::none: the message was accepted.
struct Answer {
  MessageNumber number;
  EntryNumber entry;
  Refusal refusal = Refusal::none;
  Digest digest{};
  friend bool operator==(const Answer&, const Answer&) = default;
};

class TableSession {
 public:
  [[nodiscard]] MessageNumber last_number() const { return last_number_; }
  [[nodiscard]] const Answer* find_answer(MessageNumber number) const;
  [[nodiscard]] const std::vector<Round>& rounds() const { return rounds_; }
  [[nodiscard]] const Round* find_round(const RoundId& id) const;
  [[nodiscard]] bool has_ended(const RoundId& id) const { return ended_.contains(id); }

  // Why the table may not begin a round; "": it is not frozen.
  [[nodiscard]] const std::string& frozen() const { return frozen_; }
  // The badge of the person who froze the table; "": the controller froze it, or it is not frozen.
  [[nodiscard]] const Badge& frozen_by() const { return frozen_by_; }
  // The moments up to which its rounds, its shows and its refused messages have used up its pace
  // (pace.h).
  [[nodiscard]] Timestamp paced_until() const { return paced_until_; }
  [[nodiscard]] Timestamp shows_paced_until() const { return shows_paced_until_; }
  [[nodiscard]] Timestamp refusals_paced_until() const { return refusals_paced_until_; }
  // nullptr: no recent pot has this id.
  [[nodiscard]] const PlayedPot* find_pot(const RoundId& id) const;

  // For apply() and for reading the state tables back.
  void freeze(std::string reason, Badge by) {
    frozen_ = std::move(reason);
    frozen_by_ = std::move(by);
  }
  void unfreeze() { freeze("", Badge()); }
  void pace(Timestamp until) { paced_until_ = until; }
  void pace_shows(Timestamp until) { shows_paced_until_ = until; }
  void pace_refusals(Timestamp until) { refusals_paced_until_ = until; }
  void remember(const Answer& answer);
  Round& open_round(Round round);
  [[nodiscard]] Round& round(const RoundId& id);
  void end_round(const RoundId& id);
  // Keeps the last limits::pots_remembered pots. Returns the slot of the new one in the ring.
  std::size_t add_pot(PlayedPot pot);
  // Returns the slot of the pot. REQUIRES: the pot is remembered.
  [[nodiscard]] std::size_t slot_of_pot(const RoundId& id) const;
  [[nodiscard]] PlayedPot& pot_at(std::size_t slot) { return pots_.at(slot); }

  // The rings as stored (EndedRounds). Slot of an answer: number % limits::answers_remembered.
  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] const std::vector<RoundId>& ended() const { return ended_.ring(); }
  [[nodiscard]] std::uint64_t ended_count() const { return ended_.count(); }
  // The ring of pots as stored: slot = count % limits::pots_remembered.
  [[nodiscard]] const std::vector<PlayedPot>& pots() const { return pots_; }
  [[nodiscard]] std::uint64_t pot_count() const { return pot_count_; }
  // Restores the contents of the state tables. REQUIRES: sizes within limits.
  static TableSession restored(MessageNumber last_number, std::vector<Answer> answers,
                               std::vector<Round> rounds, std::vector<RoundId> ended,
                               std::uint64_t ended_count, std::vector<PlayedPot> pots = {},
                               std::uint64_t pot_count = 0);
  friend bool operator==(const TableSession&, const TableSession&) = default;

 private:
  MessageNumber last_number_;
  std::vector<Answer> answers_;  // ring, by number % limits::answers_remembered; grows to that size
  std::vector<Round> rounds_;    // open, by id
  EndedRounds ended_;
  std::string frozen_;
  Badge frozen_by_;
  Timestamp paced_until_;
  Timestamp shows_paced_until_;
  Timestamp refusals_paced_until_;
  std::vector<PlayedPot> pots_;  // ring; grows to its limit
  std::uint64_t pot_count_ = 0;
};

}  // namespace linkmeter
