#include "tests/support/memory_outbox.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "table-agent/link/node_fault.h"

namespace linkmeter {

std::vector<StoredMessage> MemoryOutbox::unacknowledged() const {
  return {written_.messages.begin(), written_.messages.end()};
}

std::string MemoryOutbox::place(std::string_view play) const {
  const auto found = written_.places.find(play);
  return found == written_.places.end() ? std::string() : found->second;
}

std::vector<Position> MemoryOutbox::places(std::string_view play_prefix) const {
  std::vector<Position> found;
  for (auto at = written_.places.lower_bound(play_prefix);
       at != written_.places.end() && at->first.starts_with(play_prefix); ++at) {
    found.push_back({at->first, at->second});
  }
  return found;
}

template <class Change>
void MemoryOutbox::store(const Change& change) {
  const Trouble trouble = std::exchange(error_, Trouble::none);
  if (trouble == Trouble::throws_before_storing) throw Fault("outbox: the disk failed");
  change(written_);
  if (!syncing_) {
    all_synced_ = false;
  } else if (all_synced_) {
    change(synced_);
  } else {
    synced_ = written_;
    all_synced_ = true;
  }
  if (trouble == Trouble::throws_after_storing) throw Fault("outbox: the disk failed");
}

void MemoryOutbox::append(const std::vector<StoredMessage>& messages, const Position& position) {
  MessageNumber number = last_number();
  for (const StoredMessage& message : messages) {
    number = number.next();
    INVARIANT(message.number == number);
  }
  store([&](Contents& contents) {
    contents.messages.insert(contents.messages.end(), messages.begin(), messages.end());
    contents.last_number = number;
    contents.places[position.play] = position.place;
  });
}

void MemoryOutbox::go_on_after(MessageNumber number) {
  INVARIANT(last_number() == MessageNumber());
  store([&](Contents& contents) { contents.last_number = contents.before = number; });
}

void MemoryOutbox::acknowledge(MessageNumber up_to, const Head& head,
                               const std::vector<Position>& positions,
                               const std::vector<EntryNumber>& entries) {
  INVARIANT(up_to <= last_number());
  store([&](Contents& contents) {
    for (std::size_t at = 0;
         !contents.messages.empty() && contents.messages.front().number <= up_to; ++at) {
      contents.kept_bytes += contents.messages.front().bytes.size();
      contents.kept.push_back(
          {std::move(contents.messages.front()), at < entries.size() ? entries[at] : head.entry});
      contents.messages.pop_front();
    }
    while (contents.kept_bytes > kept_bytes_max) {
      contents.kept_bytes -= contents.kept.front().message.bytes.size();
      contents.kept.pop_front();
    }
    contents.witness = head;
    for (const Position& position : positions) contents.places[position.play] = position.place;
  });
}

std::uint64_t MemoryOutbox::resend_after(const Head& head) {
  if (head.entry > written_.witness.entry) throw Fault("outbox: it has not seen so far");
  const auto& kept = written_.kept;
  const bool reaches_back = !kept.empty() && kept.front().entry <= head.entry;
  const MessageNumber first = !kept.empty()               ? kept.front().message.number
                              : written_.messages.empty() ? written_.last_number.next()
                                                          : written_.messages.front().number;
  if (!reaches_back && first != written_.before.next() && head.entry < written_.witness.entry) {
    throw Fault("outbox: it does not keep all of them any more");
  }
  std::uint64_t count = 0;
  store([&](Contents& contents) {
    for (count = 0; !contents.kept.empty() && contents.kept.back().entry > head.entry; ++count) {
      contents.kept_bytes -= contents.kept.back().message.bytes.size();
      contents.messages.push_front(std::move(contents.kept.back().message));
      contents.kept.pop_back();
    }
    contents.witness = head;
  });
  return count;
}

std::uint64_t MemoryOutbox::requeue_behind(MessageNumber last, const Head& head,
                                           const std::vector<Head>& history) {
  const auto& kept = written_.kept;
  const std::uint64_t open = written_.last_number.value() - written_.messages.size();
  const auto count = static_cast<std::uint64_t>(
      std::count_if(kept.begin(), kept.end(),
                    [last](const KeptMessage& one) { return one.message.number > last; }));
  if (last.value() + count < open) {
    throw NodeFault("outbox: it does not keep all of them any more", lacks_rounds);
  }
  store([&](Contents& contents) {
    for (; !contents.kept.empty() && contents.kept.back().message.number > last;) {
      contents.kept_bytes -= contents.kept.back().message.bytes.size();
      contents.messages.push_front(std::move(contents.kept.back().message));
      contents.kept.pop_back();
    }
    contents.witness = head;
    contents.history = history;
  });
  return count;
}

void MemoryOutbox::note_history(const std::vector<Head>& history) {
  store([&](Contents& contents) { contents.history = history; });
}

}  // namespace linkmeter
