#pragma once

#include <string>
#include <string_view>

#include "reactor_driver.h"

namespace sluice::test {

/// An answer without its Date line, for a test cannot know the time in it.
inline std::string without_date(std::string text) {
    for (size_t at; (at = text.find("Date: ")) != std::string::npos;)
        text.erase(at, text.find("\r\n", at) + 2 - at);
    return text;
}

/// A reactor whose client speaks HTTP/1.1.
class HttpTest : public ReactorTest {
  protected:
    std::string answer(Client& client, size_t bodies = 1) {
        auto complete = [&] {
            const std::string& text = client.received();
            size_t at = 0;
            for (size_t i = 0; i < bodies; ++i) {
                const size_t head = text.find("\r\n\r\n", at);
                if (head == std::string::npos) return false;
                const size_t length = text.find("Content-Length: ", at);
                at = head + 4 + (length < head ? std::stoul(text.substr(length + 16)) : 0);
            }
            return text.size() >= at;
        };
        EXPECT_TRUE(until(complete)) << client.received();
        return without_date(client.take());
    }
    Command response(const test::FakeTransport::Delivered& request, std::string_view body, bool last) {
        return for_connection(request.connection,
                              command::Respond{.request = request.request, .status = 200, .last = last},
                              body);
    }
    Command body_part(const test::FakeTransport::Delivered& request, std::string_view body, bool last,
                      std::string_view trailers = {}) {
        return for_connection(
            request.connection,
            command::BodyPart{.request = request.request, .last = last, .trailers = trailers}, body);
    }
};

}  // namespace sluice::test
