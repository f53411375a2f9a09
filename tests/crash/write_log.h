// WriteLog: the changes of a program to the files under a folder that no sync has made durable yet.
// The log is a file that outlives the program, so that the test that ends the program can put the
// disk into a state that a power cut might have left (crash/power_cut.py reads it).
//
// Laws: a record is in the log before its call is made, so every change is recorded. A record is
// settled by a sync of its file or folder that began after the call had ended, or, for a write that
// is durable by itself (O_DSYNC), by its own end. Records are numbered from 1.
//
//   write NUMBER FILE FROM UNTIL SIZE LENGTH\n and LENGTH bytes: the earlier contents, whole pages
//     of 4096 up to the file's end; SIZE is the file's earlier size
//   made|moved|removed NUMBER FOLDER LENGTH\n and LENGTH bytes: the path; for a move the old and
//     the new path, one in each line, and FOLDER is the new one's. The file of the new or removed
//     path is kept as a hard link, LOG.kept/NUMBER.
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

  // The log $LINKMETER_LOST_WRITES about the folder $LINKMETER_LOST_UNDER; both paths are absolute.
  // The program ends itself, as if the power was cut, at step $LINKMETER_LOST_AT, if that is set.
  // Each call has one step before it and one after it.
  static WriteLog& of_this_program();

  // Whether changes of this file are recorded. Locks are not: they have no meaning after a cut.
  static bool watches(const std::string& path);

  Number will_write(int file, off_t offset, std::size_t length);
  Number will_make(const std::string& path);
  Number will_move(const std::string& from, const std::string& to);
  Number will_remove(const std::string& path);
  // The record is durable by itself, with the data that it overwrote, or its call failed.
  void settle(Number number);
  // The last record that a sync starting now makes durable.
  Number last();
  // Settles all records of this file or folder, up to that record.
  void settle_all(int file, Number until);
  void step();

 private:
  struct Record {
    std::string about;  // the file or folder
    std::string text;   // as it is in the log
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
