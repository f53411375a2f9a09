// TimedJournal: a Journal decorator that measures commits for the metrics. It changes nothing.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/journal.h"

namespace linkmeter {

class TimedJournal final : public Journal {
 public:
  using Note = std::function<void(std::chrono::microseconds)>;

  // `journal` must outlive this.
  TimedJournal(Journal& journal, Note note) : journal_(journal), note_(std::move(note)) {}

  [[nodiscard]] Head head() const override { return journal_.head(); }
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    const auto begun = std::chrono::steady_clock::now();
    journal_.commit(entries, rows);
    note_(std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                begun));
  }
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override {
    journal_.read(from, visit);
  }
  [[nodiscard]] std::vector<Row> rows() const override { return journal_.rows(); }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override {
    return journal_.row(key);
  }
  [[nodiscard]] Stored stored() const override { return journal_.stored(); }
  [[nodiscard]] JournalSpace room() const override { return journal_.room(); }
  void maintain() override { journal_.maintain(); }
  void snapshot_to(const std::filesystem::path& folder) const override {
    journal_.snapshot_to(folder);
  }

 private:
  Journal& journal_;
  Note note_;
};

}  // namespace linkmeter
