#include "server/config/manifest.h"

#include <gtest/gtest.h>

#include "server/config/config.h"
#include "server/config/endpoints.h"

namespace sluice {
namespace {

ServerConfig full_config() {
    ServerConfig config;
    config.mode = Mode::kBase;
    config.workers = 7;
    config.least_workers = 2;
    config.reactors = 3;
    config.limits.connections = 11;
    config.limits.shutdown_ms = 12;
    config.pid_file = "/run/x.pid";
    config.log_file = "/var/log/x";
    config.script = "server.php";
    config.endpoints.push_back({EndpointKind::kHttp, "127.0.0.1:80", "", {}, Dispatch::kSticky, {}});
    TlsOptions& tls = config.endpoints.back().tls.emplace();
    tls.certificates = {{"", "/one.pem", "/one.key"}, {"*.example", "/two.pem", "/two.key"}};
    tls.client_ca = "/ca.pem";
    tls.require_client_certificate = true;
    tls.minimum_version = TlsVersion::k1_3;
    tls.alpn = {"h2", "http/1.1"};
    config.endpoints.back().socket_mode = 0604;
    config.endpoints.back().proxies.addresses = {*AddressRange::parse("10.0.0.0/8"),
                                                 *AddressRange::parse("unix")};
    config.endpoints.back().proxies.fields = http::ProxyFields::kForwarded;
    config.endpoints.back().proxies.proxy_protocol = true;
    config.endpoints.back().limits.http.request_ms = 1234;
    config.endpoints.back().limits.websocket.idle_ms = 99;
    config.endpoints.back().cancel_on_disconnect = false;
    config.endpoints.back().stream_bodies = true;
    config.endpoints.back().http1 = false;
    config.endpoints.back().has_handler = false;
    auto pages = std::make_shared<http::ErrorPages>();
    pages->html = {{0, "<p>others"}, {404, "<p>not here"}};
    pages->json = {{500, "{}"}};
    pages->otherwise = http::ErrorFormat::kJson;
    config.endpoints.back().error_pages = pages;
    config.endpoints.push_back({EndpointKind::kHttp, "127.0.0.1:80", "/users/{id}", {}, {}, {}});
    config.endpoints.back().method = "PUT";
    config.endpoints.push_back(
        {EndpointKind::kWebSocket, "127.0.0.1:80", "/chat", {}, {}, {true, true, true, 9, 10, 5, 77}});
    config.endpoints.back().websocket = {
        {"v2", "v1"}, {true, true, false, {"https://*.example.com", "null"}}, true, true, 30'000, 7};
    config.endpoints.push_back({EndpointKind::kTcp, "[::1]:7", "", tcp::Framing::line("\r\n", 99), {}, {}});
    config.services = {{"queue", 3}, {"tasks", 1, true}};
    return config;
}

void expect_same(const EndpointSpec& a, const EndpointSpec& b) {
    EXPECT_EQ(Endpoints::key_of(a), Endpoints::key_of(b));
    EXPECT_EQ(a.method, b.method);
    EXPECT_EQ(a.has_handler, b.has_handler);
    EXPECT_EQ(a.dispatch, b.dispatch);
    EXPECT_EQ(a.compression, b.compression);
    EXPECT_EQ(a.framing.kind, b.framing.kind);
    EXPECT_EQ(a.framing.delimiter(), b.framing.delimiter());
    EXPECT_EQ(a.framing.max_message_bytes, b.framing.max_message_bytes);
    EXPECT_EQ(a.tls, b.tls);
    EXPECT_EQ(a.websocket, b.websocket);
    EXPECT_EQ(a.socket_mode, b.socket_mode);
    EXPECT_EQ(a.proxies, b.proxies);
    EXPECT_EQ(a.limits, b.limits);
    EXPECT_EQ(a.cancel_on_disconnect, b.cancel_on_disconnect);
    EXPECT_EQ(a.stream_bodies, b.stream_bodies);
    EXPECT_EQ(a.http1, b.http1);
    EXPECT_EQ(a.http2, b.http2);
    ASSERT_EQ(static_cast<bool>(a.error_pages), static_cast<bool>(b.error_pages));
    if (!a.error_pages) return;
    EXPECT_EQ(a.error_pages->html, b.error_pages->html);
    EXPECT_EQ(a.error_pages->json, b.error_pages->json);
    EXPECT_EQ(a.error_pages->otherwise, b.error_pages->otherwise);
}

TEST(Manifest, AConfigGoesRoundTrip) {
    const ServerConfig config = full_config();
    WireWriter writer;
    write_config(writer, config);
    writer.put(uint8_t{42});
    WireReader reader(writer.bytes());
    const ServerConfig read = read_config(reader);
    EXPECT_EQ(reader.get<uint8_t>(), 42) << "what follows is left alone";
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(read.mode, config.mode);
    EXPECT_EQ(read.workers, config.workers);
    EXPECT_EQ(read.least_workers, config.least_workers);
    EXPECT_EQ(read.reactors, config.reactors);
    EXPECT_EQ(read.limits, config.limits);
    EXPECT_EQ(read.pid_file, config.pid_file);
    EXPECT_EQ(read.log_file, config.log_file);
    EXPECT_EQ(read.script, config.script);
    EXPECT_EQ(read.services, config.services);
    ASSERT_EQ(read.endpoints.size(), 4u);
    for (size_t i = 0; i < 4; ++i)
        expect_same(read.endpoints[i], config.endpoints[i]);
}

TEST(Manifest, EndpointsGoRoundTrip) {
    Endpoints endpoints;
    endpoints.update(full_config().endpoints);
    auto fewer = full_config().endpoints;
    fewer.erase(fewer.begin() + 1);
    endpoints.update(fewer);
    WireWriter writer;
    write_endpoints(writer, endpoints);
    WireReader reader(writer.bytes());
    const auto read = read_endpoints(reader);
    EXPECT_TRUE(reader.ok());
    ASSERT_EQ(read->size(), 4u);
    for (uint16_t id = 0; id < 4; ++id) {
        expect_same((*read)[id].spec, endpoints[id].spec);
        EXPECT_EQ((*read)[id].active, id != 1);
    }
}

TEST(Manifest, PagesThatManyHaveGoOnce) {
    auto pages = std::make_shared<http::ErrorPages>(), others = std::make_shared<http::ErrorPages>();
    pages->html = {{0, std::string(10'000, 'p')}};
    others->html = {{0, "others"}};
    ServerConfig config;
    for (int i = 0; i < 100; ++i) {
        EndpointSpec& route = config.endpoints.emplace_back();
        route.path = "/" + std::to_string(i);
        route.error_pages = i % 3 == 0 ? pages : i % 3 == 1 ? others : nullptr;
    }
    WireWriter writer;
    write_config(writer, config);
    EXPECT_LT(writer.bytes().size(), 100'000u);
    WireReader reader(writer.bytes());
    const ServerConfig read = read_config(reader);
    ASSERT_EQ(read.endpoints.size(), 100u);
    for (size_t i = 0; i < 100; ++i) {
        EXPECT_EQ(read.endpoints[i].error_pages, read.endpoints[i % 3].error_pages);
        expect_same(read.endpoints[i], config.endpoints[i]);
    }
}

TEST(Manifest, EveryTruncationIsNoticed) {
    WireWriter writer;
    write_config(writer, full_config());
    for (size_t size = 0; size < writer.bytes().size(); ++size) {
        WireReader reader(std::string_view(writer.bytes()).substr(0, size));
        read_config(reader);
        ASSERT_FALSE(reader.ok()) << size;
    }
}

}  // namespace
}  // namespace sluice
