// For any value of Accept-Encoding, the server chooses a coding that it offers and that the client accepts,
// and no other offered coding has a higher weight. The field of a request gives the weights of its value.
#include "protocol/http/accept_encoding.h"

#include <algorithm>
#include <string>

#include "fuzz_input.h"

using namespace sluice;
using http::Coding;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const Coding all[] = {Coding::kBrotli, Coding::kZstd, Coding::kGzip};
    const std::span<const Coding> offered(all, input.byte() % 4);
    fuzz::Block block(input.rest());
    // The field as a request's head has it: the name, then the value.
    const std::string text = "accept-encoding" + std::string(input.rest().substr(0, 1000));
    const http::Field field{{0, 15}, {15, static_cast<uint16_t>(text.size() - 15)}};
    const http::AcceptedCodings of_field = http::AcceptedCodings::of({&field, 1}, text.data());
    http::AcceptedCodings accepted;
    accepted.add({block.span().data(), block.span().size()});
    for (const Coding coding : all)
        fuzz::require(block.span().size() > 1000 || of_field.weight(coding) == accepted.weight(coding),
                      http::coding_name(coding).data());
    const Coding best = accepted.best_of(offered);
    if (best == Coding::kIdentity) return 0;
    fuzz::require(std::find(offered.begin(), offered.end(), best) != offered.end(),
                  "a coding was chosen that was not offered");
    for (const Coding other : offered)
        fuzz::require(accepted.weight(other) <= accepted.weight(best),
                      "another coding that was offered has a higher weight");
    fuzz::require(accepted.weight(best) > 0, "a coding was chosen that the client does not accept");
    return 0;
}
