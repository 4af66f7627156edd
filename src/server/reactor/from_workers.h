#pragma once

#include <functional>
#include <string>

#include "server/seam/transport.h"

namespace sluice {

class Answers;
class ConnectionLife;
class ConnectionTable;
class OpenFiles;
class Publishing;
class Questions;
class ServeList;
class SessionHost;
class SharedMessage;
class UdpListeners;
class Workers;
struct Commons;
struct Connection;

/// Carries out workers' commands, and handles their deaths.
class FromWorkers final : public TransportEvents {
  public:
    struct Wiring {
        const Commons& commons;
        SessionHost& host;
        ConnectionTable& table;
        ServeList& serve_list;
        Workers& workers;
        ConnectionLife& life;
        Publishing& publishing;
        Questions& questions;
        Answers& answers;
        OpenFiles& files;
        UdpListeners& udp;
    };
    explicit FromWorkers(const Wiring& wiring) : to_(wiring) {}

    void on_command(int worker, const Command& command, Ref<Payload> payload) override;
    void on_finished(ConnectionId id) override;
    void on_lost(int worker, InboundKind kind, ConnectionId id, uint32_t request) override;
    int worker_for_moved(InboundKind kind, ConnectionId id, uint32_t request) override;
    void on_corrupt(int worker) override;
    /// A worker is gone: ends what connections await of it. The transport has been told before.
    void worker_gone(int worker);

    /// Receives on_corrupt.
    std::function<void(int worker)> report_corrupt;
    /// Publishes to the other reactors of this process.
    std::function<void(const std::string& topic, Ref<SharedMessage> message, ConnectionId except)>
        publish_to_others;

  private:
    void command_connection(Connection& connection, int worker, const Command& command, Ref<Payload> payload);
    void handled(Connection& connection);
    Ref<Payload> file_payload(const Connection& connection, const command::FilePart& part);
    int move_request(Connection& connection, uint32_t request);

    const Wiring to_;
    uint64_t files_refused_ = 0;
    uint64_t files_starved_ = 0;  ///< for which this process had no descriptor
};

}  // namespace sluice
