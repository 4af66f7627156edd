// Several connections of one reactor, whose bytes come in any pieces and any order, and which are answered
// and closed at any time: HTTP/1.1 with pipelining, its upgrade, HTTP/2, WebSocket with and without
// compression, framed TCP, and the PROXY protocol. The reactor keeps the rules of Transport, and holds
// nothing when all connections have ended.
#include <cstdlib>
#include <ctime>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/log.h"
#include "fuzz_workers.h"
#include "io/doorbell.h"
#include "server/reactor/reactor.h"
#include "server/sessions/new_sessions.h"

using namespace sluice;
using namespace std::literals;

namespace {

constexpr std::string_view kHandshake =
    "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n";
/// Bytes that a fuzzer would need long to find by itself.
constexpr std::string_view kPresets[] = {
    kHandshake,
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n"sv,
    "POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"sv,
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\nExpect: 100-continue\r\n\r\n"sv,
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"sv,
    "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"sv,
    "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"sv,
    "\x81\x85\x00\x00\x00\x00hello"sv,
    "\xc1\x87\x00\x00\x00\x00\xf2\x48\xcd\xc9\xc9\x07\x00"sv,
    "\x01\x83\x01\x02\x03\x04`ag"sv,
    "\x80\x80\x00\x00\x00\x00"sv,
    "\x89\x80\x00\x00\x00\x00"sv,
    "\x88\x82\x00\x00\x00\x00\x03\xe8"sv,
    "\x82\xfe\x4e\x20\x00\x00\x00\x00"sv,
    "line\n"sv,
    "5\r\nhello\r\n0\r\n\r\n"sv,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"sv,
    "\0\0\6\1\5\0\0\0\1\x82\x86\x84\x41\1x"sv,  // GET /
    "\0\0\6\1\4\0\0\0\3\x83\x86\x84\x41\1x"sv,  // POST /
    "\0\0\5\0\1\0\0\0\3hello"sv,
    "OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n"sv,
    "GET /none HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"sv,
};
/// By how much the reactor's clock is ahead of the true one.
uint64_t ahead_ms = 0;

enum Listener : uint16_t { kHttp, kTcpLines, kTcpRaw, kProxied, kListeners };

/// A reactor with its listeners, and a client of each.
class World {
  public:
    World() {
        log::open_file("/dev/null");
        protocols_.websocket.message_bytes = 100'000;
        protocols_.http.body_bytes = 100'000;
        limits_.sending.queued_bytes = 65'536;
        limits_.queued_total_bytes = 1 << 20;
        protocols_.http.keep_alive_requests = 20;
        limits_.connections = kCells / 2;
        limits_.connections_per_address = 100;
        protocols_.http.sending = protocols_.websocket.sending = protocols_.tcp.sending = limits_.sending;
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = 1,
                                        .worker_slots = 2,
                                        .cells = kCells,
                                        .ring_bytes = 4096,
                                        .arena_bytes = 4096,
                                        .out_bytes = 4096});
        doorbell_.reset(Doorbell::create_fd());
        reactor_ = std::make_unique<Reactor>(
            Reactor::Wiring{&layout_, 0, &workers_, &NewSessions::shared(), doorbell_.get(), limits_});
        EndpointSpec http{EndpointKind::kHttp, "http", "", {}, Dispatch::kLeastBusy};
        EndpointSpec lines{EndpointKind::kTcp, "lines", "", tcp::Framing::line("\n"), Dispatch::kSticky};
        EndpointSpec raw{EndpointKind::kTcp, "raw", "", tcp::Framing::none(), Dispatch::kSticky};
        EndpointSpec proxied{EndpointKind::kHttp, "proxied", "", {}, Dispatch::kLeastBusy};
        lines.framing.max_message_bytes = protocols_.websocket.message_bytes;
        lines.slow_client = SlowClient::kClose;
        for (EndpointSpec* spec : {&http, &lines, &raw, &proxied})
            spec->limits = protocols_;
        proxied.proxies.addresses = {*AddressRange::parse("unix")};
        proxied.proxies.fields = http::ProxyFields::kForwarded;
        proxied.proxies.proxy_protocol = true;
        // Requests for this listener need a route.
        proxied.has_handler = false;
        EndpointSpec page{EndpointKind::kHttp, "proxied", "/", {}, Dispatch::kLeastBusy};
        page.method = "GET";
        EndpointSpec upload{EndpointKind::kHttp, "proxied", "/a", {}, Dispatch::kSticky};
        upload.method = "POST";
        upload.stream_bodies = true;
        for (EndpointSpec* spec : {&page, &upload}) {
            spec->limits = protocols_;
            spec->proxies = proxied.proxies;
        }
        EndpointSpec route{EndpointKind::kWebSocket, "http", "/ws", {}, Dispatch::kSticky};
        route.compression.enabled = true;
        route.slow_client = SlowClient::kClose;
        route.limits = protocols_;
        EndpointSpec proxied_route{EndpointKind::kWebSocket, "proxied", "/ws", {}, Dispatch::kSticky};
        proxied_route.websocket.asks_handler = true;
        proxied_route.websocket.ping_every_ms = 20'000;
        proxied_route.websocket.pong_within_ms = 10'000;
        proxied_route.websocket.wants_pongs = true;
        proxied_route.slow_client = SlowClient::kDropOldest;
        proxied_route.proxies = proxied.proxies;
        proxied_route.limits = protocols_;
        auto endpoints = std::make_shared<Endpoints>();
        endpoints->update({http, lines, raw, proxied, route, proxied_route, page, upload});
        reactor_->set_endpoints(endpoints);
        for (uint16_t listener = 0; listener < kListeners; ++listener) {
            UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            const sockaddr_un any{AF_UNIX, {}};
            // The kernel gives the socket a name.
            fuzz::require(bind(fd.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family) == 0,
                          "a listener gets no name");
            fuzz::require(listen(fd.get(), 64) == 0, "a socket does not listen");
            sizes_[listener] = sizeof names_[listener];
            getsockname(fd.get(), reinterpret_cast<sockaddr*>(&names_[listener]), &sizes_[listener]);
            reactor_->add_listener(listener, std::move(fd));
        }
    }

    /// Whether the server has stopped: it serves nobody any more.
    bool is_over() const { return reactor_->shutting_down(); }

    void run(fuzz::Input input) {
        for (int i = 0; i < kClients; ++i)
            connect(i);
        reactor_->turn(0);
        for (int steps = 0; steps < kMostSteps && !input.rest().empty(); ++steps)
            step(input);
        for (UniqueFd& client : clients_)
            client.reset();
        workers_.accepting = true;
        workers_.room_limit = 64;
        for (int i = 0; i < 1000 && !(reactor_->is_empty() && workers_.messages.empty()); ++i) {
            reactor_->turn(0);
            while (!workers_.messages.empty())
                workers_.take();
        }
        fuzz::require(reactor_->is_empty(), "a connection is left though its client has gone");
        reactor_->turn(0);
        fuzz::require(workers_.holds_nothing(),
                      "room or a worker is still held though all connections have ended");
        fuzz::require(layout_.reactor(0).out_bytes.load() == 0,
                      "bytes are queued though all connections have ended");
    }

  private:
    static constexpr uint32_t kCells = 64;
    static constexpr int kClients = kListeners;
    static constexpr int kMostSteps = 200;

    void connect(int client) {
        clients_[client].reset(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        const auto* name = reinterpret_cast<const sockaddr*>(&names_[client]);
        if (::connect(clients_[client].get(), name, sizes_[client]) != 0) clients_[client].reset();
    }

    void write(int client, std::string_view bytes) {
        if (clients_[client]) (void)!send(clients_[client].get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }

    void step(fuzz::Input& input) {
        const uint8_t what = input.byte();
        const int client = what & 3;
        switch (what >> 2 & 15) {
            case 0:
            case 1: write(client, input.take(input.byte())); break;
            case 2:
            case 3: write(client, kPresets[input.byte() % std::size(kPresets)]); break;
            case 4: write(client, std::string(input.byte() * 300u, static_cast<char>(input.byte()))); break;
            case 5:
                if (clients_[client]) shutdown(clients_[client].get(), SHUT_WR);
                break;
            case 6: connect(client); break;
            case 7:
                if (char bytes[65536]; clients_[client])
                    (void)!recv(clients_[client].get(), bytes, sizeof bytes, 0);
                break;
            case 8: workers_.accepting = !workers_.accepting; break;
            case 9: workers_.room_limit = input.byte() & 3; break;
            case 10:
            case 11:
            case 12: handle(input); return;
            case 13: order(input); return;
            case 14: {
                static constexpr uint32_t kTimes_ms[] = {1, 1'000, 15'000, 600'000};
                ahead_ms += kTimes_ms[input.byte() & 3];
                reactor_->turn(0);
                break;
            }
            default: reactor_->turn(0);
        }
        if (what & 0x40) reactor_->turn(0);
    }

    /// The worker answers its first message, by a valid or an invalid command.
    void handle(fuzz::Input& input) {
        const uint8_t how = input.byte(), bytes = input.byte();
        reactor_->turn(0);
        if (workers_.messages.empty()) return;
        const fuzz::Workers::Message message = workers_.take();
        last_ = message.connection;
        const uint32_t request = message.request + (how == 255 ? 1 : 0);
        const std::string body(bytes * (how & 64 ? 500u : 1u), 'b');
        const auto say = [&](const Command::What& what) {
            workers_.say({.what = what, .connection = message.connection, .payload = body});
        };
        if (message.kind == InboundKind::kRequest) {
            if ((how & 192) == 128) workers_.say({command::WantBody{request}, message.connection, {}});
            if ((how & 192) == 192) {
                workers_.say(
                    {.what = command::Respond{.request = request, .status = 200, .file = {-1, 0, how}},
                     .connection = message.connection});
                return;
            }
            static constexpr uint16_t kStatuses[] = {200, 204, 404, 101, 103, 304, 500, 65535};
            const uint16_t status = kStatuses[how & 7];
            const bool last = !(how & 8);
            if (status == 101) {
                const std::string_view protocol = std::string_view(body).substr(0, UINT16_MAX);
                workers_.say({.what = command::GrantHandshake{.request = request, .protocol = protocol},
                              .connection = message.connection});
            } else if (status == 103) {
                workers_.say({.what = command::Inform{request}, .connection = message.connection});
            } else {
                say(command::Respond{.request = request,
                                     .status = status,
                                     .last = last,
                                     .length = how & 16 ? body.size() : http::kNoLength});
            }
            if (last) return;
            if (bytes % 8 == 7) {  // the reactor goes on with it, as a stream of events
                workers_.say({command::Subscribe{.topic = "topic", .request = request}, last_, {}});
                return;
            }
            say(command::BodyPart{.request = request, .last = !(how & 32)});
            say(command::BodyPart{.request = request});
        } else if (how & 1) {
            workers_.say({.what = command::Subscribe{"topic"}, .connection = message.connection});
        } else {
            say(command::Send{});
        }
    }

    /// The worker dies with all messages that it has, and another one takes its place.
    void lose_worker() {
        for (const fuzz::Workers::Message& message : workers_.die())
            reactor_->on_lost(0, message.kind, message.connection, message.request);
        reactor_->from_workers().worker_gone(0);
    }

    /// The worker dies idle, and another one gets its messages.
    void move_messages() {
        workers_.die_idle([&](const fuzz::Workers::Message& message) {
            return reactor_->worker_for_moved(message.kind, message.connection, message.request) == 0;
        });
    }

    /// The worker submits a command that answers no message, or ends.
    void order(fuzz::Input& input) {
        const uint8_t how = input.byte();
        if ((how & 7) == 7) {
            if (how == 255) {
                reactor_->begin_shutdown();
            } else if (how & 16) {
                move_messages();
            } else {
                lose_worker();
            }
            reactor_->turn(0);
            return;
        }
        const std::string body(input.byte() * (how & 16 ? 300u : 1u), 'o');
        const uint16_t code = how & 8 ? 1000 : 200;
        Command command{.connection = last_, .payload = body};
        switch (how & 7) {
            case 1: command.what = command::Publish{"topic"}; break;
            case 2: command.what = command::Ping{}; break;
            case 3: command.what = command::Close{code}; break;
            case 4: command.what = command::BodyPart{.request = 1}; break;
            case 5: command.what = command::Respond{.request = 1, .status = code}; break;
            case 6:
                command.what = command::Unsubscribe{"topic"};
                command.payload = {};
                break;
            default: break;
        }
        workers_.say(command);
        reactor_->turn(0);
    }

    Limits limits_;
    ProtocolLimits protocols_;
    SharedLayout layout_;
    fuzz::Workers workers_;
    UniqueFd doorbell_;
    std::unique_ptr<Reactor> reactor_;
    sockaddr_un names_[kListeners];
    socklen_t sizes_[kListeners];
    UniqueFd clients_[kClients];
    ConnectionId last_ = kNoConnection;
};

}  // namespace

/// The C library's, with a clock that the input moves on: timeouts pass without waiting.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, now));
    if (result == 0 && clock != CLOCK_REALTIME) {
        now->tv_sec += static_cast<time_t>(ahead_ms / 1000);
        now->tv_nsec += static_cast<long>(ahead_ms % 1000) * 1'000'000;
        if (now->tv_nsec >= 1'000'000'000) {
            now->tv_nsec -= 1'000'000'000;
            ++now->tv_sec;
        }
    }
    return result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static std::unique_ptr<World>& world = *new std::unique_ptr<World>;
    if (!world || world->is_over()) world = std::make_unique<World>();
    world->run(fuzz::Input(data, size));
    return 0;
}
