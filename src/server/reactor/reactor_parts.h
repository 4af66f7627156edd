#pragma once

#include <string>

#include "io/poller.h"
#include "server/config/limits.h"
#include "server/reactor/accepting.h"
#include "server/reactor/address_limits.h"
#include "server/reactor/answers.h"
#include "server/reactor/commons.h"
#include "server/reactor/from_workers.h"
#include "server/reactor/open_files.h"
#include "server/reactor/proxy_headers.h"
#include "server/reactor/questions.h"
#include "server/reactor/reactor_host.h"
#include "server/reactor/reclaiming.h"
#include "server/reactor/udp_listeners.h"

namespace sluice {

/// The parts of a reactor and their wiring, which the constructor shows. No part knows the
/// reactor.
struct ReactorParts {
    ReactorParts(const SharedLayout& layout, unsigned reactor, const Limits& limits_, Transport& transport,
                 const SessionFactory& sessions, const std::string& temporary_folder);
    /// Destroys all connections without telling workers.
    ~ReactorParts();
    ReactorParts(const ReactorParts&) = delete;
    ReactorParts& operator=(const ReactorParts&) = delete;

    const Limits limits;
    Poller poller;
    Commons commons;
    OpenFiles files;  ///< outlives the connections, which send from them
    Deadlines deadlines;
    ConnectionTable table;
    ServeList serve_list;
    Admission admission;
    Questions questions;
    Workers workers;
    AddressLimits addresses;
    ConnectionLife life;
    ProxyHeaders proxies;
    Input input;
    Output output;
    Publishing publishing;
    ReactorHost host;
    Reclaiming reclaiming;
    Accepting accepting;
    UdpListeners udp;
    Answers answers;
    FromWorkers from_workers;
};

}  // namespace sluice
