#include "table-agent/link/word_reader.h"

#include <algorithm>
#include <utility>

#include "meters/values/number.h"

namespace linkmeter {

std::string_view WordReader::any_word() {
  const std::string_view word = rest_.substr(0, rest_.find(' '));
  rest_.remove_prefix(std::min(word.size() + 1, rest_.size()));
  return word;
}

std::string_view WordReader::word() {
  if (rest_.empty()) mistaken(Mistake::missing);
  const std::string_view word = any_word();
  if (word.empty()) mistaken();
  return word;
}

std::string_view WordReader::rest() {
  if (rest_.empty()) mistaken(Mistake::missing);
  return std::exchange(rest_, std::string_view());
}

std::uint64_t WordReader::number(std::uint64_t most) {
  const std::string_view digits = word();
  const std::optional<std::uint64_t> value = parse_number(digits, most);
  if (!value || (digits.size() > 1 && digits.front() == '0')) mistaken();
  return value.value_or(0);
}

bool WordReader::either(std::string_view yes, std::string_view no) {
  const std::string_view found = word();
  if (found != yes && found != no) mistaken();
  return found == yes;
}

std::string WordReader::name() {
  const std::string_view found = word();
  if (!is_well_formed_name(found)) mistaken();
  return std::string(found);
}

std::string WordReader::name_or_none() { return takes("-") ? "" : name(); }

bool WordReader::takes(std::string_view word) {
  WordReader ahead(rest_);
  if (ahead.any_word() != word) return false;
  rest_ = ahead.rest_;
  return true;
}

std::optional<WordReader::Mistake> WordReader::end() {
  if (!rest_.empty()) mistaken(Mistake::unexpected);
  return mistake_;
}

}  // namespace linkmeter
