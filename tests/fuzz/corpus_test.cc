// Every target on every file of its corpus and on variants with one mistake, in every build; the
// long run is tests/fuzz/run.
//
// LINKMETER_WRITE_CORPUS=1 writes the seeds into tests/fuzz/corpus.
#include <doctest/doctest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "proto/host/atomic_file.h"
#include "tests/fuzz/target.h"

namespace linkmeter::corpus_test {
namespace {

const std::filesystem::path corpus = LINKMETER_SOURCE_DIR "/tests/fuzz/corpus";

// By name of the target, then of the file.
std::map<std::string, std::map<std::string, std::string>> read_corpus() {
  std::map<std::string, std::map<std::string, std::string>> all;
  for (const auto& folder : std::filesystem::directory_iterator(corpus)) {
    auto& files = all[folder.path().filename().string()];
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      files[file.path().filename().string()] = read_file(file.path()).value();
    }
  }
  return all;
}

// Cuts and flips, spread evenly over the bytes if there are more than `most`.
void judge_mutations(const fuzz::Target& target, const std::string& bytes, std::size_t most) {
  const std::size_t all = bytes.size() * 9, step = all / most + 1;
  for (std::size_t which = 0; which < all; which += step) {
    const std::size_t at = which / 9, bit = which % 9;
    INFO("byte " << at << (bit == 8 ? ": cut before it" : ": flipped bit ") << bit);
    std::string changed = bytes;
    if (bit == 8) {
      changed.resize(at);
    } else {
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
    }
    target.judge(changed);
  }
}

}  // namespace

TEST_CASE("every target has a corpus, every corpus a target, and all of it is small") {
  std::set<std::string> named;
  std::size_t bytes = 0;
  for (const auto& folder : read_corpus()) {
    CAPTURE(folder.first);
    CHECK(fuzz::find_target(folder.first) != nullptr);
    CHECK_FALSE(folder.second.empty());
    named.insert(folder.first);
    for (const auto& file : folder.second) bytes += file.second.size();
  }
  for (const fuzz::Target& target : fuzz::targets()) CHECK(named.contains(target.name));
  CHECK_LE(bytes, 200'000);
}

TEST_CASE("the inputs that the fixtures write pass") {
  const char* writes = std::getenv("LINKMETER_WRITE_CORPUS");
  for (const fuzz::Seed& seed : fuzz::seeds()) {
    CAPTURE(seed.target);
    CAPTURE(seed.name);
    const fuzz::Target* target = fuzz::find_target(seed.target);
    REQUIRE(target != nullptr);
    target->judge(seed.bytes);
    if (writes == nullptr) continue;
    std::filesystem::create_directories(corpus / seed.target);
    std::ofstream(corpus / seed.target / ("seed-" + seed.name), std::ios::binary) << seed.bytes;
  }
}

TEST_CASE("every file of the corpus passes, also cut or with a flipped byte anywhere") {
  for (const auto& folder : read_corpus()) {
    const fuzz::Target* target = fuzz::find_target(folder.first);
    REQUIRE(target != nullptr);
    for (const auto& file : folder.second) {
      CAPTURE(target->name);
      CAPTURE(file.first);
      target->judge(file.second);
      judge_mutations(*target, file.second, target->replayed_max / folder.second.size() + 1);
    }
  }
}

TEST_CASE("an input that is nested as deep as it is long passes") {
  // As much as a request may contain, and more than a line of a file.
  constexpr std::size_t depth = 30'000;
  const std::string arrays = std::string(depth, '[') + std::string(depth, ']');
  std::string objects;
  for (std::size_t level = 0; level < depth / 5; ++level) objects += "{\"a\":";
  objects += "1" + std::string(depth / 5, '}');
  for (const std::string& deep : {arrays, objects}) {
    for (const fuzz::Target& target : fuzz::targets()) {
      CAPTURE(target.name);
      target.judge(deep);
      for (const char* begin :
           {"\x01{\"cards\":[", R"({"touch":{"do":"show","id":"t","hands":)",
            R"({"event":"show","hands":)",
            "/api/claims/1/pay\n{\"slip\":", "/api/hands\n{\"cards\":",
            R"({"list":"linkmeter-bundle 1","files":[],"sha256":"","about":{"claim":)",
            "\x08{\"list\":\"linkmeter-bundle 1\",\"files\":[],\"about\":{\"claim\":"}) {
        target.judge(begin + deep + "}}");
        target.judge(begin + deep + "]}");
        target.judge(begin + deep + "}");
      }
    }
  }
}

}  // namespace linkmeter::corpus_test
