#include "tests/simulation/stepped_journal.h"

#include "controller/store/hash_chain.h"

namespace linkmeter {

void SteppedJournal::commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  submit(entries, rows);
  settle();
}

void SteppedJournal::submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  if (!log_) {
    local_.commit(entries, rows);
    head_ = local_.head();
    return;
  }
  submitted_.push_back({head_, entries, rows});
  for (const std::string& bytes : entries) {
    const EntryNumber number = head_.entry.next();
    head_ = {number, chain_hash(head_.hash, number, bytes)};
  }
}

void SteppedJournal::settle() {
  for (; !submitted_.empty(); submitted_.pop_front()) {
    const Batch& batch = submitted_.front();
    if (stores_first_) local_.commit(batch.entries, batch.rows);
    on_point_(NodePoint::before_etcd);
    log_->append(batch.before, batch.entries);
    on_point_(NodePoint::after_etcd);
    if (!stores_first_) local_.commit(batch.entries, batch.rows);
  }
}

void SteppedJournal::read(EntryNumber from,
                          const std::function<bool(const StoredEntry&)>& visit) const {
  bool goes_on = true;
  local_.read(from, [&](const StoredEntry& entry) { return goes_on = visit(entry); });
  for (const Batch& batch : submitted_) {
    Head head = batch.before;
    for (const std::string& bytes : batch.entries) {
      if (!goes_on) return;
      const EntryNumber number = head.entry.next();
      head = {number, chain_hash(head.hash, number, bytes)};
      if (number >= from && number > local_.head().entry)
        goes_on = visit({number, head.hash, bytes});
    }
  }
}

}  // namespace linkmeter
