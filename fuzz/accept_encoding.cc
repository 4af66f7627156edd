// Whatever Accept-Encoding says: what is chosen is acceptable, and was offered.
#include "protocol/http/accept_encoding.h"

#include <algorithm>

#include "fuzz_input.h"

using namespace sluice;
using http::Coding;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const Coding all[] = {Coding::kBrotli, Coding::kZstd, Coding::kGzip};
    const std::span<const Coding> offered(all, input.byte() % 4);
    fuzz::Block block(input.rest());
    http::AcceptedCodings accepted;
    accepted.add({block.span().data(), block.span().size()});
    const Coding best = accepted.best_of(offered);
    if (best == Coding::kIdentity) return 0;
    fuzz::require(std::find(offered.begin(), offered.end(), best) != offered.end(), "not offered");
    for (const Coding other : offered)
        fuzz::require(accepted.weight(other) <= accepted.weight(best), "another one is wanted more");
    fuzz::require(accepted.weight(best) > 0, "not acceptable");
    return 0;
}
