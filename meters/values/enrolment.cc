#include "meters/values/enrolment.h"

#include <algorithm>

#include "meters/values/enum_names.h"
#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

constexpr std::size_t key_length = 40;
constexpr std::string_view z85_letters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

constexpr EnumNames<EnrolmentKind::table, EnrolmentKind::node> enrolment_kind_names{
    "table", "viewer", "node"};

}  // namespace

std::string_view name(EnrolmentKind kind) { return enrolment_kind_names.of(kind); }

bool is_well_formed_key(std::string_view key) {
  return key.size() == key_length && key.find_first_not_of(z85_letters) == std::string_view::npos;
}

std::size_t Enrolments::count(EnrolmentKind kind) const {
  return static_cast<std::size_t>(
      std::count_if(by_name_.begin(), by_name_.end(),
                    [kind](const auto& one) { return one.first.first == kind; }));
}

const Enrolment* Enrolments::find(EnrolmentKind kind, std::string_view name) const {
  const auto found = by_name_.find(Name(kind, name));
  return found == by_name_.end() ? nullptr : &found->second;
}

const Enrolment* Enrolments::find_key(std::string_view key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &by_name_.at(found->second);
}

void Enrolments::enrol(const Enrolment& enrolment) {
  INVARIANT(find_key(enrolment.key) == nullptr);
  const Name name(enrolment.kind, enrolment.name);
  if (const auto old = by_name_.find(name); old != by_name_.end()) by_key_.erase(old->second.key);
  by_name_.insert_or_assign(name, enrolment);
  by_key_.emplace(enrolment.key, name);
}

void Enrolments::revoke(EnrolmentKind kind, const std::string& name) {
  const auto found = by_name_.find(Name(kind, name));
  INVARIANT(found != by_name_.end());
  by_key_.erase(found->second.key);
  by_name_.erase(found);
}

}  // namespace linkmeter
