#pragma once

#include <memory>
#include <string>

#include "php/http/response_object.h"
#include "protocol/http/conditions.h"
#include "protocol/http/content_encoder.h"
#include "server/seam/messages.h"

namespace sluice::php {

/// The encoder of one response, and what has come out of it and could not be sent yet.
struct ResponseEncoding {
    std::unique_ptr<http::ContentEncoder> encoder;  ///< nullptr once the body has been ended
    uint64_t client = 0;                            ///< who has it; see Budget
    std::string output;
};

/// Before the head is sent: decides whether the body is encoded, of which `body` is the first or only part,
/// and has the fields say so.
void begin_encoding(ResponseObject* self, Worker& worker, std::string_view body, bool last);

/// Encodes a part into the output, which is to be sent. False when it is not taken: nothing has changed, or
/// the response is broken and its connection closed.
bool encode_part(ResponseObject* self, Worker& worker, std::string_view body, bool last);
/// `delivery`: the fate of the output. Returns the fate of the part.
Delivery after_encoded_part(ResponseObject* self, Delivery delivery, bool last);

/// Call it before the worker ends.
void release_encoders();

/// Gives the encoder back.
void end_encoding(ResponseObject* self);
/// Gives the encoder back, and lets the response have none.
void forbid_encoding(ResponseObject* self);

/// As status_by_condition(), of a response that clients may have got encoded.
uint16_t status_by_condition_of_encoded(ResponseObject* self, bool is_read, http::Validators& current);

}  // namespace sluice::php
