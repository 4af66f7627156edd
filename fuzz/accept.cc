// For any value of Accept and Accept-Language, a weight is at most 1000, and adding a value a second time
// does not change it.
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
        fuzz::require(once.weight() <= 1000 && once.weight() == twice.weight(),
                      "a type's weight is above 1000, or depends on how often its field was added");
    }
    for (const char* tag : {"en", "de-AT"}) {
        http::Preference once;
        once.add_languages(list, tag);
        fuzz::require(once.weight() <= 1000, "a language's weight is above 1000");
    }
    return 0;
}
