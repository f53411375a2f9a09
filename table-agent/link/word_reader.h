// WordReader: reads the words of a line one after the other. There is one blank between two words.
// The lines of the device, and the round and counts that the agent stores, have this form.
//
// Laws: reading is total. The reader keeps the first mistake, and end() returns it. What is read
// after a mistake has no meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/table_command.h"

namespace linkmeter {

class WordReader {
 public:
  enum class Mistake : std::uint8_t { missing, unexpected, malformed };

  explicit WordReader(std::string_view text) : rest_(text) {}

  // The next word; it may be empty.
  std::string_view any_word();
  std::string_view word();
  // Everything that is left.
  std::string_view rest();
  // A whole number without leading zeros.
  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  template <class Integer>
  Integer number() {
    return static_cast<Integer>(number(std::numeric_limits<Integer>::max()));
  }
  // "-" for nullopt.
  template <class Integer>
  std::optional<Integer> number_or_none() {
    if (takes("-")) return std::nullopt;
    return number<Integer>();
  }
  Seat seat() { return Seat(number<std::uint8_t>()); }
  // True for `yes`, false for `no`.
  bool either(std::string_view yes, std::string_view no);
  // The place of the word in the list.
  template <std::size_t count>
  std::size_t one_of(const std::array<std::string_view, count>& list) {
    const std::string_view found = word();
    for (std::size_t place = 0; place < count; ++place) {
      if (list[place] == found) return place;
    }
    mistaken();
    return 0;
  }
  std::string name();
  // A name; "" for "-".
  std::string name_or_none();
  // Takes the next word if it is this one.
  bool takes(std::string_view word);
  [[nodiscard]] bool is_over() const { return rest_.empty(); }

  void mistaken(Mistake mistake = Mistake::malformed) {
    if (!mistake_) mistake_ = mistake;
  }
  // The first mistake; words that were not read are one.
  [[nodiscard]] std::optional<Mistake> end();

 private:
  std::string_view rest_;
  std::optional<Mistake> mistake_;
};

}  // namespace linkmeter
