// The next release of the programs, as tests link it: the sources of this one, with the next state
// version (proto/host/release.h) and a kind of entry that this release does not know. The next
// release writes that entry when a person suspends a link with the reason below; the entry names
// the next release as the oldest one that can read it. It writes everything else as this release
// does.
//
// The linker replaces encode() and decode_entry() by these two functions (--wrap).
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "proto/codec/journal_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter {

std::string encode_of_this(const Entry& entry) asm(
    "__real__ZN9linkmeter6encodeB5cxx11ERKNS_5EntryE");
std::optional<Entry> decode_of_this(std::string_view bytes) asm(
    "__real__ZN9linkmeter12decode_entryESt17basic_string_viewIcSt11char_traitsIcEE");
std::string encode_of_next(const Entry& entry) asm(
    "__wrap__ZN9linkmeter6encodeB5cxx11ERKNS_5EntryE");
std::optional<Entry> decode_of_next(std::string_view bytes) asm(
    "__wrap__ZN9linkmeter12decode_entryESt17basic_string_viewIcSt11char_traitsIcEE");

namespace {

constexpr std::string_view reason_of_next = "a reason of the next release";
constexpr std::string_view tag_of_next("\xe2\x12", 2);  // field 300, of bytes with their length

}  // namespace

std::string encode_of_next(const Entry& entry) {
  std::string bytes = encode_of_this(entry);
  const auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended == nullptr || suspended->note != reason_of_next) return bytes;
  journal::Entry message;
  if (!message.ParseFromString(bytes)) return bytes;
  const std::string fact = message.link_suspended().SerializeAsString();
  message.clear_link_suspended();
  message.set_needs_reader(journal_reader + 1);
  message.set_needs_release(LINKMETER_VERSION);
  // The reason and a badge are shorter than 128 bytes, so one byte holds the fact's length.
  return message.SerializeAsString() + std::string(tag_of_next) + static_cast<char>(fact.size()) +
         fact;
}

std::optional<Entry> decode_of_next(std::string_view bytes) {
  const std::size_t at = bytes.rfind(tag_of_next);
  journal::Entry message;
  if (at == std::string_view::npos || !message.ParseFromString(std::string(bytes.substr(0, at))) ||
      message.needs_reader() != journal_reader + 1) {
    return decode_of_this(bytes);
  }
  message.clear_needs_reader();
  message.clear_needs_release();
  const std::string fact(bytes.substr(at + tag_of_next.size() + 1));
  if (!message.mutable_link_suspended()->ParseFromString(fact)) return std::nullopt;
  return decode_of_this(message.SerializeAsString());
}

}  // namespace linkmeter
