/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: bbf08e8316206bab12daad77e6529b786c02737b */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Tcp_Handler_open, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\Tcp\\Connection, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Tcp_Handler_message, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\Tcp\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Tcp_Handler_close arginfo_class_Sluice_Tcp_Handler_open

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Tcp_Framing___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Framing_line, 0, 0, Sluice\\Tcp\\Framing, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, delimiter, IS_STRING, 0, "\"\\n\"")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxBytes, IS_LONG, 0, "65536")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Framing_lengthPrefix, 0, 0, Sluice\\Tcp\\Framing, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, width, IS_LONG, 0, "4")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, offset, IS_LONG, 0, "0")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, order, Sluice\\Tcp\\ByteOrder, 0, "Sluice\\Tcp\\ByteOrder::BigEndian")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, includesHeader, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keepHeader, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxBytes, IS_LONG, 0, "16777216")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Framing_none, 0, 0, Sluice\\Tcp\\Framing, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Tcp_Connection___construct arginfo_class_Sluice_Tcp_Framing___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Connection_fromId, 0, 1, Sluice\\Tcp\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Connection_send, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Connection_close, 0, 0, Sluice\\Delivery, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Tcp_Connection_attach, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Tcp_Connection_data, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Tcp_Connection_isOpen, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Tcp_Connection_queuedBytes, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Tcp_Connection_peer arginfo_class_Sluice_Tcp_Connection_data


ZEND_METHOD(Sluice_Tcp_Framing, __construct);
ZEND_METHOD(Sluice_Tcp_Framing, line);
ZEND_METHOD(Sluice_Tcp_Framing, lengthPrefix);
ZEND_METHOD(Sluice_Tcp_Framing, none);
ZEND_METHOD(Sluice_Tcp_Connection, __construct);
ZEND_METHOD(Sluice_Tcp_Connection, fromId);
ZEND_METHOD(Sluice_Tcp_Connection, send);
ZEND_METHOD(Sluice_Tcp_Connection, close);
ZEND_METHOD(Sluice_Tcp_Connection, attach);
ZEND_METHOD(Sluice_Tcp_Connection, data);
ZEND_METHOD(Sluice_Tcp_Connection, isOpen);
ZEND_METHOD(Sluice_Tcp_Connection, queuedBytes);
ZEND_METHOD(Sluice_Tcp_Connection, peer);


static const zend_function_entry class_Sluice_Tcp_ByteOrder_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Tcp_Handler_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_Tcp_Handler, open, arginfo_class_Sluice_Tcp_Handler_open, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_Tcp_Handler, message, arginfo_class_Sluice_Tcp_Handler_message, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_Tcp_Handler, close, arginfo_class_Sluice_Tcp_Handler_close, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Tcp_Framing_methods[] = {
	ZEND_ME(Sluice_Tcp_Framing, __construct, arginfo_class_Sluice_Tcp_Framing___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Tcp_Framing, line, arginfo_class_Sluice_Tcp_Framing_line, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Tcp_Framing, lengthPrefix, arginfo_class_Sluice_Tcp_Framing_lengthPrefix, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Tcp_Framing, none, arginfo_class_Sluice_Tcp_Framing_none, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Tcp_Connection_methods[] = {
	ZEND_ME(Sluice_Tcp_Connection, __construct, arginfo_class_Sluice_Tcp_Connection___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Tcp_Connection, fromId, arginfo_class_Sluice_Tcp_Connection_fromId, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Tcp_Connection, send, arginfo_class_Sluice_Tcp_Connection_send, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, close, arginfo_class_Sluice_Tcp_Connection_close, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, attach, arginfo_class_Sluice_Tcp_Connection_attach, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, data, arginfo_class_Sluice_Tcp_Connection_data, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, isOpen, arginfo_class_Sluice_Tcp_Connection_isOpen, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, queuedBytes, arginfo_class_Sluice_Tcp_Connection_queuedBytes, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Tcp_Connection, peer, arginfo_class_Sluice_Tcp_Connection_peer, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Tcp_ByteOrder(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Tcp\\ByteOrder", IS_UNDEF, class_Sluice_Tcp_ByteOrder_methods);

	zend_enum_add_case_cstr(class_entry, "BigEndian", NULL);

	zend_enum_add_case_cstr(class_entry, "LittleEndian", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Tcp_Handler(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Tcp", "Handler", class_Sluice_Tcp_Handler_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Tcp_Framing(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Tcp", "Framing", class_Sluice_Tcp_Framing_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Tcp_Connection(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Tcp", "Connection", class_Sluice_Tcp_Connection_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_id_name);

	return class_entry;
}
