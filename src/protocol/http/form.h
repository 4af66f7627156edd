#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/http/http_head.h"

namespace sluice::http {

struct FormLimits {
    uint32_t fields = 1000;           ///< pairs of a urlencoded form, parts of a multipart one
    uint32_t part_head_bytes = 8192;  ///< of one part of a multipart form
    uint64_t bytes = 16u << 20;       ///< of all names and values, file contents excluded
};

/// One field of a form.
struct FormField {
    std::string name;
    std::string value;      ///< decoded; empty for a file: its bytes stay in the body
    std::string file_name;  ///< the last component of the name that the client gave
    std::string type;       ///< of a file: its Content-Type, as sent
    uint64_t begin = 0;     ///< of a file: where in the body it stands
    size_t size = 0;
    bool is_file = false;
};

struct Form {
    std::vector<FormField> fields;  ///< in the order of the body
    Error error;
};

/// Returns the next piece of a body, valid until the next call; empty at the end.
using FormInput = std::function<std::string_view()>;

/// Reads a whole body of type application/x-www-form-urlencoded or multipart/form-data; any other type has no
/// fields. An empty file input (no file name, no bytes) is left out.
Form read_form(std::string_view content_type, const FormInput& input, const FormLimits& limits);
Form read_form(std::string_view content_type, std::string_view body, const FormLimits& limits);

}  // namespace sluice::http
