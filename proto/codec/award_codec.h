// Award codec: jackpot hits and awards, as the journal and the state tables hold them. Decoding is
// total: a value outside its type's range gives false, and the partial result must not be used.
#pragma once

#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/call_reversal.h"

namespace linkmeter::journal {
class Award;
class CallReversal;
class MeterCall;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_call(const JackpotHit& call, journal::MeterCall& message);
bool decode_call(const journal::MeterCall& message, JackpotHit& call);
void encode_award(const Award& award, journal::Award& message);
bool decode_award(const journal::Award& message, Award& award);
void encode_reversal(const CallReversal& calls, journal::CallReversal& message);
CallReversal decode_reversal(const journal::CallReversal& message);

template <class Messages>
void encode_awards(const std::vector<Award>& awards, Messages* messages) {
  for (const Award& award : awards) encode_award(award, *messages->Add());
}
template <class Messages>
bool decode_awards(const Messages& messages, std::vector<Award>& awards) {
  for (const auto& message : messages) {
    if (!decode_award(message, awards.emplace_back())) return false;
  }
  return true;
}

}  // namespace linkmeter::parts
