#include "config/reader/toml_table.h"

#include <algorithm>

#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

int line_of_node(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string_view type_in_words(toml::node_type type) {
  switch (type) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number with a point";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

// The library recurses once for each part of a dotted key, without a limit (3.3); it limits only
// other nesting. A key is on one line, so limit the dots of a line.
constexpr int dots_per_line_max = 32;

// The first line with more dots; 0: no line.
int line_of_deep_key(std::string_view text) {
  int line = 1, dots = 0;
  for (const char character : text) {
    if (character == '\n') {
      ++line;
      dots = 0;
    } else if (character == '.' && ++dots > dots_per_line_max) {
      return line;
    }
  }
  return 0;
}

}  // namespace

TomlTable::TomlTable(const toml::table& table, std::string file, std::string place,
                     Violations& violations)
    : table_(table), file_(std::move(file)), place_(std::move(place)), violations_(violations) {}

std::optional<toml::table> TomlTable::parse(const std::string& file, std::string_view text,
                                            Violations& violations) {
  if (const int line = line_of_deep_key(text); line > 0) {
    violations.push_back(
        {file, line,
         "has more than " + std::to_string(dots_per_line_max) + " dots: no key is that deep", ""});
    return std::nullopt;
  }
  // The library reports a syntax error by an exception; it is caught here.
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    violations.push_back({file, static_cast<int>(error.source().begin.line),
                          "not TOML: " + std::string(error.description()), ""});
    return std::nullopt;
  }
}

int TomlTable::line() const { return line_of_node(table_); }

int TomlTable::line_of(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node == nullptr ? line() : line_of_node(*node);
}

const toml::node* TomlTable::find(std::string_view key, Need need) {
  asked_.emplace(key);
  const toml::node* node = table_.get(key);
  if (node == nullptr && need == Need::required) refuse(key, "is missing", missing_section_);
  return node;
}

void TomlTable::refuse(std::string_view key, const std::string& message,
                       const std::string& section) {
  refuse_at(line_of(key), prefix_ + std::string(key) + " " + message, section);
}

void TomlTable::refuse_each(std::initializer_list<std::string_view> keys,
                            const std::string& message, const std::string& section) {
  for (const std::string_view key : keys) {
    if (has(key)) refuse(key, message, section);
  }
}

void TomlTable::refuse_at(int line, const std::string& message, const std::string& section) {
  const std::string sentence = place_.empty() ? message : place_ + ": " + message;
  // The contents of a file are printed to terminals and logs and must not control them.
  violations_.push_back({file_, line, sanitize_text(sentence, sentence.size()), section});
}

void TomlTable::refuse_type(std::string_view key, std::string_view expected) {
  refuse(key, "is " + std::string(type_in_words(table_.get(key)->type())) + "; it must be " +
                  std::string(expected));
}

std::optional<std::string> TomlTable::text(std::string_view key, Need need) {
  const toml::node* node = find(key, need);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_string();
  if (value == nullptr) {
    refuse_type(key, "a text in quotation marks");
    return std::nullopt;
  }
  const std::string& text = value->get();
  if (text.size() > limits::reason_length_max) {
    refuse(key, "is longer than " + std::to_string(limits::reason_length_max) + " bytes");
    return std::nullopt;
  }
  if (!text.empty() && !is_well_formed_text(text, limits::reason_length_max)) {
    refuse(key, "has a control character or a mark that turns the direction of reading");
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> TomlTable::name(std::string_view key, Need need) {
  std::optional<std::string> value = text(key, need);
  if (value && !is_well_formed_name(*value)) {
    refuse(key, "is \"" + *value + "\"; a name has 1 to " +
                    std::to_string(limits::name_length_max) +
                    " letters, digits or characters of . _ : / + -");
    return std::nullopt;
  }
  return value;
}

std::optional<Amount> TomlTable::amount(std::string_view key, Need need) {
  const std::optional<std::string> value = text(key, need);
  if (!value) return std::nullopt;
  const std::optional<Amount> amount = parse_cents(*value);
  if (!amount) {
    refuse(key, "is \"" + *value +
                    "\"; an amount is dollars with at most two decimals, \"5.00\", " + "up to " +
                    text_cents(limits::amount_max));
  }
  return amount;
}

std::optional<Rate> TomlTable::rate(std::string_view key, Need need) {
  const std::optional<std::string> value = text(key, need);
  if (!value) return std::nullopt;
  const std::optional<Rate> rate = parse_rate(*value);
  if (!rate) {
    refuse(key,
           "is \"" + *value + "\"; a rate is 0% to 100% with at most four decimals, \"14.25%\"");
  }
  return rate;
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key, Need need,
                                               std::int64_t minimum, std::int64_t maximum) {
  const toml::node* node = find(key, need);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_integer();
  if (value == nullptr) {
    refuse_type(key, "a whole number");
    return std::nullopt;
  }
  if (value->flags() != toml::value_flags::none) {
    refuse(key, "is written in hexadecimal, octal or binary digits; it must be written in decimal");
    return std::nullopt;
  }
  if (value->get() < minimum || value->get() > maximum) {
    refuse(key, "is " + std::to_string(value->get()) + "; it is " + std::to_string(minimum) +
                    " to " + std::to_string(maximum));
    return std::nullopt;
  }
  return value->get();
}

std::optional<bool> TomlTable::boolean(std::string_view key, Need need) {
  const toml::node* node = find(key, need);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_boolean();
  if (value == nullptr) {
    refuse_type(key, "true or false");
    return std::nullopt;
  }
  return value->get();
}

void TomlTable::read(std::initializer_list<TomlKey> keys) {
  for (const TomlKey& key : keys) {
    const auto read_into = [&](auto* place) {
      using Value = std::remove_pointer_t<decltype(place)>;
      const auto keep = [place](auto&& value) {
        if (value) *place = std::move(*value);
      };
      if constexpr (std::is_same_v<Value, std::string>) {
        keep(text(key.name, key.need));
      } else if constexpr (std::is_same_v<Value, bool>) {
        keep(boolean(key.name, key.need));
      } else if constexpr (std::is_constructible_v<Value, Amount>) {
        keep(amount(key.name, key.need));
      } else {
        keep(rate(key.name, key.need));
      }
    };
    std::visit(read_into, key.place);
  }
}

TomlTable TomlTable::reporting_to(Violations& violations) const {
  TomlTable result(table_, file_, place_, violations);
  result.prefix_ = prefix_;
  result.missing_section_ = missing_section_;
  result.asked_ = asked_;
  return result;
}

TomlTable TomlTable::inner(const toml::table& table, std::string prefix) const {
  TomlTable result(table, file_, place_, violations_);
  result.prefix_ = std::move(prefix);
  result.missing_section_ = missing_section_;
  return result;
}

std::optional<TomlTable> TomlTable::table(std::string_view key, Need need) {
  const toml::node* node = find(key, need);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) {
    refuse_type(key, "a table");
    return std::nullopt;
  }
  return inner(*node->as_table(), prefix_ + std::string(key) + ".");
}

std::vector<TomlTable> TomlTable::tables(std::string_view key, Need need) {
  std::vector<TomlTable> result;
  const toml::node* node = find(key, need);
  if (node == nullptr) return result;
  if (!node->is_array()) {
    refuse_type(key, "an array of tables");
    return result;
  }
  std::size_t index = 0;
  for (const toml::node& element : *node->as_array()) {
    ++index;
    const std::string label = std::string(key) + "[" + std::to_string(index) + "]";
    if (element.is_table()) {
      result.push_back(inner(*element.as_table(), prefix_ + label + "."));
    } else {
      refuse_at(line_of_node(element), prefix_ + label + " must be a table");
    }
  }
  return result;
}

std::vector<TomlText> TomlTable::texts(std::string_view key, Need need) {
  std::vector<TomlText> result;
  const toml::node* node = find(key, need);
  if (node == nullptr) return result;
  if (!node->is_array()) {
    refuse_type(key, "an array of texts");
    return result;
  }
  for (const toml::node& element : *node->as_array()) {
    if (const auto* value = element.as_string()) {
      result.push_back({value->get(), line_of_node(element)});
    } else {
      refuse_at(line_of_node(element), prefix_ + std::string(key) + " holds " +
                                           std::string(type_in_words(element.type())) +
                                           "; it must hold texts");
    }
  }
  return result;
}

void TomlTable::expect(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) asked_.emplace(key);
}

std::vector<std::string> TomlTable::keys() {
  std::vector<std::string> result;
  for (const auto& [key, node] : table_) {
    asked_.emplace(key.str());
    result.emplace_back(key.str());
  }
  return result;
}

void TomlTable::finish() {
  for (const auto& [key, node] : table_) {
    if (asked_.contains(key.str())) continue;
    std::string known;
    for (const std::string& name : asked_) known += (known.empty() ? "" : ", ") + name;
    refuse_at(static_cast<int>(key.source().begin.line),
              prefix_ + std::string(key.str()) + " is not known here; known are " + known);
  }
}

}  // namespace linkmeter
