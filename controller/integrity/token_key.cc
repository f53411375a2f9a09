#include "controller/integrity/token_key.h"

#include <fcntl.h>
#include <openssl/engine.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include "controller/store/journal_signature.h"
#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/secret.h"

// Debian 12 has no provider for PKCS#11, so the engine is used; OpenSSL 3 marks engines as
// deprecated.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace linkmeter {
namespace {

constexpr std::string_view scheme = "pkcs11:";

// The URI without the parts that are passed to the engine separately.
struct TokenUri {
  std::string key;
  std::string module_path;
  std::string pin_source;
};

// nullopt: not such a URI.
std::optional<TokenUri> read_uri(std::string_view uri) {
  if (!uri.starts_with(scheme)) return std::nullopt;
  const std::size_t query = std::min(uri.find('?'), uri.size());
  TokenUri read{std::string(uri.substr(0, query)), "", ""};
  if (read.key.size() == scheme.size()) return std::nullopt;
  for (std::size_t from = query + 1; from < uri.size();) {
    const std::size_t end = std::min(uri.find('&', from), uri.size());
    const std::string_view part = uri.substr(from, end - from);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    std::string_view value = part.substr(equals + 1);
    if (value.starts_with("file:")) value.remove_prefix(5);
    if (part.substr(0, equals) == "module-path") {
      read.module_path = value;
    } else if (part.substr(0, equals) == "pin-source") {
      read.pin_source = value;
    } else {
      return std::nullopt;
    }
    from = end + 1;
  }
  return read;
}

std::string token_pin(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Fault(path + ": others may read the token's PIN; restrict it: chmod 600");
  }
  auto text = read_file(path);
  if (!text) throw Fault(path + ": cannot read the token's PIN: " + std::strerror(errno));
  text->resize(std::min(text->find_first_of("\r\n"), text->size()));
  return std::move(*text);
}

[[noreturn]] void fail_with_token(const std::string& what) {
  std::array<char, 256> why{};
  ERR_error_string_n(ERR_peek_last_error(), why.data(), why.size());
  const bool is_known = ERR_peek_last_error() != 0;
  ERR_clear_error();
  throw Fault("the token: " + what + (is_known ? std::string(": ") + why.data() : ""));
}

const unsigned char* token_bytes(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): OpenSSL's word for bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string der_of(EVP_PKEY* key) {
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(key, &bytes);
  if (size <= 0) fail_with_token("its public key cannot be read");
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

// The key, in its own process. Nothing is freed: the process ends, and the engine crashes in its
// cleanup if a token was not found.
class TokenKey {
 public:
  // May take long; never prompts. Throws Fault.
  explicit TokenKey(const std::string& uri);

  [[nodiscard]] const std::string& public_der() const { return public_der_; }
  // Throws Fault if the token is gone, or does not sign.
  [[nodiscard]] std::string sign(std::string_view text) const;

 private:
  EVP_PKEY* key_ = nullptr;
  std::string public_der_;
};

TokenKey::TokenKey(const std::string& uri) {
  const auto read = read_uri(uri);
  if (!read) throw Fault("the token's key " + token_uri_mistake(uri));
  OPENSSL_init_crypto(OPENSSL_INIT_ENGINE_DYNAMIC, nullptr);
  ENGINE* const engine = ENGINE_by_id("pkcs11");
  if (engine == nullptr) {
    fail_with_token("OpenSSL has no engine for PKCS#11 (package libengine-pkcs11-openssl)");
  }
  const bool has_module =
      read->module_path.empty() ||
      ENGINE_ctrl_cmd_string(engine, "MODULE_PATH", read->module_path.c_str(), 0) == 1;
  if (!has_module || ENGINE_init(engine) != 1) {
    fail_with_token("its library cannot be loaded: " + read->module_path);
  }
  if (!read->pin_source.empty()) {
    std::string pin = token_pin(read->pin_source);
    const bool is_taken = ENGINE_ctrl_cmd_string(engine, "PIN", pin.c_str(), 0) == 1;
    forget(pin);
    if (!is_taken) fail_with_token("it rejects the PIN");
  }
  key_ = ENGINE_load_private_key(engine, read->key.c_str(), nullptr, nullptr);
  if (key_ == nullptr) fail_with_token("there is no key " + read->key);
  public_der_ = der_of(key_);
  if (!is_verifiable(public_der_)) {
    fail_with_token("the key " + read->key + " is neither Ed25519 nor EC P-256");
  }
}

std::string TokenKey::sign(std::string_view text) const {
  const bool is_ed25519 = EVP_PKEY_get_base_id(key_) == EVP_PKEY_ED25519;
  EVP_MD_CTX* const context = EVP_MD_CTX_new();
  INVARIANT(context != nullptr);
  std::string signature(static_cast<std::size_t>(EVP_PKEY_get_size(key_)), '\0');
  std::size_t size = signature.size();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  auto* const to = reinterpret_cast<unsigned char*>(signature.data());
  const bool is_made = EVP_DigestSignInit(context, nullptr, is_ed25519 ? nullptr : EVP_sha256(),
                                          nullptr, key_) == 1 &&
                       EVP_DigestSign(context, to, &size, token_bytes(text), text.size()) == 1;
  EVP_MD_CTX_free(context);
  if (!is_made) fail_with_token("it does not sign");
  signature.resize(size);
  return signature;
}

constexpr std::chrono::seconds token_patience{30};
constexpr std::size_t answer_bytes_max = 16'384;

// One line: "signed DER SIGNATURE" in hexadecimal, or "failed WHY".
constexpr std::string_view signed_word = "signed ", failed_word = "failed ";

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Fault(std::string("the token: cannot make a pipe: ") + std::strerror(errno));
    }
    read_end = FileDescriptor(ends[0]);
    write_end = FileDescriptor(ends[1]);
  }
  FileDescriptor read_end, write_end;
};

// A child process that is killed when this is destroyed.
class Child {
 public:
  Child(const std::string& uri, const Pipe& in, const Pipe& out) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in.read_end.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out.write_end.get(), STDOUT_FILENO);
    // The engine's error output repeats the answer.
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // Signals that this program's threads block must not be blocked there.
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::string program = "linkmeter-controller", option = token_process_option, given = uri;
    std::array<char*, 4> arguments{program.data(), option.data(), given.data(), nullptr};
    const int failed = ::posix_spawn(&process_, "/proc/self/exe", &actions, &attributes,
                                     arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      throw Fault(std::string("the token: cannot start a process: ") + std::strerror(failed));
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

 private:
  pid_t process_ = -1;
};

// The first line of output; nullopt: none came in time.
std::optional<std::string> answered_line(int from) {
  const auto until = std::chrono::steady_clock::now() + token_patience;
  std::string said;
  while (said.size() < answer_bytes_max) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd ready{from, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
    std::array<char, 1'024> bytes{};
    const ssize_t count = ::read(from, bytes.data(), bytes.size());
    if (count <= 0) return std::nullopt;
    said.append(bytes.data(), static_cast<std::size_t>(count));
    if (const std::size_t end = said.find('\n'); end != std::string::npos) {
      return said.substr(0, end);
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_token_uri(std::string_view where) { return where.starts_with(scheme); }

std::string token_uri_mistake(const std::string& uri) {
  if (read_uri(uri)) return "";
  return "is \"" + uri +
         "\"; a key in a token is pkcs11:token=NAME;object=NAME?module-path=FILE&pin-source=FILE";
}

TokenSignature sign_with_token(const std::string& uri, std::string_view text) {
  Pipe in, out;
  const Child child(uri, in, out);
  in.read_end = FileDescriptor();
  out.write_end = FileDescriptor();
  // A child that has ended is detected below.
  static_cast<void>(in.write_end.write_all(text));
  in.write_end = FileDescriptor();
  const auto line = answered_line(out.read_end.get());
  if (!line) throw Fault("the token: it does not answer");
  if (line->starts_with(failed_word)) throw Fault(line->substr(failed_word.size()));
  const std::size_t space = line->find(' ', signed_word.size());
  if (line->starts_with(signed_word) && space != std::string::npos) {
    auto der = parse_hex(line->substr(signed_word.size(), space - signed_word.size()));
    auto signature = parse_hex(line->substr(space + 1));
    if (der && signature) return {std::move(*der), std::move(*signature)};
  }
  throw Fault("the token: its process returned no signature");
}

void run_token_process(const std::string& uri) {
  std::string text, answer;
  std::array<char, 1'024> bytes{};
  while (text.size() < answer_bytes_max) {
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) break;
    text.append(bytes.data(), static_cast<std::size_t>(count));
  }
  try {
    const TokenKey key(uri);
    answer = std::string(signed_word) + hexadecimal(key.public_der()) + ' ' +
             hexadecimal(key.sign(text));
  } catch (const std::exception& error) {
    answer = std::string(failed_word) + error.what();
    std::replace(answer.begin(), answer.end(), '\n', ' ');
  }
  answer += '\n';
  // _exit(): skip the exit handlers of the token's library.
  const bool is_said =
      ::write(STDOUT_FILENO, answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
  ::_exit(is_said ? 0 : 1);
}

}  // namespace linkmeter

#pragma GCC diagnostic pop
