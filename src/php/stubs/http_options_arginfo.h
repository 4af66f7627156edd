/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 4484ce409ceba324605288bca9ac08a7eae1d7ce */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_ErrorPages___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, html, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, json, IS_ARRAY, 0, "[]")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, otherwise, Sluice\\Http\\ErrorFormat, 0, "Sluice\\Http\\ErrorFormat::Text")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Options___construct, 0, 0, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, dispatch, Sluice\\Dispatch, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, bodies, Sluice\\Http\\Bodies, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cancelOnDisconnect, _IS_BOOL, 1, "null")
	ZEND_ARG_OBJ_TYPE_MASK(0, compression, Sluice\\Http\\Compression, MAY_BE_FALSE|MAY_BE_NULL, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, versions, Sluice\\Http\\Versions, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, accessLog, Sluice\\Http\\AccessLog, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, errorPages, Sluice\\Http\\ErrorPages, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, classic, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, concurrency, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_TYPE_MASK(0, processes, Sluice\\Http\\Processes, MAY_BE_LONG|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, showErrors, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, pageEnd, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Processes___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, most, IS_LONG, 0, "16")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, least, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, requests, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, idleSeconds, IS_DOUBLE, 0, "10.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, terminateSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, slowSeconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Compression___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, encodings, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, minBytes, IS_LONG, 0, "1024")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, types, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, gzipLevel, IS_LONG, 0, "6")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, brotliLevel, IS_LONG, 0, "4")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, zstdLevel, IS_LONG, 0, "3")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_AccessLog___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, format, Sluice\\Http\\LogFormat, 0, "Sluice\\Http\\LogFormat::Combined")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Http_ErrorPages, __construct);
ZEND_METHOD(Sluice_Http_Options, __construct);
ZEND_METHOD(Sluice_Http_Processes, __construct);
ZEND_METHOD(Sluice_Http_Compression, __construct);
ZEND_METHOD(Sluice_Http_AccessLog, __construct);


static const zend_function_entry class_Sluice_Http_Encoding_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Bodies_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Versions_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_ErrorFormat_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_ErrorPages_methods[] = {
	ZEND_ME(Sluice_Http_ErrorPages, __construct, arginfo_class_Sluice_Http_ErrorPages___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Options_methods[] = {
	ZEND_ME(Sluice_Http_Options, __construct, arginfo_class_Sluice_Http_Options___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Processes_methods[] = {
	ZEND_ME(Sluice_Http_Processes, __construct, arginfo_class_Sluice_Http_Processes___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Compression_methods[] = {
	ZEND_ME(Sluice_Http_Compression, __construct, arginfo_class_Sluice_Http_Compression___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_LogFormat_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_AccessLog_methods[] = {
	ZEND_ME(Sluice_Http_AccessLog, __construct, arginfo_class_Sluice_Http_AccessLog___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Http_Encoding(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\Encoding", IS_STRING, class_Sluice_Http_Encoding_methods);

	zval enum_case_Gzip_value;
	zend_string *enum_case_Gzip_value_str = zend_string_init("gzip", strlen("gzip"), 1);
	ZVAL_STR(&enum_case_Gzip_value, enum_case_Gzip_value_str);
	zend_enum_add_case_cstr(class_entry, "Gzip", &enum_case_Gzip_value);

	zval enum_case_Brotli_value;
	zend_string *enum_case_Brotli_value_str = zend_string_init("br", strlen("br"), 1);
	ZVAL_STR(&enum_case_Brotli_value, enum_case_Brotli_value_str);
	zend_enum_add_case_cstr(class_entry, "Brotli", &enum_case_Brotli_value);

	zval enum_case_Zstd_value;
	zend_string *enum_case_Zstd_value_str = zend_string_init("zstd", strlen("zstd"), 1);
	ZVAL_STR(&enum_case_Zstd_value, enum_case_Zstd_value_str);
	zend_enum_add_case_cstr(class_entry, "Zstd", &enum_case_Zstd_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Bodies(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\Bodies", IS_UNDEF, class_Sluice_Http_Bodies_methods);

	zend_enum_add_case_cstr(class_entry, "Whole", NULL);

	zend_enum_add_case_cstr(class_entry, "Stream", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Versions(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\Versions", IS_UNDEF, class_Sluice_Http_Versions_methods);

	zend_enum_add_case_cstr(class_entry, "Any", NULL);

	zend_enum_add_case_cstr(class_entry, "Http1", NULL);

	zend_enum_add_case_cstr(class_entry, "Http2", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_ErrorFormat(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\ErrorFormat", IS_UNDEF, class_Sluice_Http_ErrorFormat_methods);

	zend_enum_add_case_cstr(class_entry, "Text", NULL);

	zend_enum_add_case_cstr(class_entry, "Html", NULL);

	zend_enum_add_case_cstr(class_entry, "Json", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_ErrorPages(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "ErrorPages", class_Sluice_Http_ErrorPages_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Options(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Options", class_Sluice_Http_Options_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_dispatch_class_Sluice_Dispatch = zend_string_init("Sluice\\Dispatch", sizeof("Sluice\\Dispatch")-1, 1);
	zval property_dispatch_default_value;
	ZVAL_UNDEF(&property_dispatch_default_value);
	zend_string *property_dispatch_name = zend_string_init("dispatch", sizeof("dispatch") - 1, 1);
	zend_declare_typed_property(class_entry, property_dispatch_name, &property_dispatch_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_dispatch_class_Sluice_Dispatch, 0, MAY_BE_NULL));
	zend_string_release(property_dispatch_name);

	zend_string *property_bodies_class_Sluice_Http_Bodies = zend_string_init("Sluice\\Http\\Bodies", sizeof("Sluice\\Http\\Bodies")-1, 1);
	zval property_bodies_default_value;
	ZVAL_UNDEF(&property_bodies_default_value);
	zend_string *property_bodies_name = zend_string_init("bodies", sizeof("bodies") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodies_name, &property_bodies_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_bodies_class_Sluice_Http_Bodies, 0, MAY_BE_NULL));
	zend_string_release(property_bodies_name);

	zval property_cancelOnDisconnect_default_value;
	ZVAL_UNDEF(&property_cancelOnDisconnect_default_value);
	zend_string *property_cancelOnDisconnect_name = zend_string_init("cancelOnDisconnect", sizeof("cancelOnDisconnect") - 1, 1);
	zend_declare_typed_property(class_entry, property_cancelOnDisconnect_name, &property_cancelOnDisconnect_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL|MAY_BE_NULL));
	zend_string_release(property_cancelOnDisconnect_name);

	zend_string *property_compression_class_Sluice_Http_Compression = zend_string_init("Sluice\\Http\\Compression", sizeof("Sluice\\Http\\Compression")-1, 1);
	zval property_compression_default_value;
	ZVAL_UNDEF(&property_compression_default_value);
	zend_string *property_compression_name = zend_string_init("compression", sizeof("compression") - 1, 1);
	zend_declare_typed_property(class_entry, property_compression_name, &property_compression_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_compression_class_Sluice_Http_Compression, 0, MAY_BE_FALSE|MAY_BE_NULL));
	zend_string_release(property_compression_name);

	zend_string *property_versions_class_Sluice_Http_Versions = zend_string_init("Sluice\\Http\\Versions", sizeof("Sluice\\Http\\Versions")-1, 1);
	zval property_versions_default_value;
	ZVAL_UNDEF(&property_versions_default_value);
	zend_string *property_versions_name = zend_string_init("versions", sizeof("versions") - 1, 1);
	zend_declare_typed_property(class_entry, property_versions_name, &property_versions_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_versions_class_Sluice_Http_Versions, 0, MAY_BE_NULL));
	zend_string_release(property_versions_name);

	zend_string *property_accessLog_class_Sluice_Http_AccessLog = zend_string_init("Sluice\\Http\\AccessLog", sizeof("Sluice\\Http\\AccessLog")-1, 1);
	zval property_accessLog_default_value;
	ZVAL_UNDEF(&property_accessLog_default_value);
	zend_string *property_accessLog_name = zend_string_init("accessLog", sizeof("accessLog") - 1, 1);
	zend_declare_typed_property(class_entry, property_accessLog_name, &property_accessLog_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_accessLog_class_Sluice_Http_AccessLog, 0, MAY_BE_NULL));
	zend_string_release(property_accessLog_name);

	zend_string *property_errorPages_class_Sluice_Http_ErrorPages = zend_string_init("Sluice\\Http\\ErrorPages", sizeof("Sluice\\Http\\ErrorPages")-1, 1);
	zval property_errorPages_default_value;
	ZVAL_UNDEF(&property_errorPages_default_value);
	zend_string *property_errorPages_name = zend_string_init("errorPages", sizeof("errorPages") - 1, 1);
	zend_declare_typed_property(class_entry, property_errorPages_name, &property_errorPages_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_errorPages_class_Sluice_Http_ErrorPages, 0, MAY_BE_NULL));
	zend_string_release(property_errorPages_name);

	zval property_classic_default_value;
	ZVAL_UNDEF(&property_classic_default_value);
	zend_string *property_classic_name = zend_string_init("classic", sizeof("classic") - 1, 1);
	zend_declare_typed_property(class_entry, property_classic_name, &property_classic_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL|MAY_BE_NULL));
	zend_string_release(property_classic_name);

	zval property_concurrency_default_value;
	ZVAL_UNDEF(&property_concurrency_default_value);
	zend_string *property_concurrency_name = zend_string_init("concurrency", sizeof("concurrency") - 1, 1);
	zend_declare_typed_property(class_entry, property_concurrency_name, &property_concurrency_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_concurrency_name);

	zend_string *property_processes_class_Sluice_Http_Processes = zend_string_init("Sluice\\Http\\Processes", sizeof("Sluice\\Http\\Processes")-1, 1);
	zval property_processes_default_value;
	ZVAL_UNDEF(&property_processes_default_value);
	zend_string *property_processes_name = zend_string_init("processes", sizeof("processes") - 1, 1);
	zend_declare_typed_property(class_entry, property_processes_name, &property_processes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_processes_class_Sluice_Http_Processes, 0, MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_processes_name);

	zval property_showErrors_default_value;
	ZVAL_UNDEF(&property_showErrors_default_value);
	zend_string *property_showErrors_name = zend_string_init("showErrors", sizeof("showErrors") - 1, 1);
	zend_declare_typed_property(class_entry, property_showErrors_name, &property_showErrors_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL|MAY_BE_NULL));
	zend_string_release(property_showErrors_name);

	zval property_pageEnd_default_value;
	ZVAL_UNDEF(&property_pageEnd_default_value);
	zend_string *property_pageEnd_name = zend_string_init("pageEnd", sizeof("pageEnd") - 1, 1);
	zend_declare_typed_property(class_entry, property_pageEnd_name, &property_pageEnd_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_pageEnd_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Processes(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Processes", class_Sluice_Http_Processes_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_most_default_value;
	ZVAL_UNDEF(&property_most_default_value);
	zend_string *property_most_name = zend_string_init("most", sizeof("most") - 1, 1);
	zend_declare_typed_property(class_entry, property_most_name, &property_most_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_most_name);

	zval property_least_default_value;
	ZVAL_UNDEF(&property_least_default_value);
	zend_string *property_least_name = zend_string_init("least", sizeof("least") - 1, 1);
	zend_declare_typed_property(class_entry, property_least_name, &property_least_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_least_name);

	zval property_requests_default_value;
	ZVAL_UNDEF(&property_requests_default_value);
	zend_string *property_requests_name = zend_string_init("requests", sizeof("requests") - 1, 1);
	zend_declare_typed_property(class_entry, property_requests_name, &property_requests_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_requests_name);

	zval property_idleSeconds_default_value;
	ZVAL_UNDEF(&property_idleSeconds_default_value);
	zend_string *property_idleSeconds_name = zend_string_init("idleSeconds", sizeof("idleSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_idleSeconds_name, &property_idleSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_idleSeconds_name);

	zval property_terminateSeconds_default_value;
	ZVAL_UNDEF(&property_terminateSeconds_default_value);
	zend_string *property_terminateSeconds_name = zend_string_init("terminateSeconds", sizeof("terminateSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_terminateSeconds_name, &property_terminateSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_terminateSeconds_name);

	zval property_slowSeconds_default_value;
	ZVAL_UNDEF(&property_slowSeconds_default_value);
	zend_string *property_slowSeconds_name = zend_string_init("slowSeconds", sizeof("slowSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_slowSeconds_name, &property_slowSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_slowSeconds_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Compression(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Compression", class_Sluice_Http_Compression_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_encodings_default_value;
	ZVAL_UNDEF(&property_encodings_default_value);
	zend_string *property_encodings_name = zend_string_init("encodings", sizeof("encodings") - 1, 1);
	zend_declare_typed_property(class_entry, property_encodings_name, &property_encodings_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_encodings_name);

	zval property_minBytes_default_value;
	ZVAL_UNDEF(&property_minBytes_default_value);
	zend_string *property_minBytes_name = zend_string_init("minBytes", sizeof("minBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_minBytes_name, &property_minBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_minBytes_name);

	zval property_types_default_value;
	ZVAL_UNDEF(&property_types_default_value);
	zend_string *property_types_name = zend_string_init("types", sizeof("types") - 1, 1);
	zend_declare_typed_property(class_entry, property_types_name, &property_types_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_types_name);

	zval property_gzipLevel_default_value;
	ZVAL_UNDEF(&property_gzipLevel_default_value);
	zend_string *property_gzipLevel_name = zend_string_init("gzipLevel", sizeof("gzipLevel") - 1, 1);
	zend_declare_typed_property(class_entry, property_gzipLevel_name, &property_gzipLevel_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_gzipLevel_name);

	zval property_brotliLevel_default_value;
	ZVAL_UNDEF(&property_brotliLevel_default_value);
	zend_string *property_brotliLevel_name = zend_string_init("brotliLevel", sizeof("brotliLevel") - 1, 1);
	zend_declare_typed_property(class_entry, property_brotliLevel_name, &property_brotliLevel_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_brotliLevel_name);

	zval property_zstdLevel_default_value;
	ZVAL_UNDEF(&property_zstdLevel_default_value);
	zend_string *property_zstdLevel_name = zend_string_init("zstdLevel", sizeof("zstdLevel") - 1, 1);
	zend_declare_typed_property(class_entry, property_zstdLevel_name, &property_zstdLevel_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_zstdLevel_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_LogFormat(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\LogFormat", IS_UNDEF, class_Sluice_Http_LogFormat_methods);

	zend_enum_add_case_cstr(class_entry, "Common", NULL);

	zend_enum_add_case_cstr(class_entry, "Combined", NULL);

	zend_enum_add_case_cstr(class_entry, "Json", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_AccessLog(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "AccessLog", class_Sluice_Http_AccessLog_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_path_default_value;
	ZVAL_UNDEF(&property_path_default_value);
	zend_string *property_path_name = zend_string_init("path", sizeof("path") - 1, 1);
	zend_declare_typed_property(class_entry, property_path_name, &property_path_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_path_name);

	zend_string *property_format_class_Sluice_Http_LogFormat = zend_string_init("Sluice\\Http\\LogFormat", sizeof("Sluice\\Http\\LogFormat")-1, 1);
	zval property_format_default_value;
	ZVAL_UNDEF(&property_format_default_value);
	zend_string *property_format_name = zend_string_init("format", sizeof("format") - 1, 1);
	zend_declare_typed_property(class_entry, property_format_name, &property_format_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_format_class_Sluice_Http_LogFormat, 0, 0));
	zend_string_release(property_format_name);

	return class_entry;
}
