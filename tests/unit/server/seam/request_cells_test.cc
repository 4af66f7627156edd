#include "server/seam/request_cells.h"

#include <gtest/gtest.h>
#include <memory>

namespace sluice {
namespace {

TEST(RequestCells, CountsByEndpointMethodClassAndTime) {
    const auto cells = std::make_unique<RequestCells>();
    cells->observe(3, http::Method::kGet, 204, 5'000);
    cells->observe(3, http::Method::kGet, 200, 5'001);
    cells->observe(3, http::Method::kOther, 599, 60'000'000);
    const HistogramCell& found = cells->cells[3][RequestCells::series_of(http::Method::kGet, 200)];
    EXPECT_EQ(found.counts[0], 1u);
    EXPECT_EQ(found.counts[1], 1u);
    EXPECT_EQ(found.sum_us, 10'001u);
    const size_t failed = RequestCells::series_of(http::Method::kOther, 599);
    EXPECT_EQ(cells->cells[3][failed].counts[HistogramCell::kBuckets - 1], 1u);
    EXPECT_EQ(RequestCells::method_of(failed), http::Method::kOther);
    EXPECT_EQ(RequestCells::class_of(failed), 5u);
    EXPECT_EQ(cells->begun[3],
              uint64_t{1} << failed | uint64_t{1} << RequestCells::series_of(http::Method::kGet, 299));
}

TEST(RequestCells, EndpointsBeyondTheMostShareOnePlace) {
    const auto cells = std::make_unique<RequestCells>();
    cells->observe(kMeasuredEndpoints, http::Method::kGet, 200, 1);
    cells->observe(UINT16_MAX, http::Method::kGet, 200, 1);
    EXPECT_EQ(cells->cells[kMeasuredEndpoints][RequestCells::series_of(http::Method::kGet, 200)].counts[0],
              2u);
}

}  // namespace
}  // namespace sluice
