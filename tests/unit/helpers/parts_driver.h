#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <vector>

#include "core/log.h"
#include "fake_transport.h"
#include "server/config/endpoints.h"
#include "server/reactor/reactor_parts.h"

namespace sluice::test {

/// What a FakeSession answers, and what it was asked.
struct SessionScript {
    Progress progress = Progress::kMore;
    bool conversation = true, takes_input = true, begins_request = true;
    uint32_t idle_ms = 0;
    AwaitedResponse awaited;
    std::string calls, input;
    std::vector<char> window;  ///< what is still to come straight into a message
    size_t held_back = 0;
    unsigned reads = 0;  ///< how often input was offered
    size_t frames = 0;   ///< how many it is taken for, each time
};

/// A session that is the test.
class FakeSession final : public Session {
  public:
    explicit FakeSession(SessionScript& script) : script_(script) {}
    bool is_conversation() const override { return script_.conversation; }
    bool begins_request() const override { return !script_.conversation && script_.begins_request; }
    void connected(SessionHost&, Connection&) override { script_.calls += "connected "; }
    std::span<char> window() override { return script_.window; }
    void filled(size_t bytes) override { script_.window.resize(script_.window.size() - bytes); }
    Progress consume(SessionHost&, Connection& self, std::span<char>& input) override {
        if (input.empty()) return Progress::kMore;
        ++script_.reads;
        self.count_frames(script_.frames, 0);
        if (script_.takes_input) {
            script_.input.append(input.data(), input.size());
            input = {};
        }
        return script_.progress;
    }
    void ended(SessionHost&, Connection&) override { script_.calls += "ended "; }
    void peer_left(SessionHost&, Connection&) override { script_.calls += "left "; }
    void sent(SessionHost&, Connection&) override { script_.calls += "sent "; }
    size_t held_back_bytes() const override { return script_.held_back; }
    void command(SessionHost&, Connection&, int, const Command& command, Ref<Payload>) override {
        script_.calls += "command(" + std::string(command.payload) + ") ";
    }
    void send_shared(SessionHost& host, Connection& self, SharedMessage&) override {
        script_.calls += "shared ";
        if (script_.held_back) host.close_soon(self);
    }
    Topics::Subscriptions* subscriptions() override { return &subscriptions_; }
    void handled(SessionHost&, Connection&) override { script_.calls += "handled "; }
    AwaitedResponse awaited_response() const override { return script_.awaited; }
    void moved_to(SessionHost&, Connection&, uint32_t, int worker) override {
        script_.awaited.worker = worker;
    }
    void worker_lost(SessionHost&, Connection&) override { script_.calls += "lost "; }
    void deadline(SessionHost&, Connection&) override { script_.calls += "deadline "; }
    uint32_t most_idle_ms() const override { return script_.idle_ms; }
    void close(SessionHost&, Connection&, uint16_t code, std::string_view) override {
        script_.calls += "close(" + std::to_string(code) + ") ";
    }
    void stop(SessionHost&, Connection&) override { script_.calls += "stop "; }
    void release(SessionHost& host) override { host.unsubscribe_all(subscriptions_); }

  private:
    SessionScript& script_;
    Topics::Subscriptions subscriptions_;
};

class FakeSessions final : public SessionFactory {
  public:
    explicit FakeSessions(SessionScript& script_) : script(script_) {}
    void begin(SessionHost&, Connection& self) const override { self.session.emplace<FakeSession>(script); }
    void begin_http2(SessionHost&, Connection&, std::string) const override {}
    void begin_stream(SessionHost&, Connection&, const http::RequestHead&, std::span<const http::Field>,
                      std::string_view) const override {}

    SessionScript& script;
};

/// The parts of a reactor without its loop: a test calls one of them and looks at the others. Limits, the
/// listener and the layout may be changed before start().
class PartsTest : public testing::Test {
  protected:
    void SetUp() override { log::open_file("/dev/null"); }
    void TearDown() override { parts_.reset(); }

    void start() {
        parts_ = std::make_unique<ReactorParts>(layout_, 0, limits_, transport_, sessions_, "");
        listener_.limits.tcp.sending = limits_.sending;
        auto table = std::make_shared<Endpoints>();
        table->update({listener_});
        parts_->commons.endpoints = std::move(table);
    }
    /// A layout for one connection less than `cells`, a power of two.
    static SharedLayout layout_for(uint32_t cells) {
        return SharedLayout::create({.mode = 0,
                                     .reactors = 1,
                                     .worker_slots = 4,
                                     .cells = cells,
                                     .ring_bytes = 4096,
                                     .arena_bytes = 4096,
                                     .out_bytes = 4096,
                                     .attached_bytes = 4096});
    }
    /// A connection whose other end is `client_`.
    Connection& connect() {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
        client_.reset(ends[1]);
        Connection& connection = parts_->table.add(UniqueFd(ends[0]), 0, *Address::parse("192.0.2.1:1000"),
                                                   SlowClient::kDropNewest, now());
        sessions_.begin(parts_->host, connection);
        connection.readable = true;
        return connection;
    }
    uint64_t now() const { return parts_->commons.now_ms; }
    void say(std::string_view bytes) { ::send(client_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    std::string heard() {
        char bytes[65536];
        const ssize_t got = recv(client_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
        return got > 0 ? std::string(bytes, static_cast<size_t>(got)) : std::string();
    }
    void serve() {
        parts_->serve_list.serve_scheduled([this](Connection& it) { parts_->input.serve(it); });
    }

    Limits limits_;
    EndpointSpec listener_{EndpointKind::kTcp, "here", "", {}, Dispatch::kSticky};
    SharedLayout layout_ = layout_for(64);
    FakeTransport transport_;
    SessionScript script_;
    FakeSessions sessions_{script_};
    UniqueFd client_;
    std::unique_ptr<ReactorParts> parts_;
};

}  // namespace sluice::test
