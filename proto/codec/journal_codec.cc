#include "proto/codec/journal_codec.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "meters/values/number.h"
#include "meters/values/text.h"
#include "proto/codec/arena_message.h"
#include "proto/codec/fact_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/host/release.h"
#include "proto/journal.pb.h"

namespace linkmeter {

namespace {

constexpr std::uint32_t reserve_pool = 0;

void encode_posting(const Posting& posting, journal::Posting& message) {
  message.set_account(static_cast<std::uint32_t>(posting.account));
  message.set_link(posting.link.value());
  message.set_pool(posting.pool.is_reserve() ? reserve_pool
                                             : posting.pool.level_index().value() + 1U);
  message.set_units(posting.amount.units());
}

bool decode_posting(const journal::Posting& message, Posting& posting) {
  if (message.account() < static_cast<std::uint32_t>(Account::meter) ||
      message.account() > static_cast<std::uint32_t>(Account::overflow) ||
      message.pool() > limits::levels_max) {
    return false;
  }
  posting.account = static_cast<Account>(message.account());
  posting.link = LinkIndex(message.link());
  posting.pool = message.pool() == reserve_pool
                     ? Pool::reserve()
                     : Pool::level(LevelIndex(static_cast<std::uint8_t>(message.pool() - 1)));
  posting.amount = Amount::from_units(message.units());
  return posting.amount <= limits::lifetime_max && posting.amount >= -limits::lifetime_max;
}

// An earlier reader, and how many facts and acts it knows. New ones are added at the end.
struct OlderReader {
  std::string_view release;  // the first release with this reader
  std::size_t facts, acts;
};
// From reader 1 on. When the journal gets a new reader, add the previous one here.
constexpr std::array older_readers{OlderReader{"0.1.0", 37, 13}};
static_assert(journal_reader == older_readers.size() + 1);

// The reader that an entry needs. Reader 1 is not written.
struct Needed {
  std::uint32_t reader = 1;
  std::string release;
};

// The oldest reader that knows the fact. Every release writes the same for it, for ever.
Needed reader_needed(const Fact& fact) {
  const auto* proposed = std::get_if<ActProposed>(&fact);
  const auto* confirmed = std::get_if<ActConfirmed>(&fact);
  const DualControlCommand* act = proposed != nullptr    ? &proposed->act
                                  : confirmed != nullptr ? &confirmed->act
                                                         : nullptr;
  for (std::size_t at = 0; at < older_readers.size(); ++at) {
    const OlderReader& reader = older_readers[at];
    if (fact.index() < reader.facts && (act == nullptr || act->index() < reader.acts)) {
      return {static_cast<std::uint32_t>(at + 1), std::string(reader.release)};
    }
  }
  return {journal_reader, std::string(journal_reader_release)};
}

std::string write(const Entry& entry, const Needed& needed) {
  parts::Scratch<journal::Entry> scratch;
  journal::Entry& message = *scratch;
  message.set_number(entry.number.value());
  message.set_recorded_at_us(entry.recorded_at.microseconds());
  if (entry.origin) {
    journal::Origin& origin = *message.mutable_origin();
    origin.set_table(entry.origin->table.value());
    origin.set_number(entry.origin->number.value());
    origin.set_digest(parts::encode_digest(entry.origin->digest));
    origin.set_sent_at_us(entry.origin->sent_at.microseconds());
  }
  for (const Posting& posting : entry.postings) encode_posting(posting, *message.add_postings());
  parts::encode_entry_fact(entry.fact, message);
  if (needed.reader > 1) {
    message.set_needs_reader(needed.reader);
    message.set_needs_release(needed.release);
  }
  return message.SerializeAsString();
}

// Reads the fields that this release knows; the entry may hold more.
std::optional<Entry> read_known(const journal::Entry& message) {
  Entry entry;
  entry.number = EntryNumber(message.number());
  entry.recorded_at = Timestamp::from_microseconds(message.recorded_at_us());
  if (message.has_origin()) {
    Origin& origin = entry.origin.emplace();
    origin.table = TableIndex(message.origin().table());
    origin.number = MessageNumber(message.origin().number());
    origin.sent_at = Timestamp::from_microseconds(message.origin().sent_at_us());
    if (!parts::decode_digest(message.origin().digest(), origin.digest)) return std::nullopt;
  }
  entry.postings.reserve(static_cast<std::size_t>(message.postings_size()));
  for (const journal::Posting& posting : message.postings()) {
    if (!decode_posting(posting, entry.postings.emplace_back())) return std::nullopt;
  }
  std::optional<Fact> fact = parts::decode_entry_fact(message);
  if (!fact) return std::nullopt;
  entry.fact = std::move(*fact);
  return entry;
}

// "0.10.0" as numbers; nullopt: not such a name.
std::optional<std::vector<std::uint64_t>> numbers_of(std::string_view release) {
  std::vector<std::uint64_t> numbers;
  for (;;) {
    const std::size_t point = release.find('.');
    const auto number = parse_number(release.substr(0, point));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (point == std::string_view::npos) return numbers;
    release.remove_prefix(point + 1);
  }
}

// False if either is not the name of a release.
bool is_newer(std::string_view release, std::string_view than) {
  if (release.size() > limits::name_length_max) return false;
  const auto one = numbers_of(release), other = numbers_of(than);
  return one && other && *one > *other;
}

std::string needs_release(const std::string& release) {
  return "it needs release " + release + " or later; this is " + std::string(this_release().name);
}

bool parse(std::string_view bytes, journal::Entry& message) {
  return bytes.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()) &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string encode(const Entry& entry) { return write(entry, reader_needed(entry.fact)); }

std::optional<Entry> decode_entry(std::string_view bytes) {
  parts::Scratch<journal::Entry> scratch;
  const journal::Entry& message = *scratch;
  if (!parse(bytes, *scratch) || message.needs_reader() > journal_reader) return std::nullopt;
  std::optional<Entry> entry = read_known(message);
  if (!entry) return std::nullopt;
  // Another release may name a newer reader than the entry needs.
  Needed needed = reader_needed(entry->fact);
  if (message.needs_reader() > needed.reader) {
    needed = {message.needs_reader(), message.needs_release()};
  }
  // If all of the entry is known, encoding it again gives the same bytes.
  if (write(*entry, needed) != bytes) return std::nullopt;
  return entry;
}

std::string why_unreadable(std::string_view bytes, std::string_view written_by) {
  parts::Scratch<journal::Entry> scratch;
  const journal::Entry& message = *scratch;
  if (!parse(bytes, *scratch)) return "its bytes are not an entry";
  if (message.needs_reader() > journal_reader) {
    return needs_release(is_well_formed_text(message.needs_release(), limits::name_length_max)
                             ? message.needs_release()
                             : "of journal reader " + std::to_string(message.needs_reader()));
  }
  // The self-check of a start names its release.
  const std::string release =
      message.has_self_checked() ? message.self_checked().version() : std::string(written_by);
  if (is_newer(release, this_release().name)) return needs_release(release);
  if (read_known(message)) {
    return "it holds what this release does not know: a newer release has written it";
  }
  return "its bytes are not an entry";
}

}  // namespace linkmeter
