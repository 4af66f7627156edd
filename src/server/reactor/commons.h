#pragma once

#include <algorithm>
#include <memory>
#include <string_view>

#include "protocol/http/http1_parser.h"
#include "server/config/endpoints.h"
#include "server/reactor/body_streams.h"
#include "server/reactor/compression.h"
#include "server/reactor/connection_cells.h"
#include "server/reactor/connection_census.h"
#include "server/reactor/known_addresses.h"
#include "server/reactor/out_budget.h"
#include "server/reactor/session_factory.h"
#include "server/seam/attachments.h"
#include "server/seam/reactor_figures.h"
#include "server/seam/request_file.h"
#include "server/seam/shared_layout.h"
#include "server/seam/transport.h"
#include "server/sharing/budget.h"

namespace sluice {

struct Limits;

/// What all sessions of one reactor share.
struct Commons {
    /// The caller owns `limits_`.
    Commons(const SharedLayout& layout, unsigned reactor, const Limits& limits_, Transport& transport_,
            const SessionFactory& sessions_, Poller& poller, const std::string& temporary_folder);
    Commons(const Commons&) = delete;
    Commons& operator=(const Commons&) = delete;

    /// The limits of queues to clients of this endpoint.
    const SendLimits& sending(uint16_t endpoint) const { return (*endpoints)[endpoint].spec.sending(); }

    ReactorCell& counters;
    RequestCells& requests;
    ReactorFigures& figures;
    ConnectionCensus census{figures};
    const Limits& limits;
    Transport& transport;
    const SessionFactory& sessions;
    std::shared_ptr<const Endpoints> endpoints = std::make_shared<Endpoints>();
    http1::HeadParser parser;  ///< see SessionHost::shared_parser()
    CompressionContexts compression;
    std::shared_ptr<TemporaryFiles> temporary_files;
    BodyStreams body_streams;
    Budget handshakes;  ///< WebSocket handshakes that a handler decides on
    ConnectionCells cells;
    Attachments attachments;
    OutBudget out_budget;
    const uint64_t secret;  ///< of client_key()
    const TraceKey trace_key;

    // Set at the beginning of each turn
    uint64_t now_ms;
    KnownAddresses known_addresses{now_ms};
    std::string_view date;
    size_t body_file_bytes = 0;  ///< bytes of bodies that this turn may still write to files
    bool shutting_down = false;
};

}  // namespace sluice
