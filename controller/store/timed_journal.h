// TimedJournal: a Journal decorator that measures commits for the metrics, from their beginning
// until they are durable. It changes nothing.
#pragma once

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
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
    const auto begun = Time::now();
    journal_.commit(entries, rows);
    note_since(begun);
  }
  void submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override {
    const auto begun = Time::now();
    journal_.submit(entries, rows);
    submitted_.push_back({journal_.head().entry, begun});
    static_cast<void>(durable());
  }
  [[nodiscard]] EntryNumber durable() override {
    const EntryNumber reached = journal_.durable();
    for (; !submitted_.empty() && submitted_.front().last <= reached; submitted_.pop_front()) {
      note_since(submitted_.front().begun);
    }
    return reached;
  }
  void settle() override {
    journal_.settle();
    static_cast<void>(durable());
  }
  [[nodiscard]] std::optional<int> descriptor() const override { return journal_.descriptor(); }
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
  using Time = std::chrono::steady_clock;
  struct Submitted {
    EntryNumber last;
    Time::time_point begun;
  };

  void note_since(Time::time_point begun) const {
    note_(std::chrono::duration_cast<std::chrono::microseconds>(Time::now() - begun));
  }

  Journal& journal_;
  Note note_;
  std::deque<Submitted> submitted_;
};

}  // namespace linkmeter
