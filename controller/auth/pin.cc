#include "controller/auth/pin.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "meters/values/number.h"
#include "proto/host/secret.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr std::size_t pin_length_min = 6, pin_length_max = 12;
constexpr std::size_t recovery_code_bytes = 16;
constexpr std::size_t salt_bytes = 16, pin_hash_bytes = 32;
constexpr std::string_view kind_alone = "scrypt", kind_keyed = "scrypt-keyed";
constexpr std::size_t pin_key_bytes = 32;

using Salt = std::array<unsigned char, salt_bytes>;
using Hash = std::array<unsigned char, pin_hash_bytes>;

struct Cost {
  unsigned log_n = 15;
  unsigned r = 8;
  unsigned p = 1;
};

struct PinHash {
  bool is_keyed = false;
  Cost cost;
  Salt salt{};
  Hash hash{};
};

// The input of scrypt: the PIN, or its HMAC with the key.
std::string secret_of(std::string_view pin, std::string_view key, bool is_keyed) {
  if (!is_keyed) return std::string(pin);
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  INVARIANT(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                 // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): HMAC asks for them
                 reinterpret_cast<const unsigned char*>(pin.data()), pin.size(), bytes.data(),
                 &size) != nullptr);
  return std::string(bytes.begin(), bytes.begin() + size);
}

// OpenSSL fails here only if memory or scrypt is missing. PinWorker survives that.
Hash hash_of(std::string_view pin, const Salt& salt, const Cost& cost) {
  constexpr std::uint64_t memory_max = std::uint64_t{256} << 20U;
  Hash hash{};
  INVARIANT(EVP_PBE_scrypt(pin.data(), pin.size(), salt.data(), salt.size(),
                           std::uint64_t{1} << cost.log_n, cost.r, cost.p, memory_max, hash.data(),
                           hash.size()) == 1);
  return hash;
}

template <std::size_t Size>
bool read_hexadecimal(std::string_view text, std::array<unsigned char, Size>& bytes) {
  const std::optional<std::string> read = parse_hex(text);
  if (!read || read->size() != Size) return false;
  std::copy(read->begin(), read->end(), bytes.begin());
  return true;
}

bool read_number(std::string_view text, unsigned low, unsigned high, unsigned& number) {
  const auto read = parse_number(text, high);
  if (!read || *read < low) return false;
  number = static_cast<unsigned>(*read);
  return true;
}

// Higher costs would let a forged hash block the worker, or exhaust the memory.
std::optional<PinHash> parse_pin_hash(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= text.size() && parts.size() < 7;) {
    const std::size_t end = std::min(text.find('$', from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  PinHash seal;
  if (parts.size() != 6) return std::nullopt;
  seal.is_keyed = parts[0] == kind_keyed;
  if ((parts[0] != kind_alone && !seal.is_keyed) ||
      !read_number(parts[1], 14, 17, seal.cost.log_n) ||
      !read_number(parts[2], 8, 8, seal.cost.r) || !read_number(parts[3], 1, 4, seal.cost.p) ||
      !read_hexadecimal(parts[4], seal.salt) || !read_hexadecimal(parts[5], seal.hash)) {
    return std::nullopt;
  }
  return seal;
}

template <std::size_t Size>
void fill_random(std::array<unsigned char, Size>& bytes) {
  INVARIANT(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
}

}  // namespace

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Whether each digit is the one before it plus `step`, modulo 10. 0: all are the same.
bool is_run_of_step(std::string_view pin, int step) {
  for (std::size_t at = 1; at < pin.size(); ++at) {
    if ((pin[at - 1] - '0' + step + 10) % 10 != pin[at] - '0') return false;
  }
  return true;
}

// "121212", "1212121" of 2 digits; "123123" of 3.
bool repeats(std::string_view pin, std::size_t digits) {
  for (std::size_t at = digits; at < pin.size(); ++at) {
    if (pin[at] != pin[at - digits]) return false;
  }
  return true;
}

// Whether the PIN consists of groups of three digits, each a run with a step of one: "111222",
// "123321", "123789"; or with a step of three, the columns of a keypad: "147258".
bool is_of_runs(std::string_view pin) {
  constexpr std::size_t run = 3;
  if (pin.size() % run != 0) return false;
  for (std::size_t at = 0; at < pin.size(); at += run) {
    const std::string_view piece = pin.substr(at, run);
    const int step = piece[1] - piece[0];
    const bool is_step = step >= -1 && step <= 1;
    const bool is_column = step == 3 || step == -3;
    if ((!is_step && !is_column) || piece[2] - piece[1] != step) return false;
  }
  return true;
}

// "1234321", "12344321".
bool is_run_and_back(std::string_view pin) {
  const std::string_view half = pin.substr(0, (pin.size() + 1) / 2);
  return std::equal(pin.begin(), pin.end(), pin.rbegin()) &&
         (is_run_of_step(half, 1) || is_run_of_step(half, -1));
}

// Common choices that have none of the forms above: patterns on a keypad, counting, well-known
// numbers.
constexpr auto chosen_often = std::to_array<std::string_view>(
    {"010203", "102030", "112358", "121314", "131415", "142536", "142857", "159357", "159753",
     "159951", "246810", "357159", "357951", "520131", "753159", "753951", "852456", "951357",
     "951753"});

// "112233".
bool is_doubled_digits(std::string_view pin) {
  for (std::size_t at = 1; at < pin.size(); at += 2) {
    if (pin[at] != pin[at - 1]) return false;
  }
  return pin.size() % 2 == 0;
}

std::string without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return std::string(first == std::string_view::npos ? "" : digits.substr(first));
}

// The digits of the badge, with or without leading zeros: "000017" and "17" for F-17.
bool is_number_of(std::string_view pin, const Badge& badge) {
  std::string digits;
  for (const char letter : badge.text()) {
    if (is_digit(letter)) digits += letter;
  }
  return !digits.empty() && without_leading_zeros(pin) == without_leading_zeros(digits);
}

}  // namespace

Refusal check_new_pin(std::string_view pin, const Badge& badge) {
  if (pin.size() < pin_length_min || pin.size() > pin_length_max ||
      !std::all_of(pin.begin(), pin.end(), is_digit)) {
    return Refusal::pin_malformed;
  }
  const bool is_simple =
      is_run_of_step(pin, 0) || is_run_of_step(pin, 1) || is_run_of_step(pin, -1) ||
      repeats(pin, 2) || repeats(pin, 3) || is_of_runs(pin) || is_run_and_back(pin) ||
      is_doubled_digits(pin) || is_number_of(pin, badge) ||
      std::find(chosen_often.begin(), chosen_often.end(), pin) != chosen_often.end();
  return is_simple ? Refusal::pin_too_simple : Refusal::none;
}

std::string random_pin(const Badge& badge) {
  constexpr unsigned even_max = 250;  // above it, some digits would be more likely than others
  std::string pin;
  do {
    pin.clear();
    while (pin.size() < pin_length_min) {
      std::array<unsigned char, 1> byte{};
      fill_random(byte);
      if (byte[0] < even_max) pin += static_cast<char>('0' + byte[0] % 10);
    }
  } while (check_new_pin(pin, badge) != Refusal::none);
  return pin;
}

std::string random_recovery_code() {
  std::array<unsigned char, recovery_code_bytes> bytes{};
  fill_random(bytes);
  constexpr std::size_t group = 4;
  const std::string digits = hexadecimal(std::string(bytes.begin(), bytes.end()));
  std::string code;
  for (std::size_t at = 0; at < digits.size(); at += group) {
    code += (code.empty() ? "" : "-") + digits.substr(at, group);
  }
  return code;
}

Digest recovery_digest(std::string_view code) {
  std::string digits;
  for (const char letter : code) {
    if (letter == '-' || letter == ' ' || letter == '\t') continue;
    digits += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  const Digest digest = sha256(digits);
  forget(digits);
  return digest;
}

std::string random_pin_key() {
  std::array<unsigned char, pin_key_bytes> bytes{};
  fill_random(bytes);
  return hexadecimal(std::string(bytes.begin(), bytes.end()));
}

std::string hash_pin(std::string_view pin, std::string_view key) {
  const Cost cost;
  Salt salt{};
  fill_random(salt);
  std::string secret = secret_of(pin, key, !key.empty());
  const Hash hash = hash_of(secret, salt, cost);
  forget(secret);
  return std::string(key.empty() ? kind_alone : kind_keyed) + "$" + std::to_string(cost.log_n) +
         "$" + std::to_string(cost.r) + "$" + std::to_string(cost.p) + "$" +
         hexadecimal(std::string(salt.begin(), salt.end())) + "$" +
         hexadecimal(std::string(hash.begin(), hash.end()));
}

bool is_keyed(std::string_view seal) {
  const std::optional<PinHash> read = parse_pin_hash(seal);
  return read && read->is_keyed;
}

bool opens(std::string_view pin, std::string_view text, std::string_view key) {
  const std::optional<PinHash> read = parse_pin_hash(text);
  const PinHash seal = read.value_or(PinHash());
  std::string secret = secret_of(pin, key, seal.is_keyed);
  const Hash hash = hash_of(secret, seal.salt, seal.cost);
  forget(secret);
  const bool is_same = CRYPTO_memcmp(hash.data(), seal.hash.data(), hash.size()) == 0;
  return read.has_value() && is_same && (!seal.is_keyed || !key.empty());
}

}  // namespace linkmeter
