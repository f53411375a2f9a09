// TomlTable: reads a TOML table strictly. A requested key must have the right type and form, and a
// key that was not requested is a violation (finish). Reading continues after a mistake, so one
// pass finds all of them. A getter that returns nullopt for a key that exists has reported a
// violation.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "config/reader/violation.h"
#include "meters/values/amount.h"
#include "meters/values/rate.h"

namespace linkmeter {

enum class Need : std::uint8_t { required, optional };

// A key of a table and the place of its value, which keeps what it has if the key is missing or
// wrong.
struct TomlKey {
  std::string_view name;
  std::variant<std::string*, bool*, Amount*, Rate*, std::optional<Amount>*, std::optional<Rate>*>
      place;
  Need need = Need::required;
};

// A string of an array, with its line.
struct TomlText {
  std::string text;
  int line = 0;
};

// The word that stands for a choice.
template <class Choice>
std::string_view word_of(Choice choice) {
  if constexpr (std::is_enum_v<Choice>) {
    return name(choice);
  } else {
    return choice;
  }
}

class TomlTable {
 public:
  // `place` names the table in messages: "[[link]] C4-MEGA". REQUIRES: `table` and `violations`
  // outlive this object.
  TomlTable(const toml::table& table, std::string file, std::string place, Violations& violations);

  // Parses a file. nullopt: it is not TOML; this is reported as one violation with its line.
  static std::optional<toml::table> parse(const std::string& file, std::string_view text,
                                          Violations& violations);

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  // The value of the key, unchecked, to name the table in messages; "" if it is not a string.
  [[nodiscard]] std::string raw_text(std::string_view key) const {
    return table_[key].value_or(std::string());
  }
  [[nodiscard]] bool is_empty_array(std::string_view key) const {
    const toml::array* const array = table_[key].as_array();
    return array != nullptr && array->empty();
  }
  [[nodiscard]] bool is_array(std::string_view key) const { return table_[key].is_array(); }
  [[nodiscard]] bool is_text(std::string_view key) const { return table_[key].is_string(); }
  [[nodiscard]] bool is_table(std::string_view key) const { return table_[key].is_table(); }
  [[nodiscard]] int line() const;
  [[nodiscard]] int line_of(std::string_view key) const;
  // Sets the place that messages name from here on; keys are then named without a prefix.
  void set_place(std::string place) {
    place_ = std::move(place);
    prefix_.clear();
  }
  // The section that a violation names if a key is missing here or in an inner table; "": none.
  void set_missing_section(const std::string& section) { missing_section_ = section; }
  // The same table, with violations reported to `violations`, for a trial reading. REQUIRES:
  // `violations` outlives the result.
  [[nodiscard]] TomlTable reporting_to(Violations& violations) const;

  std::optional<std::string> text(std::string_view key, Need need);
  // A string that satisfies is_well_formed_name().
  std::optional<std::string> name(std::string_view key, Need need);
  std::optional<Amount> amount(std::string_view key, Need need);
  std::optional<Rate> rate(std::string_view key, Need need);
  std::optional<std::int64_t> integer(
      std::string_view key, Need need,
      std::int64_t minimum = std::numeric_limits<std::int64_t>::min(),
      std::int64_t maximum = std::numeric_limits<std::int64_t>::max());
  std::optional<bool> boolean(std::string_view key, Need need);
  std::optional<TomlTable> table(std::string_view key, Need need);
  std::vector<TomlTable> tables(std::string_view key, Need need);
  std::vector<TomlText> texts(std::string_view key, Need need);
  // Marks these keys as allowed, whether or not they are requested.
  void expect(std::initializer_list<std::string_view> keys);
  // All keys, for a table whose keys are names. The caller must handle each of them.
  [[nodiscard]] std::vector<std::string> keys();

  // Reads these keys in order.
  void read(std::initializer_list<TomlKey> keys);
  // Reads the table of one rule: what `read_keys` reads, and its section. Returns the section, or
  // "" without such a table.
  template <class ReadKeys>
  std::string rule(std::string_view key, Need need, ReadKeys read_keys) {
    auto keys_of_rule = table(key, need);
    if (!keys_of_rule) return "";
    read_keys(*keys_of_rule);
    std::string section = keys_of_rule->text("section", Need::required).value_or("");
    keys_of_rule->finish();
    return section;
  }

  // One of several words: texts, or values of an enumeration by their name().
  template <class Value>
  std::optional<Value> choice(std::string_view key, Need need, std::initializer_list<Value> choices,
                              const std::string& section = "") {
    const std::optional<std::string> given = text(key, need);
    if (!given) return std::nullopt;
    std::string known;
    for (const Value choice : choices) {
      const std::string_view word = word_of(choice);
      if (*given == word) return choice;
      known += (known.empty() ? "" : ", ") + std::string(word);
    }
    refuse(key, "is \"" + *given + "\"; it is one of " + known, section);
    return std::nullopt;
  }

  // Adds "<place>: <key> <message>" at the line of the key, or of the table where the key is
  // missing.
  void refuse(std::string_view key, const std::string& message, const std::string& section = "");
  // The same for each of these keys that the table has.
  void refuse_each(std::initializer_list<std::string_view> keys, const std::string& message,
                   const std::string& section = "");
  // "is a whole number; it must be <expected>". REQUIRES: has(key).
  void refuse_type(std::string_view key, std::string_view expected);
  // Like refuse(), at a given line and without a key.
  void refuse_at(int line, const std::string& message, const std::string& section = "");
  // Adds a violation that another reading of this table found.
  void refuse_as(const Violation& violation) { violations_.push_back(violation); }
  // Refuses every key that was not requested.
  void finish();

 private:
  const toml::node* find(std::string_view key, Need need);
  [[nodiscard]] TomlTable inner(const toml::table& table, std::string prefix) const;

  const toml::table& table_;
  std::string file_;
  std::string place_;
  std::string prefix_;  // of keys in inner tables: "rates."
  std::string missing_section_;
  Violations& violations_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace linkmeter
