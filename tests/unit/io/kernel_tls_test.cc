#include "io/kernel_tls.h"

#include <fstream>
#include <gtest/gtest.h>

namespace sluice {
namespace {

/// The kernel lists what it has loaded; a module that it would load on demand it may not list.
TEST(KernelTls, SaysWhatTheKernelSays) {
    std::ifstream in("/proc/sys/net/ipv4/tcp_available_ulp");
    std::string name;
    bool listed = false;
    while (in >> name)
        listed |= name == "tls";
    const std::string said = describe_kernel_tls();
    if (listed) {
        EXPECT_EQ(said, "used where the cipher allows it");
    }
    EXPECT_TRUE(said == "used where the cipher allows it" || said.starts_with("not available: ")) << said;
}

TEST(KernelTls, NamesOpenSslWithItsVersion) {
    EXPECT_TRUE(describe_openssl().starts_with("OpenSSL 3.")) << describe_openssl();
}

}  // namespace
}  // namespace sluice
