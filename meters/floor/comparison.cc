#include "meters/floor/comparison.h"

#include <utility>

namespace linkmeter {

std::string shown(Amount amount) {
  return "$" + (amount.is_whole_cents() ? text_cents(amount) : text_exact(amount));
}
std::string shown(Rate rate) { return text(rate); }
std::string shown(bool chosen) { return chosen ? "true" : "false"; }
std::string shown(std::int64_t count) { return std::to_string(count); }
std::string shown(const std::string& text) { return '"' + text + '"'; }
std::string shown(const PaytableId& paytable) { return shown(paytable.text()); }
std::string shown(HandCategory category) { return std::string(name(category)); }
std::string shown(const PokerThreshold& threshold) { return text(threshold); }

Comparison::Comparison(std::vector<std::string>& lines, std::string whose)
    : lines_(lines), whose_(std::move(whose)) {}

void Comparison::say(std::string_view term, const std::string& before, const std::string& after) {
  add(std::string(term) + " " + before + " -> " + after);
}

void Comparison::add(const std::string& what) { lines_.push_back(whose_ + " " + what); }

}  // namespace linkmeter
