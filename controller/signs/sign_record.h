// Sign record: what was last sent to a sign on a serial line, and when: DIR/signs/NAME.json. The
// program that drives the sign writes it; status commands read it.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "meters/values/timestamp.h"

namespace linkmeter {

struct SignRecord {
  std::string sign;  // its name
  std::string link;
  std::string port;
  std::string driver;
  Timestamp sent_at;  // Timestamp(): never
  std::string text;   // what was sent then
  // "": none; e.g. the port cannot be opened, or no update came from the controller
  std::string trouble;
  Timestamp written_at;  // time of this record; a program that ended writes no more
  bool is_live = false;  // the text came from a fresh update
  friend bool operator==(const SignRecord&, const SignRecord&) = default;
};

// Why the sign is out of date, or "" if it is current. A sign without fresh records counts as not
// driven.
std::string sign_fault(const SignRecord& record, Timestamp now);
std::int64_t age_ms(Timestamp moment, Timestamp now);

// Throws Fault.
void write_sign_record(const std::filesystem::path& path, const SignRecord& record);
// nullopt: the file is missing or invalid.
std::optional<SignRecord> read_sign_record(const std::filesystem::path& path);
// All records of a folder, by name.
std::vector<SignRecord> read_sign_records(const std::filesystem::path& folder);

// RecordReader: reads the sign records periodically on its own thread, so that a slow disk delays
// no turn.

class RecordReader {
 public:
  // Throws std::system_error. REQUIRES: made after ShutdownSignal.
  explicit RecordReader(std::filesystem::path folder);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  ~RecordReader();

  // At most a second old, while the disk responds.
  [[nodiscard]] std::vector<SignRecord> records() const;

 private:
  void work();

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::condition_variable stops_;
  bool stopping_ = false;
  std::vector<SignRecord> records_;
  std::thread thread_;
};

}  // namespace linkmeter
