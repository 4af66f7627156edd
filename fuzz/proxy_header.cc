// A PROXY header is read with the same result whole and byte by byte, and no byte behind it is touched.
#include "protocol/framing/proxy_header.h"

#include "fuzz_input.h"

using namespace sluice;
using proxy::Verdict;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const std::string_view bytes = input.rest();
    proxy::Header whole;
    const Verdict verdict = proxy::read_header(bytes, whole);
    if (verdict == Verdict::kHeader) {
        fuzz::require(whole.bytes <= bytes.size() && whole.bytes <= proxy::kMaxHeaderBytes,
                      "the header is longer than its bytes, or than the limit");
        fuzz::require(whole.is_anonymous == (whole.source.family == 0),
                      "a header with an address is anonymous, or one without is not");
        fuzz::require(whole.source.to_peer_string().empty() == whole.is_anonymous,
                      "a client with an address has no name, or one without has");
    }
    for (size_t cut = 0; cut < std::min<size_t>(bytes.size(), 300); ++cut) {
        fuzz::Block block(bytes.substr(0, cut));
        proxy::Header part;
        const Verdict early = proxy::read_header({block.span().data(), cut}, part);
        if (early == Verdict::kNeedMore) continue;
        fuzz::require(early == verdict, "the verdict changes with the bytes behind the header");
        if (early == Verdict::kHeader) {
            fuzz::require(part.bytes == whole.bytes && part.bytes <= cut,
                          "the length changes with the bytes behind the header");
            fuzz::require(part.source == whole.source, "the client changes with the bytes behind the header");
        }
        break;
    }
    return 0;
}
