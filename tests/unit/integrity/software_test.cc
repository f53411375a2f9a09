// Software on disk against its manifest: names files that differ, are missing or are not sealed.
#include "controller/integrity/software.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::software_test {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::trunc) << text;
}

// A data folder with a manifest, a catalogue of two chapters and a floor file.
class House {
 public:
  House() {
    std::filesystem::create_directory(place_.catalogue);
    write(place_.catalogue / "a.toml", "a");
    write(place_.catalogue / "b.toml", "b");
    write(place_.catalogue / "README.md", "not a chapter");
    write(place_.floor, "floor");
    seal(key_);
  }
  void seal(const SigningKey& key) {
    write(manifest_path(path()), signed_text({"now", "init", sealed_files(place_)}, key));
  }
  [[nodiscard]] const std::filesystem::path& path() const { return directory_.path(); }
  [[nodiscard]] const SoftwarePaths& place() const { return place_; }
  [[nodiscard]] SoftwareReport report(const SoftwarePaths& place) const {
    return verify_software(path(), place, key_.public_bytes());
  }
  [[nodiscard]] SoftwareReport report() const { return report(place_); }
  // Every file that is not as it was sealed.
  [[nodiscard]] std::map<std::string, FileCondition> wrong() const {
    std::map<std::string, FileCondition> all;
    for (const FileVerdict& file : report().files) {
      if (is_wrong(file.verdict)) all[file.name] = file.verdict;
    }
    return all;
  }

 private:
  ScopedDirectory directory_;
  SoftwarePaths place_{directory_.path() / "floor.toml", directory_.path() / "catalogue"};
  SigningKey key_ = SigningKey::generate();
};

using Wrong = std::map<std::string, FileCondition>;

}  // namespace

TEST_CASE("unchanged sealed files are clean; a floor file may have any name") {
  const House house;
  CHECK(text(house.report()) == "");
  CHECK(house.report().is_clean());
  std::filesystem::rename(house.place().floor, house.path() / "other.toml");
  CHECK(house.report({house.path() / "other.toml", house.place().catalogue}).is_clean());
}

TEST_CASE("every different, missing or unsealed file is named") {
  const House house;
  write(house.place().catalogue / "a.toml", "A");
  CHECK(house.wrong() == Wrong{{"a.toml", FileCondition::differs}});
  CHECK(text(house.report()).find((house.place().catalogue / "a.toml").string() + " differs") == 0);
  std::filesystem::remove(house.place().catalogue / "a.toml");
  CHECK(house.wrong() == Wrong{{"a.toml", FileCondition::missing}});
  write(house.place().catalogue / "a.toml", "a");
  CHECK(house.wrong().empty());
  write(house.place().catalogue / "c.toml", "c");
  CHECK(house.wrong() == Wrong{{"c.toml", FileCondition::unsealed}});
  std::filesystem::remove(house.place().catalogue / "c.toml");
  write(house.place().floor, "floor ");
  CHECK(house.wrong() == Wrong{{"floor.toml", FileCondition::differs}});
  std::filesystem::remove(house.place().floor);
  CHECK(house.wrong() == Wrong{{"floor.toml", FileCondition::unreadable}});
}

TEST_CASE("without a floor file the other files are checked") {
  const House house;
  write(house.place().floor, "another");
  const SoftwareReport report = house.report({{}, house.place().catalogue});
  CHECK(report.is_clean());
  CHECK(std::count_if(report.files.begin(), report.files.end(), [](const FileVerdict& file) {
          return file.verdict == FileCondition::not_looked_at;
        }) == 1);
}

TEST_CASE("without a manifest or a key, or with another key's seal, nothing is trusted") {
  House house;
  CHECK(verify_software(house.path(), house.place(), "").fault.find("names no seal key") !=
        std::string::npos);
  house.seal(SigningKey::generate());
  CHECK(house.report().fault.find("signature") != std::string::npos);
  CHECK_FALSE(house.report().is_clean());
  std::filesystem::remove(manifest_path(house.path()));
  CHECK(house.report().fault.find("manifest: cannot read") != std::string::npos);
  CHECK(text(house.report()).find("linkmeter seal") != std::string::npos);
}

TEST_CASE("a file name with a line break is not sealed") {
  const House house;
  write(house.place().catalogue / "c\nd.toml", "c");
  CHECK_THROWS_AS(static_cast<void>(sealed_files(house.place())), Fault);
}

}  // namespace linkmeter::software_test
