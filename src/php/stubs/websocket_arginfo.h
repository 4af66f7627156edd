/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: db3132b2cfa8a877ff8c7d691a92ba3d9224682f */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handler_open, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\WebSocket\\Connection, 0)
	ZEND_ARG_OBJ_INFO(0, request, Sluice\\Http\\Request, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handler_message, 0, 3, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\WebSocket\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, binary, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handler_close, 0, 3, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\WebSocket\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, code, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, reason, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_PongHandler_pong, 0, 3, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, who, Sluice\\WebSocket\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, roundTripSeconds, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Heartbeat___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, everySeconds, IS_DOUBLE, 0, "30.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Origins___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, allowed, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, sameOrigin, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, withoutOrigin, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Origins_allows, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, origin, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, host, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secure, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Options___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, protocols, IS_ARRAY, 0, "[]")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, origins, Sluice\\WebSocket\\Origins, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, compression, Sluice\\WebSocket\\Compression, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, heartbeat, Sluice\\WebSocket\\Heartbeat, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, slowClient, Sluice\\SlowClient, 0, "Sluice\\SlowClient::DropNewest")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_protocols, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_protocol, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_attach, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_header, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_refuse, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, status, IS_LONG, 0, "403")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, body, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Handshake_isRefused, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Compression___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, serverTakeover, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, clientTakeover, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, serverWindowBits, IS_LONG, 0, "15")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, clientWindowBits, IS_LONG, 0, "15")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, level, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, minBytes, IS_LONG, 0, "256")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection___construct arginfo_class_Sluice_WebSocket_Handshake___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_fromId, 0, 1, Sluice\\WebSocket\\Connection, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_send, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_sendMany, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, ids, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_ping, 0, 0, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, data, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_roundTripSeconds, 0, 0, IS_DOUBLE, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_parameter, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_parameters arginfo_class_Sluice_WebSocket_Handshake_protocols

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_protocol, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_close, 0, 0, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, code, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reason, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_subscribe, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_unsubscribe arginfo_class_Sluice_WebSocket_Connection_subscribe

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_subscribePrefix, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, prefix, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_unsubscribePrefix arginfo_class_Sluice_WebSocket_Connection_subscribePrefix

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_topics, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_prefixes arginfo_class_Sluice_WebSocket_Connection_topics

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_publish, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, exceptSelf, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_attach, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_data arginfo_class_Sluice_WebSocket_Connection_protocol

#define arginfo_class_Sluice_WebSocket_Connection_isOpen arginfo_class_Sluice_WebSocket_Handshake_isRefused

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WebSocket_Connection_queuedBytes, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WebSocket_Connection_peer arginfo_class_Sluice_WebSocket_Connection_protocol


ZEND_METHOD(Sluice_WebSocket_Heartbeat, __construct);
ZEND_METHOD(Sluice_WebSocket_Origins, __construct);
ZEND_METHOD(Sluice_WebSocket_Origins, allows);
ZEND_METHOD(Sluice_WebSocket_Options, __construct);
ZEND_METHOD(Sluice_WebSocket_Handshake, __construct);
ZEND_METHOD(Sluice_WebSocket_Handshake, protocols);
ZEND_METHOD(Sluice_WebSocket_Handshake, protocol);
ZEND_METHOD(Sluice_WebSocket_Handshake, attach);
ZEND_METHOD(Sluice_WebSocket_Handshake, header);
ZEND_METHOD(Sluice_WebSocket_Handshake, refuse);
ZEND_METHOD(Sluice_WebSocket_Handshake, isRefused);
ZEND_METHOD(Sluice_WebSocket_Compression, __construct);
ZEND_METHOD(Sluice_WebSocket_Connection, __construct);
ZEND_METHOD(Sluice_WebSocket_Connection, fromId);
ZEND_METHOD(Sluice_WebSocket_Connection, send);
ZEND_METHOD(Sluice_WebSocket_Connection, sendMany);
ZEND_METHOD(Sluice_WebSocket_Connection, ping);
ZEND_METHOD(Sluice_WebSocket_Connection, roundTripSeconds);
ZEND_METHOD(Sluice_WebSocket_Connection, parameter);
ZEND_METHOD(Sluice_WebSocket_Connection, parameters);
ZEND_METHOD(Sluice_WebSocket_Connection, protocol);
ZEND_METHOD(Sluice_WebSocket_Connection, close);
ZEND_METHOD(Sluice_WebSocket_Connection, subscribe);
ZEND_METHOD(Sluice_WebSocket_Connection, unsubscribe);
ZEND_METHOD(Sluice_WebSocket_Connection, subscribePrefix);
ZEND_METHOD(Sluice_WebSocket_Connection, unsubscribePrefix);
ZEND_METHOD(Sluice_WebSocket_Connection, topics);
ZEND_METHOD(Sluice_WebSocket_Connection, prefixes);
ZEND_METHOD(Sluice_WebSocket_Connection, publish);
ZEND_METHOD(Sluice_WebSocket_Connection, attach);
ZEND_METHOD(Sluice_WebSocket_Connection, data);
ZEND_METHOD(Sluice_WebSocket_Connection, isOpen);
ZEND_METHOD(Sluice_WebSocket_Connection, queuedBytes);
ZEND_METHOD(Sluice_WebSocket_Connection, peer);


static const zend_function_entry class_Sluice_WebSocket_Handler_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_WebSocket_Handler, open, arginfo_class_Sluice_WebSocket_Handler_open, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_WebSocket_Handler, message, arginfo_class_Sluice_WebSocket_Handler_message, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_WebSocket_Handler, close, arginfo_class_Sluice_WebSocket_Handler_close, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_PongHandler_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_WebSocket_PongHandler, pong, arginfo_class_Sluice_WebSocket_PongHandler_pong, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Heartbeat_methods[] = {
	ZEND_ME(Sluice_WebSocket_Heartbeat, __construct, arginfo_class_Sluice_WebSocket_Heartbeat___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Origins_methods[] = {
	ZEND_ME(Sluice_WebSocket_Origins, __construct, arginfo_class_Sluice_WebSocket_Origins___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Origins, allows, arginfo_class_Sluice_WebSocket_Origins_allows, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Options_methods[] = {
	ZEND_ME(Sluice_WebSocket_Options, __construct, arginfo_class_Sluice_WebSocket_Options___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Handshake_methods[] = {
	ZEND_ME(Sluice_WebSocket_Handshake, __construct, arginfo_class_Sluice_WebSocket_Handshake___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_WebSocket_Handshake, protocols, arginfo_class_Sluice_WebSocket_Handshake_protocols, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Handshake, protocol, arginfo_class_Sluice_WebSocket_Handshake_protocol, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Handshake, attach, arginfo_class_Sluice_WebSocket_Handshake_attach, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Handshake, header, arginfo_class_Sluice_WebSocket_Handshake_header, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Handshake, refuse, arginfo_class_Sluice_WebSocket_Handshake_refuse, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Handshake, isRefused, arginfo_class_Sluice_WebSocket_Handshake_isRefused, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Compression_methods[] = {
	ZEND_ME(Sluice_WebSocket_Compression, __construct, arginfo_class_Sluice_WebSocket_Compression___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Connection_methods[] = {
	ZEND_ME(Sluice_WebSocket_Connection, __construct, arginfo_class_Sluice_WebSocket_Connection___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_WebSocket_Connection, fromId, arginfo_class_Sluice_WebSocket_Connection_fromId, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_WebSocket_Connection, send, arginfo_class_Sluice_WebSocket_Connection_send, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, sendMany, arginfo_class_Sluice_WebSocket_Connection_sendMany, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_WebSocket_Connection, ping, arginfo_class_Sluice_WebSocket_Connection_ping, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, roundTripSeconds, arginfo_class_Sluice_WebSocket_Connection_roundTripSeconds, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, parameter, arginfo_class_Sluice_WebSocket_Connection_parameter, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, parameters, arginfo_class_Sluice_WebSocket_Connection_parameters, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, protocol, arginfo_class_Sluice_WebSocket_Connection_protocol, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, close, arginfo_class_Sluice_WebSocket_Connection_close, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, subscribe, arginfo_class_Sluice_WebSocket_Connection_subscribe, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, unsubscribe, arginfo_class_Sluice_WebSocket_Connection_unsubscribe, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, subscribePrefix, arginfo_class_Sluice_WebSocket_Connection_subscribePrefix, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, unsubscribePrefix, arginfo_class_Sluice_WebSocket_Connection_unsubscribePrefix, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, topics, arginfo_class_Sluice_WebSocket_Connection_topics, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, prefixes, arginfo_class_Sluice_WebSocket_Connection_prefixes, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, publish, arginfo_class_Sluice_WebSocket_Connection_publish, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, attach, arginfo_class_Sluice_WebSocket_Connection_attach, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, data, arginfo_class_Sluice_WebSocket_Connection_data, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, isOpen, arginfo_class_Sluice_WebSocket_Connection_isOpen, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, queuedBytes, arginfo_class_Sluice_WebSocket_Connection_queuedBytes, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_WebSocket_Connection, peer, arginfo_class_Sluice_WebSocket_Connection_peer, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_WebSocket_Handler(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Handler", class_Sluice_WebSocket_Handler_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_PongHandler(zend_class_entry *class_entry_Sluice_WebSocket_Handler)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "PongHandler", class_Sluice_WebSocket_PongHandler_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Sluice_WebSocket_Handler);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Heartbeat(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Heartbeat", class_Sluice_WebSocket_Heartbeat_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_everySeconds_default_value;
	ZVAL_UNDEF(&property_everySeconds_default_value);
	zend_string *property_everySeconds_name = zend_string_init("everySeconds", sizeof("everySeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_everySeconds_name, &property_everySeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_everySeconds_name);

	zval property_timeoutSeconds_default_value;
	ZVAL_UNDEF(&property_timeoutSeconds_default_value);
	zend_string *property_timeoutSeconds_name = zend_string_init("timeoutSeconds", sizeof("timeoutSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_timeoutSeconds_name, &property_timeoutSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_timeoutSeconds_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Origins(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Origins", class_Sluice_WebSocket_Origins_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Options(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Options", class_Sluice_WebSocket_Options_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_protocols_default_value;
	ZVAL_UNDEF(&property_protocols_default_value);
	zend_string *property_protocols_name = zend_string_init("protocols", sizeof("protocols") - 1, 1);
	zend_declare_typed_property(class_entry, property_protocols_name, &property_protocols_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ARRAY));
	zend_string_release(property_protocols_name);

	zend_string *property_origins_class_Sluice_WebSocket_Origins = zend_string_init("Sluice\\WebSocket\\Origins", sizeof("Sluice\\WebSocket\\Origins")-1, 1);
	zval property_origins_default_value;
	ZVAL_UNDEF(&property_origins_default_value);
	zend_string *property_origins_name = zend_string_init("origins", sizeof("origins") - 1, 1);
	zend_declare_typed_property(class_entry, property_origins_name, &property_origins_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_origins_class_Sluice_WebSocket_Origins, 0, MAY_BE_NULL));
	zend_string_release(property_origins_name);

	zend_string *property_compression_class_Sluice_WebSocket_Compression = zend_string_init("Sluice\\WebSocket\\Compression", sizeof("Sluice\\WebSocket\\Compression")-1, 1);
	zval property_compression_default_value;
	ZVAL_UNDEF(&property_compression_default_value);
	zend_string *property_compression_name = zend_string_init("compression", sizeof("compression") - 1, 1);
	zend_declare_typed_property(class_entry, property_compression_name, &property_compression_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_compression_class_Sluice_WebSocket_Compression, 0, MAY_BE_NULL));
	zend_string_release(property_compression_name);

	zend_string *property_heartbeat_class_Sluice_WebSocket_Heartbeat = zend_string_init("Sluice\\WebSocket\\Heartbeat", sizeof("Sluice\\WebSocket\\Heartbeat")-1, 1);
	zval property_heartbeat_default_value;
	ZVAL_UNDEF(&property_heartbeat_default_value);
	zend_string *property_heartbeat_name = zend_string_init("heartbeat", sizeof("heartbeat") - 1, 1);
	zend_declare_typed_property(class_entry, property_heartbeat_name, &property_heartbeat_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_heartbeat_class_Sluice_WebSocket_Heartbeat, 0, MAY_BE_NULL));
	zend_string_release(property_heartbeat_name);

	zend_string *property_slowClient_class_Sluice_SlowClient = zend_string_init("Sluice\\SlowClient", sizeof("Sluice\\SlowClient")-1, 1);
	zval property_slowClient_default_value;
	ZVAL_UNDEF(&property_slowClient_default_value);
	zend_string *property_slowClient_name = zend_string_init("slowClient", sizeof("slowClient") - 1, 1);
	zend_declare_typed_property(class_entry, property_slowClient_name, &property_slowClient_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_slowClient_class_Sluice_SlowClient, 0, 0));
	zend_string_release(property_slowClient_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Handshake(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Handshake", class_Sluice_WebSocket_Handshake_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_request_class_Sluice_Http_Request = zend_string_init("Sluice\\Http\\Request", sizeof("Sluice\\Http\\Request")-1, 1);
	zval property_request_default_value;
	ZVAL_UNDEF(&property_request_default_value);
	zend_string *property_request_name = zend_string_init("request", sizeof("request") - 1, 1);
	zend_declare_typed_property(class_entry, property_request_name, &property_request_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_request_class_Sluice_Http_Request, 0, 0));
	zend_string_release(property_request_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Compression(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Compression", class_Sluice_WebSocket_Compression_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_serverTakeover_default_value;
	ZVAL_UNDEF(&property_serverTakeover_default_value);
	zend_string *property_serverTakeover_name = zend_string_init("serverTakeover", sizeof("serverTakeover") - 1, 1);
	zend_declare_typed_property(class_entry, property_serverTakeover_name, &property_serverTakeover_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_serverTakeover_name);

	zval property_clientTakeover_default_value;
	ZVAL_UNDEF(&property_clientTakeover_default_value);
	zend_string *property_clientTakeover_name = zend_string_init("clientTakeover", sizeof("clientTakeover") - 1, 1);
	zend_declare_typed_property(class_entry, property_clientTakeover_name, &property_clientTakeover_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_clientTakeover_name);

	zval property_serverWindowBits_default_value;
	ZVAL_UNDEF(&property_serverWindowBits_default_value);
	zend_string *property_serverWindowBits_name = zend_string_init("serverWindowBits", sizeof("serverWindowBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_serverWindowBits_name, &property_serverWindowBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_serverWindowBits_name);

	zval property_clientWindowBits_default_value;
	ZVAL_UNDEF(&property_clientWindowBits_default_value);
	zend_string *property_clientWindowBits_name = zend_string_init("clientWindowBits", sizeof("clientWindowBits") - 1, 1);
	zend_declare_typed_property(class_entry, property_clientWindowBits_name, &property_clientWindowBits_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_clientWindowBits_name);

	zval property_level_default_value;
	ZVAL_UNDEF(&property_level_default_value);
	zend_string *property_level_name = zend_string_init("level", sizeof("level") - 1, 1);
	zend_declare_typed_property(class_entry, property_level_name, &property_level_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_level_name);

	zval property_minBytes_default_value;
	ZVAL_UNDEF(&property_minBytes_default_value);
	zend_string *property_minBytes_name = zend_string_init("minBytes", sizeof("minBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_minBytes_name, &property_minBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_minBytes_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Connection(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Connection", class_Sluice_WebSocket_Connection_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_id_name);

	return class_entry;
}
