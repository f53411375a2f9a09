#include "tests/crash/write_log.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace linkmeter {
namespace {

constexpr off_t page_bytes = 4096;
constexpr std::size_t log_bytes_max = std::size_t{4} << 20U;

const char* asked(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string identity(const struct stat& status) {
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

std::string folder_of(const std::string& path) {
  const std::size_t end = path.rfind('/');
  struct stat status {};
  const std::string folder = end == std::string::npos ? "." : path.substr(0, end + 1);
  return ::stat(folder.c_str(), &status) == 0 ? identity(status) : "0:0";
}

// Uses bare system calls, because those of the library are wrapped.
int opened(const std::string& path, int flags) {
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path.c_str(), flags | O_CLOEXEC, 0600));
}

// The contents of these pages; nothing beyond the file's end.
std::string read_pages(int file, off_t from, off_t until) {
  // The descriptor may be write-only.
  const int readable = opened("/proc/self/fd/" + std::to_string(file), O_RDONLY);
  std::string bytes(static_cast<std::size_t>(std::max(until - from, off_t{0})), '\0');
  const ssize_t count = bytes.empty() ? 0 : ::pread(readable, bytes.data(), bytes.size(), from);
  if (readable < 0 || count < 0) ::abort();
  ::close(readable);
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

}  // namespace

WriteLog& WriteLog::of_this_program() {
  static auto& log = *new WriteLog;  // never destroyed: files are closed after everything else
  return log;
}

WriteLog::WriteLog()
    : path_(asked("LINKMETER_LOST_WRITES")),
      cut_at_(std::strtoull(asked("LINKMETER_LOST_AT"), nullptr, 10)) {
  ::syscall(SYS_mkdir, (path_ + ".kept").c_str(), 0700);
  file_ = opened(path_, O_WRONLY | O_CREAT | O_APPEND);
  if (file_ < 0) ::abort();
}

bool WriteLog::watches(const std::string& path) {
  static const std::string under = std::string(asked("LINKMETER_LOST_UNDER")) + "/";
  return path.starts_with(under) && !path.ends_with("/lock.mdb") && !path.ends_with(".lock") &&
         !path.ends_with(" (deleted)");
}

void WriteLog::append(const std::string& text) {
  if (::syscall(SYS_write, file_, text.data(), text.size()) != static_cast<long>(text.size())) {
    ::abort();
  }
  bytes_ += text.size();
}

WriteLog::Number WriteLog::add(const char* kind, const std::string& about,
                               const std::string& rest) {
  const Number number = ++numbers_;
  const std::string text = std::string(kind) + ' ' + std::to_string(number) + ' ' + about + rest;
  append(text);
  open_.emplace(number, Record{about, text, 0, 0});
  return number;
}

WriteLog::Number WriteLog::will_write(int file, off_t offset, std::size_t length) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  struct stat status {};
  if (::fstat(file, &status) != 0) ::abort();
  const off_t from = offset / page_bytes * page_bytes;
  const off_t end = offset + static_cast<off_t>(length);
  const off_t until = (end + page_bytes - 1) / page_bytes * page_bytes;
  const std::string before = read_pages(file, from, std::min(until, status.st_size));
  const Number number =
      add("write", identity(status),
          ' ' + std::to_string(from) + ' ' + std::to_string(until) + ' ' +
              std::to_string(status.st_size) + ' ' + std::to_string(before.size()) + '\n' + before);
  Record& record = open_.at(number);
  record.from = from;
  record.until = until;
  return number;
}

WriteLog::Number WriteLog::add_path(const char* kind, const std::string& paths,
                                    const std::string& kept) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  const std::string name = path_ + ".kept/" + std::to_string(numbers_ + 1);
  if (!kept.empty()) ::link(kept.c_str(), name.c_str());  // the name may not exist
  return add(kind, folder_of(paths.substr(paths.find('\n') + 1)),
             ' ' + std::to_string(paths.size()) + '\n' + paths);
}

WriteLog::Number WriteLog::will_make(const std::string& path) { return add_path("made", path, ""); }

WriteLog::Number WriteLog::will_move(const std::string& from, const std::string& to) {
  return add_path("moved", from + '\n' + to, to);
}

WriteLog::Number WriteLog::will_remove(const std::string& path) {
  return add_path("removed", path, path);
}

void WriteLog::settle(Number number) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  const Record settled = open_.at(number);
  std::string text;
  for (auto at = open_.begin(); at != open_.end() && at->first <= number;) {
    const Record& one = at->second;
    const bool is_settled =
        at->first == number || (one.about == settled.about && one.from >= settled.from &&
                                one.until <= settled.until && one.until > 0);
    if (is_settled) text += "settled " + std::to_string(at->first) + '\n';
    at = is_settled ? open_.erase(at) : std::next(at);
  }
  append(text);
  shorten();
}

WriteLog::Number WriteLog::last() {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  return numbers_;
}

void WriteLog::settle_all(int file, Number until) {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  struct stat status {};
  if (::fstat(file, &status) != 0) ::abort();
  const std::string about = identity(status);
  std::string text;
  for (auto at = open_.begin(); at != open_.end() && at->first <= until;) {
    const bool is_settled = at->second.about == about;
    if (is_settled) text += "settled " + std::to_string(at->first) + '\n';
    at = is_settled ? open_.erase(at) : std::next(at);
  }
  append(text);  // at once: a sync is complete
  shorten();
}

// Starts the log again with the open records only.
void WriteLog::shorten() {
  if (bytes_ < log_bytes_max) return;
  const std::string draft = path_ + ".new";
  ::syscall(SYS_unlink, draft.c_str());
  const int old = file_;
  file_ = opened(draft, O_WRONLY | O_CREAT | O_APPEND);
  if (file_ < 0) ::abort();
  bytes_ = 0;
  std::string text;
  for (const auto& [number, record] : open_) text += record.text;
  append(text);
  if (::syscall(SYS_rename, draft.c_str(), path_.c_str()) != 0) ::abort();
  ::close(old);
  bytes_ = 0;  // from here on
}

void WriteLog::step() {
  const std::lock_guard<std::mutex> lock(one_at_a_time_);
  if (++steps_ == cut_at_) ::kill(::getpid(), SIGKILL);
}

}  // namespace linkmeter
