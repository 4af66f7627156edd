#include "php/limits_class.h"

#include <cmath>

#include "php/objects.h"

namespace sluice::php {

zend_class_entry* limits_class = nullptr;

namespace {

constexpr zend_long kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

/// In the order of the constructor's parameters, which is that of the properties.
enum Place {
    kConnections,
    kArenaBytes,
    kRingBytes,
    kOutBytes,
    kLentBytes,
    kMessageBytes,
    kBodyBytes,
    kHeadBytes,
    kHeaderFields,
    kQueuedBytes,
    kFormFields,
    kPartHeadBytes,
    kCompressionBytes,
    kHandshakeSeconds,
    kHeadSeconds,
    kBodySeconds,
    kWriteSeconds,
    kKeepAliveSeconds,
    kCloseSeconds,
    kShutdownSeconds,
    kPlaces,
};
constexpr int kIntegers = kHandshakeSeconds;
constexpr int kSeconds = kPlaces - kIntegers;

struct Range {
    zend_long least, most;
};
constexpr Range kRanges[kIntegers] = {
    {1, 1'000'000},           // connections
    {kMiB, 64 * kGiB},        // arenaBytes
    {512 * kKiB, 64 * kMiB},  // ringBytes
    {kMiB, 64 * kGiB},        // outBytes
    {0, 64 * kGiB},           // lentBytes
    {1, kGiB},                // messageBytes
    {0, kGiB},                // bodyBytes
    {256, 65'535},            // headBytes
    {1, 1'000},               // headerFields
    {64 * kKiB, 4 * kGiB},    // queuedBytes
    {1, 100'000},             // formFields
    {256, 65'536},            // partHeadBytes
    {0, 64 * kGiB},           // compressionBytes
};
constexpr double kLeastSeconds = 0.001, kMostSeconds = 1e6;

zend_object_handlers handlers;

struct LimitsObject {
    zend_object object;
};

void free_limits(zend_object* object) {
    zend_object_std_dtor(object);
}

zend_object* create_limits(zend_class_entry* class_entry) {
    return &new_embedded<LimitsObject>(class_entry, handlers)->object;
}

bool check_integers(const zend_long (&values)[kIntegers]) {
    for (int place = 0; place < kIntegers; ++place) {
        const Range range = kRanges[place];
        if (values[place] < range.least || values[place] > range.most) {
            zend_argument_value_error(static_cast<uint32_t>(place) + 1,
                                      "must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT
                                      ", " ZEND_LONG_FMT " given",
                                      range.least, range.most, values[place]);
            return false;
        }
    }
    if (const zend_long ring = values[kRingBytes]; (ring & (ring - 1)) != 0) {
        zend_argument_value_error(kRingBytes + 1, "must be a power of two, " ZEND_LONG_FMT " given", ring);
        return false;
    }
    // A message must find room beside another one, or a single client could stop all others.
    const zend_long half = values[kArenaBytes] / 2;
    for (const int place : {kMessageBytes, kBodyBytes}) {
        if (values[place] > half) {
            zend_argument_value_error(static_cast<uint32_t>(place) + 1,
                                      "must be at most half of $arenaBytes, which is " ZEND_LONG_FMT
                                      ", " ZEND_LONG_FMT " given",
                                      half, values[place]);
            return false;
        }
    }
    return true;
}

bool check_seconds(const double (&values)[kSeconds]) {
    for (int index = 0; index < kSeconds; ++index) {
        const double value = values[index];
        if (std::isfinite(value) && value >= kLeastSeconds && value <= kMostSeconds) continue;
        zend_argument_value_error(static_cast<uint32_t>(kIntegers + index) + 1,
                                  "must be between 0.001 and 1000000 seconds, %.*H given", -1, value);
        return false;
    }
    return true;
}

uint64_t integer(zend_object* object, Place place) {
    return static_cast<uint64_t>(Z_LVAL_P(OBJ_PROP_NUM(object, place)));
}
uint32_t milliseconds(zend_object* object, Place place) {
    return static_cast<uint32_t>(std::lround(Z_DVAL_P(OBJ_PROP_NUM(object, place)) * 1000));
}

}  // namespace

void init_limits_class(zend_class_entry* class_entry) {
    limits_class = class_entry;
    class_entry->create_object = create_limits;
    init_handlers<LimitsObject>(handlers, free_limits);
}

Limits limits_of(zend_object* object) {
    Limits limits;
    limits.connections = static_cast<uint32_t>(integer(object, kConnections));
    limits.arena_bytes = integer(object, kArenaBytes);
    limits.ring_bytes = integer(object, kRingBytes);
    limits.out_bytes = integer(object, kOutBytes);
    limits.lent_bytes = integer(object, kLentBytes);
    limits.message_bytes = integer(object, kMessageBytes);
    limits.body_bytes = integer(object, kBodyBytes);
    limits.head_bytes = static_cast<uint32_t>(integer(object, kHeadBytes));
    limits.header_fields = static_cast<uint32_t>(integer(object, kHeaderFields));
    limits.queued_bytes = integer(object, kQueuedBytes);
    limits.form_fields = static_cast<uint32_t>(integer(object, kFormFields));
    limits.part_head_bytes = static_cast<uint32_t>(integer(object, kPartHeadBytes));
    limits.compression_bytes = integer(object, kCompressionBytes);
    limits.handshake_ms = milliseconds(object, kHandshakeSeconds);
    limits.head_ms = milliseconds(object, kHeadSeconds);
    limits.body_ms = milliseconds(object, kBodySeconds);
    limits.write_ms = milliseconds(object, kWriteSeconds);
    limits.keep_alive_ms = milliseconds(object, kKeepAliveSeconds);
    limits.close_ms = milliseconds(object, kCloseSeconds);
    limits.shutdown_ms = milliseconds(object, kShutdownSeconds);
    return limits;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Limits, __construct) {
    const sluice::Limits defaults;
    zend_long integers[kIntegers] = {
        defaults.connections,
        static_cast<zend_long>(defaults.arena_bytes),
        static_cast<zend_long>(defaults.ring_bytes),
        static_cast<zend_long>(defaults.out_bytes),
        static_cast<zend_long>(defaults.lent_bytes),
        static_cast<zend_long>(defaults.message_bytes),
        static_cast<zend_long>(defaults.body_bytes),
        defaults.head_bytes,
        defaults.header_fields,
        static_cast<zend_long>(defaults.queued_bytes),
        defaults.form_fields,
        defaults.part_head_bytes,
        static_cast<zend_long>(defaults.compression_bytes),
    };
    double seconds[kSeconds] = {
        defaults.handshake_ms / 1e3, defaults.head_ms / 1e3,       defaults.body_ms / 1e3,
        defaults.write_ms / 1e3,     defaults.keep_alive_ms / 1e3, defaults.close_ms / 1e3,
        defaults.shutdown_ms / 1e3,
    };
    ZEND_PARSE_PARAMETERS_START(0, kPlaces)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(integers[kConnections])
    Z_PARAM_LONG(integers[kArenaBytes])
    Z_PARAM_LONG(integers[kRingBytes])
    Z_PARAM_LONG(integers[kOutBytes])
    Z_PARAM_LONG(integers[kLentBytes])
    Z_PARAM_LONG(integers[kMessageBytes])
    Z_PARAM_LONG(integers[kBodyBytes])
    Z_PARAM_LONG(integers[kHeadBytes])
    Z_PARAM_LONG(integers[kHeaderFields])
    Z_PARAM_LONG(integers[kQueuedBytes])
    Z_PARAM_LONG(integers[kFormFields])
    Z_PARAM_LONG(integers[kPartHeadBytes])
    Z_PARAM_LONG(integers[kCompressionBytes])
    Z_PARAM_DOUBLE(seconds[0])
    Z_PARAM_DOUBLE(seconds[1])
    Z_PARAM_DOUBLE(seconds[2])
    Z_PARAM_DOUBLE(seconds[3])
    Z_PARAM_DOUBLE(seconds[4])
    Z_PARAM_DOUBLE(seconds[5])
    Z_PARAM_DOUBLE(seconds[6])
    ZEND_PARSE_PARAMETERS_END();

    zend_object* self = Z_OBJ_P(ZEND_THIS);
    if (Z_TYPE_P(OBJ_PROP_NUM(self, 0)) != IS_UNDEF) {
        zend_throw_error(nullptr, "Sluice\\Limits is constructed already and cannot be changed");
        RETURN_THROWS();
    }
    if (!check_integers(integers) || !check_seconds(seconds)) RETURN_THROWS();
    for (int place = 0; place < kIntegers; ++place)
        init_property(self, place, integers[place]);
    for (int index = 0; index < kSeconds; ++index)
        init_property(self, kIntegers + index, seconds[index]);
}
