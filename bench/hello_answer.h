#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "socket.h"

namespace sluice::bench {

/// The bytes of hello.php's answer, except for the date.
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\ncontent-type: text/plain; charset=utf-8\r\n"
    "Content-Length: 11\r\n\r\nhello world";
constexpr std::string_view kLastAnswer =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\ncontent-type: text/plain; charset=utf-8\r\n"
    "Content-Length: 11\r\nConnection: close\r\n\r\nhello world";

/// What a server says that knows one answer. Its views are of static memory.
class Answers {
  public:
    /// `requests_of_each`: after how many a connection ends, each of which comes alone; 0: never.
    explicit Answers(size_t requests_of_each) : requests_of_each_(requests_of_each) {}

    void begin(size_t connection) {
        if (connection >= counts_.size()) counts_.resize(connection + 1);
        counts_[connection] = 0;
    }

    struct Said {
        std::string_view bytes;
        bool is_last;
    };

    /// As many answers as empty lines end in `requests`, which begin and end with whole ones: wrk never
    /// splits a request.
    Said to(size_t connection, std::string_view requests) {
        if (requests_of_each_ && ++counts_[connection] == requests_of_each_) return {kLastAnswer, true};
        size_t count = 0;
        for (size_t end; (end = requests.find("\r\n\r\n")) != std::string_view::npos;
             requests.remove_prefix(end + 4))
            ++count;
        return {std::string_view(many()).substr(0, count * kAnswer.size()), false};
    }

  private:
    static const std::string& many() {
        static const std::string kMany = [] {
            std::string all;
            for (int i = 0; i < 1024; ++i)
                all += kAnswer;
            return all;
        }();
        return kMany;
    }

    size_t requests_of_each_;
    std::vector<size_t> counts_;  ///< by connection
};

/// `program <address> [requests of each connection]`
inline size_t requests_of_each(int argc, char** argv) {
    if (argc != 2 && argc != 3)
        fail(std::string("usage: ") + argv[0] + " <address> [requests of each connection]");
    return argc == 3 ? number_argument(argv[2], "The number of requests of each connection", 1, 1'000'000)
                     : 0;
}

}  // namespace sluice::bench
