#include "server/seam/service_report.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ServiceReports, ArriveAsTheyWereSent) {
    const ServiceReport report{{{"queue 0", 3, "exited with status 1"}, {"mail 1", 12, "was killed"}}};
    WireWriter writer;
    report.write(writer);
    WireReader reader(writer.bytes());
    EXPECT_EQ(ServiceReport::read(reader), report);
    EXPECT_TRUE(reader.ok());
}

}  // namespace
}  // namespace sluice
