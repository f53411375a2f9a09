#include "proto/host/credentials.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

namespace {

constexpr std::string_view first_line = "linkmeter credentials 1";
constexpr std::size_t key_text_length = 40;
constexpr std::size_t file_bytes_max = 4'096;
constexpr std::array<std::string_view, 5> fields{"kind", "name", "public", "secret", "controller"};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Fault(path.string() + ": " + what);
}

[[noreturn]] void fail_at_system(const std::filesystem::path& path, const std::string& doing) {
  fail(path, "cannot " + doing + ": " + std::strerror(errno));
}

std::string text_of(const Credentials& credentials) {
  std::string text(first_line);
  const std::array<const std::string*, fields.size()> values{
      &credentials.kind, &credentials.name, &credentials.keys.public_key,
      &credentials.keys.secret_key, &credentials.controller_key};
  for (std::size_t at = 0; at < fields.size(); ++at) {
    text += "\n" + std::string(fields[at]) + " " + *values[at];
  }
  return text + "\n";
}

std::string read_all(const std::filesystem::path& path, int file) {
  std::string text(file_bytes_max + 1, '\0');
  const ssize_t length = ::read(file, text.data(), text.size());
  if (length < 0) fail_at_system(path, "read it");
  text.resize(static_cast<std::size_t>(length));
  if (text.size() > file_bytes_max) fail(path, "is too long for credentials");
  return text;
}

bool is_key(const std::string& text) {
  std::array<std::uint8_t, 32> bytes{};
  // libzmq reads up to a zero byte.
  return text.size() == key_text_length && text.find('\0') == std::string::npos &&
         ::zmq_z85_decode(bytes.data(), text.c_str()) != nullptr;
}

}  // namespace

KeyPair make_key_pair() {
  std::array<char, key_text_length + 1> public_key{}, secret_key{};
  if (::zmq_curve_keypair(public_key.data(), secret_key.data()) != 0) {
    throw Fault("this machine's ZeroMQ has no CURVE");
  }
  return {public_key.data(), secret_key.data()};
}

std::string credentials_file_name(const std::string& name) {
  std::string file;
  for (const char letter : name) file += letter == '/' ? '%' : letter;
  return file + ".credentials";
}

void write_credentials(const std::filesystem::path& path, const Credentials& credentials) {
  const FileDescriptor opened(::open(
      path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!opened.is_open()) fail_at_system(path, "make it");
  if (!opened.write_all(text_of(credentials)) || ::fsync(opened.get()) != 0) {
    const int why = errno;
    ::unlink(path.c_str());  // a partial file would block the next attempt
    errno = why;
    fail_at_system(path, "write it");
  }
}

void replace_credentials(const std::filesystem::path& path, const Credentials& credentials) {
  write_atomically(path, text_of(credentials), readable_by_owner);
}

Credentials read_credentials(const std::filesystem::path& path) {
  const FileDescriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open()) fail_at_system(path, "read it");
  struct stat status {};
  if (::fstat(opened.get(), &status) != 0) fail_at_system(path, "look at it");
  if (!S_ISREG(status.st_mode)) fail(path, "is no file");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fail(path,
         "others may use it, and it holds a secret key; make it its owner's alone: chmod 600");
  }
  std::istringstream lines(read_all(path, opened.get()));
  std::string line;
  if (!std::getline(lines, line) || line != first_line) {
    fail(path,
         "is no file of credentials: its first line is not \"" + std::string(first_line) + "\"");
  }
  std::map<std::string, std::string, std::less<>> values;
  for (int number = 2; std::getline(lines, line); ++number) {
    const std::size_t space = std::min(line.find(' '), line.size());
    std::string value = line.substr(std::min(space + 1, line.size()));
    if (!values.emplace(line.substr(0, space), std::move(value)).second) {
      fail(path,
           "line " + std::to_string(number) + " says \"" + line.substr(0, space) + "\" again");
    }
  }
  for (const std::string_view field : fields) {
    const auto found = values.find(field);
    if (found == values.end() || found->second.empty()) {
      fail(path, "has no \"" + std::string(field) + "\"");
    }
    if (field != "kind" && field != "name" && !is_key(found->second)) {
      fail(path, "\"" + std::string(field) + "\" is no key");
    }
  }
  return {
      values["kind"], values["name"], {values["public"], values["secret"]}, values["controller"]};
}

}  // namespace linkmeter
