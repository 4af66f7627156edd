#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// What one request has set of PHP's settings: ini_set(), the time zone, the locale, encodings, the session.
/// Each is what it is outside while the request is set aside, and afterwards. Zero bytes are a request that
/// has set nothing, which costs nothing.
class ClassicSettings {
  public:
    void set_aside();
    void put_in_place();
    /// Ends the session, as PHP does at the end of a request; may call the application's session handler.
    void end_session();
    /// At the end, while they are in place.
    void release();

    /// Before the call that changes something.
    void note_call(const zend_function* function);
    void note_ini(zend_string* name);
    void note_session();

  private:
    struct Call {
        bool noted;
        zval outside;
        zval own;  ///< while it is set aside
    };
    static constexpr size_t kCalls = 11;
    friend struct SettingFunctions;

    Call calls_[kCalls];
    bool any_call_;
    HashTable* ini_;  ///< IniChange by name
    bool uses_session_;
    struct SessionFields* session_;  ///< while it is set aside
};

/// Has calls that change settings noted, in requests that have some of their own.
void watch_settings(ClassicSettings* (*of_running)());
void release_settings();

}  // namespace sluice::php
