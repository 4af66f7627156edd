#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/http2/http2_server.h"

namespace sluice::test {

/// Frames as a client writes them, right or wrong.
namespace h2 {

inline constexpr uint8_t kData = 0, kHeaders = 1, kPriority = 2, kReset = 3, kSettings = 4, kPing = 6,
                         kGoaway = 7, kWindowUpdate = 8, kContinuation = 9;
inline constexpr uint8_t kEndStream = 1, kAck = 1, kEndHeaders = 4, kPadded = 8;

inline std::string u32(uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift & 255);
    return bytes;
}

inline std::string frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload = {}) {
    std::string bytes = u32(static_cast<uint32_t>(payload.size())).substr(1);
    bytes += static_cast<char>(type);
    bytes += static_cast<char>(flags);
    bytes += u32(stream);
    bytes += payload;
    return bytes;
}

/// A header block of literal fields without indexing; names and values are below 127 bytes.
inline std::string block(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
    std::string bytes;
    for (const auto& [name, value] : fields) {
        bytes += '\0';
        bytes += static_cast<char>(name.size());
        bytes += name;
        bytes += static_cast<char>(value.size());
        bytes += value;
    }
    return bytes;
}

inline std::string request_block(std::string_view method, std::string_view path) {
    return block({{":method", method}, {":scheme", "http"}, {":path", path}, {":authority", "a.example"}});
}

inline std::string get(uint32_t stream, std::string_view path = "/") {
    return frame(kHeaders, kEndHeaders | kEndStream, stream, request_block("GET", path));
}

inline std::string post(uint32_t stream, std::string_view path = "/") {
    return frame(kHeaders, kEndHeaders, stream, request_block("POST", path));
}

inline std::string start() {
    return std::string(http2::kPreface) + frame(kSettings, 0, 0);
}

struct Frame {
    uint8_t type, flags;
    uint32_t stream;
    std::string payload;

    /// The error code of RST_STREAM and GOAWAY.
    uint32_t code() const {
        const size_t at = type == kGoaway ? 4 : 0;
        uint32_t number = 0;
        for (size_t i = at; i < at + 4; ++i)
            number = number << 8 | static_cast<uint8_t>(payload[i]);
        return number;
    }
};

/// Takes the whole frames off the front of `bytes`.
inline std::vector<Frame> take_frames(std::string& bytes) {
    std::vector<Frame> frames;
    auto number = [&](size_t at, size_t count) {
        uint32_t value = 0;
        for (size_t i = 0; i < count; ++i)
            value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
        return value;
    };
    while (bytes.size() >= 9) {
        const size_t length = number(0, 3);
        if (bytes.size() < 9 + length) break;
        frames.push_back({static_cast<uint8_t>(bytes[3]), static_cast<uint8_t>(bytes[4]),
                          number(5, 4) & 0x7fffffff, bytes.substr(9, length)});
        bytes.erase(0, 9 + length);
    }
    return frames;
}

}  // namespace h2

/// Notes what a Server says, and lets the Server send what the test puts into `bodies`.
class Http2Notes final : public http2::Events {
  public:
    std::vector<std::string> said;
    std::map<int32_t, std::string> bodies;  ///< still to be sent
    std::map<int32_t, bool> complete;       ///< and nothing behind it
    std::map<int32_t, std::string> received;
    std::string wire;  ///< DATA frames, among what next_output() gave
    bool refusing = false;
    bool blocked = false;

    bool on_request(int32_t stream, const http2::RequestBuilder& request,
                    std::span<const http::Field> fields) override {
        if (refusing) return false;
        std::string line = "request " + std::to_string(stream) + ' ';
        line += request.head().method_text.in(request.text().data());
        line += ' ';
        line += request.head().target.in(request.text().data());
        for (const http::Field& field : fields) {
            line += ' ';
            line += field.name.in(request.text().data());
            line += '=';
            line += field.value.in(request.text().data());
        }
        said.push_back(line);
        return true;
    }
    void on_bad_request(int32_t stream, const http::Error& error, bool) override {
        said.push_back("bad " + std::to_string(stream) + ' ' + std::to_string(error.status));
    }
    void on_data(int32_t stream, std::span<char> bytes) override {
        received[stream].append(bytes.data(), bytes.size());
    }
    void on_end(int32_t stream) override { said.push_back("end " + std::to_string(stream)); }
    void on_response_sent(int32_t stream) override { said.push_back("sent " + std::to_string(stream)); }
    void on_closed(int32_t stream) override { said.push_back("closed " + std::to_string(stream)); }
    Available available(int32_t stream) override { return {bodies[stream].size(), complete[stream]}; }
    Written write_data(int32_t stream, std::string_view frame_head, size_t bytes) override {
        if (blocked) return Written::kNotNow;
        if (bodies[stream].size() < bytes) return Written::kGone;
        wire += frame_head;
        wire += bodies[stream].substr(0, bytes);
        bodies[stream].erase(0, bytes);
        return Written::kAll;
    }
};

}  // namespace sluice::test
