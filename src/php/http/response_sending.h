#pragma once

#include "php/http/response_object.h"
#include "protocol/http/conditions.h"

namespace sluice::php {

/// One command's worth of a response.
struct ResponsePiece {
    std::string_view body = {};
    bool encoded = false;               ///< in place of `body`, what the encoder has put out
    uint64_t length = http::kNoLength;  ///< of the whole body, when it comes in parts and is known
    bool last = false;
    command::FilePart file = {};  ///< in place of `body`
};

/// What to do when there is no room for a piece of a response.
enum class NoRoom {
    kWait,  ///< suspends, and may return with an exception; as kKeep where suspending is impossible
    kKeep,  ///< the port keeps it until there is room
};

/// Sends the head, when it was not sent, and a piece of the body as it is.
Delivery submit_piece(ResponseObject* self, Worker& worker, const ResponsePiece& piece, NoRoom no_room);
/// submit_piece() for a part of the body, which is compressed here if it is to be.
Delivery submit_part(ResponseObject* self, Worker& worker, const ResponsePiece& part, NoRoom no_room);
/// What the method write() does after its checks; may suspend, and come back with an exception.
Delivery write_part(ResponseObject* self, std::string_view chunk);
/// Whether a body that has come to `bytes` may end there.
bool length_is_kept(const ResponseObject* self, uint64_t bytes);
/// Whether `bytes` more of a body are allowed; throws when not.
bool check_body(const ResponseObject* self, size_t bytes, bool last);
/// Sends what is left; for a GET or HEAD whose conditions say so, 304 or 412 instead. `return_value` becomes
/// the delivery.
void finish(zval* return_value, ResponseObject* self, std::string_view body, const char* content_type);
/// What the request's conditions make of the response, as `http::evaluate_conditions()`. `may_be_encoded`:
/// the client may have got it compressed; a 304 then tells of which one.
uint16_t status_by_condition(ResponseObject* self, bool may_be_encoded);
/// Finishes with that status and without a body.
Delivery finish_without_body(ResponseObject* self, uint16_t status);

/// Marks the response as ended.
void mark_ended(ResponseObject* self, Worker& worker);

}  // namespace sluice::php
