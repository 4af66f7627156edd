#include "php/sockets/framing_class.h"

#include "php/zend/enum_cases.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"

namespace sluice::php {

zend_class_entry* framing_class = nullptr;
zend_class_entry* byte_order_class = nullptr;

namespace {

constexpr zend_long kMostMessageBytes = zend_long{1} << 30;

zend_object_handlers handlers;

struct FramingObject {
    tcp::Framing framing;
    zend_object object;
};

void free_framing(zend_object* object) {
    zend_object_std_dtor(object);
}

zend_object* create_framing(zend_class_entry* class_entry) {
    FramingObject* self = new_embedded<FramingObject>(class_entry, handlers);
    self->framing = tcp::Framing();
    return &self->object;
}

void return_framing(zval* return_value, const tcp::Framing& framing) {
    object_init_ex(return_value, framing_class);
    embedded<FramingObject>(return_value)->framing = framing;
}

bool check_max_bytes(zend_long max_bytes, uint32_t number) {
    if (max_bytes >= 1 && max_bytes <= kMostMessageBytes) return true;
    zend_argument_value_error(number, "must be between 1 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                              kMostMessageBytes, max_bytes);
    return false;
}

}  // namespace

void init_framing_class(zend_class_entry* class_entry) {
    framing_class = class_entry;
    class_entry->create_object = create_framing;
    init_handlers<FramingObject>(handlers, free_framing);
}

const tcp::Framing& framing_of(zend_object* object) {
    return embedded<FramingObject>(object)->framing;
}

}  // namespace sluice::php

using namespace sluice::php;
using sluice::tcp::Framing;

ZEND_METHOD(Sluice_Tcp_Framing, __construct) {
    ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Sluice_Tcp_Framing, line) {
    zend_string* delimiter = nullptr;
    zend_long max_bytes = 65536;
    ZEND_PARSE_PARAMETERS_START(0, 2)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR(delimiter)
    Z_PARAM_LONG(max_bytes)
    ZEND_PARSE_PARAMETERS_END();

    const std::string_view bytes = delimiter ? view(delimiter) : "\n";
    if (bytes.empty() || bytes.size() > Framing::kMaxDelimiterBytes) {
        zend_argument_value_error(1, "must be between 1 and %d bytes long, %zu given",
                                  static_cast<int>(Framing::kMaxDelimiterBytes), bytes.size());
        RETURN_THROWS();
    }
    if (!check_max_bytes(max_bytes, 2)) RETURN_THROWS();
    return_framing(return_value, Framing::line(bytes, static_cast<uint64_t>(max_bytes)));
}

ZEND_METHOD(Sluice_Tcp_Framing, lengthPrefix) {
    zend_long width = 4, offset = 0, max_bytes = 16777216;
    zend_object* order = nullptr;
    bool includes_header = false, keep_header = false;
    ZEND_PARSE_PARAMETERS_START(0, 6)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(width)
    Z_PARAM_LONG(offset)
    Z_PARAM_OBJ_OF_CLASS(order, byte_order_class)
    Z_PARAM_BOOL(includes_header)
    Z_PARAM_BOOL(keep_header)
    Z_PARAM_LONG(max_bytes)
    ZEND_PARSE_PARAMETERS_END();

    if (width != 1 && width != 2 && width != 3 && width != 4 && width != 8) {
        zend_argument_value_error(1, "must be 1, 2, 3, 4 or 8, " ZEND_LONG_FMT " given", width);
        RETURN_THROWS();
    }
    constexpr zend_long kMostOffset = static_cast<zend_long>(Framing::kMaxHeaderBytes) - 8;
    if (offset < 0 || offset > kMostOffset) {
        zend_argument_value_error(2, "must be between 0 and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given",
                                  kMostOffset, offset);
        RETURN_THROWS();
    }
    if (!check_max_bytes(max_bytes, 6)) RETURN_THROWS();

    Framing framing = Framing::length_prefix(static_cast<uint32_t>(width), static_cast<uint64_t>(max_bytes));
    framing.length_offset = static_cast<uint32_t>(offset);
    framing.little_endian = order && is_case(order, "LittleEndian");
    framing.deliver_header = keep_header;
    if (includes_header) framing.length_counts_header();
    if (keep_header && static_cast<uint64_t>(max_bytes) < framing.header_bytes()) {
        zend_argument_value_error(
            6, "must be at least the %zu bytes of the header that is kept, " ZEND_LONG_FMT " given",
            framing.header_bytes(), max_bytes);
        RETURN_THROWS();
    }
    const Sentence wrong{framing.validate()};
    if (!wrong.empty()) {
        zend_value_error("%s", wrong.text());
        RETURN_THROWS();
    }
    return_framing(return_value, framing);
}

ZEND_METHOD(Sluice_Tcp_Framing, none) {
    ZEND_PARSE_PARAMETERS_NONE();
    return_framing(return_value, Framing::none());
}
