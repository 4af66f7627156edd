#include "server/config/service_spec.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(ServiceSpec, NamesStandInLogs) {
    for (const char* name : {"queue", "a", "Mail-2", "orders.eu_west"})
        EXPECT_TRUE(is_service_name(name)) << name;
    for (const char* name : {"", "two words", "a/b", "a\n", "é", "a:b"})
        EXPECT_FALSE(is_service_name(name)) << name;
    EXPECT_TRUE(is_service_name(std::string(64, 'x')));
    EXPECT_FALSE(is_service_name(std::string(65, 'x')));
}

}  // namespace
}  // namespace sluice
