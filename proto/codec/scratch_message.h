// Scratch: a Protobuf message that lives for one call. Its parts are placed in one block on the
// stack; parts that do not fit are allocated on the heap.
#pragma once

#include <google/protobuf/arena.h>

#include <array>
#include <cstddef>

namespace linkmeter::parts {

template <class Message>
class Scratch {
 public:
  Scratch()
      : arena_(block_.data(), block_.size()),
        message_(google::protobuf::Arena::CreateMessage<Message>(&arena_)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() = default;

  Message& operator*() { return *message_; }
  Message* operator->() { return message_; }

 private:
  // Enough for a round of seven wagers with its postings.
  static constexpr std::size_t block_bytes = 4'096;
  alignas(std::max_align_t) std::array<char, block_bytes> block_;
  google::protobuf::Arena arena_;
  Message* message_;
};

}  // namespace linkmeter::parts
