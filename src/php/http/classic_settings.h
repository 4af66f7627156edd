#pragma once

#include "php/http/classic_stream_context.h"
#include "php/zend/php_api.h"

namespace sluice::php {

/// PHP settings that one request has changed: ini_set(), the time zone, the locale, encodings, the default
/// stream context, the session. The outside's values are restored while the request is saved, and afterwards.
/// Zero bytes are a request that has changed nothing, which costs nothing.
class ClassicSettings {
  public:
    void set_aside();
    void put_in_place();
    /// Ends the session, as PHP does at the end of a request; may call the application's session handler.
    void end_session();
    /// Frees the settings at the end, while they are installed.
    void release();

    /// Call it before a function that changes a setting.
    void note_call(const zend_function* function);
    void note_ini(zend_string* name);
    void note_session();
    void note_text_domain(zend_string* domain);
    ClassicStreamContext& stream_context() { return stream_context_; }

  private:
    struct Call {
        bool noted;
        zval outside;
        zval own;  ///< while it is set aside
    };
    static constexpr size_t kCalls = 12;
    friend struct SettingFunctions;

    Call calls_[kCalls];
    bool any_call_;
    HashTable* ini_;           ///< IniChange by name
    HashTable* text_domains_;  ///< what bindtextdomain() has been given, as Call by domain
    ClassicStreamContext stream_context_;
    bool uses_session_;
    struct SessionFields* session_;  ///< while it is set aside
};

/// Notes calls that change settings, in requests with settings of their own.
void watch_settings(ClassicSettings* (*of_running)());
void release_settings();

}  // namespace sluice::php
