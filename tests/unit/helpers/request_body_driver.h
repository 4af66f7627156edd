#pragma once

#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include "reactor_driver.h"

namespace sluice::test {

inline std::string some_bytes(size_t size) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<char>(i * 7 + i / 251);
    return bytes;
}

inline std::string contents(const RequestFile& file) {
    std::string text(file.bytes(), '\0');
    EXPECT_EQ(pread(file.fd(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return text;
}

inline std::string chunked(std::string_view body, size_t chunk) {
    std::string text;
    for (; !body.empty(); body.remove_prefix(std::min(chunk, body.size()))) {
        char size[32];
        snprintf(size, sizeof size, "%zx\r\n", std::min(chunk, body.size()));
        text += size;
        text += body.substr(0, chunk);
        text += "\r\n";
    }
    return text + "0\r\n\r\n";
}

/// A reactor whose bodies of more than 100,000 bytes go to files.
class RequestBodyTest : public ReactorTest {
  protected:
    RequestBodyTest() {
        protocols_.http.body_bytes = 100u << 20;
        protocols_.http.body_file_bytes = 100'000;
        limits_.temporary_file_bytes = 24u << 20;
    }
    std::string head(size_t length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
    }
    static constexpr std::string_view kChunkedHead =
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    bool answered(Client& client, std::string_view status) {
        return until([&] { return client.received().find(status) != std::string::npos; });
    }
};

}  // namespace sluice::test
