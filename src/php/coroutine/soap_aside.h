#pragma once

#include "php/zend/php_api.h"

namespace sluice::php {

/// Before the script begins: looks for the SOAP extension and its globals.
void watch_soap();
/// Whether they are what we take them for. If not no coroutine may wait within a call of SOAP.
bool knows_soap();
/// Before this extension is unloaded.
void release_soap();

/// What stands in SOAP's globals for a call.
struct SoapCall {
    HashTable* type_map;
    int last_namespace;
    int version;
    void* wsdl;
    bool handles_errors;
    char* error_code;
    zval error_object;
};
struct SoapForm {
    void* encoding;
    HashTable* class_map;
    int features;
};
struct SoapReferences {
    int last;
    HashTable* seen;
};
/// What the loading of a WSDL changes for the whole process.
struct XmlSettings {
    zval stream_context;
    bool entity_loader_disabled;
    bool allow_url_fopen;
};

/// What a call of the SOAP extension keeps in globals until it returns: the maps of types and classes, the
/// WSDL, the version, the encoding. Another call would take them for its own.
class SoapAside {
  public:
    /// No call is under way.
    static bool at_rest();

    void take();
    void put_back() const;

  private:
    SoapCall call_;
    SoapForm form_;
    SoapReferences references_;
    unsigned depth_;
    bool is_loading_;
    XmlSettings while_loading_, before_loading_;
};

}  // namespace sluice::php
