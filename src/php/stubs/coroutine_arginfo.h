/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 93b1f9af0e311be565ef7789d128b829ad8dbf44 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, main, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, coroutines, IS_LONG, 0, "100000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, pooledStacks, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stallSeconds, IS_DOUBLE, 0, "1.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Sluice_Coroutine_stats, 0, 0, Sluice\\Coroutine\\Stats, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Sluice_Coroutine_spawn, 0, 1, Sluice\\Coroutine\\Task, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, arguments, IS_MIXED, 0)
ZEND_END_ARG_INFO()

#define arginfo_Sluice_Coroutine_start arginfo_Sluice_Coroutine_spawn

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_wait, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_id, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_parentId, 0, 0, IS_LONG, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, id, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_ids, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_suspend, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_resume, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Sluice_Coroutine_fiber, 0, 1, Fiber, 1)
	ZEND_ARG_TYPE_INFO(0, id, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_sleep, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_preempt, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 1)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, whole, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_all, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, functions, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_Sluice_Coroutine_settle arginfo_Sluice_Coroutine_all

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_any, 0, 0, IS_MIXED, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, functions, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_Sluice_Coroutine_race arginfo_Sluice_Coroutine_any

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_map, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, items, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "64")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_timeout, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_defer, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_shield, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Sluice_Coroutine_isolate, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, class, IS_STRING, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, properties, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_Sluice_Coroutine_asRequest arginfo_Sluice_Coroutine_shield

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Coroutine_Task___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Task_await, 0, 0, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Task_cancel, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Coroutine_Task_isDone arginfo_class_Sluice_Coroutine_Task_cancel

#define arginfo_class_Sluice_Coroutine_Task_work arginfo_Sluice_Coroutine_wait

#define arginfo_class_Sluice_Coroutine_Outcome___construct arginfo_class_Sluice_Coroutine_Task___construct

#define arginfo_class_Sluice_Coroutine_Outcome_succeeded arginfo_class_Sluice_Coroutine_Task_cancel

#define arginfo_class_Sluice_Coroutine_Outcome_get arginfo_class_Sluice_Coroutine_Task_await

#define arginfo_class_Sluice_Coroutine_Stats___construct arginfo_class_Sluice_Coroutine_Task___construct


ZEND_FUNCTION(Sluice_Coroutine_run);
ZEND_FUNCTION(Sluice_Coroutine_stats);
ZEND_FUNCTION(Sluice_Coroutine_spawn);
ZEND_FUNCTION(Sluice_Coroutine_start);
ZEND_FUNCTION(Sluice_Coroutine_wait);
ZEND_FUNCTION(Sluice_Coroutine_id);
ZEND_FUNCTION(Sluice_Coroutine_parentId);
ZEND_FUNCTION(Sluice_Coroutine_ids);
ZEND_FUNCTION(Sluice_Coroutine_suspend);
ZEND_FUNCTION(Sluice_Coroutine_resume);
ZEND_FUNCTION(Sluice_Coroutine_fiber);
ZEND_FUNCTION(Sluice_Coroutine_sleep);
ZEND_FUNCTION(Sluice_Coroutine_preempt);
ZEND_FUNCTION(Sluice_Coroutine_all);
ZEND_FUNCTION(Sluice_Coroutine_settle);
ZEND_FUNCTION(Sluice_Coroutine_any);
ZEND_FUNCTION(Sluice_Coroutine_race);
ZEND_FUNCTION(Sluice_Coroutine_map);
ZEND_FUNCTION(Sluice_Coroutine_timeout);
ZEND_FUNCTION(Sluice_Coroutine_defer);
ZEND_FUNCTION(Sluice_Coroutine_shield);
ZEND_FUNCTION(Sluice_Coroutine_isolate);
ZEND_FUNCTION(Sluice_Coroutine_asRequest);
ZEND_METHOD(Sluice_Coroutine_Task, __construct);
ZEND_METHOD(Sluice_Coroutine_Task, await);
ZEND_METHOD(Sluice_Coroutine_Task, cancel);
ZEND_METHOD(Sluice_Coroutine_Task, isDone);
ZEND_METHOD(Sluice_Coroutine_Task, work);
ZEND_METHOD(Sluice_Coroutine_Outcome, __construct);
ZEND_METHOD(Sluice_Coroutine_Outcome, succeeded);
ZEND_METHOD(Sluice_Coroutine_Outcome, get);
ZEND_METHOD(Sluice_Coroutine_Stats, __construct);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Sluice\\Coroutine", run, Sluice_Coroutine_run, arginfo_Sluice_Coroutine_run)
	ZEND_NS_FALIAS("Sluice\\Coroutine", stats, Sluice_Coroutine_stats, arginfo_Sluice_Coroutine_stats)
	ZEND_NS_FALIAS("Sluice\\Coroutine", spawn, Sluice_Coroutine_spawn, arginfo_Sluice_Coroutine_spawn)
	ZEND_NS_FALIAS("Sluice\\Coroutine", start, Sluice_Coroutine_start, arginfo_Sluice_Coroutine_start)
	ZEND_NS_FALIAS("Sluice\\Coroutine", wait, Sluice_Coroutine_wait, arginfo_Sluice_Coroutine_wait)
	ZEND_NS_FALIAS("Sluice\\Coroutine", id, Sluice_Coroutine_id, arginfo_Sluice_Coroutine_id)
	ZEND_NS_FALIAS("Sluice\\Coroutine", parentId, Sluice_Coroutine_parentId, arginfo_Sluice_Coroutine_parentId)
	ZEND_NS_FALIAS("Sluice\\Coroutine", ids, Sluice_Coroutine_ids, arginfo_Sluice_Coroutine_ids)
	ZEND_NS_FALIAS("Sluice\\Coroutine", suspend, Sluice_Coroutine_suspend, arginfo_Sluice_Coroutine_suspend)
	ZEND_NS_FALIAS("Sluice\\Coroutine", resume, Sluice_Coroutine_resume, arginfo_Sluice_Coroutine_resume)
	ZEND_NS_FALIAS("Sluice\\Coroutine", fiber, Sluice_Coroutine_fiber, arginfo_Sluice_Coroutine_fiber)
	ZEND_NS_FALIAS("Sluice\\Coroutine", sleep, Sluice_Coroutine_sleep, arginfo_Sluice_Coroutine_sleep)
	ZEND_NS_FALIAS("Sluice\\Coroutine", preempt, Sluice_Coroutine_preempt, arginfo_Sluice_Coroutine_preempt)
	ZEND_NS_FALIAS("Sluice\\Coroutine", all, Sluice_Coroutine_all, arginfo_Sluice_Coroutine_all)
	ZEND_NS_FALIAS("Sluice\\Coroutine", settle, Sluice_Coroutine_settle, arginfo_Sluice_Coroutine_settle)
	ZEND_NS_FALIAS("Sluice\\Coroutine", any, Sluice_Coroutine_any, arginfo_Sluice_Coroutine_any)
	ZEND_NS_FALIAS("Sluice\\Coroutine", race, Sluice_Coroutine_race, arginfo_Sluice_Coroutine_race)
	ZEND_NS_FALIAS("Sluice\\Coroutine", map, Sluice_Coroutine_map, arginfo_Sluice_Coroutine_map)
	ZEND_NS_FALIAS("Sluice\\Coroutine", timeout, Sluice_Coroutine_timeout, arginfo_Sluice_Coroutine_timeout)
	ZEND_NS_FALIAS("Sluice\\Coroutine", defer, Sluice_Coroutine_defer, arginfo_Sluice_Coroutine_defer)
	ZEND_NS_FALIAS("Sluice\\Coroutine", shield, Sluice_Coroutine_shield, arginfo_Sluice_Coroutine_shield)
	ZEND_NS_FALIAS("Sluice\\Coroutine", isolate, Sluice_Coroutine_isolate, arginfo_Sluice_Coroutine_isolate)
	ZEND_NS_FALIAS("Sluice\\Coroutine", asRequest, Sluice_Coroutine_asRequest, arginfo_Sluice_Coroutine_asRequest)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_Task_methods[] = {
	ZEND_ME(Sluice_Coroutine_Task, __construct, arginfo_class_Sluice_Coroutine_Task___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Coroutine_Task, await, arginfo_class_Sluice_Coroutine_Task_await, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Task, cancel, arginfo_class_Sluice_Coroutine_Task_cancel, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Task, isDone, arginfo_class_Sluice_Coroutine_Task_isDone, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Task, work, arginfo_class_Sluice_Coroutine_Task_work, ZEND_ACC_PRIVATE|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_Outcome_methods[] = {
	ZEND_ME(Sluice_Coroutine_Outcome, __construct, arginfo_class_Sluice_Coroutine_Outcome___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Coroutine_Outcome, succeeded, arginfo_class_Sluice_Coroutine_Outcome_succeeded, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Outcome, get, arginfo_class_Sluice_Coroutine_Outcome_get, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_CancelledError_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_Stats_methods[] = {
	ZEND_ME(Sluice_Coroutine_Stats, __construct, arginfo_class_Sluice_Coroutine_Stats___construct, ZEND_ACC_PRIVATE)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_LimitException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_TimeoutException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_ConcurrentUseException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_DeadlockException_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Coroutine_Task(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Task", class_Sluice_Coroutine_Task_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_Outcome(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Outcome", class_Sluice_Coroutine_Outcome_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_value_default_value;
	ZVAL_UNDEF(&property_value_default_value);
	zend_string *property_value_name = zend_string_init("value", sizeof("value") - 1, 1);
	zend_declare_typed_property(class_entry, property_value_name, &property_value_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_value_name);

	zend_string *property_error_class_Throwable = zend_string_init("Throwable", sizeof("Throwable")-1, 1);
	zval property_error_default_value;
	ZVAL_UNDEF(&property_error_default_value);
	zend_string *property_error_name = zend_string_init("error", sizeof("error") - 1, 1);
	zend_declare_typed_property(class_entry, property_error_name, &property_error_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_error_class_Throwable, 0, MAY_BE_NULL));
	zend_string_release(property_error_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_CancelledError(zend_class_entry *class_entry_Error)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "CancelledError", class_Sluice_Coroutine_CancelledError_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Error);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_Stats(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Stats", class_Sluice_Coroutine_Stats_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_live_default_value;
	ZVAL_UNDEF(&property_live_default_value);
	zend_string *property_live_name = zend_string_init("live", sizeof("live") - 1, 1);
	zend_declare_typed_property(class_entry, property_live_name, &property_live_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_live_name);

	zval property_peak_default_value;
	ZVAL_UNDEF(&property_peak_default_value);
	zend_string *property_peak_name = zend_string_init("peak", sizeof("peak") - 1, 1);
	zend_declare_typed_property(class_entry, property_peak_name, &property_peak_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_peak_name);

	zval property_pooled_default_value;
	ZVAL_UNDEF(&property_pooled_default_value);
	zend_string *property_pooled_name = zend_string_init("pooled", sizeof("pooled") - 1, 1);
	zend_declare_typed_property(class_entry, property_pooled_name, &property_pooled_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pooled_name);

	zval property_limit_default_value;
	ZVAL_UNDEF(&property_limit_default_value);
	zend_string *property_limit_name = zend_string_init("limit", sizeof("limit") - 1, 1);
	zend_declare_typed_property(class_entry, property_limit_name, &property_limit_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_limit_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_LimitException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "LimitException", class_Sluice_Coroutine_LimitException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_TimeoutException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "TimeoutException", class_Sluice_Coroutine_TimeoutException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_ConcurrentUseException(zend_class_entry *class_entry_LogicException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "ConcurrentUseException", class_Sluice_Coroutine_ConcurrentUseException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_LogicException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_DeadlockException(zend_class_entry *class_entry_LogicException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "DeadlockException", class_Sluice_Coroutine_DeadlockException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_LogicException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
