#include "table-agent/memory_outbox.h"

#include <utility>

#include "meters/check.h"
#include "meters/edge/fault.h"

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
  const Trouble trouble = std::exchange(trouble_, Trouble::none);
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
    CHECK(message.number == number);
  }
  store([&](Contents& contents) {
    contents.messages.insert(contents.messages.end(), messages.begin(), messages.end());
    contents.last_number = number;
    contents.places[position.play] = position.place;
  });
}

void MemoryOutbox::go_on_after(MessageNumber number) {
  CHECK(last_number() == MessageNumber());
  store([&](Contents& contents) { contents.last_number = number; });
}

void MemoryOutbox::acknowledge(MessageNumber up_to, const Head& head,
                               const std::optional<Position>& position) {
  CHECK(up_to <= last_number());
  store([&](Contents& contents) {
    while (!contents.messages.empty() && contents.messages.front().number <= up_to) {
      contents.messages.pop_front();
    }
    contents.witness = head;
    if (position) contents.places[position->play] = position->place;
  });
}

}  // namespace linkmeter
