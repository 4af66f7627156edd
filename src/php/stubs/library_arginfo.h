/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1307fec7ac093ad1c973963bf56c4ee949ce4b73 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Internal_Waiter___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_canWait, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_Waiter_ownsFiber arginfo_class_Sluice_Internal_Waiter_canWait

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_client, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_wait, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_wake, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_forStream, 0, 3, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, stream, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, write, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Waiter_waitForStreams, 0, 3, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, read, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, write, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint___construct, 0, 0, 4)
	ZEND_ARG_TYPE_INFO(0, maxMessageBytes, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, maxFragments, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, level, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, minBytes, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint_answer, 0, 4, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, head, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, protocols, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, deflate, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint_feed, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint_next, 0, 0, IS_ARRAY, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint_frame, 0, 2, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, opcode, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, payload, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_WebSocketEndpoint_closeFrame, 0, 2, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, code, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, reason, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_ProcessIdentity___construct arginfo_class_Sluice_Internal_Waiter___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_ProcessIdentity_own, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_ProcessIdentity_number arginfo_class_Sluice_Internal_Waiter_client

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_ProcessIdentity_isAlive, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, identity, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_ProcessIdentity_kill arginfo_class_Sluice_Internal_ProcessIdentity_isAlive

#define arginfo_class_Sluice_Internal_PoolProcess___construct arginfo_class_Sluice_Internal_Waiter___construct

#define arginfo_class_Sluice_Internal_PoolProcess_ready arginfo_class_Sluice_Internal_Waiter_wake

#define arginfo_class_Sluice_Internal_Readiness___construct arginfo_class_Sluice_Internal_Waiter___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Readiness_tell, 0, 5, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, index, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, ready, _IS_BOOL, 1)
	ZEND_ARG_TYPE_INFO(0, reason, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Readiness_holdsFor, 0, 1, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, index, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Internal_ProcessState___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, server, IS_OBJECT, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_ProcessState_changes, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_ProcessState_isWhole arginfo_class_Sluice_Internal_Waiter_canWait

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_ProcessState_recordWrites, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, on, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_ProcessState_calledAt, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, subject, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Internal_ProcessState_descriptors arginfo_class_Sluice_Internal_ProcessState_changes

#define arginfo_class_Sluice_Internal_ProcessState_transactions arginfo_class_Sluice_Internal_ProcessState_changes

#define arginfo_class_Sluice_Internal_ProcessState_objects arginfo_class_Sluice_Internal_ProcessState_changes

#define arginfo_class_Sluice_Internal_ProcessState_timers arginfo_class_Sluice_Internal_Waiter_client

#define arginfo_class_Sluice_Internal_ProcessState_shutdownFunctions arginfo_class_Sluice_Internal_Waiter_client

#define arginfo_class_Sluice_Internal_ProcessState_coroutines arginfo_class_Sluice_Internal_Waiter_client

#define arginfo_class_Sluice_Internal_ProcessState_places arginfo_class_Sluice_Internal_ProcessIdentity_own

#define arginfo_class_Sluice_Internal_Diagnostic___construct arginfo_class_Sluice_Internal_Waiter___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Internal_Diagnostic_raise, 0, 4, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, level, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, message, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, line, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Internal_Waiter, __construct);
ZEND_METHOD(Sluice_Internal_Waiter, canWait);
ZEND_METHOD(Sluice_Internal_Waiter, ownsFiber);
ZEND_METHOD(Sluice_Internal_Waiter, client);
ZEND_METHOD(Sluice_Internal_Waiter, wait);
ZEND_METHOD(Sluice_Internal_Waiter, wake);
ZEND_METHOD(Sluice_Internal_Waiter, forStream);
ZEND_METHOD(Sluice_Internal_Waiter, waitForStreams);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, __construct);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, answer);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, feed);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, next);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, frame);
ZEND_METHOD(Sluice_Internal_WebSocketEndpoint, closeFrame);
ZEND_METHOD(Sluice_Internal_ProcessIdentity, __construct);
ZEND_METHOD(Sluice_Internal_ProcessIdentity, own);
ZEND_METHOD(Sluice_Internal_ProcessIdentity, number);
ZEND_METHOD(Sluice_Internal_ProcessIdentity, isAlive);
ZEND_METHOD(Sluice_Internal_ProcessIdentity, kill);
ZEND_METHOD(Sluice_Internal_PoolProcess, __construct);
ZEND_METHOD(Sluice_Internal_PoolProcess, ready);
ZEND_METHOD(Sluice_Internal_Readiness, __construct);
ZEND_METHOD(Sluice_Internal_Readiness, tell);
ZEND_METHOD(Sluice_Internal_Readiness, holdsFor);
ZEND_METHOD(Sluice_Internal_ProcessState, __construct);
ZEND_METHOD(Sluice_Internal_ProcessState, changes);
ZEND_METHOD(Sluice_Internal_ProcessState, isWhole);
ZEND_METHOD(Sluice_Internal_ProcessState, recordWrites);
ZEND_METHOD(Sluice_Internal_ProcessState, calledAt);
ZEND_METHOD(Sluice_Internal_ProcessState, descriptors);
ZEND_METHOD(Sluice_Internal_ProcessState, transactions);
ZEND_METHOD(Sluice_Internal_ProcessState, objects);
ZEND_METHOD(Sluice_Internal_ProcessState, timers);
ZEND_METHOD(Sluice_Internal_ProcessState, shutdownFunctions);
ZEND_METHOD(Sluice_Internal_ProcessState, coroutines);
ZEND_METHOD(Sluice_Internal_ProcessState, places);
ZEND_METHOD(Sluice_Internal_Diagnostic, __construct);
ZEND_METHOD(Sluice_Internal_Diagnostic, raise);


static const zend_function_entry class_Sluice_Internal_Waiter_methods[] = {
	ZEND_ME(Sluice_Internal_Waiter, __construct, arginfo_class_Sluice_Internal_Waiter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_Waiter, canWait, arginfo_class_Sluice_Internal_Waiter_canWait, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_Waiter, ownsFiber, arginfo_class_Sluice_Internal_Waiter_ownsFiber, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_Waiter, client, arginfo_class_Sluice_Internal_Waiter_client, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_Waiter, wait, arginfo_class_Sluice_Internal_Waiter_wait, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_Waiter, wake, arginfo_class_Sluice_Internal_Waiter_wake, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_Waiter, forStream, arginfo_class_Sluice_Internal_Waiter_forStream, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_Waiter, waitForStreams, arginfo_class_Sluice_Internal_Waiter_waitForStreams, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_WebSocketEndpoint_methods[] = {
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, __construct, arginfo_class_Sluice_Internal_WebSocketEndpoint___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, answer, arginfo_class_Sluice_Internal_WebSocketEndpoint_answer, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, feed, arginfo_class_Sluice_Internal_WebSocketEndpoint_feed, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, next, arginfo_class_Sluice_Internal_WebSocketEndpoint_next, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, frame, arginfo_class_Sluice_Internal_WebSocketEndpoint_frame, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_WebSocketEndpoint, closeFrame, arginfo_class_Sluice_Internal_WebSocketEndpoint_closeFrame, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_ProcessIdentity_methods[] = {
	ZEND_ME(Sluice_Internal_ProcessIdentity, __construct, arginfo_class_Sluice_Internal_ProcessIdentity___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Internal_ProcessIdentity, own, arginfo_class_Sluice_Internal_ProcessIdentity_own, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessIdentity, number, arginfo_class_Sluice_Internal_ProcessIdentity_number, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessIdentity, isAlive, arginfo_class_Sluice_Internal_ProcessIdentity_isAlive, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessIdentity, kill, arginfo_class_Sluice_Internal_ProcessIdentity_kill, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_PoolProcess_methods[] = {
	ZEND_ME(Sluice_Internal_PoolProcess, __construct, arginfo_class_Sluice_Internal_PoolProcess___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Internal_PoolProcess, ready, arginfo_class_Sluice_Internal_PoolProcess_ready, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_Readiness_methods[] = {
	ZEND_ME(Sluice_Internal_Readiness, __construct, arginfo_class_Sluice_Internal_Readiness___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Internal_Readiness, tell, arginfo_class_Sluice_Internal_Readiness_tell, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_Readiness, holdsFor, arginfo_class_Sluice_Internal_Readiness_holdsFor, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_ProcessState_methods[] = {
	ZEND_ME(Sluice_Internal_ProcessState, __construct, arginfo_class_Sluice_Internal_ProcessState___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_ProcessState, changes, arginfo_class_Sluice_Internal_ProcessState_changes, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_ProcessState, isWhole, arginfo_class_Sluice_Internal_ProcessState_isWhole, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Internal_ProcessState, recordWrites, arginfo_class_Sluice_Internal_ProcessState_recordWrites, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, calledAt, arginfo_class_Sluice_Internal_ProcessState_calledAt, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, descriptors, arginfo_class_Sluice_Internal_ProcessState_descriptors, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, transactions, arginfo_class_Sluice_Internal_ProcessState_transactions, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, objects, arginfo_class_Sluice_Internal_ProcessState_objects, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, timers, arginfo_class_Sluice_Internal_ProcessState_timers, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, shutdownFunctions, arginfo_class_Sluice_Internal_ProcessState_shutdownFunctions, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, coroutines, arginfo_class_Sluice_Internal_ProcessState_coroutines, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Internal_ProcessState, places, arginfo_class_Sluice_Internal_ProcessState_places, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Internal_Diagnostic_methods[] = {
	ZEND_ME(Sluice_Internal_Diagnostic, __construct, arginfo_class_Sluice_Internal_Diagnostic___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Internal_Diagnostic, raise, arginfo_class_Sluice_Internal_Diagnostic_raise, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Internal_Waiter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "Waiter", class_Sluice_Internal_Waiter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_WebSocketEndpoint(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "WebSocketEndpoint", class_Sluice_Internal_WebSocketEndpoint_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_ProcessIdentity(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "ProcessIdentity", class_Sluice_Internal_ProcessIdentity_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_PoolProcess(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "PoolProcess", class_Sluice_Internal_PoolProcess_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_Readiness(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "Readiness", class_Sluice_Internal_Readiness_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_ProcessState(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "ProcessState", class_Sluice_Internal_ProcessState_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Internal_Diagnostic(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Internal", "Diagnostic", class_Sluice_Internal_Diagnostic_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
