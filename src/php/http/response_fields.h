#pragma once

#include "php/http/response_object.h"

namespace sluice::php {

// The fields of a response's head, as lines of text.

void append_field(ResponseObject* self, std::string_view name, std::string_view value);
/// Adds Accept-Encoding to a Vary that may be there.
void add_vary(ResponseObject* self);
/// Takes out all lines of that name.
void remove_field(ResponseObject* self, std::string_view name);
bool has_field(const ResponseObject* self, std::string_view name);
/// Of the first line of that name; valid until the fields change.
std::string_view field_value(const ResponseObject* self, std::string_view name);

/// Whether arguments 1 and 2 may be a field; throws when not.
bool check_field(std::string_view name, std::string_view value);

}  // namespace sluice::php
