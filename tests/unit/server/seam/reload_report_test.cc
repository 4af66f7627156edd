#include "server/seam/reload_report.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ReloadReports, ArriveAsTheyWereSent) {
    const ReloadReport report{{7, 0.05, 123'456}, {6, true, 1'795'770'000'250'000, "no database"}};
    WireWriter writer;
    report.write(writer);
    WireReader reader(writer.bytes());
    EXPECT_EQ(ReloadReport::read(reader), report);
    EXPECT_TRUE(reader.ok());
}

}  // namespace
}  // namespace sluice
