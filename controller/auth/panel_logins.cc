#include "controller/auth/panel_logins.h"

#include <algorithm>
#include <utility>

#include "controller/turn/unmarked_people.h"
#include "controller/view/role_names.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/secret.h"

namespace linkmeter {

std::vector<Reply> PanelLogins::take(std::vector<InboundMessage>& received, const State& state,
                                     std::chrono::microseconds uptime) {
  std::vector<Reply> replies;
  std::erase_if(received, [&](InboundMessage& message) {
    if (!may_be_sign_in(message.bytes)) return false;
    const std::optional<TableIndex> table = state.table_of(message.key);
    auto said = decode_from_table(message.bytes);
    auto* sign_in = said ? std::get_if<TableSignIn>(&*said) : nullptr;
    if (!table || sign_in == nullptr) return false;
    forget(message.bytes);
    if (auto reply = take(std::move(*sign_in), message.peer, *table, state, uptime)) {
      replies.push_back(std::move(*reply));
    }
    return true;
  });
  return replies;
}

std::optional<Reply> PanelLogins::take(TableSignIn sign_in, const std::string& peer,
                                       TableIndex table, const State& state,
                                       std::chrono::microseconds uptime) {
  // The reply contains the question's number, so two open questions with one number would be
  // ambiguous.
  if (tried_.contains({peer, sign_in.question})) {
    forget(sign_in.pin);
    return std::nullopt;
  }
  const auto of_table = std::count_if(waiting_.begin(), waiting_.end(),
                                      [&table](const Waiting& one) { return one.table == table; });
  if (waiting_.size() >= waiting_max ||
      static_cast<std::size_t>(of_table) >= waiting_of_table_max) {
    forget(sign_in.pin);
    return std::nullopt;
  }
  const TableQuestion question{peer, sign_in.question};
  PinRequest asked{OperatorRequest{peer, std::move(sign_in.badge), false, {}},
                   std::move(sign_in.pin)};
  LoginTries::Tried tried = tries_.look(state, asked, state.floor().table(table).id.text(), uptime);
  if (sign_in.is_untrusted_origin) tried.is_untrusted = true;
  if (const auto wait = tries_.wait_of(state, tried, uptime)) {
    forget_pins(asked);
    TableSignedIn no{question.second, Refusal::pin_wrong, asked.request.badge, {}, {}, {}};
    no.wait_s = static_cast<std::uint32_t>(wait->count());
    return Reply{peer, encode(ToTable{std::move(no)})};
  }
  tries_.begin(state, tried, uptime);
  OperatorRequest& request = asked.request;
  request.signs_in = true;
  request.counts = !tried.is_untrusted;
  request.source = RequestSource::table;
  request.question = question.second;
  tried_.emplace(question, std::move(tried));
  waiting_.push_back({table, std::move(asked)});
  return std::nullopt;
}

std::optional<PinRequest> PanelLogins::next() {
  if (waiting_.empty()) return std::nullopt;
  const auto served = [this](const Waiting& one) {
    const auto found = served_.find(one.table);
    return found == served_.end() ? 0 : found->second;
  };
  const auto first = std::min_element(
      waiting_.begin(), waiting_.end(),
      [&](const Waiting& one, const Waiting& other) { return served(one) < served(other); });
  PinRequest request = std::move(first->asked);
  served_[first->table] = ++served_count_;
  waiting_.erase(first);
  return request;
}

Reply PanelLogins::answer(const Controller::SocketReply& reply, const State& state,
                          std::chrono::microseconds uptime) {
  const auto asked = tried_.extract({reply.peer, reply.question});
  if (!asked.empty()) tries_.settle(state, asked.mapped(), reply.by, reply.reply.refusal, uptime);
  TableSignedIn answer{reply.question, reply.reply.refusal, reply.by, {}, {}, {}};
  const Person* person = state.find_person(reply.by);
  if (answer.refusal == Refusal::none && person != nullptr) {
    answer.name = person->name;
    answer.roles = role_names(*person);
    answer.rights = right_names(*person);
    answer.pin_mark = pin_mark(person->pin);
    if (person->pin_set_by_other) answer.refusal = Refusal::pin_to_be_changed;
  }
  return {reply.peer, encode(ToTable{std::move(answer)})};
}

}  // namespace linkmeter
