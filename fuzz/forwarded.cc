// For any fields of a request, what a trusted proxy says of its client is an IP address, http or https, and a
// valid host, or nothing.
#include "protocol/http/forwarded.h"

#include "fuzz_input.h"
#include "protocol/http/http1_parser.h"
#include "protocol/http/http_syntax.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    http::TrustedProxies proxies;
    proxies.fields = input.byte() & 1 ? http::ProxyFields::kForwarded : http::ProxyFields::kXForwarded;
    proxies.addresses = {*AddressRange::parse("10.0.0.0/8"), *AddressRange::parse("::1")};
    std::string text = "GET / HTTP/1.1\r\nHost: x\r\n";
    text += input.rest().substr(0, 8000);
    text += "\r\n\r\n";
    fuzz::Block block(text);
    http1::HeadParser parser;
    if (parser.parse(block.span()) != http1::HeadParser::Status::kDone) return 0;
    const std::string_view head{block.span().data(), parser.head_bytes()};
    const http::Forwarded told = http::read_forwarded(parser.fields(), head, proxies);
    fuzz::require(told.client.family == 0 || told.client.is_ip(), "the client is not an IP address");
    fuzz::require(told.scheme.empty() || told.scheme == "http" || told.scheme == "https",
                  "the scheme is neither http nor https");
    fuzz::require(told.host.empty() || http::is_authority(told.host), "the host is not valid");
    // A client may send a Forwarded field of its own: what the trusted proxy appends to it decides.
    if (proxies.fields == http::ProxyFields::kXForwarded) return 0;
    std::string longer(head.substr(0, head.size() - 2));
    longer += "Forwarded: for=\"192.0.2.77:7\"\r\n\r\n";
    http1::HeadParser again;
    if (again.parse(longer) != http1::HeadParser::Status::kDone) return 0;
    const http::Forwarded appended = http::read_forwarded(again.fields(), longer, proxies);
    fuzz::require(appended.client.to_peer_string() == "192.0.2.77:7",
                  "a client's own Forwarded field was believed");
    return 0;
}
