// A PROXY header is read alike whole and in pieces, and never reaches behind what is there.
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
        fuzz::require(whole.bytes <= bytes.size() && whole.bytes <= proxy::kMaxHeaderBytes, "too long");
        fuzz::require(whole.is_anonymous == (whole.source.family == 0), "named and not named");
        fuzz::require(whole.source.to_peer_string().empty() == whole.is_anonymous, "no name for a client");
    }
    for (size_t cut = 0; cut < std::min<size_t>(bytes.size(), 300); ++cut) {
        fuzz::Block block(bytes.substr(0, cut));
        proxy::Header part;
        const Verdict early = proxy::read_header({block.span().data(), cut}, part);
        if (early == Verdict::kNeedMore) continue;
        fuzz::require(early == verdict, "the verdict changes with what follows");
        if (early == Verdict::kHeader) {
            fuzz::require(part.bytes == whole.bytes && part.bytes <= cut,
                          "the length changes with what follows");
            fuzz::require(part.source == whole.source, "the client changes with what follows");
        }
        break;
    }
    return 0;
}
