// What a restored journal has lost, said again: a part of LmdbOutbox.

#include <algorithm>
#include <utility>
#include <vector>

#include "table-agent/link/lmdb_outbox_store.h"

namespace linkmeter {

using outbox_keys::kept_key;
using outbox_keys::kept_prefix;
using outbox_keys::message_key;

std::uint64_t LmdbOutbox::say_again_after(const Head& head) {
  Transaction transaction(*store_, Transaction::Kind::write);
  const Head seen = head_in(transaction, "witness");
  if (head.entry > seen.entry) {
    store_->fail("this table has not seen entry " + std::to_string(head.entry.value()) +
                 ", only up to " + std::to_string(seen.entry.value()) + ": nothing is lost");
  }
  const auto before = transaction.get("before");
  const std::uint64_t first_own = before ? from_big_endian(*before) + 1 : 1;
  const std::uint64_t first_open =
      last_number_.next().value() - unacknowledged_in(transaction).size();
  std::uint64_t first_kept = first_open;
  bool reaches_back = false;
  Lost lost;
  transaction.each(kept_prefix, [&](std::string_view key, std::string_view content) {
    const std::uint64_t number = from_big_endian(key);
    first_kept = std::min(first_kept, number);
    if (from_big_endian(content.substr(0, 8)) <= head.entry.value()) {
      reaches_back = true;
    } else {
      lost.emplace_back(MessageNumber(number), std::string(content.substr(8)));
    }
    return true;
  });
  if (!reaches_back && first_kept != first_own && head.entry < seen.entry) {
    store_->fail("it keeps only the messages from " + std::to_string(first_kept) +
                 " on, and none that became an entry up to " + std::to_string(head.entry.value()) +
                 ": those in between are lost");
  }
  say_again(transaction, lost, first_open);
  put_head(transaction, "witness", head);
  transaction.commit();
  kept_bytes_ = kept_bytes_after(lost);
  return lost.size();
}

std::uint64_t LmdbOutbox::say_again_behind(MessageNumber last, const Head& head,
                                           const std::vector<Head>& history) {
  Transaction transaction(*store_, Transaction::Kind::write);
  const std::uint64_t first_open =
      last_number_.next().value() - unacknowledged_in(transaction).size();
  Lost lost;
  transaction.each(kept_prefix, [&](std::string_view key, std::string_view content) {
    const std::uint64_t number = from_big_endian(key);
    if (number > last.value()) {
      lost.emplace_back(MessageNumber(number), std::string(content.substr(8)));
    }
    return true;
  });
  if (last.value() + 1 + lost.size() < first_open) {
    store_->fail("the restored journal has the table's messages up to " +
                 std::to_string(last.value()) + ", and this outbox keeps only those from " +
                 std::to_string(first_open - lost.size()) + " on: those in between are lost");
  }
  say_again(transaction, lost, first_open);
  put_head(transaction, "witness", head);
  put_history(transaction, history);
  transaction.commit();
  kept_bytes_ = kept_bytes_after(lost);
  return lost.size();
}

void LmdbOutbox::note_history(const std::vector<Head>& history) {
  Transaction transaction(*store_, Transaction::Kind::write);
  put_history(transaction, history);
  transaction.commit();
}

void LmdbOutbox::say_again(Transaction& transaction, const Lost& lost,
                           std::uint64_t first_open) const {
  std::uint64_t expected = first_open - lost.size();
  for (const auto& [number, content] : lost) {
    if (number.value() != expected++) {
      store_->fail("damaged: the kept messages do not run up to the unacknowledged ones");
    }
    transaction.erase(kept_key(number));
    transaction.put(message_key(number), content);
  }
}

std::size_t LmdbOutbox::kept_bytes_after(const Lost& lost) const {
  std::size_t kept_bytes = kept_bytes_;
  for (const auto& [number, content] : lost) kept_bytes -= content.size() + 8;
  return kept_bytes;
}

}  // namespace linkmeter
