#pragma once

#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "ring_world.h"

namespace sluice::test {

/// The lie that was written last, for the sanitisers' reports.
inline std::string last_lie;

#ifdef __SANITIZE_ADDRESS__
[[maybe_unused]] inline const bool says_at_death = [] {
    __sanitizer_set_death_callback([] { fprintf(stderr, "the worker wrote %s\n", last_lie.c_str()); });
    return true;
}();
#endif

struct Field {
    const char* name;
    size_t offset;
    size_t bytes;
};

/// A field of a record, with the names of the record and of the field.
#define FIELD(Record, field)                                   \
    Field {                                                    \
#field, offsetof(Record, field), sizeof(Record::field) \
    }
inline const std::vector<Field> kHeaderFields = {FIELD(RecordHeader, size), FIELD(RecordHeader, kind),
                                                 FIELD(RecordHeader, flags)};
inline const std::vector<Field> kCommandFields = {
    FIELD(CommandRecord, connection), FIELD(CommandRecord, request),    FIELD(CommandRecord, status),
    FIELD(CommandRecord, most_ids),   FIELD(CommandRecord, text_bytes), FIELD(CommandRecord, payload_bytes),
    FIELD(CommandRecord, out_offset), FIELD(CommandRecord, length)};
inline const std::vector<Field> kNoteFields = {FIELD(NoteRecord, message_end),
                                               FIELD(NoteRecord, parked_offset)};
inline std::vector<Field> with_header(const std::vector<Field>& fields) {
    std::vector<Field> all = kHeaderFields;
    all.insert(all.end(), fields.begin(), fields.end());
    return all;
}

/// Values at the edges of a field's range and of what the field counts, and around its true value.
inline std::set<uint64_t> values_for(uint64_t truth, size_t bytes) {
    const uint64_t most = bytes == 8 ? UINT64_MAX : (uint64_t{1} << (8 * bytes)) - 1;
    std::set<uint64_t> values;
    for (const uint64_t value :
         {uint64_t{0}, uint64_t{1}, truth - 1, truth + 1, truth + 8, truth - 8, ~truth, most, most - 7,
          most / 2, most / 2 + 1, uint64_t{PageArena::kPageSize}, RingWorld::kRingBytes,
          RingWorld::kArenaBytes, RingWorld::kOutBytes - PageArena::kPageSize, RingWorld::kOutBytes})
        values.insert(value & most);
    if (bytes == 2) {
        for (unsigned bit = 0; bit < 16; ++bit)
            values.insert(truth ^ (uint64_t{1} << bit));
    }
    values.erase(truth);
    return values;
}

inline uint64_t read(const char* place, size_t bytes) {
    uint64_t value = 0;
    memcpy(&value, place, bytes);
    return value;
}

/// A worker that lies and dies, again and again; each time nothing of it is left.
class HostileWorker : public testing::Test {
  protected:
    void TearDown() override {
        EXPECT_TRUE(world_.holds_nothing());
        EXPECT_EQ(world_.what_is_wrong(), "");
    }
    /// One life for each lie in `fields`. `tell` makes the worker write a record, and returns the record's
    /// place; the reactor sees the record when one of its fields lies.
    void lie(const std::string& what, const std::vector<Field>& fields, const std::function<char*()>& tell) {
        for (const Field& field : fields) {
            uint64_t truth = 0;
            {
                world_.begin();
                char* const place = tell();
                ASSERT_NE(place, nullptr) << what;
                truth = read(place + field.offset, field.bytes);
                world_.stranger().commit();
                world_.end();
                is_believed_ = !world_.is_cut_off();
            }
            for (const uint64_t value : values_for(truth, field.bytes)) {
                last_lie = what + ": " + field.name + " = " + std::to_string(value);
                world_.begin();
                char* const place = tell();
                memcpy(place + field.offset, &value, field.bytes);
                world_.stranger().commit();
                world_.end();
                ++lies_;
                if (world_.is_cut_off()) ++cut_off_;
                ASSERT_EQ(world_.what_is_wrong(), "") << last_lie;
            }
        }
    }

    RingWorld world_;
    size_t lies_ = 0;
    size_t cut_off_ = 0;
    bool is_believed_ = false;  ///< what was told last, when no field of it lied
};

}  // namespace sluice::test
