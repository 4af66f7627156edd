#pragma once

#include "php/http/body_source.h"
#include "protocol/http/form.h"

namespace sluice::php {

/// Adds the fields of a form to an array as PHP fills `$_POST`: `a[b][]=1` makes arrays, dots and blanks in
/// names become underscores, arrays deeper than max_input_nesting_level are left out.
void add_form_values(zval* array, const http::Form& form);

/// Adds the files of a form, as Sluice\Http\UploadedFile. The form was read from `source`, or
/// without one from `body`.
void add_form_files(zval* array, const http::Form& form, zend_string* body, BodySource* source);

}  // namespace sluice::php
