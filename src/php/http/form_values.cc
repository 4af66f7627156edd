#include "php/http/form_values.h"

#include <main/php_variables.h>

#include "php/http/uploaded_file_class.h"

namespace sluice::php {

void add_form_values(zval* array, const http::Form& form) {
    for (const http::FormField& field : form.fields) {
        if (field.is_file) continue;
        zval value;
        ZVAL_STR(&value, new_string(field.value));
        php_register_variable_ex(field.name.c_str(), &value, array);
    }
}

void add_form_files(zval* array, const http::Form& form, zend_string* body, BodySource* source) {
    for (const http::FormField& field : form.fields) {
        if (!field.is_file) continue;
        zval file;
        ZVAL_OBJ(&file, new_uploaded_file(field, body, source));
        php_register_variable_ex(field.name.c_str(), &file, array);
    }
}

}  // namespace sluice::php
