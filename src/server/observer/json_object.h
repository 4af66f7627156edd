#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/observer/json_text.h"
#include "server/observer/metrics_text.h"

namespace sluice {

/// One JSON object; values in the order in which they are put.
class JsonObject {
  public:
    JsonObject& put(std::string_view name, uint64_t value) { return raw(name, std::to_string(value)); }
    JsonObject& put(std::string_view name, double value) { return raw(name, number_text(value)); }
    JsonObject& put_text(std::string_view name, std::string_view value) {
        return raw(name, json_text(value));
    }
    JsonObject& raw(std::string_view name, std::string_view json) {
        text_ += text_.empty() ? "{" : ",";
        text_ += json_text(name) + ':';
        text_ += json;
        return *this;
    }
    std::string text() const { return text_.empty() ? "{}" : text_ + '}'; }

  private:
    std::string text_;
};

/// One JSON array of JSON texts.
class JsonList {
  public:
    JsonList& add(std::string_view json) {
        text_ += text_.empty() ? '[' : ',';
        text_ += json;
        return *this;
    }
    std::string text() const { return text_.empty() ? "[]" : text_ + ']'; }

  private:
    std::string text_;
};

}  // namespace sluice
