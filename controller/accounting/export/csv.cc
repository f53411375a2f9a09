#include "controller/accounting/export/csv.h"

namespace linkmeter {
namespace {

constexpr std::string_view formula_beginnings = "=+-@\t\r\n'";

bool needs_apostrophe(std::string_view text) {
  return !text.empty() && formula_beginnings.find(text.front()) != std::string_view::npos;
}

std::string in_quotes(std::string_view text) {
  const bool is_bare = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       (text.empty() || (text.front() != ' ' && text.back() != ' '));
  if (is_bare) return std::string(text);
  std::string quoted = "\"";
  for (const char byte : text) {
    if (byte == '"') quoted += '"';
    quoted += byte;
  }
  return quoted + '"';
}

}  // namespace

CsvRecord& CsvRecord::text(std::string_view text) {
  return plain((needs_apostrophe(text) ? "'" : "") + std::string(text));
}

CsvRecord& CsvRecord::plain(std::string_view text) {
  if (!is_first_) fields_ += ',';
  is_first_ = false;
  fields_ += in_quotes(text);
  return *this;
}

std::string csv_text(std::string_view field) {
  const bool has_apostrophe =
      !field.empty() && field.front() == '\'' && needs_apostrophe(field.substr(1));
  return std::string(has_apostrophe ? field.substr(1) : field);
}

int CsvReader::take() {
  const int byte = in_.get();
  if (byte != std::istream::traits_type::eof()) ++read_;
  return byte;
}

CsvReader::Field CsvReader::after_field(int byte) {
  if (byte == ',') return Field::ended;
  return byte == '\r' && take() == '\n' ? Field::record_ended : Field::broken;
}

CsvReader::Field CsvReader::read_field(std::string& field) {
  constexpr int end = std::istream::traits_type::eof();
  int byte = take();
  if (byte != '"') {
    for (; byte != ',' && byte != '\r'; byte = take()) {
      if (byte == end || byte == '"' || byte == '\n') return Field::broken;
      field += static_cast<char>(byte);
    }
    return after_field(byte);
  }
  for (byte = take(); byte != end; byte = take()) {
    if (byte == '"') {
      byte = take();
      if (byte != '"') return after_field(byte);
    }
    field += static_cast<char>(byte);
  }
  return Field::broken;
}

std::optional<std::vector<std::string>> CsvReader::next() {
  if (in_.peek() == std::istream::traits_type::eof()) {
    ended_well_ = read_ == offset_;
    return std::nullopt;
  }
  std::vector<std::string> fields;
  for (;;) {
    const Field field = read_field(fields.emplace_back());
    if (field == Field::broken) return std::nullopt;
    if (field == Field::ended) continue;
    offset_ = read_;
    return fields;
  }
}

}  // namespace linkmeter
