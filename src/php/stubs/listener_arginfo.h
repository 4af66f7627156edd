/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 5bcc09a8afa814b11b3407afcd8fd4d0be7e6256 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Listener___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, address, IS_STRING, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, tls, Sluice\\Tls, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, proxies, Sluice\\TrustedProxies, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, socketMode, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Listener, __construct);


static const zend_function_entry class_Sluice_Listener_methods[] = {
	ZEND_ME(Sluice_Listener, __construct, arginfo_class_Sluice_Listener___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Listener(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Listener", class_Sluice_Listener_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_address_default_value;
	ZVAL_UNDEF(&property_address_default_value);
	zend_string *property_address_name = zend_string_init("address", sizeof("address") - 1, 1);
	zend_declare_typed_property(class_entry, property_address_name, &property_address_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_address_name);

	zend_string *property_tls_class_Sluice_Tls = zend_string_init("Sluice\\Tls", sizeof("Sluice\\Tls")-1, 1);
	zval property_tls_default_value;
	ZVAL_UNDEF(&property_tls_default_value);
	zend_string *property_tls_name = zend_string_init("tls", sizeof("tls") - 1, 1);
	zend_declare_typed_property(class_entry, property_tls_name, &property_tls_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_tls_class_Sluice_Tls, 0, MAY_BE_NULL));
	zend_string_release(property_tls_name);

	zend_string *property_proxies_class_Sluice_TrustedProxies = zend_string_init("Sluice\\TrustedProxies", sizeof("Sluice\\TrustedProxies")-1, 1);
	zval property_proxies_default_value;
	ZVAL_UNDEF(&property_proxies_default_value);
	zend_string *property_proxies_name = zend_string_init("proxies", sizeof("proxies") - 1, 1);
	zend_declare_typed_property(class_entry, property_proxies_name, &property_proxies_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_proxies_class_Sluice_TrustedProxies, 0, MAY_BE_NULL));
	zend_string_release(property_proxies_name);

	zval property_socketMode_default_value;
	ZVAL_UNDEF(&property_socketMode_default_value);
	zend_string *property_socketMode_name = zend_string_init("socketMode", sizeof("socketMode") - 1, 1);
	zend_declare_typed_property(class_entry, property_socketMode_name, &property_socketMode_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_socketMode_name);

	return class_entry;
}
