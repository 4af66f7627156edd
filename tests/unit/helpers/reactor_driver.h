#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include "core/clock.h"
#include "core/log.h"
#include "fake_transport.h"
#include "io/doorbell.h"
#include "io/listener.h"
#include "server/reactor/reactor.h"
#include "server/sessions/new_sessions.h"

namespace sluice::test {

/// A client on a real socket, whose reads and writes never block.
class Client {
  public:
    /// `from`: its own address, when it matters.
    explicit Client(const Address& address, int receive_buffer = 0, const char* from = nullptr)
        : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_storage own;
        if (from) {
            const socklen_t size = Address::parse(std::string(from) + ":0")->to(own);
            EXPECT_EQ(bind(fd_.get(), reinterpret_cast<sockaddr*>(&own), size), 0) << strerror(errno);
        }
        if (receive_buffer)
            setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_storage storage;
        const socklen_t size = address.to(storage);
        EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&storage), size), 0) << strerror(errno);
    }

    /// Sends what the socket takes; for the rest the test has to turn the reactor (see ReactorTest::send).
    size_t send_some(std::string_view bytes) {
        const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        return sent > 0 ? static_cast<size_t>(sent) : 0;
    }
    void shut() { shutdown(fd_.get(), SHUT_WR); }
    void reset() {
        const linger at_once{1, 0};
        setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        fd_.reset();
    }
    /// Everything received so far that take() has not taken.
    const std::string& received() {
        char bytes[65536];
        for (;;) {
            const ssize_t got = recv(fd_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
            if (got > 0) {
                received_.append(bytes, static_cast<size_t>(got));
                continue;
            }
            if (got == 0 || (errno != EAGAIN && errno != EINTR)) ended_ = true;
            return received_;
        }
    }
    bool ended() {
        received();
        return ended_;
    }
    std::string take(size_t bytes = SIZE_MAX) {
        std::string taken = received().substr(0, bytes);
        received_.erase(0, taken.size());
        return taken;
    }

  private:
    UniqueFd fd_;
    std::string received_;
    bool ended_ = false;
};

/// A reactor with one listener on a free port of the loopback, workers that are the test (FakeTransport), and
/// limits that the test may shorten before start().
class ReactorTest : public testing::Test {
  protected:
    static constexpr int kPatienceMs = 5000;

    void start(EndpointKind kind = EndpointKind::kHttp, tcp::Framing framing = {}) {
        reactor_.reset();  // the shared memory outlives it
        layout_ = SharedLayout::create({.mode = 0,
                                        .reactors = 1,
                                        .worker_slots = 4,
                                        .cells = cells_,
                                        .ring_bytes = 4096,
                                        .arena_bytes = 4096,
                                        .out_bytes = 4096,
                                        .attached_bytes = 4096});
        ASSERT_TRUE(layout_);
        doorbell_.reset(Doorbell::create_fd());
        reactor_ = std::make_unique<Reactor>(
            Reactor::Wiring{&layout_, 0, &transport_, &NewSessions::shared(), doorbell_.get(), limits_});
        protocols_.http.sending = protocols_.websocket.sending = protocols_.tcp.sending = limits_.sending;
        std::string error;
        UniqueFd listener = open_listener(*Address::parse("127.0.0.1:0"), false, address_, error);
        ASSERT_TRUE(listener) << error;
        auto endpoints = std::make_shared<Endpoints>();
        EndpointSpec listener_spec{kind, "here", "", framing, dispatch_};
        listener_spec.limits = protocols_;
        listener_spec.cancel_on_disconnect = cancel_on_disconnect_;
        listener_spec.stream_bodies = stream_bodies_;
        EndpointSpec route{EndpointKind::kWebSocket, "here", "/ws", {}, {}};
        route.websocket = rules_;
        route.limits = protocols_;
        listener_spec.slow_client = route.slow_client = slow_client_;
        listener_spec.has_handler = has_handler_;
        listener_spec.error_pages = error_pages_;
        std::vector<EndpointSpec> specs{listener_spec, route};
        specs.insert(specs.end(), routes_.begin(), routes_.end());
        endpoints->update(specs);
        reactor_->set_endpoints(endpoints);
        reactor_->add_listener(0, std::move(listener));
    }
    void SetUp() override { log::open_file("/dev/null"); }
    void TearDown() override {
        reactor_.reset();
        for (auto& message : transport_.delivered) {
            if (message.in_extent) transport_.give_back(message);
        }
        for (int bound : transport_.bound)
            EXPECT_EQ(bound, 0) << "a connection that has gone is still bound to a worker";
    }

    /// Turns the reactor until `done` says so, or until the deadline: then it returns false.
    bool until(const std::function<bool()>& done) {
        const uint64_t give_up_ms = monotonic_ms() + kPatienceMs;
        do {
            if (done()) return true;
            reactor_->turn(1);
        } while (monotonic_ms() < give_up_ms);
        return done();
    }
    /// As many turns as settle all that is on its way on the loopback, before a test looks that nothing came.
    void settle() {
        for (int i = 0; i < 20; ++i)
            reactor_->turn(i < 10 ? 0 : 1);
    }
    void send(Client& client, std::string_view bytes) {
        ASSERT_TRUE(until([&] {
            bytes.remove_prefix(client.send_some(bytes));
            return bytes.empty();
        }));
    }
    FakeTransport::Delivered next() {
        EXPECT_TRUE(until([&] { return !transport_.delivered.empty(); })) << "no message came";
        if (transport_.delivered.empty()) return {};
        FakeTransport::Delivered message = transport_.delivered.front();
        if (message.in_extent) transport_.give_back(transport_.delivered.front());
        transport_.delivered.pop_front();
        return message;
    }
    bool nothing_comes() {
        settle();
        return transport_.delivered.empty();
    }
    void expect_received(Client& client, std::string_view bytes) {
        until([&] { return client.received().size() >= bytes.size(); });
        EXPECT_EQ(client.take(bytes.size()), bytes);
    }
    bool ends(Client& client) {
        return until([&] { return client.ended(); });
    }
    bool is_empty() {
        return until([&] { return reactor_->is_empty(); });
    }
    /// Says that the message is finished, as a worker does after the handler and all that it has ordered.
    void finish(const FakeTransport::Delivered& message) { transport_.finish(message.connection); }
    void respond(const FakeTransport::Delivered& request, std::string_view body, bool in_extent = false) {
        const Command command = for_connection(
            request.connection, command::Respond{.request = request.request, .status = 200}, body);
        transport_.order(request.worker, command, in_extent);
        finish(request);
    }
    Command for_connection(ConnectionId id, const Command::What& what, std::string_view payload = {}) {
        return {.what = what, .connection = id, .payload = payload};
    }
    bool is_open(ConnectionId id) const { return layout_.connection(id).id.load() == id; }

    uint32_t cells_ = 64;  ///< a power of two, one more than connections at most
    Limits limits_;
    ProtocolLimits protocols_;
    bool has_handler_ = true;
    std::shared_ptr<http::ErrorPages> error_pages_;
    std::vector<EndpointSpec> routes_;  ///< beside the one for WebSockets
    Dispatch dispatch_ = Dispatch::kLeastBusy;
    WebSocketRules rules_;
    SlowClient slow_client_ = SlowClient::kDropNewest;
    bool cancel_on_disconnect_ = true;
    bool stream_bodies_ = false;
    SharedLayout layout_;
    FakeTransport transport_;
    UniqueFd doorbell_;
    std::unique_ptr<Reactor> reactor_;
    Address address_;
};

}  // namespace sluice::test
