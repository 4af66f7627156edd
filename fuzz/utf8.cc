// UTF-8 is valid when a plain decoder made from RFC 3629 takes it, however its bytes are cut.
#include "core/utf8.h"

#include "fuzz_input.h"

using namespace sluice;

namespace {

/// The decoder to compare with.
bool decodes(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const uint8_t first = static_cast<uint8_t>(text[i]);
        const int more = first < 0x80   ? 0
                         : first < 0xc0 ? -1
                         : first < 0xe0 ? 1
                         : first < 0xf0 ? 2
                         : first < 0xf8 ? 3
                                        : -1;
        if (more < 0 || text.size() - i <= static_cast<size_t>(more)) return false;
        uint32_t code = more == 0 ? first : first & (0x3fu >> more);
        for (int k = 1; k <= more; ++k) {
            const uint8_t next = static_cast<uint8_t>(text[i + static_cast<size_t>(k)]);
            if ((next & 0xc0) != 0x80) return false;
            code = code << 6 | (next & 0x3f);
        }
        static constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
        if (code < kLeast[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
        i += static_cast<size_t>(more) + 1;
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    fuzz::Cuts cuts(input.word() | 1, 8);
    fuzz::Block block(input.rest());
    const std::string_view text(block.span().data(), block.span().size());
    const bool expected = decodes(text);
    fuzz::require(is_utf8(text) == expected, "is_utf8() and the decoder disagree");
    Utf8Validator validator;
    bool valid = true;
    for (std::string_view rest = text; !rest.empty() && valid;) {
        const std::string_view piece = rest.substr(0, cuts.next(rest.size()));
        fuzz::Block copy(piece);
        valid = validator.accept(copy.span().data(), piece.size());
        rest.remove_prefix(piece.size());
    }
    fuzz::require((valid && validator.complete()) == expected, "the verdict depends on the cuts");
    return 0;
}
