// A worker may write anywhere in what it shares: positions of both rings, gauges, and what waits for it in
// its ring, which another worker is to get when it dies.
#include "hostile_worker.h"

namespace sluice::test {
namespace {

const std::vector<Field> kInboundFields = {
    FIELD(InboundRecord, connection), FIELD(InboundRecord, request),       FIELD(InboundRecord, endpoint),
    FIELD(InboundRecord, close_code), FIELD(InboundRecord, payload_bytes), FIELD(InboundRecord, extent_page)};
const std::vector<Field> kRingFields = {FIELD(RingHeader, produced), FIELD(RingHeader, consumed),
                                        FIELD(RingHeader, taken)};

// -- Lies that stand in no record

using HostilePositions = HostileWorker;

TEST_F(HostilePositions, OfBothRings) {
    for (const bool inbound : {true, false}) {
        for (const Field& field : kRingFields) {
            // In the first round the field keeps its true value, from which the lies are made.
            std::set<uint64_t> values = {0};
            for (bool begins = true; !values.empty(); begins = false) {
                const uint64_t value = values.extract(values.begin()).value();
                last_lie = std::string(inbound ? "in-ring: " : "out-ring: ") + field.name + " = " +
                           std::to_string(value);
                world_.begin();
                world_.take_all();
                world_.stranger().say(Command{command::Publish{"topic"}, kNoConnection, "hello"});
                world_.turn(1);
                char* const place =
                    reinterpret_cast<char*>(world_.layout().ring(inbound, 0, RingWorld::kStranger).header) +
                    field.offset;
                if (begins) {
                    values = values_for(read(place, field.bytes), field.bytes);
                } else {
                    memcpy(place, &value, field.bytes);
                }
                world_.end();
                ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
                if (world_.is_cut_off()) ++cut_off_;
            }
        }
    }
    EXPECT_GT(cut_off_, 0u);
}

/// Fields by which nothing is decided: gauges, and whether somebody sleeps.
TEST_F(HostilePositions, OfGaugesAndCells) {
    const SharedLayout& layout = world_.layout();
    std::vector<std::span<char>> parts;
    const auto add = [&parts](auto& part) { parts.push_back({reinterpret_cast<char*>(&part), sizeof part}); };
    add(layout.reactor(0));
    add(layout.worker(RingWorld::kStranger));
    for (const char byte : {'\xff', '\0', '\x80', '\x01'}) {
        for (const std::span<char> part : parts) {
            world_.begin();
            const auto messages = world_.take_all();
            const std::string before(part.data(), part.size());
            memset(part.data(), byte, part.size());
            for (const WorkerEnd::Message& taken : messages) {
                memset(static_cast<void*>(&layout.connection(taken.message.connection)), byte,
                       sizeof(ConnectionCell));
                memset(static_cast<void*>(&layout.proxy(taken.message.connection)), byte, sizeof(Address));
                memset(static_cast<void*>(&layout.path(taken.message.connection)), byte, sizeof(PathCell));
                world_.stranger().say(Command{command::Send{}, taken.message.connection, "hello"});
            }
            world_.end();
            ASSERT_EQ(world_.what_is_wrong(), "");
            memcpy(part.data(), before.data(), part.size());
        }
    }
}

/// What a worker had not begun when it died goes to another one, which believes what it gets.
class HostileHeritage : public HostileWorker {
  protected:
    struct Record {
        uint64_t begin;
        size_t bytes;
        uint16_t kind;
    };
    /// What waits in the stranger's ring.
    std::vector<Record> waiting() {
        std::vector<Record> records;
        RingConsumer in = world_.layout().in_consumer(0, RingWorld::kStranger);
        for (;;) {
            uint16_t kind = 0;
            const uint64_t begin = in.position();
            const std::span<char> record = in.take(kind);
            if (record.empty()) return records;
            records.push_back({begin, record.size(), kind});
        }
    }
    char* at(const Record& record) {
        return const_cast<char*>(world_.layout().in_producer(0, RingWorld::kStranger).at(record.begin));
    }
    /// The record's own fields, then what follows them, two bytes at a time.
    static std::vector<Field> fields_of(const Record& record) {
        std::vector<Field> fields = with_header(kInboundFields);
        for (size_t at = sizeof(InboundRecord); at + 2 <= record.bytes && at < 96; at += 2)
            fields.push_back({"of what follows", at, 2});
        return fields;
    }
    /// `tell` returns the place of the record that is to lie.
    void lie_dying(size_t number, const std::function<char*(const Record&)>& tell) {
        world_.begin();
        const Record honest = waiting()[number];
        world_.kill();
        for (const Field& field : fields_of(honest)) {
            std::set<uint64_t> values = {0};
            for (bool begins = true; !values.empty(); begins = false) {
                const uint64_t value = values.extract(values.begin()).value();
                last_lie = "message " + std::to_string(number) + ": " + field.name + " at " +
                           std::to_string(field.offset) + " = " + std::to_string(value);
                world_.begin();
                char* const place = tell(waiting()[number]) + field.offset;
                if (begins) {
                    values = values_for(read(place, field.bytes), field.bytes);
                } else {
                    memcpy(place, &value, field.bytes);
                }
                world_.kill();
                ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
            }
        }
    }
};

TEST_F(HostileHeritage, InTheRing) {
    for (size_t number = 0; number < 7; ++number)
        lie_dying(number, [this](const Record& record) { return at(record); });
}

/// The worker gives back the payload of a message that it has not begun: its page may be another message's
/// then.
TEST_F(HostileHeritage, WhosePayloadWasGivenBack) {
    const std::vector<Note> notes = {note::Release{0}, note::ReleaseFile{0}};
    for (const Note& note : notes) {
        world_.begin();
        world_.stranger().say(note);
        world_.turn(1);
        EXPECT_FALSE(world_.is_cut_off()) << "the worker has this page and this file";
        world_.kill();
        ASSERT_EQ(world_.what_is_wrong(), "");
    }
}

TEST_F(HostileHeritage, Park) {
    for (size_t number = 0; number < 3; ++number) {
        lie_dying(number, [this](const Record& record) {
            std::string ignored;
            for (std::optional<WorkerEnd::Message> taken; (taken = world_.stranger().take(ignored));) {
                if (taken->begin == record.begin) {
                    world_.stranger().say(Note(note::Park{taken->end, PageArena::kPageSize}));
                    break;
                }
            }
            char* const place =
                world_.layout().parked_arena(RingWorld::kStranger).data() + PageArena::kPageSize;
            memcpy(place, at(record), round_record(record.bytes));
            return place;
        });
    }
}

}  // namespace
}  // namespace sluice::test
