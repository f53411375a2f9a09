#include "proto/host/credentials.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "meters/values/enrolment.h"
#include "proto/host/fault.h"
#include "tests/support/process_limit.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::credentials_test {
namespace {

Credentials some_credentials() {
  return {"table", "C4-01", make_key_pair(), make_key_pair().public_key};
}

std::string text_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A file with this text that only its owner may read.
std::filesystem::path private_file(const ScopedDirectory& folder, const std::string& text) {
  const std::filesystem::path path = folder.path() / "a.credentials";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  ::chmod(path.c_str(), 0600);
  return path;
}

std::string why_not(const std::filesystem::path& path) {
  try {
    static_cast<void>(read_credentials(path));
    return "";
  } catch (const Fault& fault) {
    const std::string said = fault.what();
    REQUIRE(said.starts_with(path.string() + ": "));
    return said.substr(path.string().size() + 2);
  }
}

}  // namespace

TEST_CASE("every key pair is valid and different") {
  const KeyPair one = make_key_pair(), two = make_key_pair();
  CHECK(is_well_formed_key(one.public_key));
  CHECK(is_well_formed_key(one.secret_key));
  CHECK(one.public_key != one.secret_key);
  CHECK(one.public_key != two.public_key);
  CHECK(one.secret_key != two.secret_key);
}

// libzmq, which checks the key, reads up to a zero byte.
TEST_CASE("half a key and zero bytes are not a key") {
  const ScopedDirectory folder;
  const Credentials made = some_credentials();
  const std::string half = made.keys.secret_key.substr(0, 20) + std::string(20, '\0');
  const auto path = private_file(
      folder, "linkmeter credentials 1\nkind table\nname C4-01\npublic " + made.keys.public_key +
                  "\nsecret " + half + "\ncontroller " + made.controller_key + "\n");
  CHECK(why_not(path) == "\"secret\" is no key");
}

TEST_CASE("written credentials are read back and are private to their owner") {
  const ScopedDirectory folder;
  const auto path = folder.path() / "a.credentials";
  const Credentials made = some_credentials();
  const mode_t before = ::umask(0);
  write_credentials(path, made);
  ::umask(before);
  CHECK(read_credentials(path) == made);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
}

TEST_CASE("credentials never overwrite a file or follow a link") {
  const ScopedDirectory folder;
  const auto path = folder.path() / "a.credentials", link = folder.path() / "link";
  write_credentials(path, some_credentials());
  const std::string before = text_in(path);
  CHECK_THROWS_WITH_AS(write_credentials(path, some_credentials()),
                       (path.string() + ": cannot make it: File exists").c_str(), Fault);
  CHECK(text_in(path) == before);
  std::filesystem::create_symlink(folder.path() / "elsewhere", link);
  CHECK_THROWS_AS(write_credentials(link, some_credentials()), Fault);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST_CASE("a failed write leaves no partial file") {
  const ScopedDirectory folder;
  const auto path = folder.path() / "a.credentials";
  for (const rlim_t bytes : {0U, 10U}) {
    const ProcessLimit few(RLIMIT_FSIZE, bytes);
    CHECK_THROWS_WITH_AS(write_credentials(path, some_credentials()),
                         (path.string() + ": cannot write it: File too large").c_str(), Fault);
    CHECK_FALSE(std::filesystem::exists(path));
  }
  write_credentials(path, some_credentials());
  CHECK(why_not(path).empty());
}

TEST_CASE("a file that others may use is refused") {
  const ScopedDirectory folder;
  const auto path = folder.path() / "a.credentials";
  write_credentials(path, some_credentials());
  for (const mode_t mode : {0640U, 0620U, 0604U, 0602U, 0777U}) {
    ::chmod(path.c_str(), mode);
    CHECK(why_not(path) ==
          "others may use it, and it holds a secret key; make it its owner's alone: chmod 600");
  }
  ::chmod(path.c_str(), 0400);
  CHECK(why_not(path).empty());
}

TEST_CASE("a file that is not credentials is refused with the reason") {
  const ScopedDirectory folder;
  const auto good = folder.path() / "good.credentials";
  const Credentials made = some_credentials();
  write_credentials(good, made);
  const std::string text = text_in(good);
  const std::string no_first =
      "is no file of credentials: its first line is not \"linkmeter credentials 1\"";
  CHECK(why_not(private_file(folder, "")) == no_first);
  CHECK(why_not(private_file(folder, "linkmeter credentials 2" + text.substr(23))) == no_first);
  CHECK(why_not(private_file(folder, text.substr(0, text.find("secret")))) == "has no \"secret\"");
  CHECK(why_not(private_file(folder, text + "kind viewer\n")) == "line 7 says \"kind\" again");
  CHECK(why_not(private_file(folder, text + std::string(5'000, 'x'))) ==
        "is too long for credentials");
  std::string short_key = text;
  short_key.replace(short_key.find(made.keys.secret_key), 40, std::string(39, '0'));
  CHECK(why_not(private_file(folder, short_key)) == "\"secret\" is no key");
  std::string no_letters = text;
  no_letters.replace(no_letters.find(made.controller_key), 40, std::string(40, '"'));
  CHECK(why_not(private_file(folder, no_letters)) == "\"controller\" is no key");
  CHECK(why_not(folder.path() / "none") == "cannot read it: No such file or directory");
  CHECK(why_not(folder.path()) == "is no file");
  // This process's own memory: only its owner may read the file, and its first byte is not
  // readable.
  CHECK(why_not("/proc/self/mem") == "cannot read it: Input/output error");
}

// Whatever the length and contents, the message is a sentence without a secret.
TEST_CASE("an error message contains no secret") {
  const ScopedDirectory folder;
  const auto path = folder.path() / "a.credentials";
  const Credentials made = some_credentials();
  write_credentials(path, made);
  const std::string text = text_in(path);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string why = why_not(private_file(folder, text.substr(0, length)));
    CHECK(why.find(made.keys.secret_key) == std::string::npos);
    CHECK_EQ(why.empty(), length + 1 == text.size());  // the newline at the end may be missing
  }
}

TEST_CASE("a slash in an id does not become a folder") {
  CHECK(credentials_file_name("C4-01") == "C4-01.credentials");
  CHECK(credentials_file_name("HALL/C4-01") == "HALL%C4-01.credentials");
  CHECK(credentials_file_name("../../etc") == "..%..%etc.credentials");
}

}  // namespace linkmeter::credentials_test
