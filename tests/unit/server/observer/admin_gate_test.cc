#include "server/observer/admin_gate.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace sluice {
namespace {

/// A request with these fields.
class Asked {
  public:
    Asked(http::Method method, std::string host, std::vector<std::pair<std::string, std::string>> fields = {})
        : host_(std::move(host)) {
        for (const auto& [name, value] : fields) {
            http::Field field;
            field.name = {static_cast<uint16_t>(text_.size()), static_cast<uint16_t>(name.size())};
            text_ += name;
            field.value = {static_cast<uint16_t>(text_.size()), static_cast<uint16_t>(value.size())};
            text_ += value;
            fields_.push_back(field);
        }
        request_ = {method, "/", {}, host_, fields_, text_.data()};
    }
    unsigned answer_of(const AdminSpec& spec) const {
        const std::optional<AdminResponse> refused = AdminGate(spec).refuse(request_);
        return refused ? refused->status : 200;
    }

  private:
    std::string host_, text_;
    std::vector<http::Field> fields_;
    AdminRequest request_;
};

const AdminSpec kWithToken{"127.0.0.1:9400", "a-token-of-sixteen"};
constexpr http::Method kGet = http::Method::kGet, kPost = http::Method::kPost;

TEST(AdminGate, WantsTheWholeToken) {
    const auto with = [](const std::string& value) {
        return Asked(kGet, "h", {{"authorization", value}}).answer_of(kWithToken);
    };
    EXPECT_EQ(with("Bearer a-token-of-sixteen"), 200u);
    EXPECT_EQ(with("Bearer a-token-of-sixteeN"), 401u);
    EXPECT_EQ(with("Bearer a-token-of-sixteen2"), 401u);
    EXPECT_EQ(with("Bearer a-token"), 401u);
    EXPECT_EQ(with("Bearer "), 401u);
    EXPECT_EQ(with("a-token-of-sixteen"), 401u);
    EXPECT_EQ(Asked(kGet, "h").answer_of(kWithToken), 401u);
}

TEST(AdminGate, ActionsComeFromItsOwnPagesOrFromNoPage) {
    const auto from = [](const std::string& origin) {
        return Asked(kPost, "127.0.0.1:9400",
                     {{"authorization", "Bearer a-token-of-sixteen"}, {"origin", origin}})
            .answer_of(kWithToken);
    };
    EXPECT_EQ(from("http://127.0.0.1:9400"), 200u);
    EXPECT_EQ(from("https://127.0.0.1:9400"), 200u);
    EXPECT_EQ(from("http://evil.example"), 403u);
    EXPECT_EQ(from("null"), 403u);
}

TEST(AdminGate, WithoutATokenOnlyNamesOfThisMachineMayLookAndNobodyActs) {
    const AdminSpec open{"127.0.0.1:9400", ""};
    for (const char* host : {"127.0.0.1:9400", "127.1.2.3", "localhost:9400", "[::1]:9400", "[::1]"})
        EXPECT_EQ(Asked(kGet, host).answer_of(open), 200u) << host;
    for (const char* host : {"evil.example", "127.0.0.1.evil.example", "10.0.0.1:9400", "localhost.evil", ""})
        EXPECT_EQ(Asked(kGet, host).answer_of(open), 421u) << host;
    EXPECT_EQ(Asked(kPost, "localhost").answer_of(open), 403u);
    EXPECT_EQ(Asked(kGet, "any").answer_of({"unix:/run/a.sock", ""}), 200u);
}

TEST(AdminGate, KnowsWhichAddressesOthersReach) {
    for (const char* address : {"127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/run/a.sock"})
        EXPECT_TRUE(is_local({address, ""})) << address;
    for (const char* address : {"0.0.0.0:1", "[::]:1", "192.0.2.1:1"})
        EXPECT_FALSE(is_local({address, ""})) << address;
}

}  // namespace
}  // namespace sluice
