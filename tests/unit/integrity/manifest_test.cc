// Manifests and their signing key: what was signed is accepted, and nothing else.
#include "controller/integrity/manifest.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <variant>

#include "controller/store/hash_chain.h"
#include "proto/host/fault.h"
#include "proto/host/signing_key.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::manifest_test {
namespace {

Manifest sample() {
  return {"2026-11-21T09:30:00.000000Z",
          "init",
          {{SealedKind::program, "linkmeter-controller", sha256("controller")},
           {SealedKind::chapter, "crazy 4.toml", sha256("chapter")},
           {SealedKind::floor, "floor.toml", sha256("floor")}}};
}

// "": the manifest is accepted.
std::string wrong_with(const std::string& text, const SigningKey& key) {
  const auto read = read_manifest(text, key.public_bytes());
  const auto* why = std::get_if<std::string>(&read);
  return why == nullptr ? "" : *why;
}

// The body, signed with the key without checks.
std::string signed_anyway(const std::string& body, const SigningKey& key) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = body + "signature ";
  for (const char byte : key.sign(body)) {
    text += digits[static_cast<unsigned char>(byte) >> 4U];
    text += digits[static_cast<unsigned char>(byte) & 15U];
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("a sealed manifest is read back") {
  const SigningKey key = SigningKey::generate();
  const auto read = read_manifest(signed_text(sample(), key), key.public_bytes());
  REQUIRE(std::holds_alternative<Manifest>(read));
  CHECK(std::get<Manifest>(read) == sample());
}

TEST_CASE("every flipped bit of a manifest, its signature included, is found") {
  const SigningKey key = SigningKey::generate();
  const std::string text = signed_text(sample(), key);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
      CAPTURE(at);
      REQUIRE(wrong_with(flipped, key) != "");
    }
  }
}

TEST_CASE("every cut of a manifest is found, and whatever follows it") {
  const SigningKey key = SigningKey::generate();
  const std::string text = signed_text(sample(), key);
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    REQUIRE(wrong_with(text.substr(0, size), key) != "");
  }
  CHECK(wrong_with(text + "\n", key) != "");
  CHECK(wrong_with(text + text, key) != "");
}

TEST_CASE("a seal by another key is invalid") {
  const SigningKey key = SigningKey::generate(), other = SigningKey::generate();
  CHECK(wrong_with(signed_text(sample(), other), key).find("signature") != std::string::npos);
  CHECK_FALSE(is_signed("text", key.sign("text"), other.public_bytes()));
  CHECK(is_signed("text", key.sign("text"), key.public_bytes()));
  CHECK_FALSE(is_signed("texts", key.sign("text"), key.public_bytes()));
  CHECK_FALSE(is_signed("text", "", key.public_bytes()));
  CHECK_FALSE(is_signed("text", key.sign("text"), ""));
  CHECK_FALSE(is_signed("text", key.sign("text"), std::string(32, '\xff')));
}

TEST_CASE("an unknown manifest format is refused even if it is signed") {
  const SigningKey key = SigningKey::generate();
  const std::string head = "linkmeter manifest 1\nsealed now\nby init\n";
  const std::string digest = hex(sha256("x"));
  REQUIRE(wrong_with(signed_anyway(head, key), key) == "");
  REQUIRE(wrong_with(signed_anyway(head + digest + " floor f\n", key), key) == "");
  for (const std::string& body :
       {std::string("linkmeter manifest 2\nsealed now\nby init\n"), std::string("\n"),
        std::string("linkmeter manifest 1\nby init\nsealed now\n"),
        std::string("linkmeter manifest 1\nsealed \nby init\n"), head + "\n", head + "x\n",
        head + digest + " library f\n", head + digest + " floor \n", head + digest + " floor\n",
        head + digest.substr(1) + " floor f\n", head + "g" + digest.substr(1) + " floor f\n",
        head + digest + " floor f\n" + digest + " floor g\n",
        head + digest + " program f\n" + digest + " program f\n"}) {
    CAPTURE(body);
    CHECK(wrong_with(signed_anyway(body, key), key) != "");
  }
}

TEST_CASE("a key file is private to its owner and is read back") {
  const ScopedDirectory here;
  const auto path = here.path() / "seal.key";
  const SigningKey key = SigningKey::generate();
  key.write(path);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
  CHECK(SigningKey::read(path).public_bytes() == key.public_bytes());
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  CHECK_THROWS_AS(SigningKey::read(path), Fault);
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  std::ofstream(path) << "no key\n";
  CHECK_THROWS_AS(SigningKey::read(path), Fault);
  CHECK_THROWS_AS(SigningKey::read(here.path() / "none"), Fault);
  CHECK_THROWS_AS(SigningKey::read(here.path()), Fault);
}

}  // namespace linkmeter::manifest_test
