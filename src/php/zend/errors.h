#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "php/zend/php_api.h"

namespace sluice::php {

extern zend_class_entry* server_exception_class;
extern zend_class_entry* bad_request_class;

/// Throws Sluice\ServerException.
template <typename... Values>
ZEND_COLD void throw_server_exception(const char* format, Values... values) {
    zend_throw_exception_ex(server_exception_class, 0, format, values...);
}
ZEND_COLD inline void throw_server_exception(const char* sentence) {
    zend_throw_exception_ex(server_exception_class, 0, "%s", sentence);
}

/// A sentence that may stand on the stack while PHP is called: a std::string may not.
class Sentence {
  public:
    Sentence() = default;
    explicit Sentence(std::string_view text) : size_(std::min(text.size(), sizeof text_ - 1)) {
        memcpy(text_, text.data(), size_);
        text_[size_] = '\0';
    }

    bool empty() const { return size_ == 0; }
    const char* text() const { return text_; }
    std::string_view view() const { return {text_, size_}; }

  private:
    size_t size_ = 0;
    char text_[512] = "";
};

}  // namespace sluice::php
