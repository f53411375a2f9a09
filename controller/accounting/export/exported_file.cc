// The half of export_file.h that reads.
#include <algorithm>

#include "controller/accounting/export/export_file.h"
#include "controller/view/json.h"
#include "proto/codec/json_depth.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// "-12.34567890" as units; nullopt: it is no such text, or longer than any sum.
std::optional<Int128> parse_dollars(const std::string& text) {
  constexpr std::size_t length_max = 36;  // of what a sum can hold, and more
  if (text.size() > length_max) return std::nullopt;
  Int128 units = 0;
  const bool is_negative = !text.empty() && text.front() == '-';
  for (const char byte : text) {
    if (byte >= '0' && byte <= '9') units = units * 10 + (byte - '0');
  }
  if (is_negative) units = -units;
  return dollars_text(units) == text ? std::optional<Int128>(units) : std::nullopt;
}

// "1.00000000" as an amount; nullopt: it is none, or more than there can be.
std::optional<Amount> parse_balance(const std::string& text) {
  const std::optional<Int128> units = parse_dollars(text);
  if (!units || *units > INT64_MAX || *units < -INT64_MAX) return std::nullopt;
  return Amount::from_units(static_cast<std::int64_t>(*units));
}

std::string format_of(const std::string& name) {
  for (const char* known : {"entries", "postings", "ledger"}) {
    if (name == std::string("linkmeter-") + known) return known;
  }
  throw Fault("\"" + name + "\" is no format of linkmeter export");
}

}  // namespace

ExportedFile::ExportedFile(const std::filesystem::path& path, std::string format)
    : in_(path, std::ios::binary), csv_(in_), format_(std::move(format)) {
  if (!in_) throw Fault(path.string() + ": cannot be read");
  if (format_ == "entries") return;
  const auto head = csv_.next();
  line_number_ = 1;
  offset_ = csv_.offset();
  const std::string wanted =
      format_ == "postings" ? "linkmeter-postings 1" : std::string(ledger_name);
  if (!head || head->front() != wanted) why_ = "it does not begin with \"" + wanted + "\"";
}

std::optional<ExportedLine> ExportedFile::next() {
  if (!why_.empty()) return std::nullopt;
  auto line = format_ == "entries" ? next_entry() : next_record();
  if (line) ++line_number_;
  return line;
}

std::optional<ExportedLine> ExportedFile::next_entry() {
  ExportedLine said;
  if (!std::getline(in_, said.line)) return std::nullopt;
  if (in_.eof()) {
    why_ = "the last line has no end";
    return std::nullopt;
  }
  const Json json = is_nested_too_deep(said.line) ? Json() : Json::parse(said.line, nullptr, false);
  why_ = "it is no entry";
  if (!json.is_object() || !json.contains("entry") || !json["entry"].is_number_unsigned() ||
      !json.contains("postings") || !json["postings"].is_array()) {
    return std::nullopt;
  }
  said.entry = EntryNumber(json["entry"].get<std::uint64_t>());
  for (const Json& posting : json["postings"]) {
    if (!posting.is_object() || !posting.value("account", Json()).is_string() ||
        !posting.value("amount", Json()).is_string()) {
      return std::nullopt;
    }
    const auto amount = parse_balance(posting["amount"].get<std::string>());
    if (!amount) return std::nullopt;
    said.postings.emplace_back(posting["account"].get<std::string>(), *amount);
  }
  why_.clear();
  offset_ += said.line.size() + 1;
  return said;
}

std::optional<ExportedLine> ExportedFile::next_record() {
  auto fields = csv_.next();
  if (!fields) {
    if (!csv_.ended_well()) why_ = "it is no whole record";
    return std::nullopt;
  }
  ExportedLine said;
  if (format_ == "postings") {
    PostingRowRead read = parse_posting_row(*fields);
    why_ = read.why;
    if (!why_.empty()) return std::nullopt;
    said.entry = read.row.entry;
    said.postings.emplace_back(read.row.account, read.row.amount);
    said.row = std::move(read.row);
  }
  said.fields = std::move(*fields);
  offset_ = csv_.offset();
  return said;
}

ExportedTotals read_export_totals(const std::filesystem::path& file) {
  const std::string path = file.string() + ".totals.json";
  const auto text = read_whole(path);
  if (!text) {
    if (!std::ifstream(file)) throw Fault(file.string() + ": cannot be read");
    throw Fault(file.string() + ": its totals, " + path + ", cannot be read");
  }
  try {
    const Json json = Json::parse(*text);
    ExportedTotals told;
    if (json.at("version") != 1) throw Fault("it is of another version");
    told.asked.format = format_of(json.at("format").get<std::string>());
    if (!json.at("link").is_null()) told.asked.link = json.at("link").get<std::string>();
    if (!json.at("day").is_null()) {
      told.asked.day = parse_gaming_day(json.at("day").get<std::string>());
      if (!told.asked.day) throw Fault("\"day\" is no date");
    }
    told.range = {EntryNumber(json.at("from").get<std::uint64_t>()),
                  EntryNumber(json.at("to").get<std::uint64_t>())};
    told.totals.rows = json.at("rows").get<std::uint64_t>();
    told.totals.first = EntryNumber(json.at("first_entry").get<std::uint64_t>());
    told.totals.last = EntryNumber(json.at("last_entry").get<std::uint64_t>());
    for (const auto& [account, sum] : json.at("sum_by_account").items()) {
      const auto units = parse_dollars(sum.get<std::string>());
      if (!units) throw Fault("the sum of " + account + " is no amount");
      told.totals.by_account[account] = *units;
    }
    told.bytes = json.at("bytes").get<std::uint64_t>();
    told.sha256 = json.at("sha256").get<std::string>();
    return told;
  } catch (const std::exception& no) {
    throw Fault(path + ": " + no.what());
  }
}

}  // namespace linkmeter
