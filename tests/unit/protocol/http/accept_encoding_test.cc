// RFC 9110 sections 12.4.2 and 12.5.3.
#include "protocol/http/accept_encoding.h"

#include <gtest/gtest.h>

namespace sluice::http {
namespace {

constexpr Coding kAll[] = {Coding::kBrotli, Coding::kZstd, Coding::kGzip};

AcceptedCodings accepted(std::initializer_list<const char*> lists) {
    AcceptedCodings codings;
    for (const char* list : lists)
        codings.add(list);
    return codings;
}
Coding best(const char* list) {
    return accepted({list}).best_of(kAll);
}

TEST(AcceptEncoding, NothingSaidIsNothingWanted) {
    EXPECT_EQ(AcceptedCodings().best_of(kAll), Coding::kIdentity);
    EXPECT_EQ(best(""), Coding::kIdentity);
    EXPECT_EQ(AcceptedCodings().weight(Coding::kGzip), 0);
    EXPECT_GT(AcceptedCodings().weight(Coding::kIdentity), 0);
}

TEST(AcceptEncoding, ByName) {
    EXPECT_EQ(best("gzip"), Coding::kGzip);
    EXPECT_EQ(best("GZip"), Coding::kGzip);
    EXPECT_EQ(best("x-gzip"), Coding::kGzip);
    EXPECT_EQ(best("br"), Coding::kBrotli);
    EXPECT_EQ(best("zstd"), Coding::kZstd);
    EXPECT_EQ(best("deflate, compress, gzipx"), Coding::kIdentity);
}

TEST(AcceptEncoding, TheServerChoosesAmongEquals) {
    EXPECT_EQ(best("gzip, deflate, br, zstd"), Coding::kBrotli);
    constexpr Coding kGzipFirst[] = {Coding::kGzip, Coding::kBrotli};
    EXPECT_EQ(accepted({"br, gzip"}).best_of(kGzipFirst), Coding::kGzip);
    EXPECT_EQ(accepted({"br, zstd"}).best_of({kGzipFirst, 1}), Coding::kIdentity);
}

TEST(AcceptEncoding, WeightsDecide) {
    EXPECT_EQ(best("br;q=0.5, gzip;q=0.8"), Coding::kGzip);
    EXPECT_EQ(best("br;q=0.001, gzip;q=0"), Coding::kBrotli);
    EXPECT_EQ(best("gzip ; q=0.5 , zstd;Q=0.6"), Coding::kZstd);
    EXPECT_EQ(best("gzip;q=0"), Coding::kIdentity);
    EXPECT_EQ(accepted({"gzip;q=0.123"}).weight(Coding::kGzip), 123);
    EXPECT_EQ(accepted({"gzip;q=1.000"}).weight(Coding::kGzip), 1000);
    EXPECT_EQ(accepted({"gzip;q=0."}).weight(Coding::kGzip), 0);
}

TEST(AcceptEncoding, TheStarIsForWhatIsNotNamed) {
    EXPECT_EQ(best("*"), Coding::kBrotli);
    EXPECT_EQ(best("br;q=0, *"), Coding::kZstd);
    EXPECT_EQ(best("gzip, *;q=0"), Coding::kGzip);
    EXPECT_EQ(best("*;q=0"), Coding::kIdentity);
    EXPECT_EQ(best("*;q=0.5, gzip;q=0.7"), Coding::kGzip);
}

TEST(AcceptEncoding, IdentityHasAWeightAsWell) {
    EXPECT_EQ(best("identity;q=1, gzip;q=0.5"), Coding::kIdentity);
    EXPECT_EQ(best("identity;q=0.5, gzip;q=0.5"), Coding::kGzip);
    EXPECT_EQ(best("identity;q=0, gzip;q=0.1"), Coding::kGzip);
    EXPECT_EQ(best("identity"), Coding::kIdentity);
    EXPECT_EQ(accepted({"identity;q=0"}).weight(Coding::kIdentity), 0);
    EXPECT_EQ(accepted({"gzip, *;q=0"}).weight(Coding::kIdentity), 0);
    EXPECT_GT(accepted({"gzip"}).weight(Coding::kIdentity), 0);
}

TEST(AcceptEncoding, MalformedElementsAreLeftOut) {
    for (const char* list : {"gzip;q=2", "gzip;q=1.001", "gzip;q=-1", "gzip;q=.5", "gzip;q=0.1234",
                             "gzip;q=", "gzip;q", "gzip;x=1", "gzip;q=1;x", "gzip q=1", ";q=1", ",,"})
        EXPECT_EQ(best(list), Coding::kIdentity) << list;
    EXPECT_EQ(best("gzip;q=2, ,zstd;q=0.5"), Coding::kZstd);
}

TEST(AcceptEncoding, SeveralFieldsAreOneList) {
    EXPECT_EQ(accepted({"gzip;q=0.5", "zstd;q=0.6"}).best_of(kAll), Coding::kZstd);
}

}  // namespace
}  // namespace sluice::http
