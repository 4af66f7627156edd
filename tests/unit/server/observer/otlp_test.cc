#include "server/observer/otlp.h"

#include <gtest/gtest.h>
#include <map>
#include <optional>

#include "server/observer/collector.h"

namespace sluice {
namespace {

/// A message of protobuf: its fields' values by number, in order. Enough for what OTLP uses.
class Decoded {
  public:
    explicit Decoded(std::string_view bytes) {
        while (!bytes.empty()) {
            const uint64_t key = varint(bytes);
            std::string value;
            switch (key & 7) {
                case 0: value = std::to_string(varint(bytes)); break;
                case 1: value = std::to_string(fixed(bytes, 8)); break;
                case 5: value = std::to_string(fixed(bytes, 4)); break;
                default: {
                    const uint64_t size = varint(bytes);
                    value = bytes.substr(0, size);
                    bytes.remove_prefix(size);
                }
            }
            fields_[static_cast<unsigned>(key >> 3)].push_back(value);
        }
    }
    std::vector<std::string> all(unsigned field) const {
        const auto found = fields_.find(field);
        return found == fields_.end() ? std::vector<std::string>() : found->second;
    }
    std::string one(unsigned field) const {
        const auto values = all(field);
        return values.size() == 1 ? values[0] : "";
    }
    /// A pair's value in the attributes that stand at `field`.
    std::string attribute(unsigned field, std::string_view key) const {
        for (const std::string& pair : all(field)) {
            const Decoded decoded(pair);
            const Decoded value(decoded.one(2));
            if (decoded.one(1) == key) return value.one(1) + value.one(3);
        }
        return "-";
    }

  private:
    static uint64_t varint(std::string_view& bytes) {
        uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<uint8_t>(bytes.front());
            bytes.remove_prefix(1);
            value |= uint64_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return value;
        }
    }
    static uint64_t fixed(std::string_view& bytes, unsigned size) {
        uint64_t value = 0;
        for (unsigned byte = 0; byte < size; ++byte)
            value |= uint64_t{static_cast<uint8_t>(bytes[byte])} << 8 * byte;
        bytes.remove_prefix(size);
        return value;
    }
    std::map<unsigned, std::vector<std::string>> fields_;
};

RequestRecord a_record() {
    RequestRecord record{};
    record.trace_high = 0x4bf92f3577b34da6;
    record.trace_low = 0xa3ce929d0e0e4736;
    record.span = 0x00f067aa0ba902b7;
    record.parent_span = 5;
    record.at_us = 1'700'000'000'000'000;
    record.waited_us = 100;
    record.ran_us = 2000;
    record.status = 200;
    record.method = static_cast<uint8_t>(http::Method::kPost);
    record.endpoint = 77;
    record.path.set("/orders/7");
    record.waits_noted = 2;
    record.waits[0].begun_us = 10;
    record.waits[0].us = 1000;
    record.waits[0].kind.set("pgsql");
    record.waits[0].target.set("192.0.2.1:5432");
    record.waits[0].query.set("SELECT * FROM orders WHERE id = ?");
    record.waits[1].begun_us = 1100;
    record.waits[1].us = 700;
    record.waits[1].kind.set("lock");
    record.waits[1].target.set("stock");
    return record;
}

TracingSpec shop() {
    TracingSpec spec;
    spec.service = "shop";
    spec.attributes = {{"deployment.environment.name", "staging"}};
    return spec;
}

std::vector<std::string> spans_of(const std::string& message) {
    const Decoded resource_spans(Decoded(message).one(1));
    const Decoded resource(resource_spans.one(1));
    EXPECT_EQ(resource.attribute(1, "service.name"), "shop");
    EXPECT_EQ(resource.attribute(1, "deployment.environment.name"), "staging");
    return Decoded(resource_spans.one(2)).all(2);
}

TEST(Otlp, ARequestIsASpanWithPartsBelow) {
    const RequestRecord record = a_record();
    const auto spans = spans_of(otlp_of({&record, 1}, Endpoints(), shop()));
    ASSERT_EQ(spans.size(), 5u);
    const Decoded request(spans[0]), queue(spans[1]), handler(spans[2]), query(spans[3]), lock(spans[4]);
    const std::string trace("\x4b\xf9\x2f\x35\x77\xb3\x4d\xa6\xa3\xce\x92\x9d\x0e\x0e\x47\x36", 16);
    for (const std::string& span : spans)
        EXPECT_EQ(Decoded(span).one(1), trace);
    EXPECT_EQ(request.one(2), std::string("\x00\xf0\x67\xaa\x0b\xa9\x02\xb7", 8));
    EXPECT_EQ(request.one(4), std::string("\0\0\0\0\0\0\0\5", 8));
    EXPECT_EQ(request.one(5), "POST");
    EXPECT_EQ(request.one(6), "2") << "SPAN_KIND_SERVER";
    EXPECT_EQ(request.one(7), "1700000000000000000");
    EXPECT_EQ(request.one(8), "1700000000002100000");
    EXPECT_EQ(request.one(15), "") << "no error";
    EXPECT_EQ(request.attribute(9, "http.request.method"), "POST");
    EXPECT_EQ(request.attribute(9, "url.path"), "/orders/7");
    EXPECT_EQ(request.attribute(9, "http.response.status_code"), "200");
    EXPECT_EQ(request.attribute(9, "http.route"), "-") << "the endpoint is not known";
    EXPECT_EQ(queue.one(5), "wait for a worker");
    EXPECT_EQ(queue.one(4), request.one(2));
    EXPECT_EQ(queue.one(8), "1700000000000100000");
    EXPECT_EQ(handler.one(4), request.one(2));
    EXPECT_EQ(handler.one(7), "1700000000000100000");
    EXPECT_EQ(query.one(4), handler.one(2));
    EXPECT_EQ(query.one(5), "SELECT");
    EXPECT_EQ(query.one(6), "3") << "SPAN_KIND_CLIENT";
    EXPECT_EQ(query.one(7), "1700000000000110000");
    EXPECT_EQ(query.attribute(9, "db.system.name"), "postgresql");
    EXPECT_EQ(query.attribute(9, "db.query.text"), "SELECT * FROM orders WHERE id = ?");
    EXPECT_EQ(query.attribute(9, "server.address"), "192.0.2.1");
    EXPECT_EQ(query.attribute(9, "server.port"), "5432");
    EXPECT_EQ(lock.one(5), "lock");
    EXPECT_EQ(lock.one(6), "1");
    EXPECT_EQ(lock.attribute(9, "sluice.wait.target"), "stock");
}

TEST(Otlp, AnErrorOfTheServerIsAStatus) {
    RequestRecord record = a_record();
    record.status = 503;
    EXPECT_EQ(Decoded(Decoded(spans_of(otlp_of({&record, 1}, Endpoints(), shop()))[0]).one(15)).one(3), "2");
    record.status = 404;
    EXPECT_EQ(Decoded(spans_of(otlp_of({&record, 1}, Endpoints(), shop()))[0]).one(15), "");
}

TEST(Otlp, WhatAWorkerWritesIsNotTrusted) {
    RequestRecord record;
    memset(static_cast<void*>(&record), 0xff, sizeof record);
    EXPECT_EQ(spans_of(otlp_of({&record, 1}, Endpoints(), shop())).size(), 3 + RequestRecord::kMostWaits);
}

TEST(Otlp, UrlsOfCollectors) {
    const auto url = CollectorUrl::parse("http://collector:1234/v1/traces");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host + " " + url->port + " " + url->path, "collector 1234 /v1/traces");
    EXPECT_EQ(CollectorUrl::parse("http://x")->port, "4318");
    EXPECT_EQ(CollectorUrl::parse("http://x")->path, "/");
    EXPECT_EQ(CollectorUrl::parse("http://[::1]:80/a")->host, "::1");
    for (const std::string_view wrong :
         {"", "x", "https://x", "http://", "http:///a", "http://x:", "http://x:0", "http://x:65536",
          "http://x:80a", "http://[::1", "http://[::1]80", "http://u@x", "http://x/ a", "http://x/\r\n"})
        EXPECT_FALSE(CollectorUrl::parse(wrong)) << wrong;
}

}  // namespace
}  // namespace sluice
