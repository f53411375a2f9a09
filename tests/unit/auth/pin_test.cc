#include "controller/auth/pin.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <set>
#include <string>

#include "controller/auth/pin_worker.h"
#include "meters/values/limits.h"
#include "proto/host/secret.h"
#include "tests/support/failing_digests.h"

namespace linkmeter::pin_test {
namespace {

PinWorker::Found found(PinWorker& check) {
  pollfd item{check.descriptor(), POLLIN, 0};
  REQUIRE_EQ(::poll(&item, 1, 20'000), 1);
  const auto result = check.find();
  REQUIRE(result.has_value());
  return *result;
}

}  // namespace

TEST_CASE("a new PIN is 6 to 12 digits") {
  const Badge badge("F-1");
  for (const char* good : {"314159", "271828182845"}) {
    CHECK_EQ(check_new_pin(good, badge), Refusal::none);
  }
  for (const char* bad :
       {"", "31415", "2718281828459", "3141a9", "3141 9", "-31415", "\xd9\xa1\xd9\xa2\xd9\xa3"}) {
    CAPTURE(bad);
    CHECK_EQ(check_new_pin(bad, badge), Refusal::pin_malformed);
  }
}

TEST_CASE("an easily guessed PIN is refused") {
  const Badge badge("F-0314159");
  for (const char* simple :
       {"000000",  "77777777", "123456", "987654",   "890123", "210987",   "121212",
        "1212121", "909090",   "112233", "99887766", "314159", "00314159", "0314159",
        "123123",  "5375375",  "123321", "111222",   "147258", "963852",   "789456",
        "1234321", "12344321", "159753", "246810"}) {
    CAPTURE(simple);
    CHECK_EQ(check_new_pin(simple, badge), Refusal::pin_too_simple);
  }
  for (const char* good :
       {"123457", "121213", "112234", "1122334", "3141590", "123124", "147259", "135531"}) {
    CAPTURE(good);
    CHECK_EQ(check_new_pin(good, badge), Refusal::none);
  }
  CHECK_EQ(check_new_pin("314159", Badge("F-1")), Refusal::none);
  CHECK_EQ(check_new_pin("314159", Badge("TGM")), Refusal::none);
}

TEST_CASE("a recovery code is 128 random bits, however it is typed") {
  const std::string code = random_recovery_code();
  CHECK_EQ(code.size(), 39);
  CHECK_NE(code, random_recovery_code());
  std::string typed;
  for (const char letter : code) {
    typed += letter == '-' ? ' ' : letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  CHECK(recovery_digest(typed) == recovery_digest(code));
  CHECK(recovery_digest(code + "0") != recovery_digest(code));
  CHECK(recovery_digest("00") != recovery_digest(""));
}

TEST_CASE("only the PIN matches its hash, and the hash does not reveal it") {
  const std::string seal = hash_pin("246813");
  CHECK(opens("246813", seal));
  for (const char* wrong : {"246814", "24681", "2468130", ""}) CHECK_FALSE(opens(wrong, seal));
  CHECK(seal.starts_with("scrypt$15$8$1$"));
  CHECK_EQ(seal.find("246813"), std::string::npos);
  CHECK_LE(seal.size(), limits::pin_bytes_max);
}

TEST_CASE("the same PIN hashed twice has two hashes") {
  CHECK_NE(hash_pin("1234"), hash_pin("1234"));
}

// Computed with Python: hashlib.scrypt(b"1234", salt=bytes(range(16)), n=2**15, r=8, p=1,
// maxmem=2**27, dklen=32), and the same with n=2**14, p=2.
TEST_CASE("a hash is standard scrypt with the parameters that it names") {
  const std::string salt = "000102030405060708090a0b0c0d0e0f";
  const std::string once = "ecabed4ddb75111ffb04b51a0a76b2190cb6f03b607656b085366bf47f78c196";
  const std::string twice = "40aa568966878d53fe0725bce44819a64346987da109c62a8497c344723b0080";
  CHECK(opens("1234", "scrypt$15$8$1$" + salt + "$" + once));
  CHECK(opens("1234", "scrypt$14$8$2$" + salt + "$" + twice));
  CHECK_FALSE(opens("1234", "scrypt$14$8$1$" + salt + "$" + once));
}

// Computed with Python: hashlib.scrypt(hmac.digest(b"key", b"1234", "sha256"),
// salt=bytes(range(16)), n=2**15, r=8, p=1, maxmem=2**27, dklen=32).
TEST_CASE("a keyed hash needs the PIN and the key") {
  const std::string salt = "000102030405060708090a0b0c0d0e0f";
  const std::string others = "scrypt-keyed$15$8$1$" + salt +
                             "$"
                             "25e405e1079e9ed78c47c45aedf119c3525d4f14b0e9f3934d194fc2ad42ab84";
  CHECK(opens("1234", others, "key"));
  CHECK_FALSE(opens("1235", others, "key"));
  CHECK_FALSE(opens("1234", others, "yek"));
  CHECK_FALSE(opens("1234", others));
  CHECK_FALSE(opens("1234", "scrypt" + others.substr(others.find('$')), "key"));
  const std::string own = hash_pin("1234", random_pin_key());
  CHECK(is_keyed(own));
  CHECK_FALSE(is_keyed(hash_pin("1234")));
  CHECK_FALSE(opens("1234", own));
  CHECK_LE(own.size(), limits::pin_bytes_max);
  CHECK(opens("1234", hash_pin("1234"), "key"));  // a hash from before there were keys
}

TEST_CASE("a malformed hash matches no PIN") {
  const std::string good = hash_pin("1234");
  CHECK_FALSE(opens("1234", ""));
  CHECK_FALSE(opens("", ""));
  CHECK_FALSE(opens("1234", "1234"));
  CHECK_FALSE(opens("1234", good + "0"));
  CHECK_FALSE(opens("1234", good + "$"));
  CHECK_FALSE(opens("1234", good.substr(0, good.size() - 1)));
  CHECK_FALSE(opens("1234", "scrypt$63$8$1" + good.substr(good.find('$', 12))));
}

TEST_CASE("random PINs are six digits, and not always the same") {
  std::set<std::string> seen;
  for (int count = 0; count < 100; ++count) {
    const std::string pin = random_pin(Badge("F-1"));
    CHECK_EQ(pin.size(), 6);
    CHECK_EQ(check_new_pin(pin, Badge("F-1")), Refusal::none);
    seen.insert(pin);
  }
  CHECK_GT(seen.size(), 90);
}

TEST_CASE("a forgotten secret is overwritten") {
  std::string secret = "987654321";
  forget(secret);
  CHECK(secret.empty());
}

TEST_CASE("PINs are verified on another thread, one after the other") {
  const std::string seal = hash_pin("1234");
  PinWorker check;
  CHECK_FALSE(check.find().has_value());
  check.ask({"1234", seal, std::nullopt});
  CHECK(found(check).is_good);
  CHECK_FALSE(check.find().has_value());
  check.ask({"1235", seal, "777777"});
  const PinWorker::Found wrong = found(check);
  CHECK_FALSE(wrong.is_good);
  CHECK_EQ(wrong.new_hash, "");
  check.ask({"1234", seal, "777777"});
  const PinWorker::Found right = found(check);
  CHECK(right.is_good);
  CHECK(opens("777777", right.new_hash));
  check.ask({"1234", seal, ""});  // Authenticator passes no PIN that is not allowed
  CHECK_EQ(found(check).new_hash, "");
}

TEST_CASE("the same new PIN is detected with the old hash, and only for its owner") {
  const std::string seal = hash_pin("1234");
  PinWorker check;
  check.ask({"1234", seal, "1234", true});
  CHECK_EQ(found(check).new_hash, seal);
  check.ask({"1234", seal, "1235", true});
  CHECK_NE(found(check).new_hash, seal);
  check.ask({"1235", seal, "1235", true});
  CHECK_EQ(found(check).new_hash, "");
  // The PIN of another person, who does not learn that his PIN is the same.
  check.ask({"1234", seal, "1234", false});
  const std::string of_another = found(check).new_hash;
  CHECK_NE(of_another, seal);
  CHECK(opens("1234", of_another));
}

TEST_CASE("a verification that fails is not a right PIN, and the next one is verified") {
  const std::string seal = hash_pin("1234"), keyed = hash_pin("1234", "key");
  PinWorker check;
  {
    const FailingDigests failing;
    for (const std::string& one : {seal, keyed}) {
      check.ask({"1234", one, "777777", false, "key"});
      const PinWorker::Found failed = found(check);
      CHECK_FALSE(failed.is_good);
      CHECK_EQ(failed.new_hash, "");
      CHECK(failed.failure != nullptr);
    }
  }
  check.ask({"1234", seal, std::nullopt});
  const PinWorker::Found right = found(check);
  CHECK(right.is_good);
  CHECK(right.failure == nullptr);
}

TEST_CASE("an end during a verification waits for it") {
  PinWorker check;
  check.ask({"1234", "", std::nullopt});
}

}  // namespace linkmeter::pin_test
