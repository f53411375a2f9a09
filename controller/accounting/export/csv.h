// CSV by RFC 4180: records end with CR LF, a field with a comma, a quote or a line end is quoted,
// and quotes in it are doubled.
//
// Law: text from a person or a table never becomes a formula. A text that begins with = + - @, a
// tab, CR, LF or an apostrophe gets an apostrophe before it: spreadsheets then read it as text, and
// csv_text() removes it again. So any text comes back byte for byte. Numbers of this program are
// not such texts: -12 stays a number.
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
  // A text from a person or a table.
  CsvRecord& text(std::string_view text);
  // A number or a name of this program.
  CsvRecord& plain(std::string_view text);
  // The record with its line end.
  [[nodiscard]] std::string whole() const { return fields_ + "\r\n"; }

 private:
  std::string fields_;
  bool is_first_ = true;
};

// The text that was passed to CsvRecord::text().
std::string csv_text(std::string_view field);

// Reads records strictly: a single CR or LF outside quotes, a quote in an unquoted field, and text
// after the closing quote are errors.
class CsvReader {
 public:
  // `in` must outlive this.
  explicit CsvReader(std::istream& in) : in_(in) {}

  // The next complete record; nullopt at the end, at an error, or if the last record is incomplete.
  std::optional<std::vector<std::string>> next();
  // The offset in bytes of the record after the last one returned.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // Whether the text ended right after a record.
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
