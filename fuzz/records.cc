// Records with any content are refused or lie within themselves; what is decoded encodes to the same again.
#include "server/seam/records.h"

#include "fuzz_input.h"

using namespace sluice;

namespace {

void require_within(std::string_view part, std::span<char> record) {
    fuzz::require(part.empty() || (part.data() >= record.data() &&
                                   part.data() + part.size() <= record.data() + record.size()),
                  "a part lies outside the record");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input input(data, size);
    const uint16_t kind = input.byte();
    const bool inbound = input.byte() & 1;
    std::string bytes(input.rest());
    bytes.resize(std::max(bytes.size(), inbound ? sizeof(InboundRecord) : sizeof(CommandRecord)));
    fuzz::Block block(bytes);
    if (!inbound) {
        const auto decoded = read_command(block.span(), kind);
        if (!decoded) return 0;
        require_within(decoded->command.head, block.span());
        if (!decoded->slot) require_within(decoded->command.body, block.span());
        fuzz::require(decoded->slot || command_record_bytes(decoded->command, false) <= block.span().size(),
                      "decoded more than there was");
    } else if (const auto decoded = read_inbound(block.span(), kind)) {
        if (const inbound::Head* head = decoded->message.head()) require_within(head->text, block.span());
        if (!decoded->slot) require_within(decoded->message.payload, block.span());
        fuzz::require(!decoded->message.file() || decoded->message.payload.empty(), "a body in two places");
    }
    return 0;
}
