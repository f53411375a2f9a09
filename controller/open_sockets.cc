#include "controller/open_sockets.h"

#include "controller/turn/agent_takeover.h"

namespace linkmeter {

OpenSockets::OpenSockets(Core& core, const Endpoints& listening)
    : control_endpoint(core.options.data),
      admission(context, core.own.keys, core.operator_key),
      feed_admission(feed_context, core.own.keys, core.operator_key),
      admitted_keys(core.options.data, {&admission, &feed_admission},
                    core.controller.state().enrolments()),
      tables(context, admission, listening.controller),
      presence(core.floor.floor.tables.size(), core.floor.lost_after, core.now(),
               last_message_times(core.controller.state(), core.journal)),
      feed(feed_context, feed_admission, listening.feed, core.controller.state(), presence),
      operators(context, admission, control_endpoint) {}

}  // namespace linkmeter
