// Sluice\Http\Response::sendFile().
#include "php/http/send_file.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <fcntl.h>
#include <sys/random.h>

#include "php/http/response_fields.h"
#include "php/http/response_sending.h"
#include "php/worker/delivery.h"
#include "php/worker/worker.h"
#include "php/zend/errors.h"
#include "php/zend/objects.h"
#include "protocol/http/byte_ranges.h"
#include "protocol/http/content_disposition.h"
#include "protocol/http/http1_response.h"
#include "protocol/http/http_date.h"
#include "protocol/http/http_syntax.h"
#include "protocol/http/mime_types.h"

namespace sluice::php {

namespace {

constexpr size_t kBoundaryBytes = 24;
/// Room for the fixed text and the numbers in front of one part.
constexpr size_t kPartHeadBound = 192;

/// Validators from modification time and size: two versions of equal size within one tick of the kernel's
/// clock look alike.
void add_validators(ResponseObject* self, const FileToSend& file) {
    if (!self->etag && !has_field(self, "etag")) {
        self->etag = zend_strpprintf(0, "\"%" PRIx64 ".%" PRIx64 "-%" PRIx64 "\"",
                                     static_cast<uint64_t>(file.modified_s),
                                     static_cast<uint64_t>(file.modified_ns), file.size);
        append_field(self, "ETag", view(self->etag));
    }
    if (!self->has_last_modified && !has_field(self, "last-modified") && file.modified_s >= 0) {
        self->last_modified_s = file.modified_s;
        self->has_last_modified = true;
        char date[http::kDateBytes];
        http::format_date(file.modified_s, date);
        append_field(self, "Last-Modified", {date, sizeof date});
    }
}

/// Submits without waiting for the client: a range of a file takes no memory in its queue.
Delivery submit_and_count(ResponseObject* self, const ResponsePiece& piece) {
    Worker& worker = *current_worker();
    const Delivery delivery = submit_piece(self, worker, piece, NoRoom::kWait);
    if (delivery == Delivery::kDropped || EG(exception)) {
        self->lost_bytes = true;
        return delivery;
    }
    if (!self->open) return delivery;
    self->sent_bytes += piece.file ? piece.file.bytes : piece.body.size();
    if (piece.last) mark_ended(self, worker);
    return delivery;
}

ResponsePiece piece_of(const FileToSend& file, const http::ByteRange& range) {
    return {.file = {file.fd, range.first, range.bytes}};
}

/// Sends the whole file, or one range of it.
Delivery submit_range(ResponseObject* self, const FileToSend& file, const http::ByteRange& range) {
    ResponsePiece piece;
    if (self->to_head_request) {
        piece.length = range.bytes;
    } else {
        piece = piece_of(file, range);
    }
    piece.last = true;
    return submit_and_count(self, piece);
}

void append_content_range(ResponseObject* self, const http::ByteRange& range, uint64_t size) {
    char value[80];
    const int bytes = snprintf(value, sizeof value, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, range.first,
                               range.last(), size);
    append_field(self, "Content-Range", {value, static_cast<size_t>(bytes)});
}

void make_boundary(char (&boundary)[kBoundaryBytes + 1]) {
    unsigned char random[kBoundaryBytes / 2] = {};
    if (getrandom(random, sizeof random, 0) < 0) {
        // Then it can be guessed, and a file that holds it confuses its own reader.
    }
    for (size_t i = 0; i < sizeof random; ++i)
        snprintf(boundary + 2 * i, 3, "%02x", random[i]);
}

/// RFC 9110 14.6: each range is a part with a head that says which one it is.
Delivery submit_parts(ResponseObject* self, const FileToSend& file, const http::ByteRanges& ranges) {
    char boundary[kBoundaryBytes + 1];
    make_boundary(boundary);
    zend_string* type = new_string(field_value(self, "content-type"));
    remove_field(self, "content-type");
    zend_string* whole_type = zend_strpprintf(0, "multipart/byteranges; boundary=%s", boundary);
    append_field(self, "Content-Type", view(whole_type));
    zend_string_release(whole_type);

    // All that is not of the file, one after the other: the heads of the parts, and the closing boundary.
    zend_string* text =
        zend_string_alloc(ranges.size() * (kPartHeadBound + ZSTR_LEN(type)) + kPartHeadBound, false);
    size_t ends[http::kMostRanges + 1];
    size_t written = 0, count = 0;
    uint64_t length = 0;
    const auto print = [&](const char* format, auto... values) {
        written += static_cast<size_t>(
            snprintf(ZSTR_VAL(text) + written, ZSTR_LEN(text) - written, format, values...));
    };
    for (const http::ByteRange& range : ranges.all()) {
        print("%s--%s\r\n", count ? "\r\n" : "", boundary);
        if (ZSTR_LEN(type)) print("Content-Type: %s\r\n", ZSTR_VAL(type));
        print("Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n\r\n", range.first, range.last(),
              file.size);
        ends[count++] = written;
        length += range.bytes;
    }
    print("\r\n--%s--\r\n", boundary);
    ends[count] = written;
    length += written;
    zend_string_release(type);

    Delivery delivery = Delivery::kSent;
    size_t from = 0;
    for (size_t i = 0; i <= count; ++i) {
        const std::string_view head{ZSTR_VAL(text) + from, ends[i] - from};
        from = ends[i];
        delivery = submit_and_count(self, {.body = head, .length = length, .last = i == count});
        if (delivery == Delivery::kDropped || delivery == Delivery::kClosed || i == count) break;
        delivery = submit_and_count(self, piece_of(file, ranges.all()[i]));
        if (delivery == Delivery::kDropped || delivery == Delivery::kClosed) break;
    }
    zend_string_release(text);
    return delivery;
}

Delivery submit_file(ResponseObject* self, const FileToSend& file) {
    if (const uint16_t status = status_by_condition(self, false)) return finish_without_body(self, status);
    http::ByteRanges ranges;
    http::RangeAnswer answer = http::RangeAnswer::kWhole;
    // Only GET has ranges (RFC 9110 14.2).
    if (self->status == 200 && self->head->head.method == http::Method::kGet) {
        answer = http::requested_ranges(self->head->fields(), self->head->text(), field_value(self, "etag"),
                                        field_value(self, "last-modified"), file.size, ranges);
    }
    switch (answer) {
        case http::RangeAnswer::kWhole: break;
        case http::RangeAnswer::kUnsatisfiable: {
            char value[40];
            const int bytes = snprintf(value, sizeof value, "bytes */%" PRIu64, file.size);
            append_field(self, "Content-Range", {value, static_cast<size_t>(bytes)});
            return finish_without_body(self, 416);
        }
        case http::RangeAnswer::kPartial:
            self->status = 206;
            if (ranges.size() > 1) return submit_parts(self, file, ranges);
            append_content_range(self, ranges.all()[0], file.size);
            return submit_range(self, file, ranges.all()[0]);
    }
    return submit_range(self, file, {0, file.size});
}

}  // namespace

const char* open_file_to_send(const char* path, FileToSend& file) {
    // Non-blocking: opening a pipe would wait for its writer.
    file.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file.fd < 0) return strerror(errno);
    struct stat status;
    const char* error = nullptr;
    if (fstat(file.fd, &status) != 0) {
        error = strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        error = "it is not a regular file";
    }
    if (error) {
        close(file.fd);
        return error;
    }
    file = file_to_send(file.fd, status);
    return nullptr;
}

FileToSend file_to_send(int fd, const struct stat& status) {
    return {fd, static_cast<uint64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Delivery send_file(ResponseObject* self, FileToSend file, std::string_view name) {
    remove_field(self, "content-length");
    self->has_length = false;
    add_validators(self, file);
    if (!self->has_content_type) append_field(self, "Content-Type", http::mime_type(name));
    self->has_content_type = true;
    if (!has_field(self, "accept-ranges")) append_field(self, "Accept-Ranges", "bytes");
    const Delivery delivery = submit_file(self, file);
    close(file.fd);
    return delivery;
}

}  // namespace sluice::php

using namespace sluice::php;
namespace http = sluice::http;

ZEND_METHOD(Sluice_Http_Response, sendFile) {
    zend_string *path, *type = nullptr, *download = nullptr;
    ZEND_PARSE_PARAMETERS_START(1, 3)
    Z_PARAM_PATH_STR(path)
    Z_PARAM_OPTIONAL
    Z_PARAM_STR_OR_NULL(type)
    Z_PARAM_STR_OR_NULL(download)
    ZEND_PARSE_PARAMETERS_END();

    ResponseObject* self = before_head(Z_OBJ_P(ZEND_THIS));
    if (!self) RETURN_THROWS();
    if (type && (ZSTR_LEN(type) == 0 || !http::is_field_value(view(type)))) {
        zend_argument_value_error(2, "must not be empty or hold CR, LF, NUL or another control character");
        RETURN_THROWS();
    }
    if (download && !http::is_file_name(view(download))) {
        zend_argument_value_error(
            3, "must be a name in UTF-8 without slashes, backslashes and control characters");
        RETURN_THROWS();
    }
    if (!sluice::http1::status_has_body(self->status)) {
        throw_server_exception("A response with status %d has no body, so no file can be sent",
                               static_cast<int>(self->status));
        RETURN_THROWS();
    }
    if (php_check_open_basedir(ZSTR_VAL(path))) {
        if (!EG(exception))
            throw_server_exception("The file \"%s\" is outside of open_basedir", ZSTR_VAL(path));
        RETURN_THROWS();
    }
    FileToSend file;
    if (const char* error = open_file_to_send(ZSTR_VAL(path), file)) {
        throw_server_exception("The file \"%s\" cannot be sent: %s", ZSTR_VAL(path), error);
        RETURN_THROWS();
    }
    if (type) {
        remove_field(self, "content-type");
        append_field(self, "Content-Type", view(type));
        self->has_content_type = true;
    }
    if (download) {
        zend_string* value = zend_string_alloc(http::attachment_bound(view(download)), false);
        remove_field(self, "content-disposition");
        append_field(self, "Content-Disposition",
                     {ZSTR_VAL(value), http::write_attachment(view(download), ZSTR_VAL(value))});
        zend_string_release(value);
    }
    const sluice::Delivery delivery = send_file(self, file, view(path));
    if (EG(exception)) RETURN_THROWS();
    RETURN_DELIVERY(delivery);
}
