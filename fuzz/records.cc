// A record of any content is refused, or all its parts lie within it. A decoded record, when it is written
// again, has the same content.
#include "server/seam/records.h"

#include <vector>

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
    const size_t least = inbound         ? sizeof(InboundRecord)
                         : is_note(kind) ? sizeof(NoteRecord)
                                         : sizeof(CommandRecord);
    bytes.resize(std::max(bytes.size(), least));
    fuzz::Block block(bytes);
    if (!inbound) {
        if (is_note(kind)) {
            const auto note = read_note(block.span(), kind);
            if (!note) return 0;
            char again[sizeof(NoteRecord)];
            write_note(again, *note);
            fuzz::require(memcmp(again + sizeof(RecordHeader), block.span().data() + sizeof(RecordHeader),
                                 sizeof(uint64_t)) == 0,
                          "a decoded record is written differently");
            const auto same = read_note(again, kind);
            fuzz::require(same && same->index() == note->index(),
                          "a record that was written is decoded differently");
            return 0;
        }
        const auto decoded = read_command(block.span(), kind);
        if (!decoded) return 0;
        require_within(decoded->command.payload, block.span());
        fuzz::require(!decoded->extent || decoded->command.payload.empty(), "a payload in two places");
        fuzz::require(!decoded->command.file() || decoded->command.payload.empty(),
                      "a payload in two places");
        // Written again, the command has the same bytes behind the fields of its record.
        const size_t bytes = command_record_bytes(decoded->command, decoded->extent);
        fuzz::require(bytes == block.span().size(), "the command is longer or shorter than its record");
        std::string again(bytes, '\0');
        write_command(again.data(), decoded->command, decoded->extent, decoded->number);
        fuzz::require(decoded->command.is<command::SendDatagram>() ||  // an address has a gap
                          std::string_view(again).substr(sizeof(CommandRecord)) ==
                              std::string_view(block.span().data(), bytes).substr(sizeof(CommandRecord)),
                      "a decoded record is written differently");
    } else if (const auto decoded = read_inbound(block.span(), kind)) {
        if (const inbound::Head* head = decoded->message.head()) require_within(head->text, block.span());
        if (!decoded->extent) require_within(decoded->message.payload, block.span());
        fuzz::require(!decoded->message.file() || decoded->message.payload.empty(), "a body in two places");
        if (decoded->extent) return 0;  // the payload is in an arena, which does not exist here
        // Written again and decoded again, the message is the same.
        const size_t bytes = inbound_record_bytes(decoded->message, false);
        std::vector<uint64_t> again((bytes + 7) / 8);
        char* const place = reinterpret_cast<char*>(again.data());
        write_inbound(place, decoded->message, false, 0);
        const auto same = read_inbound({place, bytes}, kind);
        fuzz::require(same && same->message.kind() == decoded->message.kind() &&
                          same->message.payload.size() == decoded->message.payload.size(),
                      "a record that was written is decoded differently");
    }
    return 0;
}
