// Enrolment: a public key that may connect, and the table, viewer or node it belongs to. A table's
// identity is its key (L1): a message belongs to the table whose key its connection proved,
// whatever the message claims. A viewer (a sign) may only read the feed. A node (another controller
// of the house) may only read the journal.
//
// Laws: a name has one key at a time, and a key has one name. Enrolling a new key for a name
// removes the old key with the same entry. Private keys are not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace linkmeter {

// The numbers are stored in the journal and never change.
enum class EnrolmentKind : std::uint8_t { table = 1, viewer = 2, node = 3 };

std::string_view name(EnrolmentKind kind);

struct Enrolment {
  EnrolmentKind kind = EnrolmentKind::table;
  std::string name;  // the table's id, or the house's name of the viewer or node
  std::string key;   // the public CURVE key in Z85: 40 letters
  friend bool operator==(const Enrolment&, const Enrolment&) = default;
};

// Whether the text is 40 characters of Z85.
bool is_well_formed_key(std::string_view key);

class Enrolments {
 public:
  using Name = std::pair<EnrolmentKind, std::string>;

  [[nodiscard]] const std::map<Name, Enrolment>& all() const { return by_name_; }
  [[nodiscard]] std::size_t count(EnrolmentKind kind) const;
  [[nodiscard]] const Enrolment* find(EnrolmentKind kind, std::string_view name) const;
  // The enrolment that has this key; nullptr: the key is not enrolled.
  [[nodiscard]] const Enrolment* find_key(std::string_view key) const;

  // REQUIRES: the key is not enrolled.
  void enrol(const Enrolment& enrolment);
  // REQUIRES: the name is enrolled.
  void revoke(EnrolmentKind kind, const std::string& name);

  friend bool operator==(const Enrolments&, const Enrolments&) = default;

 private:
  std::map<Name, Enrolment> by_name_;
  std::map<std::string, Name, std::less<>> by_key_;
};

}  // namespace linkmeter
