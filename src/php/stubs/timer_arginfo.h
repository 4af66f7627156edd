/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6547778f81d9c8344287efc69041dc5dec2c973b */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Timer___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Timer_after, 0, 2, Sluice\\Timer, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Timer_every arginfo_class_Sluice_Timer_after

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Timer_cron, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, expression, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeZone, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Timer_cancel, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Timer_isActive arginfo_class_Sluice_Timer_cancel


ZEND_METHOD(Sluice_Timer, __construct);
ZEND_METHOD(Sluice_Timer, after);
ZEND_METHOD(Sluice_Timer, every);
ZEND_METHOD(Sluice_Timer, cron);
ZEND_METHOD(Sluice_Timer, cancel);
ZEND_METHOD(Sluice_Timer, isActive);


static const zend_function_entry class_Sluice_Timer_methods[] = {
	ZEND_ME(Sluice_Timer, __construct, arginfo_class_Sluice_Timer___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Timer, after, arginfo_class_Sluice_Timer_after, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Timer, every, arginfo_class_Sluice_Timer_every, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Timer, cron, arginfo_class_Sluice_Timer_cron, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Timer, cancel, arginfo_class_Sluice_Timer_cancel, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Timer, isActive, arginfo_class_Sluice_Timer_isActive, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Timer(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Timer", class_Sluice_Timer_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
