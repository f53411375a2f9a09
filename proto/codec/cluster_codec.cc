#include "proto/codec/cluster_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "meters/values/limits.h"
#include "proto/cluster.pb.h"
#include "proto/codec/parts_codec.h"

namespace linkmeter {

std::string encode(const SealedValue& value) {
  cluster::SealedValue message;
  message.set_content(value.content);
  message.set_mac(parts::encode_digest(value.mac));
  return message.SerializeAsString();
}

std::optional<SealedValue> decode_sealed_value(std::string_view bytes) {
  cluster::SealedValue message;
  SealedValue value;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !parts::decode_digest(message.mac(), value.mac)) {
    return std::nullopt;
  }
  value.content = std::move(*message.mutable_content());
  return value;
}

std::string encode(const EntryBatch& batch) {
  cluster::EntryBatch message;
  message.set_first(batch.first.value());
  for (const std::string& bytes : batch.entries) message.add_entries(bytes);
  message.set_hash(parts::encode_digest(batch.hash));
  message.set_parts(batch.parts);
  return message.SerializeAsString();
}

std::optional<EntryBatch> decode_entry_batch(std::string_view bytes) {
  cluster::EntryBatch message;
  EntryBatch batch;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      message.first() == 0 || !parts::decode_digest(message.hash(), batch.hash) ||
      message.entries().empty() != (message.parts() != 0) ||
      message.parts() > limits::entry_parts_max) {
    return std::nullopt;
  }
  batch.first = EntryNumber(message.first());
  batch.parts = message.parts();
  for (std::string& entry : *message.mutable_entries()) batch.entries.push_back(std::move(entry));
  return batch;
}

std::string encode(const NodeRecord& record) {
  cluster::NodeRecord message;
  message.set_node(record.node);
  message.set_tables(record.tables);
  message.set_feed(record.feed);
  message.set_pages(record.pages);
  message.set_entries(record.entries);
  message.set_release(record.release);
  message.set_entry(record.head.entry.value());
  message.set_hash(parts::encode_digest(record.head.hash));
  return message.SerializeAsString();
}

std::optional<NodeRecord> decode_node_record(std::string_view bytes) {
  cluster::NodeRecord message;
  NodeRecord record;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !parts::decode_digest(message.hash(), record.head.hash)) {
    return std::nullopt;
  }
  record.head.entry = EntryNumber(message.entry());
  record.node = message.node();
  record.tables = message.tables();
  record.feed = message.feed();
  record.pages = message.pages();
  record.entries = message.entries();
  record.release = message.release();
  const std::array<const std::string*, 6> texts{&record.node,  &record.tables,  &record.feed,
                                                &record.pages, &record.entries, &record.release};
  const bool is_bounded = std::all_of(texts.begin(), texts.end(), [](const std::string* text) {
    return text->size() <= limits::node_text_max;
  });
  if (!is_bounded || record.node.empty()) return std::nullopt;
  return record;
}

std::string encode(const EntryRequest& request) {
  cluster::EntryRequest message;
  message.set_from(request.from.value());
  message.set_up_to(request.up_to.value());
  message.set_bytes_max(request.bytes_max);
  return message.SerializeAsString();
}

std::optional<EntryRequest> decode_entry_request(std::string_view bytes) {
  cluster::EntryRequest message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      message.from() == 0 || message.up_to() < message.from()) {
    return std::nullopt;
  }
  return EntryRequest{EntryNumber(message.from()), EntryNumber(message.up_to()),
                      message.bytes_max()};
}

std::string encode(const EntryReply& reply) {
  cluster::EntryReply message;
  message.set_first(reply.first.value());
  for (const std::string& bytes : reply.entries) message.add_entries(bytes);
  return message.SerializeAsString();
}

std::optional<EntryReply> decode_entry_reply(std::string_view bytes) {
  cluster::EntryReply message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      static_cast<std::size_t>(message.entries_size()) > limits::entry_reply_entries_max) {
    return std::nullopt;
  }
  EntryReply reply{EntryNumber(message.first()), {}};
  for (std::string& entry : *message.mutable_entries()) reply.entries.push_back(std::move(entry));
  return reply;
}

std::string encode(const NamedFile& request) {
  cluster::EntryRequest message;
  cluster::FileRequest& file = *message.mutable_file();
  if (const auto* slip = std::get_if<SlipNumber>(&request.name)) {
    file.set_slip(slip->value());
  } else {
    file.set_day(text(std::get<GamingDay>(request.name)));
  }
  file.set_hash(parts::encode_digest(request.digest));
  return message.SerializeAsString();
}

std::optional<NamedFile> decode_file_request(std::string_view bytes) {
  cluster::EntryRequest message;
  NamedFile request;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !message.has_file() || message.from() != 0 ||
      !parts::decode_digest(message.file().hash(), request.digest)) {
    return std::nullopt;
  }
  const cluster::FileRequest& file = message.file();
  if ((file.slip() == 0) == file.day().empty()) return std::nullopt;
  request.name = SlipNumber(file.slip());
  if (file.slip() == 0) {
    const auto day = parse_gaming_day(file.day());
    if (!day) return std::nullopt;
    request.name = *day;
  }
  return request;
}

std::string encode_file_reply(const std::optional<std::string>& file) {
  cluster::EntryReply message;
  if (file) message.set_file(*file);
  return message.SerializeAsString();
}

std::optional<std::string> decode_file_reply(std::string_view bytes) {
  cluster::EntryReply message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !message.has_file()) {
    return std::nullopt;
  }
  return message.file();
}

}  // namespace linkmeter
