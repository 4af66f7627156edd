#pragma once

#include "php/http/body_source.h"
#include "protocol/http/form.h"

namespace sluice::php {

void init_uploaded_file_class(zend_class_entry* class_entry);

/// A Sluice\Http\UploadedFile for a file of a form; it takes a reference to `source`, or without one to
/// `body`.
zend_object* new_uploaded_file(const http::FormField& file, zend_string* body, BodySource* source);

}  // namespace sluice::php
