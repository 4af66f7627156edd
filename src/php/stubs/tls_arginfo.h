/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 938faefed9db558788145e0eddb6e230d34209e0 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Tls___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, certificate, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, names, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, clientCa, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, requireClientCertificate, _IS_BOOL, 0, "false")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, minimumVersion, Sluice\\TlsVersion, 0, "Sluice\\TlsVersion::V1_2")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Tls, __construct);


static const zend_function_entry class_Sluice_TlsVersion_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Tls_methods[] = {
	ZEND_ME(Sluice_Tls, __construct, arginfo_class_Sluice_Tls___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_TlsVersion(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\TlsVersion", IS_STRING, class_Sluice_TlsVersion_methods);

	zval enum_case_V1_2_value;
	zend_string *enum_case_V1_2_value_str = zend_string_init("1.2", strlen("1.2"), 1);
	ZVAL_STR(&enum_case_V1_2_value, enum_case_V1_2_value_str);
	zend_enum_add_case_cstr(class_entry, "V1_2", &enum_case_V1_2_value);

	zval enum_case_V1_3_value;
	zend_string *enum_case_V1_3_value_str = zend_string_init("1.3", strlen("1.3"), 1);
	ZVAL_STR(&enum_case_V1_3_value, enum_case_V1_3_value_str);
	zend_enum_add_case_cstr(class_entry, "V1_3", &enum_case_V1_3_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Tls(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Tls", class_Sluice_Tls_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
