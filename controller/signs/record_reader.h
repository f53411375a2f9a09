// Record reader: reads what signs on lines were told (sign_record.h) again and again, beside
// everything else: a disk that is slow keeps no turn waiting.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "controller/signs/sign_record.h"

namespace linkmeter {

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
