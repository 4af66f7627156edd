// Any path of a request names a file below the folder, outside of hidden files and folders, or nothing.
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
    fuzz::require(found->size() < path.size() && found->data() == out.get(),
                  "the path is longer than its room, or is not in it");
    const std::string rooted = "/" + std::string(*found);
    fuzz::require(rooted.find("//") == std::string::npos && !found->starts_with('/'),
                  "the path has an empty segment");
    fuzz::require(rooted.find_first_of(std::string_view("\\\0\n", 3)) == std::string::npos,
                  "the path has a backslash, a zero byte or a line end");
    const size_t hidden = rooted.find("/.");
    fuzz::require(
        hidden == std::string::npos || rooted == "/.well-known" || rooted.starts_with("/.well-known/"),
        "the path names a hidden file or folder");
    fuzz::require(hidden == std::string::npos || rooted.find("/.", 1) == std::string::npos,
                  "the path names a hidden file or folder below another one");
    return 0;
}
