// OpenSockets: the sockets of tables, viewers and the owner of the data folder. The feed has its
// own ZeroMQ context, so that viewers do not slow the tables.
#pragma once

#include <zmq.hpp>

#include "config/reader/floor_file.h"
#include "controller/auth/panel_logins.h"
#include "controller/core.h"
#include "controller/sockets/admitted_keys.h"
#include "controller/sockets/control_socket.h"
#include "controller/sockets/meter_feed.h"
#include "controller/sockets/table_socket.h"
#include "controller/sockets/zap_authenticator.h"
#include "controller/turn/table_presence.h"
#include "proto/host/credentials.h"

namespace linkmeter {

struct OpenSockets {
  const ControlEndpoint control_endpoint;
  zmq::context_t context, feed_context;
  ZapAuthenticator admission, feed_admission;
  AdmittedKeys admitted_keys;
  TableSocket tables;
  TablePresence presence;
  MeterFeed feed;
  ControlSocket operators;
  PanelLogins panels;

  // `core` must outlive this. Throws Fault if an address cannot be used.
  OpenSockets(Core& core, const Endpoints& listening);
};

}  // namespace linkmeter
