#include "server/reactor/commons.h"

#include "core/clock.h"
#include "server/config/limits.h"

namespace sluice {

namespace {
/// One process's share of a limit of the server.
size_t share_of(uint64_t all, const SharedLayout& layout) {
    return std::max<size_t>(1, all / layout.shape().serving());
}
}  // namespace

Commons::Commons(const SharedLayout& layout, unsigned reactor, const Limits& limits_, Transport& transport_,
                 const SessionFactory& sessions_, Poller& poller, const std::string& temporary_folder)
    : counters(layout.reactor(reactor)),
      requests(layout.requests(reactor)),
      figures(layout.figures(reactor)),
      limits(limits_),
      transport(transport_),
      sessions(sessions_),
      compression(limits.compression_bytes / layout.shape().serving()),
      temporary_files(std::make_shared<TemporaryFiles>(layout, layout.reactor(reactor).file_bytes,
                                                       temporary_folder, limits.temporary_file_bytes)),
      body_streams(share_of(limits.body_streams, layout), poller),
      handshakes(share_of(limits.handshakes, layout)),
      cells(layout),
      attachments(layout, reactor, limits.attached_bytes),
      out_budget(layout.shape(), limits, endpoints, figures),
      secret(layout.shape().secret),
      trace_key(layout.shape().trace_key()),
      now_ms(monotonic_ms()) {}

}  // namespace sluice
