#pragma once

#include <string>
#include <string_view>

#include "socket.h"

namespace sluice::bench {

/// The bytes of hello.php's answer, except for the date.
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\ncontent-type: text/plain; charset=utf-8\r\n"
    "Content-Length: 11\r\n\r\nhello world";

/// As many answers as empty lines end in `requests`, which begin and end with whole ones: wrk never splits a
/// request. They stand in static memory.
inline std::string_view answers_to(std::string_view requests) {
    static const std::string kAnswers = [] {
        std::string all;
        for (int i = 0; i < 1024; ++i)
            all += kAnswer;
        return all;
    }();
    size_t count = 0;
    for (size_t end; (end = requests.find("\r\n\r\n")) != std::string_view::npos; requests.remove_prefix(end + 4))
        ++count;
    return std::string_view(kAnswers).substr(0, count * kAnswer.size());
}

}  // namespace sluice::bench
