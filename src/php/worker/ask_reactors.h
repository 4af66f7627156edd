#pragma once

#include "php/worker/pending_questions.h"

namespace sluice::php {

struct Worker;

// Each of these suspends, and throws a ServerException where that is impossible.

/// Connections that have subscribed to a topic or to a prefix of it. False when it has thrown.
bool ask_subscribers(Worker& worker, std::string_view topic, double timeout_seconds, uint64_t& count);
/// Appends the subscribers' ids above `after` to the array `ids`: `most` of each reactor, in no order.
/// False when it has thrown.
bool ask_subscriber_ids(Worker& worker, std::string_view topic, uint16_t most, ConnectionId after,
                        double timeout_seconds, zval* ids);
/// Appends to the array `names` what a connection has subscribed to. False when it has thrown.
bool ask_topics(Worker& worker, ConnectionId id, TopicMatch match, double timeout_seconds, zval* names);
/// Attaches `data` to a connection. False when it has thrown.
bool ask_attach(Worker& worker, ConnectionId id, std::string_view data, double timeout_seconds,
                Delivery& delivery);

/// Waits until no more than `most_bytes` are queued for a connection, or it has ended, or `due_ms` has come.
Wake wait_for_room(Worker& worker, Coroutine& self, ConnectionId id, uint64_t most_bytes, uint64_t due_ms);

}  // namespace sluice::php
