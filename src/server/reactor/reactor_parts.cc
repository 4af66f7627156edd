#include "server/reactor/reactor_parts.h"

#include <algorithm>

#include "core/clock.h"
#include "server/seam/worker_places.h"

namespace sluice {

ReactorParts::ReactorParts(const SharedLayout& layout, unsigned reactor, const Limits& limits_,
                           Transport& transport, const SessionFactory& sessions,
                           const std::string& temporary_folder)
    : limits(limits_),
      commons(layout, reactor, limits, transport, sessions, poller, temporary_folder),
      files(std::max<size_t>(1, limits.open_files / layout.shape().serving())),
      deadlines(commons.now_ms),
      table(reactor, layout.shape().cells, wall_clock_us(), commons.cells, layout.shape().secret),
      serve_list(table),
      admission(layout, table, transport, commons.now_ms, limits.queue_ms),
      workers(transport, serve_list, admission, layout.shape().worker_slots,
              places_of_worker(limits.coroutines)),
      addresses(layout, reactor, limits),
      life({commons, host, table, serve_list, admission, deadlines, workers, questions, addresses}),
      proxies(commons, addresses, host),
      input({commons, host, table, serve_list, admission, proxies, life}),
      output({commons, host, table, admission, deadlines, questions, life}),
      publishing(commons, host, table, limits.subscription_bytes / layout.shape().serving()),
      host(commons, {table, serve_list, admission, deadlines, workers, life, input, output, publishing}),
      reclaiming({commons, table, admission, host, life}),
      accepting({layout, reactor, commons, host, poller, table, addresses, life, reclaiming}),
      udp(layout, reactor, limits, commons.endpoints, poller),
      answers(commons, questions, publishing, table),
      from_workers(
          {commons, host, table, serve_list, workers, life, publishing, questions, answers, files, udp}) {}

ReactorParts::~ReactorParts() {
    table.for_each([this](Connection& connection) {
        connection.session->cut(host, connection);
        connection.session->release(host);
        life.destroy(connection);
    });
}

}  // namespace sluice
