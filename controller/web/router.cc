#include "controller/web/router.h"

#include <algorithm>
#include <array>

#include "meters/values/invariant.h"
#include "meters/values/number.h"

namespace linkmeter {
namespace {

bool may_read_claims(const Person& person) {
  constexpr std::array rights = {Right::validate_claims, Right::verify_bad_beats,
                                 Right::pay_claims,      Right::countersign_claims,
                                 Right::issue_slips,     Right::suspend_links,
                                 Right::post_notices,    Right::correct_hands};
  return person.department == Department::oversight ||
         std::any_of(rights.begin(), rights.end(),
                     [&person](Right right) { return person.has(right); });
}

bool may_read_accounting(const Person& person) {
  return person.roles.contains(Role::accountant) || person.roles.contains(Role::finance_manager) ||
         person.roles.contains(Role::auditor);
}

}  // namespace

bool allows(Access access, const Person& person) {
  switch (access) {
    case Access::everyone:
    case Access::sign_in:
    case Access::signed_in: return true;
    case Access::claims: return may_read_claims(person);
    case Access::accounting: return may_read_accounting(person);
    case Access::claims_or_accounting:
      return may_read_claims(person) || may_read_accounting(person);
  }
  return false;
}

const std::string& PathVariables::text(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [name](const auto& value) { return value.first == name; });
  INVARIANT(found != values_.end());
  return found->second;
}

std::optional<std::uint64_t> PathVariables::number(std::string_view name) const {
  return parse_number(text(name));
}

std::optional<PathVariables> match_path(std::string_view pattern, std::string_view path) {
  PathVariables variables;
  while (true) {
    const std::size_t begin = pattern.find('{');
    const std::string_view before = pattern.substr(0, begin);
    if (begin == std::string_view::npos) {
      return path == before ? std::optional(std::move(variables)) : std::nullopt;
    }
    if (!path.starts_with(before)) return std::nullopt;
    path.remove_prefix(before.size());
    const std::size_t end = pattern.find('}', begin);
    INVARIANT(end != std::string_view::npos);
    const std::string_view name = pattern.substr(begin + 1, end - begin - 1);
    pattern.remove_prefix(end + 1);
    const std::size_t next = pattern.find('{');
    const std::string_view after = pattern.substr(0, next);
    const bool is_last = next == std::string_view::npos;
    if (is_last && !path.ends_with(after)) return std::nullopt;
    const std::size_t length = is_last ? path.size() - after.size() : path.find(after);
    if (length == std::string_view::npos) return std::nullopt;
    variables.values_.emplace_back(name, path.substr(0, length));
    path.remove_prefix(length);
  }
}

void Router::add(std::vector<Route> routes) {
  for (Route& route : routes) {
    INVARIANT(std::none_of(routes_.begin(), routes_.end(), [&route](const Route& other) {
      return other.method == route.method && other.pattern == route.pattern;
    }));
    routes_.push_back(std::move(route));
  }
}

std::optional<Router::Match> Router::find(std::string_view method, std::string_view path) const {
  std::optional<Match> best;
  for (const Route& route : routes_) {
    if (route.method != method) continue;
    auto variables = match_path(route.pattern, path);
    if (!variables) continue;
    if (variables->values_.empty()) return Match{&route, {}};
    const std::size_t length = variables->values_.front().second.size();
    if (best && best->path.values_.front().second.size() <= length) continue;
    best = Match{&route, std::move(*variables)};
  }
  return best;
}

}  // namespace linkmeter
