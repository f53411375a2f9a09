// WriteLog: what a program has done to the files under a folder and no sync has made durable yet.
// It stands in a file of its own that outlives the program, so that whoever ends the program can
// put the disk back to what a power cut might have left of it (crash/power_cut.py reads it).
//
// Laws: a record stands in the log before its call is made, so what is done is always told. It is
// settled by a sync of its file, or of its folder, that began after it had ended; or, of a write
// that is durable by itself (O_DSYNC), by its own end. Records are numbered from 1.
//
//   write NUMBER FILE FROM UNTIL SIZE LENGTH\n and LENGTH bytes: what stood there before, whole
//     pages of 4096 up to the file's end; SIZE is the file's before
//   made|moved|removed NUMBER FOLDER LENGTH\n and LENGTH bytes: the path; of one that was moved the
//     old and the new path, a line each, and FOLDER is the new one's. What the new or the removed
//     path led to is kept as a hard link, LOG.kept/NUMBER.
//   settled NUMBER\n: that record is durable now
//
// FILE and FOLDER are "DEVICE:INODE".
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace linkmeter {

class WriteLog {
 public:
  using Number = std::uint64_t;

  // Of $LINKMETER_LOST_WRITES, about the folder $LINKMETER_LOST_UNDER; both paths absolute. The
  // program ends itself as a power cut would at step $LINKMETER_LOST_AT, if that is given: each
  // call has one before it is made and one after it.
  static WriteLog& of_this_program();

  // Is what this file holds to be looked after? Locks are not: they mean nothing after a cut.
  static bool watches(const std::string& path);

  Number will_write(int file, off_t offset, std::size_t length);
  Number will_make(const std::string& path);
  Number will_move(const std::string& from, const std::string& to);
  Number will_remove(const std::string& path);
  // That record is durable by itself, with what it overwrote, or its call failed.
  void settle(Number number);
  // The last record that a sync that begins now makes durable.
  Number last();
  // All of this file or folder, up to that record.
  void settle_all(int file, Number until);
  void step();

 private:
  struct Record {
    std::string about;  // the file or folder
    std::string text;   // as it stands in the log
    off_t from = 0, until = 0;
  };

  WriteLog();
  Number add(const char* kind, const std::string& about, const std::string& rest);
  Number add_path(const char* kind, const std::string& paths, const std::string& kept);
  void append(const std::string& text);
  void shorten();

  std::string path_;
  std::mutex one_at_a_time_;
  std::map<Number, Record> open_;
  Number numbers_ = 0;
  std::uint64_t steps_ = 0, cut_at_ = 0;
  std::size_t bytes_ = 0;
  int file_ = -1;
};

}  // namespace linkmeter
