#include "php/http/response_encoding.h"

#include <algorithm>

#include "php/http/response_fields.h"
#include "php/options/http_compression_class.h"
#include "php/worker/handler_calls.h"
#include "php/worker/worker.h"
#include "protocol/http/compression_policy.h"
#include "protocol/http/http1_response.h"
#include "server/config/limits.h"
#include "server/sharing/budget.h"

namespace sluice::php {

namespace {

using http::Coding;
using http::ContentEncoder;

/// Limit of encoded bytes that found no room to the reactor: above it no more of the body is taken.
constexpr size_t kMostUnsentBytes = 65536;

/// This worker's encoders.
struct Encoders {
    explicit Encoders(uint64_t most_bytes) : pool(most_bytes), lent(most_bytes) {}
    http::EncoderPool pool;
    Budget lent;  ///< for responses in parts, which have them for as long as they last
};

/// Made for the first encoded response.
std::unique_ptr<Encoders> encoders;

size_t memory_of(const ContentEncoder& encoder) {
    return ContentEncoder::memory_bound(encoder.coding(), encoder.level());
}

/// For a response in parts. nullptr: there is no room, or its client has its share.
std::unique_ptr<ContentEncoder> lend(uint64_t client, Coding coding, int level) {
    Budget& lent = encoders->lent;
    const size_t bytes = ContentEncoder::memory_bound(coding, level);
    // Of few there is no last eighth.
    const bool is_shared = lent.rule().most >= ShareRule::kReserve * bytes && lent.used_by(client) > 0;
    if (is_shared && !lent.may_have(client, bytes)) return nullptr;
    auto encoder = encoders->pool.lend(coding, level);
    if (encoder) lent.charge(client, bytes);
    return encoder;
}

void take_back(ResponseEncoding& encoding, bool is_usable = true) {
    encoders->lent.give_back(encoding.client, memory_of(*encoding.encoder));
    encoders->pool.give_back(std::move(encoding.encoder), is_usable);
}

Coding wanted_coding(const ResponseObject* self, const http::CompressionPolicy& policy) {
    return http::AcceptedCodings::of(self->head->fields(), self->head->text()).best_of(policy.codings);
}

/// Whether a client that takes an encoding would get this response in one.
bool is_eligible(const ResponseObject* self, const http::CompressionPolicy& policy, size_t bytes, bool last) {
    if (!http1::status_has_body(self->status) || self->status == 206) return false;
    const bool is_known = last || self->has_length;
    const uint64_t whole = self->has_length ? self->declared_bytes : bytes;
    if (is_known && (whole == 0 || whole < policy.min_bytes)) return false;
    std::string_view type;
    return self->fields.s && http::allows_encoding(view(self->fields.s), type) && policy.takes_type(type);
}

void set_etag(ResponseObject* self, std::string_view tag) {
    if (self->etag) {
        zend_string_release(self->etag);
        self->etag = zend_string_init(tag.data(), tag.size(), false);
    }
    remove_field(self, "etag");
    append_field(self, "ETag", tag);
}

void mark_encoded(ResponseObject* self, Coding coding) {
    remove_field(self, "content-length");
    append_field(self, "Content-Encoding", http::coding_name(coding));
    if (const std::string_view tag = field_value(self, "etag"); !tag.empty()) {
        // The memory of a C++ string must not be on the stack while PHP allocates, for that may not return.
        char text[512];
        const std::string_view name = http::coding_name(coding);
        const size_t size = tag.size() + 1 + name.size();
        if (tag.front() == '"' && tag.size() >= 2 && size <= sizeof text) {
            char* end = std::copy(tag.begin(), tag.end() - 1, text);
            *end++ = '-';
            end = std::copy(name.begin(), name.end(), end);
            *end = '"';
            set_etag(self, {text, size});
        } else if (tag.front() == '"') {
            remove_field(self, "etag");  // it would name two representations
        }
    }
    self->is_encoded = true;
}

}  // namespace

void begin_encoding(ResponseObject* self, Worker& worker, std::string_view body, bool last) {
    if (self->encoding || self->is_encoded) return;  // the head could not be sent the last time
    const http::CompressionPolicy& policy = policy_of(self->compression);
    if (!is_eligible(self, policy, body.size(), last)) return;
    add_vary(self);
    const Coding coding = wanted_coding(self, policy);
    if (coding == Coding::kIdentity) return;
    if (self->to_head_request) {
        mark_encoded(self, coding);
        return;
    }
    if (!encoders) encoders = std::make_unique<Encoders>(worker.port->limits().encoding_bytes);
    const int level = policy.levels[static_cast<size_t>(coding)];
    auto encoding = std::make_unique<ResponseEncoding>();
    if (last) {
        auto encoder = encoders->pool.lend(coding, level);
        if (!encoder) return;
        const bool is_well = encoder->encode(body, ContentEncoder::Step::kEnd, encoding->output);
        encoders->pool.give_back(std::move(encoder), is_well);
        if (!is_well || encoding->output.size() >= body.size()) return;
    } else {
        encoding->client = current_client();
        encoding->encoder = lend(encoding->client, coding, level);
        if (!encoding->encoder) return;
    }
    self->encoding = encoding.release();
    mark_encoded(self, coding);
}

bool encode_part(ResponseObject* self, Worker& worker, std::string_view body, bool last) {
    ResponseEncoding& encoding = *self->encoding;
    bool is_well = true;
    if (encoding.encoder && (last || !body.empty())) {
        if (!last && encoding.output.size() > kMostUnsentBytes) return false;
        is_well = encoding.encoder->encode(
            body, last ? ContentEncoder::Step::kEnd : ContentEncoder::Step::kFlush, encoding.output);
        if (last || !is_well) take_back(encoding, is_well);
    }
    if (!is_well) {
        // Out of memory: the body is lost, and the client must notice that it is incomplete.
        self->lost_bytes = true;
        self->abandoned = true;
        close_connection(self, worker);
        return false;
    }
    return true;
}

Delivery after_encoded_part(ResponseObject* self, Delivery delivery, bool last) {
    if (delivery == Delivery::kClosed) {
        end_encoding(self);
        self->abandoned = true;
        return delivery;
    }
    // Encoded bytes cannot be taken back: they wait, and are sent with the next part.
    if (delivery == Delivery::kDropped) return last ? delivery : Delivery::kQueued;
    self->encoding->output.clear();
    return delivery;
}

void release_encoders() {
    encoders.reset();
}

void end_encoding(ResponseObject* self) {
    if (!self->encoding) return;
    if (self->encoding->encoder && encoders) take_back(*self->encoding);
    delete self->encoding;
    self->encoding = nullptr;
}

void forbid_encoding(ResponseObject* self) {
    end_encoding(self);
    self->is_encoded = false;
    if (!self->compression) return;
    zend_object* compression = self->compression;
    self->compression = nullptr;
    OBJ_RELEASE(compression);
}

uint16_t status_by_condition_of_encoded(ResponseObject* self, bool is_read, http::Validators& current) {
    const http::CompressionPolicy& policy = policy_of(self->compression);
    // For a read only the coding that the client would get now counts, for a write any coding.
    const Coding wanted = wanted_coding(self, policy);
    uint16_t status;
    char text[512];
    size_t size = 0;
    {
        std::string tags[4];
        std::string_view views[4];
        size_t count = 0;
        for (const Coding coding : policy.codings) {
            if (current.etag.empty() || (is_read && coding != wanted)) continue;
            tags[count] = http::entity_tag_of(current.etag, coding);
            views[count] = tags[count];
            ++count;
        }
        current.encoded_etags = {views, count};
        std::string_view matched = current.etag;
        status =
            http::evaluate_conditions(self->head->fields(), self->head->text(), is_read, current, &matched);
        if (status == 304 && matched.size() <= sizeof text) {
            memcpy(text, matched.data(), matched.size());
            size = matched.size();
        }
        current.encoded_etags = {};
    }
    if (status == 304) {
        add_vary(self);
        if (size && self->etag) set_etag(self, {text, size});
    }
    return status;
}

}  // namespace sluice::php
