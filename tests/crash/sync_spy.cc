// The sync spy, preloaded into a controller (LD_PRELOAD): records in order what the program takes
// from ZeroMQ, what is written to the journal and synced, and what the program gives to ZeroMQ.
// Data on the network is encrypted, but nothing can be sent before it was given to ZeroMQ, and
// nothing can be decided before it was taken from it. One lock orders the lines of all threads: a
// frame is recorded before ZeroMQ gets it, and a sync has ended before its line is written.
//
//   LINKMETER_SPY_LOG     the file for the lines; crash/sync_log.h reads it
//   LINKMETER_SPY_NOSYNC  opens LMDB with MDB_NOSYNC: the check must report that journal
//
// It records only the calls that LMDB uses here; without MDB_WRITEMAP nothing is written through
// the map.
#include <fcntl.h>
#include <lmdb.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "tests/crash/preloaded.h"

namespace {

using linkmeter::original;

constexpr std::string_view mark_begin = "spy-";
constexpr std::size_t mark_length = mark_begin.size() + 6;

int log_file() {
  static const int file = [] {
    const char* const path = std::getenv("LINKMETER_SPY_LOG");
    if (path == nullptr) ::abort();
    return ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }();
  return file;
}

// Each line is one write by the bare system call, because write() is wrapped.
void note(const std::string& line) {
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const std::string whole = line + '\n';
  if (::syscall(SYS_write, log_file(), whole.data(), whole.size()) < 0) ::abort();
}

std::string hex(const void* bytes, std::size_t length) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char letter : std::string_view(static_cast<const char*>(bytes), length)) {
    const auto byte = static_cast<unsigned char>(letter);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

// One frame between the program and a socket.
void note_frame(const char* what, void* socket, const void* bytes, std::size_t length) {
  std::array<char, 32> name{};
  const int digits = std::snprintf(name.data(), name.size(), " %p ", socket);
  note(what + std::string(name.data(), static_cast<std::size_t>(digits)) + hex(bytes, length));
}

bool is_journal(int file) {
  std::array<char, 4096> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  const std::string_view path(target.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  return path.ends_with("/journal/data.mdb");
}

// The marks that the test put into its messages, wherever they are in the written bytes.
void add_marks(std::string_view bytes, std::string& marks) {
  for (std::size_t at = bytes.find(mark_begin); at != std::string_view::npos;
       at = bytes.find(mark_begin, at + 1)) {
    const std::string_view mark = bytes.substr(at, mark_length);
    // A page may contain the rest of a mark that was overwritten.
    const bool is_whole = mark.size() == mark_length &&
                          mark.find_first_not_of("0123456789", mark_begin.size()) == mark.npos;
    if (is_whole) marks.append(" ").append(mark);
  }
}

template <class Write>
ssize_t spied_write(int file, const iovec* parts, int count, const Write& write) {
  if (!is_journal(file)) return write();
  std::string marks;
  for (int at = 0; at < count; ++at) {
    add_marks({static_cast<const char*>(parts[at].iov_base), parts[at].iov_len}, marks);
  }
  const bool is_durable = (::fcntl(file, F_GETFL) & O_DSYNC) != 0;
  note((is_durable ? "write-durable" : "write") + marks);
  const ssize_t result = write();
  note("written");
  return result;
}

template <class Sync>
int spied_sync(int file, const Sync& sync) {
  if (!is_journal(file)) return sync();
  note("sync");
  const int result = sync();
  note(result == 0 ? "synced" : "not-synced");
  return result;
}

}  // namespace

extern "C" {

int zmq_msg_recv(zmq_msg_t* frame, void* socket, int flags) {
  static const auto next = original<decltype(zmq_msg_recv)>("zmq_msg_recv");
  const int length = next(frame, socket, flags);
  if (length >= 0) note_frame("taken", socket, zmq_msg_data(frame), zmq_msg_size(frame));
  return length;
}

int zmq_recv(void* socket, void* bytes, size_t room, int flags) {
  static const auto next = original<decltype(zmq_recv)>("zmq_recv");
  const int length = next(socket, bytes, room, flags);
  if (length >= 0) {
    note_frame("taken", socket, bytes, std::min(room, static_cast<std::size_t>(length)));
  }
  return length;
}

// Whether ZeroMQ accepts it is not known yet; a frame that is given again only makes the check
// stricter.
int zmq_msg_send(zmq_msg_t* frame, void* socket, int flags) {
  static const auto next = original<decltype(zmq_msg_send)>("zmq_msg_send");
  note_frame("given", socket, zmq_msg_data(frame), zmq_msg_size(frame));
  return next(frame, socket, flags);
}

int zmq_send(void* socket, const void* bytes, size_t length, int flags) {
  static const auto next = original<decltype(zmq_send)>("zmq_send");
  note_frame("given", socket, bytes, length);
  return next(socket, bytes, length, flags);
}

ssize_t write(int file, const void* bytes, size_t length) {
  static const auto next = original<decltype(write)>("write");
  const iovec part{const_cast<void*>(bytes), length};
  return spied_write(file, &part, 1, [&] { return next(file, bytes, length); });
}

ssize_t pwrite(int file, const void* bytes, size_t length, off_t place) {
  static const auto next = original<decltype(pwrite)>("pwrite");
  const iovec part{const_cast<void*>(bytes), length};
  return spied_write(file, &part, 1, [&] { return next(file, bytes, length, place); });
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto next = original<decltype(writev)>("writev");
  return spied_write(file, parts, count, [&] { return next(file, parts, count); });
}

int fdatasync(int file) {
  static const auto next = original<decltype(fdatasync)>("fdatasync");
  return spied_sync(file, [&] { return next(file); });
}

int fsync(int file) {
  static const auto next = original<decltype(fsync)>("fsync");
  return spied_sync(file, [&] { return next(file); });
}

int mdb_env_open(MDB_env* environment, const char* path, unsigned int flags, mdb_mode_t mode) {
  static const auto next = original<decltype(mdb_env_open)>("mdb_env_open");
  const unsigned int more = std::getenv("LINKMETER_SPY_NOSYNC") == nullptr ? 0 : MDB_NOSYNC;
  return next(environment, path, flags | more, mode);
}

}  // extern "C"
