#include "meters/codec/timezone.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

namespace linkmeter {
namespace {

// "America/New_York": no part is empty, "." or "..", so that the path stays where it belongs.
bool is_inside(std::string_view name) {
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

// What a zone's file says (RFC 8536): from each moment on, how many seconds the place is ahead.
class Zone {
 public:
  // nullopt: these bytes are none.
  static std::optional<Zone> parse(std::string_view bytes) {
    Zone zone;
    const std::optional<Counts> first = counts(bytes);
    if (!first) return std::nullopt;
    constexpr std::size_t short_size = 4, long_size = 8;
    if (first->version == 0) {
      return zone.read(bytes, *first, short_size) ? std::optional(zone) : std::nullopt;
    }
    // The first block is for readers that know no more than it.
    const std::size_t skipped = header_size + first->size(short_size);
    if (bytes.size() < skipped) return std::nullopt;
    bytes.remove_prefix(skipped);
    const std::optional<Counts> second = counts(bytes);
    if (!second || !zone.read(bytes, *second, long_size)) return std::nullopt;
    const std::string_view footer = bytes.substr(header_size + second->size(long_size));
    zone.changes_for_ever_ = footer.find(',') != std::string_view::npos;
    return zone;
  }

  [[nodiscard]] std::int64_t offset(std::int64_t moment) const {
    const auto next = std::upper_bound(moments_.begin(), moments_.end(), moment);
    return next == moments_.begin()
               ? first_
               : offsets_[static_cast<std::size_t>(next - moments_.begin()) - 1];
  }
  // Beyond its last moment a rule goes on that we do not read.
  [[nodiscard]] bool reaches(std::int64_t moment) const {
    return !changes_for_ever_ || (!moments_.empty() && moment < moments_.back());
  }

 private:
  static constexpr std::size_t header_size = 44;
  struct Counts {
    int version = 0;
    std::size_t universal = 0, standard = 0, leaps = 0, moments = 0, types = 0, letters = 0;
    [[nodiscard]] std::size_t size(std::size_t moment_size) const {
      constexpr std::size_t type_size = 6, correction_size = 4;
      return moments * (moment_size + 1) + types * type_size + letters +
             leaps * (moment_size + correction_size) + standard + universal;
    }
  };
  static std::int64_t integer(std::string_view bytes) {
    std::uint64_t value = !bytes.empty() && static_cast<signed char>(bytes.front()) < 0 ? ~0ULL : 0;
    for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
  }
  static std::optional<Counts> counts(std::string_view bytes) {
    if (bytes.size() < header_size || bytes.substr(0, 4) != "TZif") return std::nullopt;
    const auto at = [bytes](std::size_t place) {
      return static_cast<std::size_t>(integer(bytes.substr(20 + 4 * place, 4)) & 0xFFFFFF);
    };
    return Counts{bytes[4], at(0), at(1), at(2), at(3), at(4), at(5)};
  }
  bool read(std::string_view bytes, const Counts& counts, std::size_t moment_size) {
    if (counts.types == 0 || bytes.size() < header_size + counts.size(moment_size)) return false;
    constexpr std::size_t type_size = 6;
    const std::string_view moments = bytes.substr(header_size);
    const std::string_view kinds = moments.substr(counts.moments * moment_size);
    const std::string_view types = kinds.substr(counts.moments);
    const auto offset_of = [&](std::size_t type) {
      return integer(types.substr(type * type_size, 4));
    };
    first_ = offset_of(0);
    for (std::size_t at = 0; at < counts.moments; ++at) {
      const auto type = static_cast<std::size_t>(static_cast<unsigned char>(kinds[at]));
      if (type >= counts.types) return false;
      moments_.push_back(integer(moments.substr(at * moment_size, moment_size)));
      offsets_.push_back(offset_of(type));
    }
    return std::is_sorted(moments_.begin(), moments_.end());
  }

  std::vector<std::int64_t> moments_;  // seconds
  std::vector<std::int64_t> offsets_;  // seconds, from the moment at the same place on
  std::int64_t first_ = 0;             // before all of them
  bool changes_for_ever_ = false;
};

}  // namespace

bool is_timezone(std::string_view name, const std::filesystem::path& zones) {
  if (!is_inside(name)) return false;
  std::error_code error;
  if (!std::filesystem::is_directory(zones, error)) return true;
  const std::filesystem::path path = zones / name;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  // Beside the zones stand lists of them. A zone begins with these letters (RFC 8536).
  constexpr std::string_view magic = "TZif";
  std::array<char, magic.size()> head{};
  std::ifstream stream(path, std::ios::binary);
  return stream.read(head.data(), head.size()) &&
         std::string_view(head.data(), head.size()) == magic;
}

std::optional<Timestamp> midnight(std::string_view name, std::chrono::year_month_day day,
                                  const std::filesystem::path& zones) {
  std::error_code error;
  if (!std::filesystem::is_directory(zones, error) || !is_timezone(name, zones)) {
    return std::nullopt;
  }
  std::ifstream stream(zones / name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::optional<Zone> zone = Zone::parse(bytes);
  if (!zone) return std::nullopt;
  constexpr std::int64_t day_s = 86'400, second_us = 1'000'000;
  const std::int64_t local = std::chrono::sys_days(day).time_since_epoch().count() * day_s;
  if (!zone->reaches(local + day_s)) return std::nullopt;
  std::int64_t begins = local - zone->offset(local - day_s);
  const std::int64_t after = zone->offset(local + day_s);
  // After a change to summer time in the night before.
  if (zone->offset(begins) != local - begins && zone->offset(local - after) == after) {
    begins = local - after;
  }
  return Timestamp::from_microseconds(begins * second_us);
}

}  // namespace linkmeter
