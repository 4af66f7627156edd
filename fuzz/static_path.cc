// No path of a request names anything but files below the folder that do not hide.
#include "protocol/http/static_path.h"

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    fuzz::Block block(input.rest());
    const std::string_view path(block.span().data(), block.span().size());
    const std::unique_ptr<char[]> out(new char[path.size()]);
    const auto found = http::static_path(path, "/", out.get());
    if (!found) return 0;
    fuzz::require(found->size() < path.size() && found->data() == out.get(), "outside of its room");
    const std::string rooted = "/" + std::string(*found);
    fuzz::require(rooted.find("//") == std::string::npos && !found->starts_with('/'), "an empty segment");
    fuzz::require(rooted.find_first_of(std::string_view("\\\0\n", 3)) == std::string::npos,
                  "a control character");
    const size_t hidden = rooted.find("/.");
    fuzz::require(
        hidden == std::string::npos || rooted == "/.well-known" || rooted.starts_with("/.well-known/"),
        "hidden");
    fuzz::require(hidden == std::string::npos || rooted.find("/.", 1) == std::string::npos, "hidden deeper");
    return 0;
}
