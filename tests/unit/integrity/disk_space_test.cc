// DiskSpace: when links suspend themselves because the journal soon could not grow.
#include "controller/integrity/disk_space.h"

#include <doctest/doctest.h>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::disk_space_test {
namespace {

bool says(const std::optional<std::string>& reason, const std::string& part) {
  return reason && reason->find(part) != std::string::npos;
}

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t plenty = mebibyte << 20U;

}  // namespace

TEST_CASE("space is short below the reserve, not at it, on the disk and in the map") {
  const DiskReserve margins;
  CHECK_FALSE(shortage({64 * mebibyte, 64 * mebibyte, 0.0, true}, margins));
  CHECK(says(shortage({64 * mebibyte - 1, plenty, 0.0, true}, margins), "disk is full"));
  CHECK(
      says(shortage({0, plenty, 0.0, true}, margins), "disk is full: 0 KiB are free, 65536 must"));
  CHECK(says(shortage({plenty, 64 * mebibyte - 1, 0.0, true}, margins), "map is full"));
}

TEST_CASE("space is short above the map's used fraction, not at it") {
  const DiskReserve margins;
  CHECK_FALSE(shortage({plenty, plenty, 0.95, true}, margins));
  CHECK(says(shortage({plenty, plenty, 0.951, true}, margins), "map is full: 95 %"));
  CHECK(says(shortage({plenty, plenty, 1.0, true}, margins), "map is full: 100 %"));
}

TEST_CASE("a read-only disk has no space") {
  CHECK(says(shortage({plenty, plenty, 0.0, false}, {}), "read-only"));
}

TEST_CASE("the free space of the folder's disk is read; a lost disk is a fault") {
  const ScopedDirectory here;
  const DiskSpace room = free_bytes_on(here.path(), 7, 0.25);
  CHECK(room.disk_bytes_free > 0);
  CHECK(room.map_used == 0.25);
  CHECK(room.map_bytes_free == 7);
  CHECK(room.disk_is_writable);
  CHECK_THROWS_AS(static_cast<void>(free_bytes_on(here.path() / "gone", 0, 0)), Fault);
}

TEST_CASE("sizes are bytes, or bytes with a unit") {
  CHECK(parse_size("4096") == 4'096);
  CHECK(parse_size("64M") == 64 * mebibyte);
  CHECK(parse_size("1K") == 1'024);
  CHECK(parse_size("2G") == 2'048 * mebibyte);
  CHECK(parse_size("1T") == mebibyte * mebibyte);
  for (const char* wrong :
       {"", "M", "64MB", "-1", "6 4", "0x10", "1.5G", "99999999999999999999", "9999999T", "64m"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_size(wrong));
  }
}

}  // namespace linkmeter::disk_space_test
