// Enrolment: who may connect, and as whom. A table's identity is its key (L1): what comes over a
// connection is of the table whose key the connection proved, whatever the message claims. A viewer
// (a sign) may read the feed and say nothing.
//
// Laws: one key for a name at a time, one name for a key: a new enrolment of a name takes its old
// key out at that entry. Only public keys are known here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkmeter {

// Numbers are in the journal: for ever.
enum class EnrolmentKind : std::uint8_t { table = 1, viewer = 2 };

std::string_view name(EnrolmentKind kind);

struct Enrolment {
  EnrolmentKind kind = EnrolmentKind::table;
  std::string name;  // the table's id, or what the house calls the viewer
  std::string key;   // the public CURVE key in Z85: 40 letters
  friend bool operator==(const Enrolment&, const Enrolment&) = default;
};

// 40 letters of Z85.
bool is_well_formed_key(std::string_view key);

class Enrolments {
 public:
  using Name = std::pair<EnrolmentKind, std::string>;

  [[nodiscard]] const std::map<Name, Enrolment>& all() const { return by_name_; }
  [[nodiscard]] const Enrolment* find(EnrolmentKind kind, std::string_view name) const;
  // Whose key it is; null: nobody's, or nobody's any more.
  [[nodiscard]] const Enrolment* find_key(std::string_view key) const;

  // REQUIRES: the key is nobody's.
  void enrol(const Enrolment& enrolment);
  // REQUIRES: there is one of that name.
  void revoke(EnrolmentKind kind, const std::string& name);

  friend bool operator==(const Enrolments&, const Enrolments&) = default;

 private:
  std::map<Name, Enrolment> by_name_;
  std::map<std::string, Name, std::less<>> by_key_;
};

}  // namespace linkmeter
