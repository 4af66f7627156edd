// Records come out of a ring as they were put in. When a process writes over the ring, the other end still
// touches nothing outside of it.
#include "core/byte_ring.h"

#include <deque>

#include "fuzz_input.h"

using namespace sluice;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr size_t kCapacity = 512;
    fuzz::Input input(data, size);
    RingHeader header{};
    const std::unique_ptr<char[]> bytes(new char[kCapacity]());
    RingProducer producer(&header, bytes.get(), kCapacity);
    RingConsumer consumer(&header, bytes.get(), kCapacity);
    const bool honest = input.byte() & 1;
    std::deque<std::pair<uint16_t, std::string>> model;
    while (!input.rest().empty()) {
        const uint8_t choice = input.byte();
        switch (choice & 3) {
            case 0: {
                const std::string_view text = input.take(choice >> 2);
                const size_t total = sizeof(RecordHeader) + text.size();
                const bool has_room = producer.has_room(total);
                char* place = producer.reserve(total);
                fuzz::require(has_room == (place != nullptr), "has_room() and reserve() disagree");
                if (!place) break;
                const RecordHeader record{static_cast<uint32_t>(total), static_cast<uint16_t>(1 + choice), 0};
                std::memcpy(place, &record, sizeof record);
                if (!text.empty()) std::memcpy(place + sizeof record, text.data(), text.size());
                if (choice & 128) {
                    // The producer dies between marking a record as whole and publishing it.
                    producer.complete();
                    consumer.commit_for_producer();
                    fuzz::require(!honest || !producer.has_uncommitted(),
                                  "a whole record of a dead producer is lost");
                } else {
                    producer.commit();
                }
                model.emplace_back(record.kind, text);
                break;
            }
            case 1:
                if (choice & 4) producer.await_taken(producer.position());
                consumer.publish_taken();
                if (consumer.must_ring())
                    fuzz::require(!honest || !consumer.must_ring(), "one wish is told of twice");
                consumer.free_until(consumer.position());
                fuzz::require(!honest || producer.taken() == producer.consumed(),
                              "the consumer's positions do not reach the producer");
                break;
            case 2: {
                uint16_t kind = 0;
                const std::span<char> record = consumer.take(kind);
                if (!record.empty()) {
                    fuzz::require(record.data() >= bytes.get() &&
                                      record.data() + record.size() <= bytes.get() + kCapacity,
                                  "a record lies outside the ring");
                }
                if (!honest) break;
                fuzz::require(record.empty() == model.empty(), "a record was lost or made up");
                if (record.empty()) break;
                fuzz::require(
                    kind == model.front().first &&
                        std::string_view(record.data(), record.size()).substr(sizeof(RecordHeader)) ==
                            model.front().second,
                    "a record has changed");
                model.pop_front();
                break;
            }
            case 3:
                if (honest) break;
                if (choice & 4) header.produced.store(input.word());
                if (choice & 8) header.consumed.store(input.word());
                if (choice & 32) header.complete.store(input.word());
                if (choice & 64) consumer.commit_for_producer();
                if (choice & 16) {
                    const size_t place = input.byte() * 8 % kCapacity;
                    const std::string_view text = input.take(8);
                    std::memcpy(bytes.get() + place, text.data(), text.size());
                }
                break;
        }
    }
    fuzz::require(!honest || (!producer.corrupt() && !consumer.corrupt()),
                  "an honest end was called corrupt");
    return 0;
}
