// PublicPages: what everybody may read without a session: the files of the pages, the meters, and
// the signs as event streams and as images.
//
// Law: it runs on the server's thread. It uses what SignPublisher published and the ids of the
// links, which never change, but never the state.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "controller/signs/sign_image_worker.h"
#include "controller/web/router.h"
#include "meters/floor/floor.h"
#include "proto/http/server.h"
#include "proto/http/static_files.h"

namespace linkmeter {

class PublicPages {
 public:
  // The server must outlive this. Images show the time in `zone`.
  PublicPages(const Floor& floor, std::string zone, WebServer& server);

  [[nodiscard]] std::vector<Router::Route> routes();
  // Draws no more images.
  void stop() { images_.stop(); }

 private:
  WebReply start_page(WebCall& call);
  WebReply file(WebCall& call);
  WebReply sign_page(WebCall& call);
  WebReply rules_page(WebCall& call);
  WebReply slip_page(WebCall& call);
  WebReply distribution_page(WebCall& call);
  WebReply sign_image(WebCall& call);
  WebReply sign_events(WebCall& call);
  WebReply node_events(WebCall& call);
  WebReply meters(WebCall& call);
  // A page about {link}: 404 of an unknown link, with the page, which says so.
  [[nodiscard]] WebReply link_page(std::string_view file, const WebCall& call) const;
  // A page whose address has a number.
  [[nodiscard]] WebReply number_page(std::string_view file, std::string_view variable,
                                     const WebCall& call) const;

  WebServer& server_;
  StaticFiles files_;
  std::set<std::string> links_;  // ids
  std::string zone_;
  SignImageWorker images_;
};

}  // namespace linkmeter
