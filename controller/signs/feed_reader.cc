#include "controller/signs/feed_reader.h"

#include <string_view>

#include "proto/codec/feed_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr int updates_kept = 64;  // only the latest matters, and it is repeated every second
constexpr int feed_keepalive_idle_s = 2;

SignUpdate::Award sign_award(const MeterUpdate::Award& award) {
  return {award.claim, award.table, award.amount_cents, award.state == "raised",
          award.state == "rejected"};
}

}  // namespace

std::optional<SignUpdate> read_sign_update(std::string_view bytes) {
  const auto meters = decode_meter_update(bytes);
  if (!meters) return std::nullopt;
  SignUpdate update{meters->link,
                    meters->sequence,
                    Timestamp::from_microseconds(meters->as_of_us),
                    meters->maximum_age_ms,
                    meters->status != "operating",
                    meters->pending_adjustment,
                    {},
                    {},
                    meters->collecting_ended,
                    meters->discontinued,
                    meters->went_to};
  for (const MeterUpdate::Level& level : meters->levels) {
    update.levels.push_back({level.level, level.amount_cents});
  }
  for (const MeterUpdate::Award& award : meters->awards) {
    update.awards.push_back(sign_award(award));
  }
  // A fixed award.
  if (update.awards.empty() && meters->last_award) {
    update.awards.push_back(sign_award(*meters->last_award));
  }
  return update;
}

FeedReader::FeedReader(const std::string& endpoint, const Credentials& credentials,
                       const std::string& link)
    : topic_("meter/" + link + '\0'), socket_(context_, zmq::socket_type::sub) {
  try {
    socket_.set(zmq::sockopt::linger, 0);
    socket_.set(zmq::sockopt::rcvhwm, updates_kept);
    socket_.set(zmq::sockopt::tcp_keepalive, 1);
    socket_.set(zmq::sockopt::tcp_keepalive_idle, feed_keepalive_idle_s);
    socket_.set(zmq::sockopt::curve_serverkey, credentials.controller_key);
    socket_.set(zmq::sockopt::curve_publickey, credentials.keys.public_key);
    socket_.set(zmq::sockopt::curve_secretkey, credentials.keys.secret_key);
    socket_.set(zmq::sockopt::subscribe, topic_);
    socket_.connect(endpoint);
  } catch (const zmq::error_t& error) {
    throw Fault("the feed at " + endpoint + " cannot be received: " + error.what());
  }
}

std::optional<SignUpdate> FeedReader::next() {
  zmq::message_t frame;
  while (socket_.recv(frame, zmq::recv_flags::dontwait)) {
    std::string_view bytes = frame.to_string_view();
    if (!bytes.starts_with(topic_)) continue;
    bytes.remove_prefix(topic_.size());
    if (auto update = read_sign_update(bytes)) return update;
  }
  return std::nullopt;
}

}  // namespace linkmeter
