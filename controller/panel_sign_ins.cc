#include "controller/panel_sign_ins.h"

#include <algorithm>
#include <utility>

#include "controller/pin.h"
#include "controller/staff_words.h"
#include "meters/codec/wire_codec.h"

namespace linkmeter {

void PanelSignIns::take(std::vector<Received>& received, const State& state) {
  std::erase_if(received, [&](Received& message) {
    if (!may_be_sign_in(message.bytes)) return false;
    const std::optional<TablePlace> table = state.table_of(message.key);
    auto said = decode_from_table(message.bytes);
    auto* sign_in = said ? std::get_if<TableSignIn>(&*said) : nullptr;
    if (!table || sign_in == nullptr) return false;
    forget(message.bytes);
    const auto of_table =
        std::count_if(waiting_.begin(), waiting_.end(),
                      [&table](const Waiting& one) { return one.table == *table; });
    if (waiting_.size() >= waiting_max ||
        static_cast<std::size_t>(of_table) >= waiting_of_table_max) {
      forget(sign_in->pin);
      return true;
    }
    PersonRequest request{message.peer, std::move(sign_in->badge), false, {}};
    request.signs_in = true;
    request.source = RequestSource::table;
    request.question = sign_in->question;
    waiting_.push_back({*table, {std::move(request), std::move(sign_in->pin)}});
    return true;
  });
}

std::optional<PinAsked> PanelSignIns::next() {
  if (waiting_.empty()) return std::nullopt;
  PinAsked asked = std::move(waiting_.front().asked);
  waiting_.pop_front();
  return asked;
}

Reply PanelSignIns::answer(const Controller::Told& told, const State& state) {
  TableSignedIn answer{told.question, told.reply.refusal, told.by, {}, {}, {}};
  const Person* person = state.find_person(told.by);
  if (answer.refusal == Refusal::none && person != nullptr) {
    answer.name = person->name;
    answer.roles = role_names(*person);
    answer.rights = right_names(*person);
  }
  return {told.peer, encode(ToTable{std::move(answer)})};
}

}  // namespace linkmeter
