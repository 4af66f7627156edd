#include "protocol/http2/http2_frame_scanner.h"

#include <gtest/gtest.h>

#include "http2_driver.h"

namespace sluice {
namespace {

namespace h2 = test::h2;

TEST(Http2FrameScanner, FindsHeadsHoweverTheBytesAreCut) {
    const std::string bytes = "skipped" + h2::frame(6, 1, 0, "12345678") + h2::frame(0, 8, 0x80000003u, "") +
                              h2::frame(1, 255, 0x7fffffff, std::string(300, 'x'));
    for (size_t cut = 0; cut <= bytes.size(); ++cut) {
        http2::FrameScanner scanner(7);
        std::string seen;
        for (const std::string& piece : {bytes.substr(0, cut), bytes.substr(cut)}) {
            size_t at = 0;
            while (auto head = scanner.next(piece, at)) {
                seen += std::to_string(head->type) + ' ' + std::to_string(head->flags) + ' ' +
                        std::to_string(head->stream) + ' ' + std::to_string(head->length) + '\n';
            }
            EXPECT_EQ(at, piece.size());
        }
        EXPECT_EQ(seen, "6 1 0 8\n0 8 3 0\n1 255 2147483647 300\n");
    }
}

}  // namespace
}  // namespace sluice
