// A multipart form is split into the same parts however its bytes are cut.
#include "protocol/http/multipart_parser.h"

#include "fuzz_input.h"

using namespace sluice;
using http::MultipartParser;

namespace {

std::string run(std::string_view bytes, const http::MultipartLimits& limits, fuzz::Cuts cuts) {
    MultipartParser parser("b", limits);
    std::string trace;
    while (!bytes.empty()) {
        fuzz::Block block(bytes.substr(0, cuts.next(bytes.size())));
        std::string_view input(block.span().data(), block.span().size());
        bytes.remove_prefix(input.size());
        for (bool more = true; more;) {
            switch (parser.next(input)) {
                case MultipartParser::Event::kNeedInput:
                    fuzz::require(input.empty(), "the parser asks for more input, but has left some");
                    more = false;
                    break;
                case MultipartParser::Event::kPart:
                    trace += "\npart " + parser.part().name + " file " + parser.part().file_name + " type " +
                             parser.part().type + "\n";
                    break;
                case MultipartParser::Event::kData: trace += parser.data(); break;
                case MultipartParser::Event::kPartEnd: trace += "\nend"; break;
                case MultipartParser::Event::kDone: return trace + "\ndone";
                case MultipartParser::Event::kError: return trace + "\nerror";
            }
        }
    }
    return trace;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const std::string_view boundary = http::multipart_boundary(input.rest().substr(0, 200));
    fuzz::require(boundary.empty() || http::multipart_boundary(input.rest().substr(0, 200)).back() != ' ',
                  "a boundary ends with a blank");
    (void)http::is_media_type(input.rest().substr(0, 200), "multipart/form-data");
    const uint32_t seed = input.word() | 1;
    http::MultipartLimits limits;
    if (input.byte() & 1) limits = {3, 200, 1000};
    // How much of an unfinished part is reported depends on the cuts, so a closing line finishes it.
    const std::string bytes = std::string(input.rest()) + "\r\n--b--\r\n";
    fuzz::require(run(bytes, limits, fuzz::Cuts(seed, 8)) == run(bytes, limits, fuzz::Cuts(0)),
                  "the parts depend on the cuts");
    return 0;
}
