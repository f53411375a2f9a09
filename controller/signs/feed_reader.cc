#include "controller/signs/feed_reader.h"

#include <string_view>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "proto/wire.pb.h"

namespace linkmeter {
namespace {

constexpr int updates_kept = 64;  // only the latest matters, and it is repeated every second
constexpr int feed_keepalive_idle_s = 2;

// Rejects values that no controller sends.
bool is_amount(std::int64_t cents) { return cents >= 0 && cents <= limits::meter_max.in_cents(); }

SignUpdate::Award award_of(const wire::LastAward& award) {
  return {award.claim(), award.table(), award.amount_cents(), award.state() == "raised",
          award.state() == "rejected"};
}

std::optional<SignUpdate> update_of(const wire::MeterUpdate& told) {
  if (told.as_of_us() < 0) return std::nullopt;  // a time before 1970 is invalid, too
  SignUpdate update{told.link(),
                    told.sequence(),
                    Timestamp::from_microseconds(told.as_of_us()),
                    told.maximum_age_ms(),
                    told.status() != "operating",
                    told.pending_adjustment(),
                    {},
                    {},
                    told.collecting_ended(),
                    told.discontinued(),
                    told.went_to()};
  for (const wire::LevelUpdate& level : told.levels()) {
    if (!is_amount(level.amount_cents())) return std::nullopt;
    update.levels.push_back({level.level(), level.amount_cents()});
  }
  for (const wire::LastAward& award : told.awards()) update.awards.push_back(award_of(award));
  // A fixed award, or a controller of the previous release.
  if (update.awards.empty() && told.has_last_award()) {
    update.awards.push_back(award_of(told.last_award()));
  }
  for (const SignUpdate::Award& award : update.awards) {
    if (!is_amount(award.amount_cents)) return std::nullopt;
  }
  return update;
}

}  // namespace

std::optional<SignUpdate> read_sign_update(std::string_view bytes) {
  wire::MeterUpdate told;
  if (!told.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return std::nullopt;
  return update_of(told);
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
