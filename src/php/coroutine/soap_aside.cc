#include "php/coroutine/soap_aside.h"

#include <cstddef>
#include <cstring>
#include <link.h>
#include <type_traits>
#include <utility>

#include "php/zend/php_versions.h"
#include "php/zend/wrapped_functions.h"

namespace sluice::php {

namespace {

/// As ext/soap/php_soap.h has them, which is not installed: the fields up to PHP 8.3 and from 8.4 on, and
/// what follows them in all versions.
struct CallUntil83 {
    HashTable namespaces, encoders, encoders_by_type;
    HashTable* type_map;
    int last_namespace, version;
    void* wsdl;
    bool handles_errors;
    char* error_code;
    zval error_object;
    char cache, cache_mode, cache_enabled;
};
struct CallFrom84 {
    HashTable namespaces, encoders, encoders_by_type;
    HashTable* type_map;
    int last_namespace, version;
    void* wsdl;
    char* error_code;
    zval error_object;
    bool handles_errors;
    char cache_mode, cache_enabled;
};
struct SoapGlobals {
    std::conditional_t<kSoapKeepsNoCache, CallFrom84, CallUntil83> call;
    char* cache_folder;
    zend_long cache_seconds, cache_limit;
    HashTable* cached;
    SoapForm form;
    HashTable cache_of_wsdl;
    SoapReferences references;
    /// How deep the decoder is. PHP has this since it limits the depth.
    unsigned depth;
};

SoapCall call_in(const SoapGlobals& globals) {
    const auto& of = globals.call;
    return {of.type_map,       of.last_namespace, of.version,     of.wsdl,
            of.handles_errors, of.error_code,     of.error_object};
}

void put_call(SoapGlobals& globals, const SoapCall& call) {
    auto& of = globals.call;
    of.type_map = call.type_map;
    of.last_namespace = call.last_namespace;
    of.version = call.version;
    of.wsdl = call.wsdl;
    of.handles_errors = call.handles_errors;
    of.error_code = call.error_code;
    of.error_object = call.error_object;
}

/// SOAP 1.1, and nothing else
constexpr SoapCall kNoCall{nullptr, 0, 1, nullptr, false, nullptr, {}};

SoapGlobals* soap = nullptr;
bool has_depth = false;
/// Those of PHP's libxml
zval* stream_context = nullptr;
bool* entity_loader_disabled = nullptr;

/// Whether the running code loads a WSDL, and what was set before.
bool is_loading = false;
XmlSettings before_loading;

/// The extension's own settings say where its globals are, and where in them each setting stands.
SoapGlobals* find_globals() {
    const auto setting = [](const char* name) {
        return static_cast<const zend_ini_entry*>(
            zend_hash_str_find_ptr(EG(ini_directives), name, strlen(name)));
    };
    const auto stands_at = [](const zend_ini_entry* entry, size_t offset) {
        return entry && reinterpret_cast<size_t>(entry->mh_arg1) == offset;
    };
    const zend_ini_entry* const ttl = setting("soap.wsdl_cache_ttl");
    const bool is_known = stands_at(setting("soap.wsdl_cache_dir"), offsetof(SoapGlobals, cache_folder)) &&
                          stands_at(ttl, offsetof(SoapGlobals, cache_seconds)) &&
                          stands_at(setting("soap.wsdl_cache_limit"), offsetof(SoapGlobals, cache_limit));
    auto* const found = is_known ? static_cast<SoapGlobals*>(ttl->mh_arg2) : nullptr;
    return found && found->call.version == kNoCall.version ? found : nullptr;
}

/// A text in the library that `address` is in.
struct TextSought {
    uintptr_t address;
    const char* text;
    bool found = false;
};

int look_for_text(dl_phdr_info* library, size_t, void* data) {
    TextSought& sought = *static_cast<TextSought*>(data);
    const auto each = [&](auto&& visit) {
        for (int i = 0; i < library->dlpi_phnum; ++i) {
            const ElfW(Phdr)& part = library->dlpi_phdr[i];
            if (part.p_type == PT_LOAD && visit(part, library->dlpi_addr + part.p_vaddr)) return true;
        }
        return false;
    };
    if (!each([&](const ElfW(Phdr) & part, uintptr_t begin) {
            return sought.address >= begin && sought.address < begin + part.p_memsz;
        }))
        return 0;
    sought.found = each([&](const ElfW(Phdr) & part, uintptr_t begin) {
        const bool is_constant = (part.p_flags & (PF_R | PF_W)) == PF_R;
        return is_constant &&
               memmem(reinterpret_cast<const void*>(begin), part.p_filesz, sought.text, strlen(sought.text));
    });
    return 1;
}

/// No version tells, as distributions add what mends a weakness to theirs: but the field has a message.
bool knows_depth(const SoapGlobals* globals) {
    TextSought sought{reinterpret_cast<uintptr_t>(globals), "SOAP-ERROR: Encoding: Nesting level too deep"};
    dl_iterate_phdr(look_for_text, &sought);
    return sought.found;
}

/// The context is the first of libxml's globals, the switch the last one, in all versions.
void find_libxml() {
    const auto* const libxml =
        static_cast<const zend_module_entry*>(zend_hash_str_find_ptr(&module_registry, ZEND_STRL("libxml")));
    if (!libxml || !libxml->globals_ptr || libxml->globals_size < sizeof(zval) + sizeof(zend_long)) return;
    stream_context = static_cast<zval*>(libxml->globals_ptr);
    char* const end = static_cast<char*>(libxml->globals_ptr) + libxml->globals_size;
    entity_loader_disabled = reinterpret_cast<bool*>(end - sizeof(zend_long));
}

XmlSettings xml_settings() {
    return {*stream_context, *entity_loader_disabled, static_cast<bool>(PG(allow_url_fopen))};
}

void put(const XmlSettings& settings) {
    *stream_context = settings.stream_context;
    *entity_loader_disabled = settings.entity_loader_disabled;
    PG(allow_url_fopen) = settings.allow_url_fopen;
}

/// A WSDL is read with the client's stream context as everybody's, with URLs allowed, and with external
/// entities forbidden.
void construct(INTERNAL_FUNCTION_PARAMETERS) {
    const bool is_outermost = !std::exchange(is_loading, true);
    if (is_outermost) before_loading = xml_settings();
    original_of(execute_data->func)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
    is_loading = !is_outermost;
}

zend_function* constructor(const char* class_name) {
    zend_class_entry* const class_entry = find_internal_class(class_name);
    return class_entry ? class_entry->constructor : nullptr;
}

constexpr const char* kConstructed[] = {"soapclient", "soapserver"};

}  // namespace

void watch_soap() {
    soap = find_globals();
    if (!soap) return;
    has_depth = knows_depth(soap);
    find_libxml();
    if (!stream_context) return;
    for (const char* class_name : kConstructed) {
        if (zend_function* function = constructor(class_name)) wrap_function(function, construct);
    }
}

bool knows_soap() {
    return soap != nullptr;
}

void release_soap() {
    for (const char* class_name : kConstructed) {
        if (zend_function* function = constructor(class_name)) unwrap_function(function, construct);
    }
    soap = nullptr;
}

bool SoapAside::at_rest() {
    return EXPECTED(!soap) || !soap->call.handles_errors;
}

void SoapAside::take() {
    if (!soap) return;
    call_ = call_in(*soap);
    put_call(*soap, kNoCall);
    form_ = std::exchange(soap->form, {});
    references_ = std::exchange(soap->references, {});
    if (has_depth) depth_ = std::exchange(soap->depth, 0);
    is_loading_ = std::exchange(is_loading, false);
    if (!is_loading_) return;
    before_loading_ = before_loading;
    while_loading_ = xml_settings();
    put(before_loading);
}

void SoapAside::put_back() const {
    if (!soap) return;
    put_call(*soap, call_);
    soap->form = form_;
    soap->references = references_;
    if (has_depth) soap->depth = depth_;
    is_loading = is_loading_;
    if (!is_loading) return;
    before_loading = before_loading_;
    put(while_loading_);
}

}  // namespace sluice::php
