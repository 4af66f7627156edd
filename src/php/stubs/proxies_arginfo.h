/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 391ea7ca586c38d284f562ff7e61b4d3a61ae328 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_TrustedProxies___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, addresses, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, fields, Sluice\\ProxyFields, 0, "Sluice\\ProxyFields::XForwarded")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, proxyProtocol, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_TrustedProxies, __construct);


static const zend_function_entry class_Sluice_ProxyFields_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_TrustedProxies_methods[] = {
	ZEND_ME(Sluice_TrustedProxies, __construct, arginfo_class_Sluice_TrustedProxies___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_ProxyFields(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\ProxyFields", IS_STRING, class_Sluice_ProxyFields_methods);

	zval enum_case_None_value;
	zend_string *enum_case_None_value_str = zend_string_init("none", strlen("none"), 1);
	ZVAL_STR(&enum_case_None_value, enum_case_None_value_str);
	zend_enum_add_case_cstr(class_entry, "None", &enum_case_None_value);

	zval enum_case_XForwarded_value;
	zend_string *enum_case_XForwarded_value_str = zend_string_init("x-forwarded", strlen("x-forwarded"), 1);
	ZVAL_STR(&enum_case_XForwarded_value, enum_case_XForwarded_value_str);
	zend_enum_add_case_cstr(class_entry, "XForwarded", &enum_case_XForwarded_value);

	zval enum_case_Forwarded_value;
	zend_string *enum_case_Forwarded_value_str = zend_string_init("forwarded", strlen("forwarded"), 1);
	ZVAL_STR(&enum_case_Forwarded_value, enum_case_Forwarded_value_str);
	zend_enum_add_case_cstr(class_entry, "Forwarded", &enum_case_Forwarded_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_TrustedProxies(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "TrustedProxies", class_Sluice_TrustedProxies_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
