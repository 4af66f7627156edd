/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: cee00b686ebe09356e30fe9cb078592c7fbeefb1 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Udp_Handler_datagram, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, from, Sluice\\\125dp\\Peer, 0)
	ZEND_ARG_TYPE_INFO(0, datagram, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Udp_Peer___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Udp_Peer_address, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Udp_Peer_send, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, datagram, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Udp_Peer, __construct);
ZEND_METHOD(Sluice_Udp_Peer, address);
ZEND_METHOD(Sluice_Udp_Peer, send);


static const zend_function_entry class_Sluice_Udp_Handler_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_Udp_Handler, datagram, arginfo_class_Sluice_Udp_Handler_datagram, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Udp_Peer_methods[] = {
	ZEND_ME(Sluice_Udp_Peer, __construct, arginfo_class_Sluice_Udp_Peer___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Udp_Peer, address, arginfo_class_Sluice_Udp_Peer_address, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Udp_Peer, send, arginfo_class_Sluice_Udp_Peer_send, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Udp_Handler(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Udp", "Handler", class_Sluice_Udp_Handler_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Udp_Peer(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Udp", "Peer", class_Sluice_Udp_Peer_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
