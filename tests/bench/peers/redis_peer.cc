// Redis: a stream for the journal, three counters for the meters, changed together by one script;
// appendfsync is always. Replies come after the sync.
#include <hiredis/hiredis.h>

#include <memory>
#include <stdexcept>

#include "tests/bench/peers/crew.h"

namespace linkmeter::bench {
namespace {

struct LinkEnd {
  void operator()(redisContext* link) const { redisFree(link); }
};
struct ReplyEnd {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Link = std::unique_ptr<redisContext, LinkEnd>;
using Reply = std::unique_ptr<redisReply, ReplyEnd>;

// Takes any number of wagers, six words each; the meters are written once.
constexpr const char* script =
    "local cents = 0\n"
    "for at = 1, #ARGV, 6 do\n"
    "  redis.call('XADD', KEYS[1], '*', 'p', ARGV[at], 'n', ARGV[at + 1], 's', ARGV[at + 2],"
    " 'k', ARGV[at + 3], 'c', ARGV[at + 4], 'r', ARGV[at + 5])\n"
    "  cents = cents + ARGV[at + 4]\n"
    "end\n"
    "redis.call('INCRBY', KEYS[2], cents * 90000)\n"
    "redis.call('INCRBY', KEYS[3], cents * 70000)\n"
    "redis.call('INCRBY', KEYS[4], cents * 30000)\n"
    "return 1";
constexpr const char* keys[] = {"journal", "mega", "major", "minor"};

Reply answered(const Link& link, void* raw) {
  Reply reply(static_cast<redisReply*>(raw));
  if (!reply) throw std::runtime_error(std::string("redis: ") + link->errstr);
  if (reply->type == REDIS_REPLY_ERROR)
    throw std::runtime_error(std::string("redis: ") + reply->str);
  return reply;
}

Link opened_link(const std::string& socket) {
  Link link(redisConnectUnix(socket.c_str()));
  if (!link || link->err != 0) throw std::runtime_error("redis: cannot connect to " + socket);
  const Reply policy = answered(link, redisCommand(link.get(), "CONFIG GET appendfsync"));
  if (policy->elements != 2 || std::string(policy->element[1]->str) != "always") {
    throw std::runtime_error("redis: appendfsync is not always");
  }
  return link;
}

class RedisClient : public Client {
 public:
  RedisClient(const std::string& socket, std::size_t client, std::size_t per_piece,
              bool is_pipelined)
      : link_(opened_link(socket)),
        wagers_(client),
        calls_(is_pipelined ? per_piece : 1),
        per_call_(is_pipelined ? 1 : per_piece) {
    hash_ = answered(link_, redisCommand(link_.get(), "SCRIPT LOAD %s", script))->str;
  }

  void hand_in() override {
    for (std::size_t at = 0; at < calls_; ++at) send();
    for (std::size_t at = 0; at < calls_; ++at) {
      void* reply = nullptr;
      if (redisGetReply(link_.get(), &reply) != REDIS_OK) reply = nullptr;
      answered(link_, reply);
    }
  }

 private:
  void send() {
    std::vector<std::string> words{"EVALSHA", hash_, std::to_string(std::size(keys))};
    words.insert(words.end(), std::begin(keys), std::end(keys));
    for (std::size_t at = 0; at < per_call_; ++at) {
      const PeerWager one = wagers_.next();
      words.insert(words.end(),
                   {std::to_string(one.table), std::to_string(one.number), std::to_string(one.seat),
                    wager_kind, std::to_string(wager_cents), one.round});
    }
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string& word : words) {
      texts.push_back(word.data());
      sizes.push_back(word.size());
    }
    redisAppendCommandArgv(link_.get(), static_cast<int>(words.size()), texts.data(), sizes.data());
  }

  Link link_;
  WagerSource wagers_;
  std::size_t calls_, per_call_;
  std::string hash_;
};

}  // namespace

CrewDone run_redis(const std::string& place, const CrewTask& task, bool is_pipelined) {
  const Link own = opened_link(place);
  answered(own, redisCommand(own.get(), "FLUSHALL"));
  CrewDone done = run_crew(task, [&](std::size_t at) {
    return std::make_unique<RedisClient>(place, at, task.per_piece, is_pipelined);
  });
  const Reply counted = answered(own, redisCommand(own.get(), "XLEN journal"));
  if (static_cast<std::uint64_t>(counted->integer) != done.wagers) {
    throw std::runtime_error("WRONG: redis has not journaled every wager");
  }
  for (std::size_t level = 0; level < 3; ++level) {
    const Reply meter = answered(own, redisCommand(own.get(), "GET %s", keys[level + 1]));
    require_meter(std::stoll(meter->str), level, done.wagers);
  }
  return done;
}

}  // namespace linkmeter::bench
