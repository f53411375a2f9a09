// ClaimsApi: what staff reads on the floor console: claims, the open rounds and pots of a table,
// and the stream of the whole floor.
//
// Law: all details of a claim are read from the journal, so a list of claims is made a few at a
// time between two turns, and badges take turns.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/web/fair_queue.h"
#include "controller/web/router.h"
#include "meters/state/claim.h"
#include "proto/http/server.h"

namespace linkmeter {

class ClaimsApi {
 public:
  static constexpr FairQueueBounds listings_bounds{16, 0, 4};  // by badge
  static constexpr std::size_t listed_per_loop_max = 4;        // claims

  // All of them must outlive this.
  ClaimsApi(const Controller& controller, const Journal& journal, WebServer& server)
      : controller_(controller), journal_(journal), server_(server) {}

  [[nodiscard]] std::vector<Router::Route> routes();

  // All details of a claim. Throws Fault if the journal cannot be read.
  [[nodiscard]] Json detail(const Claim& claim, Moment now) const;
  // Makes the next part of the lists that wait.
  void continue_listings(Moment now);
  [[nodiscard]] bool is_listing() const { return listing_ || !listings_.empty(); }

 private:
  // A list of claims in progress.
  struct Listing {
    RequestId ticket;
    std::deque<ClaimNumber> left;
    Json list;
  };

  WebReply list(WebCall& call);
  WebReply claim(WebCall& call);
  WebReply rounds(WebCall& call);
  WebReply floor_events(WebCall& call);
  // False: the next claim could not be read, and the listing's ticket has its answer.
  bool list_next(Listing& listing, Moment now);
  [[nodiscard]] const State& state() const { return controller_.state(); }

  const Controller& controller_;
  const Journal& journal_;
  WebServer& server_;
  std::optional<Listing> listing_;
  FairQueue<Listing> listings_{listings_bounds};  // after that one
};

}  // namespace linkmeter
