// Sign record: what a sign on a line was last told, and when: DIR/signs/NAME.json, written by the
// program that drives the sign and read by whoever asks how the signs are.
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
  Timestamp sent_at;     // 0: never
  std::string text;      // what it was told then
  std::string trouble;   // "" none: the port cannot be opened, nothing came from the controller
  Timestamp written_at;  // of this record: a program that is gone writes no more
  bool is_live = false;  // the text was of a fresh update
  friend bool operator==(const SignRecord&, const SignRecord&) = default;
};

// Why the sign shows nothing that is true now; "" it does. One whose program writes no record any
// more is not driven.
std::string trouble_of(const SignRecord& record, Timestamp now);
std::int64_t age_ms(Timestamp moment, Timestamp now);

// Throws Fault.
void write_sign_record(const std::filesystem::path& path, const SignRecord& record);
// nullopt: it is not there, or is none.
std::optional<SignRecord> read_sign_record(const std::filesystem::path& path);
// All of a folder, by name.
std::vector<SignRecord> read_sign_records(const std::filesystem::path& folder);

// Record reader: reads what signs on lines were told (sign_record.h) again and again, beside
// everything else: a disk that is slow keeps no turn waiting.

class RecordReader {
 public:
  // Throws std::system_error. REQUIRES: made after StopSignal.
  explicit RecordReader(std::filesystem::path folder);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  ~RecordReader();

  // As of a second ago at most, while the disk answers.
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
