#include "controller/view/role_names.h"

#include <array>
#include <utility>

namespace linkmeter {
namespace {

constexpr std::array<std::pair<Right, std::string_view>, 23> rights = {{
    {Right::run_rounds, "run_rounds"},
    {Right::validate_claims, "validate_claims"},
    {Right::verify_bad_beats, "verify_bad_beats"},
    {Right::pay_claims, "pay_claims"},
    {Right::resolve_counts, "resolve_counts"},
    {Right::correct_hands, "correct_hands"},
    {Right::suspend_links, "suspend_links"},
    {Right::alter, "alter"},
    {Right::enrol_tables, "enrol_tables"},
    {Right::confirm_enrolments, "confirm_enrolments"},
    {Right::countersign_claims, "countersign_claims"},
    {Right::issue_slips, "issue_slips"},
    {Right::post_notices, "post_notices"},
    {Right::take_readings, "take_readings"},
    {Right::reconcile, "reconcile"},
    {Right::close_days, "close_days"},
    {Right::count_money, "count_money"},
    {Right::witness_counts, "witness_counts"},
    {Right::count_boxes, "count_boxes"},
    {Right::carry_funds, "carry_funds"},
    {Right::witness_funds, "witness_funds"},
    {Right::adjust_displays, "adjust_displays"},
    {Right::freeze_tables, "freeze_tables"},
}};

}  // namespace

std::string_view right_name(Right right) {
  for (const auto& [one, word] : rights) {
    if (one == right) return word;
  }
  return "";
}

std::vector<std::string> role_names(const Person& person) {
  std::vector<std::string> names;
  for (const Role role : person.roles) names.emplace_back(name(role));
  return names;
}

std::vector<std::string> right_names(const Person& person) {
  std::vector<std::string> names;
  if (person.pin_set_by_other) return names;
  for (const auto& [right, word] : rights) {
    if (person.has(right)) names.emplace_back(word);
  }
  return names;
}

}  // namespace linkmeter
