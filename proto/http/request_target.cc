#include "proto/http/request_target.h"

#include <cstddef>

namespace linkmeter {
namespace {

std::optional<unsigned> hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a') + 10U;
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A') + 10U;
  return std::nullopt;
}

bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
}

enum class Plus { stays, is_a_blank };

std::optional<std::string> decoded(std::string_view text, Plus plus) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char letter = text[at];
    if (letter == '+' && plus == Plus::is_a_blank) letter = ' ';
    if (letter == '%') {
      if (at + 2 >= text.size()) return std::nullopt;
      const auto high = hexadecimal(text[at + 1]), low = hexadecimal(text[at + 2]);
      if (!high || !low) return std::nullopt;
      letter = static_cast<char>(*high * 16U + *low);
      at += 2;
    }
    if (is_control(letter)) return std::nullopt;
    result += letter;
  }
  return result;
}

// Returns the text before the separator, and leaves the text after it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return taken;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<RequestTarget> parse_request_target(std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  RequestTarget parsed;
  const auto path = decoded(take(target, '?'), Plus::stays);
  if (!path) return std::nullopt;
  parsed.path = *path;
  while (!target.empty()) {
    std::string_view value = take(target, '&');
    if (value.empty()) continue;
    const std::string_view name = take(value, '=');
    const auto one = decoded(name, Plus::is_a_blank), other = decoded(value, Plus::is_a_blank);
    if (!one || !other) return std::nullopt;
    parsed.query.emplace(*one, *other);
  }
  return parsed;
}

std::map<std::string, std::string> parse_cookies(std::string_view header) {
  std::map<std::string, std::string> cookies;
  while (!header.empty()) {
    std::string_view value = take(header, ';');
    const std::string_view name = trimmed(take(value, '='));
    if (!name.empty()) cookies.emplace(name, trimmed(value));
  }
  return cookies;
}

}  // namespace linkmeter
