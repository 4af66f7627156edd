#include "io/tls_stream.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "core/unique_fd.h"
#include "test_certificates.h"

namespace sluice {
namespace {

using Outcome = TlsStream::Outcome;

/// A server's stream and OpenSSL's own client, at the two ends of a socket pair. Both are non-blocking and
/// taken in turn by the tests.
class Stream : public testing::Test {
  protected:
    void SetUp() override {
        files.make("one");
        files.make("two.example");
        files.make("client");
        options.certificates.push_back({"", files.path("one.pem"), files.path("one.key")});
        int fds[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
        ours.reset(fds[0]);
        theirs.reset(fds[1]);
        client_context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_load_verify_file(client_context, files.path("ca.pem").c_str());
        SSL_CTX_set_verify(client_context, SSL_VERIFY_PEER, nullptr);
    }
    void TearDown() override {
        SSL_free(client);
        SSL_CTX_free(client_context);
        SSL_SESSION_free(session);
    }
    void begin() {
        if (!context) {
            std::string error;
            context = TlsContext::create(options, error);
            ASSERT_TRUE(context) << error;
        }
        server = TlsStream::create(context, ours.get());
        ASSERT_TRUE(server);
        client = SSL_new(client_context);
        SSL_set_fd(client, theirs.get());
        SSL_set_connect_state(client);
    }
    /// Lets client and server shake hands in turn, until the server is done or cannot go on.
    Outcome shake() {
        Outcome outcome = Outcome::kBlocked;
        for (int i = 0; i < 20 && outcome == Outcome::kBlocked; ++i) {
            client_result = SSL_do_handshake(client);
            outcome = server->handshake();
        }
        client_result = SSL_do_handshake(client);
        return outcome;
    }
    void connect() {
        begin();
        ASSERT_EQ(shake(), Outcome::kDone) << server->error();
        ASSERT_EQ(client_result, 1);
    }
    /// Begins anew on another pair of sockets with the same contexts.
    void begin_again() {
        server.reset();
        SSL_free(client);
        int fds[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
        ours.reset(fds[0]);
        theirs.reset(fds[1]);
        begin();
    }
    std::string server_reads(size_t most = 100000) {
        std::string text(most, '\0');
        iovec part{text.data(), text.size()};
        size_t bytes = 0;
        last = server->read(&part, 1, bytes);
        text.resize(bytes);
        return text;
    }
    std::string client_reads() {
        std::string all;
        char buffer[16384];
        for (int got; (got = SSL_read(client, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<size_t>(got));
        return all;
    }
    std::string server_certificate() {
        X509* certificate = SSL_get0_peer_certificate(client);
        char name[256] = "";
        if (certificate)
            X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, sizeof name);
        return name;
    }
    void give_client_certificate(const char* name) {
        SSL_CTX_use_certificate_file(client_context, files.path(std::string(name) + ".pem").c_str(),
                                     SSL_FILETYPE_PEM);
        SSL_CTX_use_PrivateKey_file(client_context, files.path(std::string(name) + ".key").c_str(),
                                    SSL_FILETYPE_PEM);
    }

    TestCertificates files;
    TlsOptions options;
    std::shared_ptr<const TlsContext> context;
    UniqueFd ours, theirs;
    std::unique_ptr<TlsStream> server;
    SSL_CTX* client_context = nullptr;
    SSL* client = nullptr;
    SSL_SESSION* session = nullptr;
    int client_result = 0;
    Outcome last = Outcome::kDone;
};

iovec part_of(const std::string& text) {
    return {const_cast<char*>(text.data()), text.size()};
}

TEST_F(Stream, HandshakeThenBytesBothWays) {
    connect();
    EXPECT_TRUE(server->is_ready());
    EXPECT_STREQ(server->version(), "TLSv1.3");
    EXPECT_EQ(SSL_write(client, "hello", 5), 5);
    EXPECT_EQ(server_reads(), "hello");
    EXPECT_EQ(last, Outcome::kDone);
    EXPECT_TRUE(server->is_drained());
    EXPECT_EQ(server_reads(), "");
    EXPECT_EQ(last, Outcome::kBlocked);
    EXPECT_FALSE(server->waits_crosswise());
    std::string text = "and back";
    iovec part = part_of(text);
    size_t bytes = 0;
    EXPECT_EQ(server->write(&part, 1, bytes), Outcome::kDone);
    EXPECT_EQ(bytes, text.size());
    EXPECT_EQ(client_reads(), text);
}

TEST_F(Stream, HandshakeOfASilentClientOnlyBlocks) {
    begin();
    EXPECT_EQ(server->handshake(), Outcome::kBlocked);
    EXPECT_EQ(server->handshake(), Outcome::kBlocked);
    EXPECT_FALSE(server->is_ready());
}

TEST_F(Stream, HandshakeInSingleBytes) {
    begin();
    // The client's hello reaches the server byte by byte, through a second pair.
    int fds[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds), 0);
    UniqueFd outer(fds[0]), inner(fds[1]);
    SSL_set_fd(client, outer.get());
    for (int turn = 0; turn < 20000 && !(server->is_ready() && SSL_is_init_finished(client)); ++turn) {
        SSL_do_handshake(client);
        char byte;
        if (recv(inner.get(), &byte, 1, MSG_DONTWAIT) == 1) {
            ASSERT_EQ(send(theirs.get(), &byte, 1, 0), 1);
        }
        if (!server->is_ready()) {
            Outcome outcome = server->handshake();
            ASSERT_TRUE(outcome == Outcome::kBlocked || outcome == Outcome::kDone);
        }
        if (recv(theirs.get(), &byte, 1, MSG_DONTWAIT) == 1) {
            ASSERT_EQ(send(inner.get(), &byte, 1, 0), 1);
        }
    }
    EXPECT_TRUE(server->is_ready());
}

TEST_F(Stream, PartsAreFilledInTheirOrder) {
    connect();
    ASSERT_EQ(SSL_write(client, "0123456789", 10), 10);
    char a[4], b[3];
    iovec parts[2] = {{a, sizeof a}, {b, sizeof b}};
    size_t bytes = 0;
    ASSERT_EQ(server->read(parts, 2, bytes), Outcome::kDone);
    EXPECT_EQ(bytes, 7u);
    EXPECT_EQ(std::string(a, 4) + std::string(b, 3), "0123456");
    EXPECT_FALSE(server->is_drained()) << "OpenSSL holds bytes of which the socket says nothing";
    EXPECT_EQ(server_reads(), "789");
    EXPECT_TRUE(server->is_drained());
}

TEST_F(Stream, SeveralRecordsInOneRead) {
    connect();
    for (const char* text : {"one", "two", "three"})
        SSL_write(client, text, static_cast<int>(strlen(text)));
    EXPECT_EQ(server_reads(), "onetwothree");
}

TEST_F(Stream, SmallPartsShareARecord) {
    connect();
    std::string pieces[] = {"a", "bc", std::string(300, 'd'), std::string(40000, 'e'), "f"};
    std::string whole;
    iovec parts[5];
    for (int i = 0; i < 5; ++i) {
        parts[i] = part_of(pieces[i]);
        whole += pieces[i];
    }
    size_t bytes = 0;
    ASSERT_EQ(server->write(parts, 5, bytes), Outcome::kDone);
    EXPECT_EQ(bytes, whole.size());
    char first[16384];
    EXPECT_EQ(SSL_read(client, first, sizeof first), 16384) << "the first record is full";
    EXPECT_EQ(std::string(first, sizeof first) + client_reads(), whole);
}

/// The socket takes a part, then no more; the rest is gathered anew from memory that has moved.
TEST_F(Stream, WritesGoOnAfterTheSocketWasFull) {
    connect();
    std::string sent;
    for (int i = 0; sent.size() < 3u << 20; ++i)
        sent += "line " + std::to_string(i) + "\n";
    std::string waiting = sent, received;
    bool was_blocked = false;
    size_t turn = 0;
    while (!waiting.empty()) {
        std::string moved = waiting;
        // The pieces are cut differently each time, as by an out-queue whose nodes come and go.
        size_t cut = std::min<size_t>(moved.size(), 1 + (turn++ * 977) % 30000);
        iovec parts[2] = {{moved.data(), cut}, {moved.data() + cut, moved.size() - cut}};
        size_t bytes = 0;
        Outcome outcome = server->write(parts, 2, bytes);
        ASSERT_TRUE(outcome == Outcome::kDone || outcome == Outcome::kBlocked) << server->error();
        was_blocked |= outcome == Outcome::kBlocked;
        waiting.erase(0, bytes);
        if (outcome == Outcome::kBlocked) received += client_reads();
    }
    received += client_reads();
    EXPECT_TRUE(was_blocked);
    EXPECT_EQ(received, sent);
}

/// A short write is stuck when more is queued behind it.
TEST_F(Stream, WhatWasStuckMayHaveGrown) {
    connect();
    std::string filler(16384, 'x');
    iovec part = part_of(filler);
    size_t bytes = 0, filled = 0;
    while (server->write(&part, 1, bytes) == Outcome::kDone)
        filled += bytes;
    // The bytes that were stuck have to come first, and more may follow them.
    std::string whole = filler + std::string(50000, 'y');
    std::string received;
    size_t at = 0;
    while (at < whole.size()) {
        received += client_reads();
        iovec parts[2] = {{whole.data() + at, std::min<size_t>(whole.size() - at, 7)}, {}};
        parts[1] = {whole.data() + at + parts[0].iov_len, whole.size() - at - parts[0].iov_len};
        Outcome outcome = server->write(parts, 2, bytes);
        ASSERT_TRUE(outcome == Outcome::kDone || outcome == Outcome::kBlocked) << server->error();
        at += bytes;
    }
    received += client_reads();
    EXPECT_EQ(received, std::string(filled, 'x') + whole);
}

TEST_F(Stream, CloseNotifyIsTheEndAndNothingElseIs) {
    connect();
    SSL_write(client, "last", 4);
    SSL_shutdown(client);
    EXPECT_EQ(server_reads(), "last");
    EXPECT_EQ(server_reads(), "");
    EXPECT_EQ(last, Outcome::kEnd);
    // The server still sends.
    std::string text = "answer";
    iovec part = part_of(text);
    size_t bytes = 0;
    EXPECT_EQ(server->write(&part, 1, bytes), Outcome::kDone);
    server->close_notify();
    char buffer[16];
    EXPECT_EQ(SSL_read(client, buffer, sizeof buffer), 6);
    int result = SSL_read(client, buffer, sizeof buffer);
    EXPECT_EQ(SSL_get_error(client, result), SSL_ERROR_ZERO_RETURN);
}

TEST_F(Stream, AnEndWithoutCloseNotifyIsNone) {
    connect();
    SSL_write(client, "cut", 3);
    theirs.reset();
    EXPECT_EQ(server_reads(), "cut");
    EXPECT_EQ(server_reads(), "");
    EXPECT_EQ(last, Outcome::kBroken);
    EXPECT_EQ(server->error(), "");
    std::string text = "nobody";
    iovec part = part_of(text);
    size_t bytes = 0;
    EXPECT_EQ(server->write(&part, 1, bytes), Outcome::kBroken);
}

TEST_F(Stream, WritingToAClosedSocketRaisesNoSignal) {
    connect();
    theirs.reset();
    std::string text(100, 'x');
    iovec part = part_of(text);
    size_t bytes = 0;
    EXPECT_EQ(server->write(&part, 1, bytes), Outcome::kBroken);
}

TEST_F(Stream, PlainHttpIsRecognised) {
    begin();
    EXPECT_FALSE(server->has_received());
    ASSERT_GT(send(theirs.get(), "GET / HTTP/1.1\r\n\r\n", 18, 0), 0);
    EXPECT_EQ(server->handshake(), Outcome::kBroken);
    EXPECT_TRUE(server->has_received());
    EXPECT_EQ(server->error(), "the client speaks plain HTTP");
}

TEST_F(Stream, RubbishIsRefused) {
    begin();
    ASSERT_GT(send(theirs.get(), "\x00\x01\x02 what is this", 17, 0), 0);
    EXPECT_EQ(server->handshake(), Outcome::kBroken);
    EXPECT_NE(server->error(), "");
}

TEST_F(Stream, RubbishAfterTheHandshakeEndsIt) {
    connect();
    ASSERT_GT(send(theirs.get(), "\x17\x03\x03\x00\x10 0123456789abcdef", 22, 0), 0);
    server_reads();
    EXPECT_EQ(last, Outcome::kBroken);
    EXPECT_NE(server->error(), "");
}

TEST_F(Stream, ErrorsOfOthersAreNotOurs) {
    connect();
    ERR_raise(ERR_LIB_USER, 1);
    EXPECT_EQ(server_reads(), "");
    EXPECT_EQ(last, Outcome::kBlocked);
}

TEST_F(Stream, OldVersionsAreRefused) {
    SSL_CTX_set_security_level(client_context, 0);
    SSL_CTX_set_min_proto_version(client_context, TLS1_1_VERSION);
    SSL_CTX_set_max_proto_version(client_context, TLS1_1_VERSION);
    begin();
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "unsupported protocol");
}

TEST_F(Stream, Version12IsSpokenUnlessForbidden) {
    SSL_CTX_set_max_proto_version(client_context, TLS1_2_VERSION);
    connect();
    EXPECT_STREQ(server->version(), "TLSv1.2");
    options.minimum_version = TlsVersion::k1_3;
    context.reset();
    begin_again();
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "unsupported protocol");
}

TEST_F(Stream, CiphersWithoutForwardSecrecyAreRefused) {
    SSL_CTX_set_max_proto_version(client_context, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(client_context, "AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA");
    begin();
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "no shared cipher");
}

TEST_F(Stream, RenegotiationIsRefused) {
    SSL_CTX_set_max_proto_version(client_context, TLS1_2_VERSION);
    connect();
    ASSERT_EQ(SSL_renegotiate(client), 1);
    SSL_do_handshake(client);
    server_reads();
    // The server answers with a warning; the client ends the connection.
    char byte;
    int result = SSL_read(client, &byte, 1);
    EXPECT_EQ(SSL_get_error(client, result), SSL_ERROR_SSL);
    EXPECT_EQ(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_NO_RENEGOTIATION);
}

TEST_F(Stream, KeysMayBeUpdated) {
    connect();
    ASSERT_EQ(SSL_key_update(client, SSL_KEY_UPDATE_REQUESTED), 1);
    SSL_write(client, "new key", 7);
    EXPECT_EQ(server_reads(), "new key");
    std::string text = "mine too";
    iovec part = part_of(text);
    size_t bytes = 0;
    EXPECT_EQ(server->write(&part, 1, bytes), Outcome::kDone);
    EXPECT_EQ(client_reads(), text);
}

TEST_F(Stream, TheCertificateGoesByName) {
    options.certificates.push_back(
        {"two.example", files.path("two.example.pem"), files.path("two.example.key")});
    connect();
    EXPECT_EQ(server_certificate(), "one");
    begin_again();
    SSL_set_tlsext_host_name(client, "two.example");
    ASSERT_EQ(shake(), Outcome::kDone);
    EXPECT_EQ(server_certificate(), "two.example");
    begin_again();
    SSL_set_tlsext_host_name(client, "unknown.example");
    ASSERT_EQ(shake(), Outcome::kDone);
    EXPECT_EQ(server_certificate(), "one");
}

TEST_F(Stream, ProtocolsAreAgreedOnInOurOrder) {
    options.alpn = {"h2", "http/1.1"};
    begin();
    SSL_set_alpn_protos(client, reinterpret_cast<const unsigned char*>("\x08http/1.1\x02h2"), 12);
    ASSERT_EQ(shake(), Outcome::kDone);
    EXPECT_EQ(server->protocol(), "h2");
    begin_again();
    SSL_set_alpn_protos(client, reinterpret_cast<const unsigned char*>("\x08http/1.1"), 9);
    ASSERT_EQ(shake(), Outcome::kDone);
    EXPECT_EQ(server->protocol(), "http/1.1");
    begin_again();
    ASSERT_EQ(shake(), Outcome::kDone) << "a client that offers no protocol is welcome";
    EXPECT_EQ(server->protocol(), "");
    begin_again();
    SSL_set_alpn_protos(client, reinterpret_cast<const unsigned char*>("\x04smtp"), 5);
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "no application protocol");
}

TEST_F(Stream, ClientCertificates) {
    options.client_ca = files.path("ca.pem");
    connect();  // a client may come without a certificate
    options.require_client_certificate = true;
    context.reset();
    begin_again();
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "peer did not return a certificate");
    give_client_certificate("client");
    begin_again();
    EXPECT_EQ(shake(), Outcome::kDone) << server->error();
    TestCertificates strangers;
    strangers.make("client");
    SSL_CTX_use_certificate_file(client_context, strangers.path("client.pem").c_str(), SSL_FILETYPE_PEM);
    SSL_CTX_use_PrivateKey_file(client_context, strangers.path("client.key").c_str(), SSL_FILETYPE_PEM);
    begin_again();
    EXPECT_EQ(shake(), Outcome::kBroken);
    EXPECT_EQ(server->error(), "certificate verify failed");
}

TEST_F(Stream, SessionsAreResumed) {
    for (int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        SSL_CTX_set_max_proto_version(client_context, version);
        begin_again();
        ASSERT_EQ(shake(), Outcome::kDone);
        client_reads();  // the tickets of TLS 1.3
        SSL_SESSION_free(session);
        session = SSL_get1_session(client);
        EXPECT_FALSE(SSL_session_reused(client));
        // A session that ended without a good-bye is thrown away by OpenSSL's client.
        SSL_shutdown(client);
        begin_again();
        SSL_set_session(client, session);
        ASSERT_EQ(shake(), Outcome::kDone);
        EXPECT_TRUE(SSL_session_reused(client)) << SSL_get_version(client);
    }
}

/// Other contexts stand for a reload and for other processes; other times for later epochs.
TEST_F(Stream, TicketsAreTakenByWhoeverHasTheKeysOfThisEpochOrTheLast) {
    uint64_t now_ms = 5 * TicketKeys::kEpochMs;
    const auto clock = [&now_ms] { return now_ms; };
    const auto keys = std::make_shared<TicketKeys>(clock);
    const auto others = std::make_shared<TicketKeys>(clock);
    const auto is_resumed_by = [this](const std::shared_ptr<TicketKeys>& now) {
        std::string error;
        context = TlsContext::create(options, error, now);
        begin_again();
        SSL_set_session(client, session);
        EXPECT_EQ(shake(), Outcome::kDone);
        const bool is_resumed = SSL_session_reused(client);
        SSL_shutdown(client);
        return is_resumed;
    };
    for (int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        SSL_CTX_set_max_proto_version(client_context, version);
        std::string error;
        context = TlsContext::create(options, error, keys);
        begin_again();
        ASSERT_EQ(shake(), Outcome::kDone);
        client_reads();  // the tickets of TLS 1.3
        SSL_SESSION_free(session);
        session = SSL_get1_session(client);
        SSL_shutdown(client);
        EXPECT_TRUE(is_resumed_by(keys)) << version;
        EXPECT_FALSE(is_resumed_by(std::make_shared<TicketKeys>(clock))) << version;
        now_ms += TicketKeys::kEpochMs;
        others->adopt(keys->seed());
        EXPECT_TRUE(is_resumed_by(others)) << version;
        now_ms += TicketKeys::kEpochMs;
        EXPECT_FALSE(is_resumed_by(others)) << version;
        EXPECT_FALSE(is_resumed_by(keys)) << version;
    }
}

/// A reload replaces the context while its connections go on.
TEST_F(Stream, TheContextMayGoBeforeItsConnections) {
    connect();
    context.reset();
    SSL_write(client, "still here", 10);
    EXPECT_EQ(server_reads(), "still here");
}

}  // namespace
}  // namespace sluice
