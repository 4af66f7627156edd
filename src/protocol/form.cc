#include "protocol/form.h"

#include "protocol/http_syntax.h"
#include "protocol/multipart_parser.h"

namespace sluice::http {

namespace {

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

Form read_multipart(std::string_view content_type, std::string_view body, const FormLimits& limits) {
    Form form;
    const std::string_view boundary = multipart_boundary(content_type);
    if (boundary.empty()) {
        form.error = {400, "the Content-Type of the form has no valid boundary"};
        return form;
    }
    MultipartParser parser(boundary, {limits.fields, limits.part_head_bytes});
    std::string_view input = body;
    for (;;) {
        switch (parser.next(input)) {
            case MultipartParser::Event::kPart: {
                FormField& field = form.fields.emplace_back();
                field.name = std::move(parser.part().name);
                field.is_file = parser.part().is_file;
                if (!field.is_file) break;
                field.file_name = last_component(parser.part().file_name);
                field.type = std::move(parser.part().type);
                break;
            }
            case MultipartParser::Event::kData: {
                FormField& field = form.fields.back();
                if (field.is_file) {
                    // The body is one input, so a part's data is one piece of it.
                    field.begin = static_cast<size_t>(parser.data().data() - body.data());
                    field.size = parser.data().size();
                } else {
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
                form.error = {400, "the form ends before its closing delimiter"};
                return form;
            case MultipartParser::Event::kError: form.error = parser.error(); return form;
        }
    }
}

}  // namespace

Form read_form(std::string_view content_type, std::string_view body, const FormLimits& limits) {
    if (is_media_type(content_type, "application/x-www-form-urlencoded"))
        return read_urlencoded(body, limits);
    if (is_media_type(content_type, "multipart/form-data")) return read_multipart(content_type, body, limits);
    return {};
}

}  // namespace sluice::http
