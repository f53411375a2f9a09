#include "proto/codec/journal_codec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "meters/values/number.h"
#include "meters/values/text.h"
#include "proto/codec/fact_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/codec/scratch_message.h"
#include "proto/host/release.h"
#include "proto/journal.pb.h"

namespace linkmeter {

// The pool is 0 for the reserve, or else the level's place plus one.
bool serialize(Of<Posting> auto& posting, auto& message) {
  constexpr std::uint32_t reserve = 0;
  std::uint32_t pool =
      posting.pool.is_reserve() ? reserve : posting.pool.level_index().value() + 1U;
  if (!FIELD(posting.account, account) || !FIELD(posting.link, link) || !FIELD(pool, pool) ||
      !FIELD(posting.amount, units)) {
    return false;
  }
  if constexpr (IsRead<decltype(message)>) {
    if (pool > limits::levels_max) return false;
    posting.pool = pool == reserve ? Pool::reserve()
                                   : Pool::level(LevelIndex(static_cast<std::uint8_t>(pool - 1)));
  }
  return posting.amount <= limits::lifetime_max && posting.amount >= -limits::lifetime_max;
}

bool serialize(Of<Origin> auto& origin, auto& message) {
  return FIELD(origin.table, table) && FIELD(origin.number, number) &&
         FIELD(origin.digest, digest) && FIELD(origin.sent_at, sent_at_us);
}

bool serialize(Of<Entry> auto& entry, auto& message) {
  return FIELD(entry.number, number) && FIELD(entry.recorded_at, recorded_at_us) &&
         FIELD(entry.origin, origin) && FIELD(entry.postings, postings) &&
         serialize(entry.fact, message);
}

namespace {

// An earlier reader, and how many facts and acts it knows, and the last kind of enrolment. New ones
// are added at the end.
struct OlderReader {
  std::string_view release;  // the first release with this reader
  std::size_t facts, acts;
  EnrolmentKind enrolment;
};
// From reader 1 on. When the journal gets a new reader, add the previous one here.
constexpr std::array older_readers{OlderReader{"0.1.0", 37, 13, EnrolmentKind::viewer},
                                   OlderReader{"0.2.0", 47, 18, EnrolmentKind::viewer},
                                   OlderReader{"0.3.0", 48, 18, EnrolmentKind::node}};
static_assert(journal_reader == older_readers.size() + 1);

// The reader that an entry needs. Reader 1 is not written.
struct Needed {
  std::uint32_t reader = 1;
  std::string release;
};

// The last kind of enrolment that the fact names; the first kind if it names none.
EnrolmentKind last_enrolment(const Fact& fact, const DualControlCommand* act) {
  EnrolmentKind last = EnrolmentKind::table;
  if (const auto* opened = std::get_if<FloorOpened>(&fact)) {
    for (const Enrolment& one : opened->enrolments) last = std::max(last, one.kind);
  }
  if (act == nullptr) return last;
  if (const auto* enrol = std::get_if<Enrol>(act)) return enrol->enrolment.kind;
  if (const auto* revoke = std::get_if<Revoke>(act)) return revoke->kind;
  return last;
}

// The oldest reader that knows the fact. Every release writes the same for it, for ever.
Needed reader_needed(const Fact& fact) {
  const auto* proposed = std::get_if<ActProposed>(&fact);
  const auto* confirmed = std::get_if<ActConfirmed>(&fact);
  const DualControlCommand* act = proposed != nullptr    ? &proposed->act
                                  : confirmed != nullptr ? &confirmed->act
                                                         : nullptr;
  const EnrolmentKind enrolment = last_enrolment(fact, act);
  for (std::size_t at = 0; at < older_readers.size(); ++at) {
    const OlderReader& reader = older_readers[at];
    if (fact.index() < reader.facts && (act == nullptr || act->index() < reader.acts) &&
        enrolment <= reader.enrolment) {
      return {static_cast<std::uint32_t>(at + 1), std::string(reader.release)};
    }
  }
  return {journal_reader, std::string(journal_reader_release)};
}

std::string write(const Entry& entry, const Needed& needed) {
  parts::Scratch<journal::Entry> scratch;
  journal::Entry& message = *scratch;
  serialize(entry, message);
  if (needed.reader > 1) {
    message.set_needs_reader(needed.reader);
    message.set_needs_release(needed.release);
  }
  return message.SerializeAsString();
}

// Reads the fields that this release knows; the entry may hold more.
std::optional<Entry> read_known(const journal::Entry& message) {
  Entry entry;
  if (!serialize(entry, message)) return std::nullopt;
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
