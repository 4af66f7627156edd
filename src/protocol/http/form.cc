#include "protocol/http/form.h"

#include <utility>

#include "protocol/http/http_syntax.h"
#include "protocol/http/multipart_parser.h"

namespace sluice::http {

namespace {

constexpr Error kTooLong{400, "the fields of the form are longer than the limit allows"};

std::string decoded(std::string_view text) {
    std::string out(text.size(), '\0');
    out.resize(percent_decode(text, Plus::kSpace, out.data()));
    return out;
}

Form read_urlencoded(std::string_view body, const FormLimits& limits) {
    Form form;
    for_each_query_pair(body, [&](std::string_view name, std::string_view value) {
        if (form.fields.size() == limits.fields) {
            form.error = {400, "the form has more fields than the limit allows"};
            return false;
        }
        FormField& field = form.fields.emplace_back();
        field.name = decoded(name);
        field.value = decoded(value);
        return true;
    });
    return form;
}

std::string last_component(std::string_view path) {
    const size_t cut = path.find_last_of("/\\");
    return std::string(cut == path.npos ? path : path.substr(cut + 1));
}

Form read_multipart(std::string_view content_type, const FormInput& next_piece, const FormLimits& limits) {
    Form form;
    const std::string_view boundary = multipart_boundary(content_type);
    if (boundary.empty()) {
        form.error = {400, "the Content-Type of the form has no valid boundary"};
        return form;
    }
    MultipartParser parser(boundary, {limits.fields, limits.part_head_bytes});
    std::string_view input;
    uint64_t at = 0, kept = 0;  // where in the body `input` begins; bytes of names and values
    auto keep = [&](size_t bytes) {
        kept += bytes;
        if (kept > limits.bytes) form.error = kTooLong;
        return !form.error;
    };
    for (;;) {
        const size_t before = input.size();
        const MultipartParser::Event event = parser.next(input);
        at += before - input.size();
        switch (event) {
            case MultipartParser::Event::kPart: {
                FormField& field = form.fields.emplace_back();
                field.name = std::move(parser.part().name);
                field.is_file = parser.part().is_file;
                field.begin = at;
                if (field.is_file) {
                    field.file_name = last_component(parser.part().file_name);
                    field.type = std::move(parser.part().type);
                }
                if (!keep(field.name.size() + field.file_name.size() + field.type.size())) return form;
                break;
            }
            case MultipartParser::Event::kData: {
                FormField& field = form.fields.back();
                if (field.is_file) {
                    field.size += parser.data().size();
                } else {
                    if (!keep(parser.data().size())) return form;
                    field.value += parser.data();
                }
                break;
            }
            case MultipartParser::Event::kPartEnd: {
                const FormField& field = form.fields.back();
                if (field.is_file && field.file_name.empty() && field.size == 0) form.fields.pop_back();
                break;
            }
            case MultipartParser::Event::kDone: return form;
            case MultipartParser::Event::kNeedInput:
                input = next_piece();
                if (!input.empty()) break;
                form.error = {400, "the form ends before its closing delimiter"};
                return form;
            case MultipartParser::Event::kError: form.error = parser.error(); return form;
        }
    }
}

/// Collects the whole body before it decodes.
Form read_urlencoded(const FormInput& next_piece, const FormLimits& limits) {
    std::string body;
    for (std::string_view piece = next_piece(); !piece.empty(); piece = next_piece()) {
        if (piece.size() > limits.bytes - body.size()) {
            Form form;
            form.error = kTooLong;
            return form;
        }
        body += piece;
    }
    return read_urlencoded(std::string_view(body), limits);
}

}  // namespace

Form read_form(std::string_view content_type, const FormInput& input, const FormLimits& limits) {
    if (is_media_type(content_type, "application/x-www-form-urlencoded"))
        return read_urlencoded(input, limits);
    if (is_media_type(content_type, "multipart/form-data"))
        return read_multipart(content_type, input, limits);
    return {};
}

Form read_form(std::string_view content_type, std::string_view body, const FormLimits& limits) {
    const FormInput whole = [&body] { return std::exchange(body, {}); };
    return read_form(content_type, whole, limits);
}

}  // namespace sluice::http
