#include "controller/turn/enrolled_key.h"

namespace linkmeter {

const std::string* enrolled_key(const State& state, const OperatorCommand& act) {
  const DualControlCommand* dual = nullptr;
  if (const auto* propose = std::get_if<Propose>(&act)) {
    dual = &propose->act;
  } else if (const auto* confirm = std::get_if<Confirm>(&act)) {
    const Proposal* proposal = state.find_proposal(confirm->proposal);
    if (proposal != nullptr) dual = &proposal->act;
  }
  const auto* enrol = dual == nullptr ? nullptr : std::get_if<Enrol>(dual);
  return enrol == nullptr ? nullptr : &enrol->enrolment.key;
}

}  // namespace linkmeter
