#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <vector>

#include "core/log.h"
#include "io/datagram_socket.h"
#include "io/doorbell.h"
#include "server/reactor/reactor.h"
#include "server/rings/ring_transport.h"
#include "server/sessions/new_sessions.h"

namespace sluice::test {

/// The worker's end of its rings with the only reactor, played by hand. What it takes it looks through to the
/// last byte, as the code of an honest worker relies on it.
class WorkerEnd {
  public:
    struct Message {
        Inbound message;
        uint64_t begin, end;  ///< of its record in the ring
        bool extent;
        uint32_t extent_page;
        UniqueFd file = {};
    };

    WorkerEnd() = default;
    WorkerEnd(const SharedLayout& layout, unsigned slot, FdChannel files)
        : layout_(&layout),
          slot_(slot),
          in_(layout.in_consumer(0, slot)),
          out_(layout.out_producer(slot, 0)),
          files_(std::move(files)) {}

    /// The next message; nothing when there is none. `fault` says what is wrong with it.
    std::optional<Message> take(std::string& fault) {
        const uint64_t begin = in_.position();
        uint16_t kind = 0;
        const std::span<char> record = in_.take(kind);
        if (in_.corrupt()) fault = "an honest worker's ring is corrupt";
        if (record.empty()) return std::nullopt;
        const auto decoded = read_inbound(record, kind);
        if (!decoded) {
            fault = "an honest worker is given a record that makes no sense";
            return std::nullopt;
        }
        Message taken{decoded->message, begin, in_.position(), decoded->extent, decoded->extent_page};
        if (decoded->extent) {
            const size_t at = size_t{decoded->extent_page} * PageArena::kPageSize + kPayloadOffset;
            taken.message.payload = {layout_->arena(0).data() + at, decoded->payload_bytes};
        }
        if (taken.message.file()) {
            auto received = files_.receive();
            if (!received || received->number != taken.message.file()->number || !received->fd)
                fault = "an honest worker is given a file that is not there";
            else
                taken.file = std::move(received->fd);
        }
        in_.publish_taken();
        if (!reads_well(taken.message)) fault = "an honest worker is given a head that leads out of its text";
        return taken;
    }
    /// Finishes a message as RingPort does when a handler has returned.
    void finish(const Message& taken) {
        if (taken.extent) say(Note(note::Release{taken.extent_page}));
        if (taken.message.file()) say(Note(note::ReleaseFile{taken.message.file()->number}));
        in_.free_until(taken.end);
    }
    /// Writes a record, which commit() makes visible; nullptr: the ring has no room.
    char* write(const Command& command, bool extent = false, uint64_t number = 0) {
        char* place = out_.reserve(command_record_bytes(command, extent));
        if (place) write_command(place, command, extent, number);
        return place;
    }
    char* write(const Note& note) {
        char* place = out_.reserve(sizeof(NoteRecord));
        if (place) write_note(place, note);
        return place;
    }
    void commit() { out_.commit(); }
    void say(const Command& command) {
        write(command);
        commit();
    }
    void say(const Note& note) {
        write(note);
        commit();
    }
    FdChannel& files() { return files_; }
    uint64_t taken() const { return in_.position(); }
    uint64_t said() const { return out_.position(); }

  private:
    /// Reads every byte, so that the sanitiser sees a bool that is neither true nor false.
    static bool reads_well(const Inbound& message) {
        volatile size_t sum = 0;
        for (const char byte : message.payload)
            sum = sum + static_cast<uint8_t>(byte);
        const inbound::Head* head = message.head();
        if (!head) return true;
        const http::RequestHead& parsed = *head->parsed;
        sum = sum + parsed.chunked + parsed.keep_alive + parsed.has_body + parsed.expect_continue +
              parsed.upgrade_websocket;
        const auto inside = [head](http::Span16 span) {
            return size_t{span.offset} + span.length <= head->text.size();
        };
        for (const http::Field& field : head->fields)
            if (!inside(field.name) || !inside(field.value)) return false;
        return inside(parsed.method_text) && inside(parsed.target) && inside(parsed.path) &&
               inside(parsed.query) && inside(parsed.host) && parsed.method <= http::Method::kOther;
    }

    const SharedLayout* layout_ = nullptr;
    unsigned slot_ = 0;
    RingConsumer in_;
    RingProducer out_;
    FdChannel files_;
};

/// A reactor on real sockets with real rings to two workers: a stranger, which may write anything, and an
/// honest one. What must never be is written down as a fault.
class RingWorld {
  public:
    enum Listener : uint16_t { kHttp, kTcp, kUdp, kListeners };
    /// The clients; those before kBystander are the stranger's.
    enum Who { kGet, kUpload, kPost, kWebSocket, kTcpClient, kBystander, kClients };
    static constexpr int kStranger = 0, kHonest = 1;
    // No ring is smaller: what a client has sent at once fits into it.
    static constexpr uint64_t kRingBytes = 512 * 1024, kArenaBytes = 64 * PageArena::kPageSize,
                              kOutBytes = 16 * PageArena::kPageSize;

    RingWorld() {
        log::open_file("/dev/null");
        for (UniqueFd& bell : bells_)
            bell.reset(Doorbell::create_fd());
        transport_ = std::make_unique<RingTransport>(
            layout_, 0, std::vector<int>{bells_[0].get(), bells_[1].get()}, kMostHeld,
            [] { return uint64_t{1}; });  // a stranger that takes nothing is not slow
        limits_.connections = 32;
        limits_.sending.queued_bytes = 1 << 20;
        limits_.sending.write_ms = 600'000;
        reactor_ = std::make_unique<Reactor>(
            Reactor::Wiring{&layout_, 0, transport_.get(), &NewSessions::shared(), bells_[2].get(), limits_});
        reactor_->from_workers().report_corrupt = [this](int worker) {
            if (worker != kStranger) fault("an honest worker is called corrupt");
            cut_off_ = true;
        };
        listen();
    }

    // -- A life of the stranger, which has a message of each of its clients; the honest worker has none

    void begin() {
        start(kStranger);
        cut_off_ = false;
        send(kGet, "GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Field: value\r\n\r\n");
        post(kUpload, kUploadBytes);
        post(kPost, kPostBytes);
        send(kWebSocket, kHandshake);
        send(kWebSocket, {"\x82\x85\0\0\0\0hello", 11});
        send(kTcpClient, "line\n");
        turn(4);
        start(kHonest);
    }
    /// The bystander is served as ever; then the stranger dies, and nothing of it is left. A stranger that
    /// dies without a warning may have been given the bystander's request, and have begun it.
    void end(bool is_warned = true) {
        turn(2);
        if (!cut_off_ && is_warned) transport_->worker_draining(kStranger);
        if (!clients_[kBystander]) connect(kBystander);
        heard_.clear();
        send(kBystander, "GET /bystander HTTP/1.1\r\nHost: x\r\n\r\n");
        if (!is_warned) gone(kStranger);
        for (int i = 0; i < kPatience && heard_.empty(); ++i) {
            turn(1);
            handle();
            hear_bystander();
        }
        if (!heard_.starts_with("HTTP/1.1 200 ") && (is_warned || !heard_.starts_with("HTTP/1.1 502 ")))
            fault("a bystander is not served");
        if (is_warned) gone(kStranger);
        leave_nothing();
    }
    void kill() {
        gone(kStranger);
        leave_nothing();
    }
    /// All die, the stranger last; what it has not begun finds no worker until the honest one is back.
    void kill_alone() {
        turn(2);
        gone(kHonest);
        gone(kStranger);
        turn(2);
        start(kHonest);
        leave_nothing();
    }
    /// A worker dies before it is ready.
    void die_early() { gone(kStranger); }
    void leave_nothing() {
        settle();
        for (int who = 0; who != kBystander; ++who)
            clients_[who].reset();
        settle();
        if (!transport_->is_idle(kHonest)) fault("an honest worker's messages are never finished");
        if (transport_->used_bytes() != 0) fault("memory for what comes in is not given back");
        gone(kHonest);
    }
    /// Whether nothing is held when all clients have gone.
    bool holds_nothing() {
        for (UniqueFd& client : clients_)
            client.reset();
        start(kHonest);
        for (int i = 0; i < kPatience && !reactor_->is_empty(); ++i) {
            turn(1);
            handle();
        }
        gone(kHonest);
        turn(2);
        return reactor_->is_empty() && layout_.reactor(0).out_bytes.load() == 0;
    }

    // -- For the test, which plays the stranger and its clients

    /// More of the same client: a message, or a request behind those that it has sent.
    void more(Who who, uint16_t bytes) {
        if (!clients_[who]) return;
        switch (who) {
            case kUpload:
            case kPost: return post(who, size_t{bytes} + 1);
            case kWebSocket: {
                const char size[] = {static_cast<char>(bytes >> 8), static_cast<char>(bytes)};
                return send(who, std::string("\x82\xFE") + std::string(size, 2) +
                                     std::string(size_t{bytes} + 4, '\0'));
            }
            case kTcpClient: return send(who, std::string(bytes, 'l') + "\n");
            default: return send(who, "GET /more HTTP/1.1\r\nHost: x\r\n\r\n");
        }
    }
    /// A message of a WebSocket, of which only a part comes. A long one, which fits into the arena, is given
    /// room in steps.
    void begin_message(uint16_t bytes) {
        const bool is_long = bytes >= 32'768;
        const uint32_t whole = is_long ? bytes + 40'000u : bytes;
        std::string head = is_long ? std::string("\x82\xFF\0\0\0\0", 6) : std::string("\x82\xFE");
        for (int shift = is_long ? 24 : 8; shift >= 0; shift -= 8)
            head += static_cast<char>(whole >> shift);
        head += std::string(4, '\0');
        if (!clients_[kWebSocket]) return;
        const std::string part(is_long ? 1'100 : bytes / 3, 'm');
        send(kWebSocket, head + part);
        send(kWebSocket, part);
    }
    /// The client closes its side, and may await its answers.
    void shut(Who who) {
        if (clients_[who]) shutdown(clients_[who].get(), SHUT_WR);
        turn(1);
    }
    /// The reactor has nothing to do for a moment, and sleeps.
    void rest() { reactor_->turn(1); }
    void leave(Who who) {
        clients_[who].reset();
        turn(1);
    }

    WorkerEnd& stranger() { return workers_[kStranger]; }
    std::vector<WorkerEnd::Message> take_all() {
        std::vector<WorkerEnd::Message> messages;
        std::string ignored;
        while (auto message = stranger().take(ignored))
            messages.push_back(std::move(*message));
        return messages;
    }
    bool is_cut_off() const { return cut_off_; }
    void turn(int times) {
        while (times-- > 0)
            reactor_->turn(0);
    }
    const SharedLayout& layout() const { return layout_; }
    Reactor& reactor() { return *reactor_; }
    const std::string& what_is_wrong() const { return fault_; }

  private:
    static constexpr uint32_t kCells = 64;
    static constexpr size_t kMostHeld = 100;
    static constexpr int kPatience = 100;
    static constexpr size_t kPostBytes = 9'000, kUploadBytes = 20'000;  ///< in an extent; in a file
    static constexpr std::string_view kHandshake =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    /// Sends a body in pieces, for one that is there at once is taken as it stands.
    void post(Who who, size_t bytes) {
        send(who, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n");
        send(who, "p");
        send(who, std::string(bytes - 1, 'p'));
    }
    void fault(std::string what) {
        if (fault_.empty()) fault_ = std::move(what);
    }
    void listen() {
        EndpointSpec http{EndpointKind::kHttp, "http", "", {}, Dispatch::kLeastBusy};
        http.limits.http.keep_alive_ms = 600'000;
        http.limits.http.keep_alive_requests = UINT32_MAX;
        http.limits.http.body_file_bytes = (kPostBytes + kUploadBytes) / 2;
        EndpointSpec tcp{EndpointKind::kTcp, "tcp", "", tcp::Framing::line("\n"), Dispatch::kSticky};
        EndpointSpec udp{EndpointKind::kUdp, "udp:here", "", {}, Dispatch::kLeastBusy};
        EndpointSpec route{EndpointKind::kWebSocket, "http", "/ws", {}, Dispatch::kSticky};
        tcp.framing.max_message_bytes = 65536;
        http.limits.http.sending = tcp.limits.tcp.sending = route.limits.websocket.sending = limits_.sending;
        auto endpoints = std::make_shared<Endpoints>();
        endpoints->update({http, tcp, udp, route});
        reactor_->set_endpoints(endpoints);
        for (const uint16_t listener : {kHttp, kTcp}) {
            UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            const sockaddr_un any{AF_UNIX, {}};
            // The kernel gives the socket a name.
            if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) != 0 ||
                ::listen(fd.get(), 64) != 0)
                fault("there is no listener");
            sizes_[listener] = sizeof names_[listener];
            getsockname(fd.get(), reinterpret_cast<sockaddr*>(&names_[listener]), &sizes_[listener]);
            reactor_->add_listener(listener, std::move(fd));
        }
        Address bound;
        std::string error;
        reactor_->add_listener(kUdp,
                               open_datagram_socket(*Address::parse("127.0.0.1:0"), false, bound, error));
    }
    void start(int worker) {
        FdChannel ours, theirs;
        if (!FdChannel::create_pair(ours, theirs)) fault("there is no channel");
        workers_[worker] = WorkerEnd(layout_, static_cast<unsigned>(worker), std::move(theirs));
        transport_->worker_ready(worker, std::move(ours));
    }
    void gone(int worker) {
        transport_->worker_gone(worker, *reactor_);
        reactor_->from_workers().worker_gone(worker);
    }
    /// The honest worker answers all messages that it has.
    void handle() {
        WorkerEnd& worker = workers_[kHonest];
        while (auto taken = worker.take(fault_)) {
            if (const auto* request = taken->message.as<inbound::Request>()) {
                worker.say(Command{.what = command::Respond{.request = request->number, .status = 200},
                                   .connection = taken->message.connection,
                                   .payload = "fine"});
            }
            worker.finish(*taken);
        }
    }
    void settle() {
        for (int i = 0; i < kPatience && (i < 3 || !transport_->is_idle(kHonest)); ++i) {
            turn(1);
            handle();
        }
    }
    void connect(Who who) {
        const uint16_t listener = who == kTcpClient ? kTcp : kHttp;
        clients_[who].reset(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        if (::connect(clients_[who].get(), reinterpret_cast<const sockaddr*>(&names_[listener]),
                      sizes_[listener]) != 0)
            fault("there is no connection");
    }
    void send(Who who, std::string_view bytes) {
        if (!clients_[who]) connect(who);
        // The socket keeps the order, so a second message of this client need not wait for the first. A
        // client that is not read from leaves the rest unsaid.
        for (int in_vain = 0; !bytes.empty() && in_vain < kPatience;) {
            const ssize_t sent = ::send(clients_[who].get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            const int error = errno;
            turn(1);
            if (sent > 0) {
                bytes.remove_prefix(static_cast<size_t>(sent));
            } else if (error == EAGAIN) {
                ++in_vain;
            } else {
                return;
            }
        }
        turn(2);
    }
    void hear_bystander() {
        char bytes[4096];
        const ssize_t got = recv(clients_[kBystander].get(), bytes, sizeof bytes, 0);
        if (got > 0) heard_.append(bytes, static_cast<size_t>(got));
        if (got == 0) clients_[kBystander].reset();
    }

    SharedLayout layout_ = SharedLayout::create({.mode = 0,
                                                 .reactors = 1,
                                                 .worker_slots = 2,
                                                 .cells = kCells,
                                                 .ring_bytes = kRingBytes,
                                                 .arena_bytes = kArenaBytes,
                                                 .out_bytes = kOutBytes});
    UniqueFd bells_[3];
    Limits limits_;
    std::unique_ptr<RingTransport> transport_;
    std::unique_ptr<Reactor> reactor_;
    sockaddr_un names_[kListeners];
    socklen_t sizes_[kListeners];
    WorkerEnd workers_[2];
    UniqueFd clients_[kClients];
    std::string heard_;  ///< by the bystander
    bool cut_off_ = false;
    std::string fault_;
};

}  // namespace sluice::test
