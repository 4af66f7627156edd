/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: fb8432a06f98562d2538bfb95ec7eb44f8dd882a */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodyBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodyFileBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodyStreamBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodySeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodyBytesPerSecond, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, formFields, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, formBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, partHeadBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, requestSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headerFields, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keepAliveSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, keepAliveRequests, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queuedBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, highWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lowWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeBytesPerSecond, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http2_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, concurrentStreams, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, streamResets, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, pings, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, settingsFrames, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, emptyFrames, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, continuations, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_WebSocket_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageFragments, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageBytesPerSecond, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, handshakeSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, idleSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, closeSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, subscriptions, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queuedBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, highWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lowWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeBytesPerSecond, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Tcp_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, messageBytesPerSecond, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, idleSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queuedBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, highWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lowWaterBytes, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeSeconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeBytesPerSecond, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Udp_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, datagrams, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Http_Limits, __construct);
ZEND_METHOD(Sluice_Http2_Limits, __construct);
ZEND_METHOD(Sluice_WebSocket_Limits, __construct);
ZEND_METHOD(Sluice_Tcp_Limits, __construct);
ZEND_METHOD(Sluice_Udp_Limits, __construct);


static const zend_function_entry class_Sluice_Http_Limits_methods[] = {
	ZEND_ME(Sluice_Http_Limits, __construct, arginfo_class_Sluice_Http_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http2_Limits_methods[] = {
	ZEND_ME(Sluice_Http2_Limits, __construct, arginfo_class_Sluice_Http2_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WebSocket_Limits_methods[] = {
	ZEND_ME(Sluice_WebSocket_Limits, __construct, arginfo_class_Sluice_WebSocket_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Tcp_Limits_methods[] = {
	ZEND_ME(Sluice_Tcp_Limits, __construct, arginfo_class_Sluice_Tcp_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Udp_Limits_methods[] = {
	ZEND_ME(Sluice_Udp_Limits, __construct, arginfo_class_Sluice_Udp_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Http_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Limits", class_Sluice_Http_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_bodyBytes_default_value;
	ZVAL_UNDEF(&property_bodyBytes_default_value);
	zend_string *property_bodyBytes_name = zend_string_init("bodyBytes", sizeof("bodyBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyBytes_name, &property_bodyBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_bodyBytes_name);

	zval property_bodyFileBytes_default_value;
	ZVAL_UNDEF(&property_bodyFileBytes_default_value);
	zend_string *property_bodyFileBytes_name = zend_string_init("bodyFileBytes", sizeof("bodyFileBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyFileBytes_name, &property_bodyFileBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_bodyFileBytes_name);

	zval property_bodyStreamBytes_default_value;
	ZVAL_UNDEF(&property_bodyStreamBytes_default_value);
	zend_string *property_bodyStreamBytes_name = zend_string_init("bodyStreamBytes", sizeof("bodyStreamBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyStreamBytes_name, &property_bodyStreamBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_bodyStreamBytes_name);

	zval property_bodySeconds_default_value;
	ZVAL_UNDEF(&property_bodySeconds_default_value);
	zend_string *property_bodySeconds_name = zend_string_init("bodySeconds", sizeof("bodySeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodySeconds_name, &property_bodySeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_bodySeconds_name);

	zval property_bodyBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_bodyBytesPerSecond_default_value);
	zend_string *property_bodyBytesPerSecond_name = zend_string_init("bodyBytesPerSecond", sizeof("bodyBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyBytesPerSecond_name, &property_bodyBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_bodyBytesPerSecond_name);

	zval property_formFields_default_value;
	ZVAL_UNDEF(&property_formFields_default_value);
	zend_string *property_formFields_name = zend_string_init("formFields", sizeof("formFields") - 1, 1);
	zend_declare_typed_property(class_entry, property_formFields_name, &property_formFields_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_formFields_name);

	zval property_formBytes_default_value;
	ZVAL_UNDEF(&property_formBytes_default_value);
	zend_string *property_formBytes_name = zend_string_init("formBytes", sizeof("formBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_formBytes_name, &property_formBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_formBytes_name);

	zval property_partHeadBytes_default_value;
	ZVAL_UNDEF(&property_partHeadBytes_default_value);
	zend_string *property_partHeadBytes_name = zend_string_init("partHeadBytes", sizeof("partHeadBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_partHeadBytes_name, &property_partHeadBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_partHeadBytes_name);

	zval property_requestSeconds_default_value;
	ZVAL_UNDEF(&property_requestSeconds_default_value);
	zend_string *property_requestSeconds_name = zend_string_init("requestSeconds", sizeof("requestSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_requestSeconds_name, &property_requestSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_requestSeconds_name);

	zval property_headBytes_default_value;
	ZVAL_UNDEF(&property_headBytes_default_value);
	zend_string *property_headBytes_name = zend_string_init("headBytes", sizeof("headBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_headBytes_name, &property_headBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_headBytes_name);

	zval property_headerFields_default_value;
	ZVAL_UNDEF(&property_headerFields_default_value);
	zend_string *property_headerFields_name = zend_string_init("headerFields", sizeof("headerFields") - 1, 1);
	zend_declare_typed_property(class_entry, property_headerFields_name, &property_headerFields_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_headerFields_name);

	zval property_headSeconds_default_value;
	ZVAL_UNDEF(&property_headSeconds_default_value);
	zend_string *property_headSeconds_name = zend_string_init("headSeconds", sizeof("headSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_headSeconds_name, &property_headSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_headSeconds_name);

	zval property_keepAliveSeconds_default_value;
	ZVAL_UNDEF(&property_keepAliveSeconds_default_value);
	zend_string *property_keepAliveSeconds_name = zend_string_init("keepAliveSeconds", sizeof("keepAliveSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_keepAliveSeconds_name, &property_keepAliveSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_keepAliveSeconds_name);

	zval property_keepAliveRequests_default_value;
	ZVAL_UNDEF(&property_keepAliveRequests_default_value);
	zend_string *property_keepAliveRequests_name = zend_string_init("keepAliveRequests", sizeof("keepAliveRequests") - 1, 1);
	zend_declare_typed_property(class_entry, property_keepAliveRequests_name, &property_keepAliveRequests_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_keepAliveRequests_name);

	zval property_queuedBytes_default_value;
	ZVAL_UNDEF(&property_queuedBytes_default_value);
	zend_string *property_queuedBytes_name = zend_string_init("queuedBytes", sizeof("queuedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedBytes_name, &property_queuedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_queuedBytes_name);

	zval property_highWaterBytes_default_value;
	ZVAL_UNDEF(&property_highWaterBytes_default_value);
	zend_string *property_highWaterBytes_name = zend_string_init("highWaterBytes", sizeof("highWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_highWaterBytes_name, &property_highWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_highWaterBytes_name);

	zval property_lowWaterBytes_default_value;
	ZVAL_UNDEF(&property_lowWaterBytes_default_value);
	zend_string *property_lowWaterBytes_name = zend_string_init("lowWaterBytes", sizeof("lowWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lowWaterBytes_name, &property_lowWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_lowWaterBytes_name);

	zval property_writeSeconds_default_value;
	ZVAL_UNDEF(&property_writeSeconds_default_value);
	zend_string *property_writeSeconds_name = zend_string_init("writeSeconds", sizeof("writeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeSeconds_name, &property_writeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_writeSeconds_name);

	zval property_writeBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_writeBytesPerSecond_default_value);
	zend_string *property_writeBytesPerSecond_name = zend_string_init("writeBytesPerSecond", sizeof("writeBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeBytesPerSecond_name, &property_writeBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_writeBytesPerSecond_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http2_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http2", "Limits", class_Sluice_Http2_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_concurrentStreams_default_value;
	ZVAL_UNDEF(&property_concurrentStreams_default_value);
	zend_string *property_concurrentStreams_name = zend_string_init("concurrentStreams", sizeof("concurrentStreams") - 1, 1);
	zend_declare_typed_property(class_entry, property_concurrentStreams_name, &property_concurrentStreams_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_concurrentStreams_name);

	zval property_streamResets_default_value;
	ZVAL_UNDEF(&property_streamResets_default_value);
	zend_string *property_streamResets_name = zend_string_init("streamResets", sizeof("streamResets") - 1, 1);
	zend_declare_typed_property(class_entry, property_streamResets_name, &property_streamResets_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_streamResets_name);

	zval property_pings_default_value;
	ZVAL_UNDEF(&property_pings_default_value);
	zend_string *property_pings_name = zend_string_init("pings", sizeof("pings") - 1, 1);
	zend_declare_typed_property(class_entry, property_pings_name, &property_pings_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_pings_name);

	zval property_settingsFrames_default_value;
	ZVAL_UNDEF(&property_settingsFrames_default_value);
	zend_string *property_settingsFrames_name = zend_string_init("settingsFrames", sizeof("settingsFrames") - 1, 1);
	zend_declare_typed_property(class_entry, property_settingsFrames_name, &property_settingsFrames_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_settingsFrames_name);

	zval property_emptyFrames_default_value;
	ZVAL_UNDEF(&property_emptyFrames_default_value);
	zend_string *property_emptyFrames_name = zend_string_init("emptyFrames", sizeof("emptyFrames") - 1, 1);
	zend_declare_typed_property(class_entry, property_emptyFrames_name, &property_emptyFrames_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_emptyFrames_name);

	zval property_continuations_default_value;
	ZVAL_UNDEF(&property_continuations_default_value);
	zend_string *property_continuations_name = zend_string_init("continuations", sizeof("continuations") - 1, 1);
	zend_declare_typed_property(class_entry, property_continuations_name, &property_continuations_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_continuations_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WebSocket_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\WebSocket", "Limits", class_Sluice_WebSocket_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_messageBytes_default_value;
	ZVAL_UNDEF(&property_messageBytes_default_value);
	zend_string *property_messageBytes_name = zend_string_init("messageBytes", sizeof("messageBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageBytes_name, &property_messageBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_messageBytes_name);

	zval property_messageFragments_default_value;
	ZVAL_UNDEF(&property_messageFragments_default_value);
	zend_string *property_messageFragments_name = zend_string_init("messageFragments", sizeof("messageFragments") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageFragments_name, &property_messageFragments_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_messageFragments_name);

	zval property_messageSeconds_default_value;
	ZVAL_UNDEF(&property_messageSeconds_default_value);
	zend_string *property_messageSeconds_name = zend_string_init("messageSeconds", sizeof("messageSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageSeconds_name, &property_messageSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_messageSeconds_name);

	zval property_messageBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_messageBytesPerSecond_default_value);
	zend_string *property_messageBytesPerSecond_name = zend_string_init("messageBytesPerSecond", sizeof("messageBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageBytesPerSecond_name, &property_messageBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_messageBytesPerSecond_name);

	zval property_handshakeSeconds_default_value;
	ZVAL_UNDEF(&property_handshakeSeconds_default_value);
	zend_string *property_handshakeSeconds_name = zend_string_init("handshakeSeconds", sizeof("handshakeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_handshakeSeconds_name, &property_handshakeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_handshakeSeconds_name);

	zval property_idleSeconds_default_value;
	ZVAL_UNDEF(&property_idleSeconds_default_value);
	zend_string *property_idleSeconds_name = zend_string_init("idleSeconds", sizeof("idleSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_idleSeconds_name, &property_idleSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_idleSeconds_name);

	zval property_closeSeconds_default_value;
	ZVAL_UNDEF(&property_closeSeconds_default_value);
	zend_string *property_closeSeconds_name = zend_string_init("closeSeconds", sizeof("closeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_closeSeconds_name, &property_closeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_closeSeconds_name);

	zval property_subscriptions_default_value;
	ZVAL_UNDEF(&property_subscriptions_default_value);
	zend_string *property_subscriptions_name = zend_string_init("subscriptions", sizeof("subscriptions") - 1, 1);
	zend_declare_typed_property(class_entry, property_subscriptions_name, &property_subscriptions_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_subscriptions_name);

	zval property_queuedBytes_default_value;
	ZVAL_UNDEF(&property_queuedBytes_default_value);
	zend_string *property_queuedBytes_name = zend_string_init("queuedBytes", sizeof("queuedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedBytes_name, &property_queuedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_queuedBytes_name);

	zval property_highWaterBytes_default_value;
	ZVAL_UNDEF(&property_highWaterBytes_default_value);
	zend_string *property_highWaterBytes_name = zend_string_init("highWaterBytes", sizeof("highWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_highWaterBytes_name, &property_highWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_highWaterBytes_name);

	zval property_lowWaterBytes_default_value;
	ZVAL_UNDEF(&property_lowWaterBytes_default_value);
	zend_string *property_lowWaterBytes_name = zend_string_init("lowWaterBytes", sizeof("lowWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lowWaterBytes_name, &property_lowWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_lowWaterBytes_name);

	zval property_writeSeconds_default_value;
	ZVAL_UNDEF(&property_writeSeconds_default_value);
	zend_string *property_writeSeconds_name = zend_string_init("writeSeconds", sizeof("writeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeSeconds_name, &property_writeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_writeSeconds_name);

	zval property_writeBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_writeBytesPerSecond_default_value);
	zend_string *property_writeBytesPerSecond_name = zend_string_init("writeBytesPerSecond", sizeof("writeBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeBytesPerSecond_name, &property_writeBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_writeBytesPerSecond_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Tcp_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Tcp", "Limits", class_Sluice_Tcp_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_messageBytes_default_value;
	ZVAL_UNDEF(&property_messageBytes_default_value);
	zend_string *property_messageBytes_name = zend_string_init("messageBytes", sizeof("messageBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageBytes_name, &property_messageBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_messageBytes_name);

	zval property_messageSeconds_default_value;
	ZVAL_UNDEF(&property_messageSeconds_default_value);
	zend_string *property_messageSeconds_name = zend_string_init("messageSeconds", sizeof("messageSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageSeconds_name, &property_messageSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_messageSeconds_name);

	zval property_messageBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_messageBytesPerSecond_default_value);
	zend_string *property_messageBytesPerSecond_name = zend_string_init("messageBytesPerSecond", sizeof("messageBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_messageBytesPerSecond_name, &property_messageBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_messageBytesPerSecond_name);

	zval property_idleSeconds_default_value;
	ZVAL_UNDEF(&property_idleSeconds_default_value);
	zend_string *property_idleSeconds_name = zend_string_init("idleSeconds", sizeof("idleSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_idleSeconds_name, &property_idleSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_idleSeconds_name);

	zval property_queuedBytes_default_value;
	ZVAL_UNDEF(&property_queuedBytes_default_value);
	zend_string *property_queuedBytes_name = zend_string_init("queuedBytes", sizeof("queuedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedBytes_name, &property_queuedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_queuedBytes_name);

	zval property_highWaterBytes_default_value;
	ZVAL_UNDEF(&property_highWaterBytes_default_value);
	zend_string *property_highWaterBytes_name = zend_string_init("highWaterBytes", sizeof("highWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_highWaterBytes_name, &property_highWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_highWaterBytes_name);

	zval property_lowWaterBytes_default_value;
	ZVAL_UNDEF(&property_lowWaterBytes_default_value);
	zend_string *property_lowWaterBytes_name = zend_string_init("lowWaterBytes", sizeof("lowWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lowWaterBytes_name, &property_lowWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_lowWaterBytes_name);

	zval property_writeSeconds_default_value;
	ZVAL_UNDEF(&property_writeSeconds_default_value);
	zend_string *property_writeSeconds_name = zend_string_init("writeSeconds", sizeof("writeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeSeconds_name, &property_writeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_writeSeconds_name);

	zval property_writeBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_writeBytesPerSecond_default_value);
	zend_string *property_writeBytesPerSecond_name = zend_string_init("writeBytesPerSecond", sizeof("writeBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeBytesPerSecond_name, &property_writeBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_writeBytesPerSecond_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Udp_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Udp", "Limits", class_Sluice_Udp_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_datagrams_default_value;
	ZVAL_UNDEF(&property_datagrams_default_value);
	zend_string *property_datagrams_name = zend_string_init("datagrams", sizeof("datagrams") - 1, 1);
	zend_declare_typed_property(class_entry, property_datagrams_name, &property_datagrams_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_datagrams_name);

	return class_entry;
}
