#include "controller/sockets/file_client.h"

#include <zmq.hpp>

#include "controller/sockets/node_socket.h"
#include "controller/store/hash_chain.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

// nullopt: no answer in time.
std::optional<std::string> file_answer(zmq::socket_t& socket, const std::string& request,
                                       const std::atomic<bool>& stops, milliseconds answer_max) {
  constexpr milliseconds look_interval{100};  // for a stop
  socket.send(zmq::buffer(request), zmq::send_flags::dontwait);
  const auto until = std::chrono::steady_clock::now() + answer_max;
  while (!stops && std::chrono::steady_clock::now() < until) {
    zmq::pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, look_interval);
    zmq::message_t answer;
    if (socket.recv(answer, zmq::recv_flags::dontwait)) return answer.to_string();
  }
  return std::nullopt;
}

}  // namespace

FetchedFile fetch_file(const NamedFile& file, const std::vector<EntryClient::Source>& sources,
                       const KeyPair& keys, const std::atomic<bool>& stops,
                       milliseconds answer_max) {
  zmq::context_t context;
  std::string failure;
  for (const EntryClient::Source& source : sources) {
    if (stops) break;
    std::string why = "does not answer in time";
    try {
      zmq::socket_t socket = node_socket(context, keys, source.endpoint, source.key);
      const auto answer = file_answer(socket, encode(file), stops, answer_max);
      auto bytes = answer ? decode_file_reply(*answer) : std::nullopt;
      if (bytes && sha256(*bytes) == file.digest) return {std::move(bytes), ""};
      if (bytes) {
        why = "gives a file with another hash";
      } else if (answer) {
        why = "does not have it";
      }
    } catch (const zmq::error_t& error) {
      why = error.what();
    }
    failure += (failure.empty() ? "" : "; ") + ("node " + source.node + " ") + why;
  }
  return {std::nullopt, failure.empty() ? "no other node runs that gives files" : failure};
}

}  // namespace linkmeter
