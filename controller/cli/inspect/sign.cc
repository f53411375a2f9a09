#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>
#include <zmq.hpp>

#include "controller/cli/shell/command.h"
#include "controller/signs/feed_reader.h"
#include "controller/signs/serial_sign.h"
#include "controller/signs/sign_driver.h"
#include "controller/signs/sign_record.h"
#include "controller/store/data_folder.h"
#include "meters/values/time_text.h"
#include "proto/host/byte_port.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"
#include "proto/host/shutdown_signal.h"

namespace linkmeter::cli {
namespace {

struct SignOptions {
  std::filesystem::path data;         // the controller's, on its own machine; or these three:
  std::string feed;                   // endpoint
  std::filesystem::path credentials;  // a viewer's
  std::filesystem::path record;       // the file that records what the sign was sent
  std::string link, level, port, driver = "pro-lite", name;
  int number = 1;
};

constexpr std::int64_t record_interval_us = 1'000'000, turn_us = 100'000;

template <class SystemClock>
Timestamp now_of() {
  const auto since = SystemClock::now().time_since_epoch();
  return Timestamp::from_microseconds(
      std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}
Timestamp wall() { return now_of<std::chrono::system_clock>(); }
Timestamp uptime() { return now_of<std::chrono::steady_clock>(); }

// The second line of DIR/endpoints.
std::string feed_of(const std::filesystem::path& data) {
  std::ifstream file(endpoints_path(data));
  std::string controller, feed;
  if (!std::getline(file, controller) || !std::getline(file, feed)) {
    throw Fault(endpoints_path(data).string() +
                " is not there: no controller has run on this data folder");
  }
  return feed;
}

// Fills in missing options from the data folder, on the controller's machine.
SignOptions completed(SignOptions options) {
  if (options.name.empty()) options.name = options.link;
  if (options.name.find('/') != std::string::npos || options.name.starts_with('.')) {
    throw Fault("--name \"" + options.name +
                "\" is not a name for a sign: it must not contain a slash or begin with a point");
  }
  if (options.data.empty()) return options;
  require_own_folder(options.data);
  if (!current_state(*open_data(options.data)).floor().find_link(LinkId(options.link))) {
    throw Fault("--link " + options.link + ": there is no such link on this floor");
  }
  if (options.feed.empty()) options.feed = feed_of(options.data);
  if (options.credentials.empty()) {
    options.credentials = credentials_path(options.data, EnrolmentKind::viewer, "feed");
  }
  if (options.record.empty()) {
    std::error_code error;
    std::filesystem::create_directory(options.data / "signs", error);
    options.record = options.data / "signs" / (options.name + ".json");
  }
  return options;
}

class Driving {
 public:
  explicit Driving(const SignOptions& options)
      : asked_(options),
        reader_(options.feed, read_credentials(options.credentials), options.link),
        sign_(SignText(options.level), sign_driver(options.driver, options.number)),
        port_(open_byte_port(options.port)) {}

  void run(const ShutdownSignal& stop) {
    while (true) {
      std::array<zmq_pollitem_t, 2> items = {{{nullptr, stop.descriptor(), ZMQ_POLLIN, 0},
                                              {reader_.socket().handle(), 0, ZMQ_POLLIN, 0}}};
      zmq_poll(items.data(), items.size(), turn_us / 1'000);
      if (items[0].revents != 0) break;
      turn(uptime());
    }
    // A sign keeps its last text, which nobody updates from now on: show that it is not current.
    if (port_->descriptor() >= 0) port_->write(sign_.final_bytes(), uptime());
    record(uptime());
  }

 private:
  void turn(Timestamp now) {
    while (auto update = reader_.next()) sign_.note(*update, now, wall());
    const bool was_open = port_->descriptor() >= 0;
    std::string error;
    if (!port_->open(now)) {
      error = asked_.port + " cannot be opened";
    } else {
      if (!was_open) sign_.forget_sent();
      // Discards what the sign sends. Reading detects a closed port.
      static_cast<void>(port_->read(now));
      if (auto bytes = sign_.say(now)) {
        port_->write(*bytes, now);
        if (port_->descriptor() >= 0) sent_at_ = wall();
      }
      if (sign_.is_stale(now)) error = "nothing fresh from the feed at " + asked_.feed;
    }
    if (error != error_) {
      error_ = error;
      std::cerr << "sign " << asked_.name << ": " << (error.empty() ? "ok" : error) << std::endl;
      record(now);
    }
    if (now >= record_due_) record(now);
  }

  void record(Timestamp now) {
    record_due_ = now.after(record_interval_us);
    if (asked_.record.empty()) return;
    write_sign_record(asked_.record,
                      {asked_.name, asked_.link, asked_.port, asked_.driver, sent_at_, sign_.said(),
                       error_, wall(), !sign_.is_stale(now)});
  }

  SignOptions asked_;
  FeedReader reader_;
  SerialSign sign_;
  std::unique_ptr<BytePort> port_;
  std::string error_;
  Timestamp sent_at_, record_due_;
};

// Drives the sign until a shutdown signal.
int drive_sign(const SignOptions& given) {
  const std::string mistake = device_address_mistake(given.port);
  if (!mistake.empty()) throw Fault("--port " + mistake);
  const ShutdownSignal stop;
  const SignOptions options = completed(given);
  if (options.feed.empty() || options.credentials.empty()) {
    throw Fault("no feed: give --data DIR, or --feed ENDPOINT with --credentials FILE");
  }
  Driving(options).run(stop);
  return 0;
}

// What every sign on a serial line was last sent, and how long ago.
int list_signs(const std::filesystem::path& data, bool as_json) {
  require_data_folder(data);
  const std::vector<SignRecord> all = read_sign_records(data / "signs");
  const Timestamp now = wall();
  Json json = Json::array();
  for (const SignRecord& one : all) {
    const bool was_sent = one.sent_at != Timestamp();
    const std::string error = sign_fault(one, now);
    json.push_back(Json{{"sign", one.sign},
                        {"link", one.link},
                        {"port", one.port},
                        {"driver", one.driver},
                        {"state", error.empty() ? "ok" : error},
                        {"sent_at", moment_or_null(one.sent_at)},
                        {"age_ms", was_sent ? Json(age_ms(one.sent_at, now)) : Json()},
                        {"text", text_or_null(one.text)}});
  }
  if (!as_json && all.empty()) {
    std::cout << "no sign on a line is driven from this data folder (linkmeter sign --help)\n";
    return 0;
  }
  const auto sent = [](const Json& at) { return at.is_null() ? "never" : plain_cell(at); };
  const auto age = [](const Json& ms) {
    return ms.is_null() ? "" : std::to_string(ms.get<std::int64_t>() / 1'000) + " s";
  };
  print(json, as_json,
        {left("sign"), left("link"), left("port"), left("state"),
         left("last sent", "sent_at", sent), right("age", "age_ms", age), left("text")});
  return 0;
}

}  // namespace

void declare_signs(CLI::App& app, CommandBuilder& declare) {
  declare.reading_folder(
      app, "signs", "List every sign on a serial line: what it was last sent, and how long ago",
      [&given = declare.options] { return list_signs(given.from.data, given.json); });
}

void declare_sign(CLI::App& app, CommandBuilder& declare) {
  auto& asked = declare.own<SignOptions>();
  CLI::App* sign = declare.command(app, "sign", "Drive one sign on a serial line from the feed",
                                   [&asked] { return drive_sign(asked); });
  sign->add_option("--link", asked.link, "The link that it shows")->required();
  sign->add_option("--port", asked.port,
                   "The sign's port: serial:/dev/ttyUSB0:9600, unix:PATH or tcp:127.0.0.1:PORT")
      ->required();
  sign->add_option("--level", asked.level, "Only this level, e.g. mega; default: all");
  sign->add_option("--driver", asked.driver, "The protocol of the sign")
      ->check(CLI::IsMember(sign_driver_names()))
      ->capture_default_str();
  sign->add_option("--number", asked.number, "Which sign on the line, if there are several")
      ->transform(a_number(1, 99))
      ->capture_default_str();
  sign->add_option("--name", asked.name, "The name of the sign (default: the link)");
  auto* data = sign->add_option("--data", asked.data,
                                "The controller's data folder; on another machine use:");
  sign->add_option("--feed", asked.feed, "The endpoint of the controller's feed");
  sign->add_option("--credentials", asked.credentials, "A viewer's file of keys")->excludes(data);
  sign->add_option("--record", asked.record, "A file that records what the sign was last sent");
}

}  // namespace linkmeter::cli
