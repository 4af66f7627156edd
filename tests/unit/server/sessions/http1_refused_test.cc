// Requests over HTTP/1.1 that are refused, of http1_refused.txt: each gets one answer, reaches no worker, and
// ends its connection, so that nothing behind it is read as a further request.
// tests/e2e/http/test_http1_malformed.py sends the same bytes to a server.
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "reactor_driver.h"

namespace sluice {
namespace {

constexpr std::string_view kSmuggled = "GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n";
/// Byte by byte these would take a turn of the reactor each.
constexpr size_t kMostPieces = 400;

struct Refused {
    std::string name;
    std::string statuses;  ///< three digits each, with a blank between them
    std::string bytes;
};

std::string decoded(std::string_view text) {
    std::string bytes;
    while (!text.empty()) {
        const char c = text[0];
        text.remove_prefix(1);
        if (c == '{') {
            const size_t star = text.find('*'), end = text.find('}');
            const std::string part = decoded(text.substr(star + 1, end - star - 1));
            for (int count = std::stoi(std::string(text.substr(0, star))); count > 0; --count)
                bytes += part;
            text.remove_prefix(end + 1);
        } else if (c == '\\') {
            const size_t length = text[0] == 'x' ? 3 : 1;
            const size_t known = std::string_view("rnt0").find(text[0]);
            bytes += length == 3 ? static_cast<char>(std::stoi(std::string(text.substr(1, 2)), nullptr, 16))
                     : known == std::string_view::npos ? text[0]
                                                       : "\r\n\t\0"[known];
            text.remove_prefix(length);
        } else {
            bytes += c;
        }
    }
    return bytes;
}

std::vector<Refused> table() {
    std::vector<Refused> cases;
    std::ifstream file("tests/unit/server/sessions/http1_refused.txt");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const size_t statuses = line.find(" | "), bytes = line.find(" | ", statuses + 3);
        cases.push_back({line.substr(0, statuses), line.substr(statuses + 3, bytes - statuses - 3),
                         decoded(std::string_view(line).substr(bytes + 3))});
    }
    return cases;
}

class Http1Refused : public test::ReactorTest {
  protected:
    void SetUp() override {
        ReactorTest::SetUp();
        protocols_.http.body_bytes = 1 << 20;
        start();
    }
    /// In pieces of so many bytes; the server may close before it has read all of them.
    std::string answer_to(const std::string& bytes, size_t piece) {
        test::Client client(address_);
        for (size_t at = 0; at < bytes.size() && !client.ended();) {
            at += client.send_some(std::string_view(bytes).substr(at, piece));
            reactor_->turn(0);
        }
        EXPECT_TRUE(ends(client));
        return client.take();
    }
    void refuses(const Refused& refused, size_t piece) {
        const std::string answer = answer_to(refused.bytes + std::string(kSmuggled), piece);
        ASSERT_TRUE(answer.starts_with("HTTP/1.1 ")) << answer;
        EXPECT_NE(refused.statuses.find(answer.substr(9, 3)), std::string::npos) << answer;
        const size_t head = answer.find("\r\n\r\n");
        ASSERT_NE(head, std::string::npos) << answer;
        EXPECT_LT(answer.find("\r\nConnection: close\r\n"), head) << answer;
        EXPECT_EQ(answer.find("\r\nDate: ", head), std::string::npos)
            << "what follows was read as a request: " << answer;
        EXPECT_TRUE(transport_.delivered.empty()) << "it has reached a worker";
    }
};

TEST_F(Http1Refused, AtOnce) {
    const std::vector<Refused> cases = table();
    ASSERT_GE(cases.size(), 150u) << "http1_refused.txt is not there: run this in the folder of the sources";
    for (const Refused& refused : cases) {
        SCOPED_TRACE(refused.name);
        refuses(refused, refused.bytes.size() + kSmuggled.size());
    }
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Refused, ByteByByte) {
    for (const Refused& refused : table()) {
        if (refused.bytes.size() > kMostPieces) continue;
        SCOPED_TRACE(refused.name);
        refuses(refused, 1);
    }
    EXPECT_TRUE(nothing_comes());
}

TEST_F(Http1Refused, WhatIsRightIsNot) {
    test::Client client(address_);
    send(client, kSmuggled);
    respond(next(), "one");
    expect_received(client, "HTTP/1.1 200 OK\r\n");
}

}  // namespace
}  // namespace sluice
