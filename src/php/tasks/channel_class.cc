#include "php/tasks/channel_class.h"

#include <zend_interfaces.h>

#include "php/coroutine/deadlines.h"
#include "php/coroutine/require_coroutine.h"
#include "php/coroutine/wait_queue.h"
#include "php/zend/objects.h"
#include "php/zend/php_versions.h"

namespace sluice::php {

zend_class_entry* closed_exception_class = nullptr;

namespace {

constexpr zend_long kMostItems = 1'000'000;

/// A coroutine that waits to push or to pop an item.
struct ItemWaiter : Waiter {
    zval item;
};

struct ChannelObject {
    zval* items;     ///< a ring buffer, which grows as needed
    uint32_t room;   ///< of the ring
    uint32_t begin;  ///< the oldest item
    uint32_t count;  ///< may exceed the capacity: a cancelled popper puts its item back
    zend_long capacity;
    WaitQueue pushers;
    WaitQueue poppers;  ///< only while there are no items
    bool closed;
    zend_object object;
};

zend_class_entry* channel_class;
zend_object_handlers handlers;

zend_object* create_channel(zend_class_entry* class_entry) {
    return &new_embedded<ChannelObject>(class_entry, handlers)->object;
}

zval& item_at(const ChannelObject* channel, uint32_t index) {
    return channel->items[(channel->begin + index) % channel->room];
}

void free_channel(zend_object* object) {
    ChannelObject* channel = embedded<ChannelObject>(object);
    for (uint32_t index = 0; index < channel->count; ++index)
        zval_ptr_dtor(&item_at(channel, index));
    if (channel->items) efree(channel->items);
    zend_object_std_dtor(object);
}

HashTable* channel_references(zend_object* object, zval** table, int* count) {
    ChannelObject* channel = embedded<ChannelObject>(object);
    zend_get_gc_buffer* buffer = zend_get_gc_buffer_create();
    for (uint32_t index = 0; index < channel->count; ++index)
        zend_get_gc_buffer_add_zval(buffer, &item_at(channel, index));
    zend_get_gc_buffer_use(buffer, table, count);
    return zend_std_get_properties(object);
}

void make_room(ChannelObject* channel) {
    if (channel->count < channel->room) return;
    const uint32_t room = channel->room ? channel->room * 2 : 8;
    zval* items = static_cast<zval*>(safe_emalloc(room, sizeof(zval), 0));
    for (uint32_t index = 0; index < channel->count; ++index)
        ZVAL_COPY_VALUE(&items[index], &item_at(channel, index));
    if (channel->items) efree(channel->items);
    channel->items = items;
    channel->room = room;
    channel->begin = 0;
}

/// Appends the item; takes over its reference.
void append(ChannelObject* channel, zval* item) {
    make_room(channel);
    ++channel->count;
    ZVAL_COPY_VALUE(&item_at(channel, channel->count - 1), item);
}

/// Puts an undelivered item back: gives it to the longest waiting popper, or to the front.
void put_back(ChannelObject* channel, zval* item) {
    if (Waiter* popper = channel->poppers.serve_first()) {
        ZVAL_COPY_VALUE(&static_cast<ItemWaiter*>(popper)->item, item);
        return;
    }
    make_room(channel);
    channel->begin = (channel->begin + channel->room - 1) % channel->room;
    ++channel->count;
    ZVAL_COPY_VALUE(&item_at(channel, 0), item);
}

void throw_closed(const char* what) {
    zend_throw_exception(closed_exception_class, what, 0);
}

/// Copies the item. False with an exception when it was not handed on.
bool push(ChannelObject* channel, zval* item, const Timeout& timeout) {
    if (channel->closed) {
        throw_closed("The channel is closed: nothing more can be pushed");
        return false;
    }
    if (Waiter* popper = channel->poppers.serve_first()) {
        ZVAL_COPY(&static_cast<ItemWaiter*>(popper)->item, item);
        return true;
    }
    if (channel->count < channel->capacity) {
        Z_TRY_ADDREF_P(item);
        append(channel, item);
        return true;
    }
    Coroutine* self = require_coroutine();
    if (!self) return false;
    ItemWaiter waiter{{self}, {}};
    ZVAL_COPY(&waiter.item, item);
    const Wake wake = channel->pushers.wait(waiter, timeout.due_ms());
    if (waiter.served) return wake != Wake::kInterrupted;
    zval_ptr_dtor(&waiter.item);
    if (wake == Wake::kTimedOut) {
        timeout.expire("The channel was full, and nobody has taken anything");
    } else if (wake != Wake::kInterrupted) {
        throw_closed("The channel was closed while push() waited for room");
    }
    return false;
}

enum class Popped { kItem, kClosed, kThrown };

/// Takes the oldest item, with its reference.
Popped pop(ChannelObject* channel, zval* item, const Timeout& timeout) {
    if (channel->count > 0) {
        ZVAL_COPY_VALUE(item, &item_at(channel, 0));
        channel->begin = (channel->begin + 1) % channel->room;
        --channel->count;
        if (channel->count < channel->capacity) {
            if (Waiter* pusher = channel->pushers.serve_first())
                append(channel, &static_cast<ItemWaiter*>(pusher)->item);
        }
        return Popped::kItem;
    }
    if (Waiter* pusher = channel->pushers.serve_first()) {
        ZVAL_COPY_VALUE(item, &static_cast<ItemWaiter*>(pusher)->item);
        return Popped::kItem;
    }
    if (channel->closed) return Popped::kClosed;
    Coroutine* self = require_coroutine();
    if (!self) return Popped::kThrown;
    ItemWaiter waiter{{self}, {}};
    const Wake wake = channel->poppers.wait(waiter, timeout.due_ms());
    if (wake == Wake::kInterrupted) {
        if (waiter.served) put_back(channel, &waiter.item);
        return Popped::kThrown;
    }
    if (waiter.served) {
        ZVAL_COPY_VALUE(item, &waiter.item);
        return Popped::kItem;
    }
    if (wake == Wake::kWoken) return Popped::kClosed;
    timeout.expire("The channel was empty, and nobody has pushed anything");
    return Popped::kThrown;
}

// -- foreach

struct ChannelIterator {
    zend_object_iterator iterator;
    zval item;  ///< UNDEF before the first and after the last item
    zend_ulong place;
};

ChannelIterator* mine(zend_object_iterator* iterator) {
    return reinterpret_cast<ChannelIterator*>(iterator);
}

void drop_item(zend_object_iterator* iterator) {
    zval_ptr_dtor(&mine(iterator)->item);
    ZVAL_UNDEF(&mine(iterator)->item);
}

void free_iterator(zend_object_iterator* iterator) {
    drop_item(iterator);
    zval_ptr_dtor(&iterator->data);
}

IteratorAnswer has_item(zend_object_iterator* iterator) {
    zval* item = &mine(iterator)->item;
    if (Z_TYPE_P(item) != IS_UNDEF) return SUCCESS;
    zval found;
    if (pop(embedded<ChannelObject>(&iterator->data), &found, Timeout{}) != Popped::kItem) return FAILURE;
    ZVAL_COPY_VALUE(item, &found);
    return SUCCESS;
}

zval* current_item(zend_object_iterator* iterator) {
    return &mine(iterator)->item;
}

void current_key(zend_object_iterator* iterator, zval* key) {
    ZVAL_LONG(key, static_cast<zend_long>(mine(iterator)->place));
}

void next_item(zend_object_iterator* iterator) {
    drop_item(iterator);
    ++mine(iterator)->place;
}

void begin_again(zend_object_iterator*) {}

const zend_object_iterator_funcs kIteratorFunctions = {
    free_iterator, has_item, current_item, current_key, next_item, begin_again, nullptr, nullptr,
};

zend_object_iterator* get_iterator(zend_class_entry*, zval* object, int by_reference) {
    if (by_reference) {
        zend_throw_error(nullptr, "The items of a channel cannot be iterated by reference");
        return nullptr;
    }
    auto* iterator = static_cast<ChannelIterator*>(emalloc(sizeof(ChannelIterator)));
    zend_iterator_init(&iterator->iterator);
    iterator->iterator.funcs = &kIteratorFunctions;
    ZVAL_OBJ_COPY(&iterator->iterator.data, Z_OBJ_P(object));
    ZVAL_UNDEF(&iterator->item);
    iterator->place = 0;
    return &iterator->iterator;
}

}  // namespace

void init_channel_class(zend_class_entry* class_entry) {
    channel_class = class_entry;
    class_entry->create_object = create_channel;
    class_entry->get_iterator = get_iterator;
    init_handlers<ChannelObject>(handlers, free_channel);
    handlers.get_gc = channel_references;
}

}  // namespace sluice::php

using namespace sluice::php;

ZEND_METHOD(Sluice_Coroutine_Channel, __construct) {
    zend_long capacity = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(capacity)
    ZEND_PARSE_PARAMETERS_END();
    if (capacity < 0 || capacity > kMostItems) {
        zend_argument_value_error(1, "must be between 0 and " ZEND_LONG_FMT " items, " ZEND_LONG_FMT " given",
                                  kMostItems, capacity);
        RETURN_THROWS();
    }
    embedded<ChannelObject>(ZEND_THIS)->capacity = capacity;
}

ZEND_METHOD(Sluice_Coroutine_Channel, push) {
    zval* item;
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_ZVAL(item)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout.check(2)) push(embedded<ChannelObject>(ZEND_THIS), item, timeout);
}

ZEND_METHOD(Sluice_Coroutine_Channel, pop) {
    Timeout timeout;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_DOUBLE_OR_NULL(timeout.seconds, timeout.is_null)
    ZEND_PARSE_PARAMETERS_END();
    if (!timeout.check(1)) RETURN_THROWS();
    if (pop(embedded<ChannelObject>(ZEND_THIS), return_value, timeout) == Popped::kClosed)
        throw_closed("The channel is closed, and nothing is left in it");
}

ZEND_METHOD(Sluice_Coroutine_Channel, close) {
    ZEND_PARSE_PARAMETERS_NONE();
    ChannelObject* channel = embedded<ChannelObject>(ZEND_THIS);
    if (channel->closed) return;
    channel->closed = true;
    channel->pushers.wake_all();
    channel->poppers.wake_all();
}

ZEND_METHOD(Sluice_Coroutine_Channel, isClosed) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(embedded<ChannelObject>(ZEND_THIS)->closed);
}

ZEND_METHOD(Sluice_Coroutine_Channel, count) {
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(embedded<ChannelObject>(ZEND_THIS)->count);
}

ZEND_METHOD(Sluice_Coroutine_Channel, getIterator) {
    ZEND_PARSE_PARAMETERS_NONE();
    zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
