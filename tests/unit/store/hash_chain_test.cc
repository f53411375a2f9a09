#include "controller/store/hash_chain.h"

#include <doctest/doctest.h>
#include <string>

namespace linkmeter::hash_chain_test {

// FIPS 180-4 examples, and the empty message and the million a's of the NIST example values.
TEST_CASE("SHA-256 gives the published values") {
  CHECK(hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(sha256(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("each SHA-256 is independent of the ones before") {
  const Digest first = sha256("abc");
  sha256("something else");
  CHECK(sha256("abc") == first);
}

TEST_CASE("an entry's hash covers the previous hash, the number in big-endian, and the bytes") {
  const Digest previous = sha256("the entry before");
  std::string covered(previous.begin(), previous.end());
  covered += std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  covered += "bytes of the entry";
  CHECK(chain_hash(previous, EntryNumber(0x0102030405060708), "bytes of the entry") ==
        sha256(covered));
}

TEST_CASE("the first entry's hash follows 32 zero bytes") {
  const std::string covered = std::string(32, '\0') + std::string("\0\0\0\0\0\0\0\1", 8) + "x";
  CHECK(chain_hash(Digest{}, EntryNumber(1), "x") == sha256(covered));
}

TEST_CASE("every covered byte changes the hash") {
  const Digest previous = sha256("the entry before");
  Digest other = previous;
  other[31] ^= 1U;
  const Digest sealed = chain_hash(previous, EntryNumber(7), "bytes");
  CHECK(chain_hash(other, EntryNumber(7), "bytes") != sealed);
  CHECK(chain_hash(previous, EntryNumber(8), "bytes") != sealed);
  CHECK(chain_hash(previous, EntryNumber(7), "byteS") != sealed);
  CHECK(chain_hash(previous, EntryNumber(7), "bytes ") != sealed);
}

TEST_CASE("hex shows every half byte, including leading zeros") {
  Digest digest{};
  digest[0] = 0x0f;
  digest[31] = 0xa0;
  CHECK(hex(digest) == "0f" + std::string(60, '0') + "a0");
}

}  // namespace linkmeter::hash_chain_test
