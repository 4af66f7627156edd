// Whatever Accept and Accept-Language say: weights stay in their range, and a second look says the same.
#include "protocol/http/accept.h"

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    fuzz::Block block(input.rest());
    const std::string_view list(block.span().data(), block.span().size());
    for (const char* type : {"text/html", "application/json", "text/plain;format=flowed"}) {
        http::Preference once, twice;
        once.add_types(list, type);
        twice.add_types(list, type);
        twice.add_types(list, type);
        fuzz::require(once.weight() <= 1000 && once.weight() == twice.weight(), "a weight of a type");
    }
    for (const char* tag : {"en", "de-AT"}) {
        http::Preference once;
        once.add_languages(list, tag);
        fuzz::require(once.weight() <= 1000, "a weight of a language");
    }
    return 0;
}
