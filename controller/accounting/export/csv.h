// CSV as RFC 4180 has it: records end with CR LF, a field with a comma, a quote or a line's end in
// it stands in quotes, and a quote is doubled.
//
// Law: what a person or a table wrote never becomes a formula. A text that begins with = + - @, a
// tab, CR, LF or an apostrophe gets one apostrophe before it, which spreadsheets take for "this is
// text" and csv_text() takes off again: any text comes back as it was, byte for byte. Numbers that
// we made are no such texts: -12 stays a number.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

// Adds fields to one record.
class CsvRecord {
 public:
  // What somebody wrote.
  CsvRecord& text(std::string_view text);
  // What we made: a number, a name of ours.
  CsvRecord& plain(std::string_view text);
  // The record with its end.
  [[nodiscard]] std::string whole() const { return fields_ + "\r\n"; }

 private:
  std::string fields_;
  bool is_first_ = true;
};

// What text() was given.
std::string csv_text(std::string_view field);

// Reads records, strictly: a lone CR or LF outside quotes, a quote inside a bare field, or a field
// that goes on after its quotes are mistakes.
class CsvReader {
 public:
  // `in` must outlive this.
  explicit CsvReader(std::istream& in) : in_(in) {}

  // The next whole record; nullopt at the end, at a mistake, or where a record has no end.
  std::optional<std::vector<std::string>> next();
  // Where the record after the last one that was given begins, in bytes.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // Did the text end right after a record?
  [[nodiscard]] bool ended_well() const { return ended_well_; }

 private:
  enum class Field : std::uint8_t { ended, record_ended, broken };
  Field read_field(std::string& field);
  Field after_field(int byte);
  int take();

  std::istream& in_;
  std::uint64_t read_ = 0;
  std::uint64_t offset_ = 0;
  bool ended_well_ = false;
};

}  // namespace linkmeter
