/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 13d0614709824ad5809ffd5f96df5343e8976578 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Coroutine_Channel___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, capacity, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_push, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, item, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_pop, 0, 0, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_close, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_isClosed, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Coroutine_Channel_getIterator, 0, 0, Iterator, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Mutex_lock, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Coroutine_Mutex_tryLock arginfo_class_Sluice_Coroutine_Channel_isClosed

#define arginfo_class_Sluice_Coroutine_Mutex_unlock arginfo_class_Sluice_Coroutine_Channel_close

#define arginfo_class_Sluice_Coroutine_Mutex_isLocked arginfo_class_Sluice_Coroutine_Channel_isClosed

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_Mutex_use, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Coroutine_Semaphore___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, permits, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Coroutine_Semaphore_acquire arginfo_class_Sluice_Coroutine_Mutex_lock

#define arginfo_class_Sluice_Coroutine_Semaphore_tryAcquire arginfo_class_Sluice_Coroutine_Channel_isClosed

#define arginfo_class_Sluice_Coroutine_Semaphore_release arginfo_class_Sluice_Coroutine_Channel_close

#define arginfo_class_Sluice_Coroutine_Semaphore_free arginfo_class_Sluice_Coroutine_Channel_count

#define arginfo_class_Sluice_Coroutine_Semaphore_use arginfo_class_Sluice_Coroutine_Mutex_use

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_WaitGroup_add, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, count, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Coroutine_WaitGroup_done arginfo_class_Sluice_Coroutine_Channel_close

#define arginfo_class_Sluice_Coroutine_WaitGroup_wait arginfo_class_Sluice_Coroutine_Mutex_lock

#define arginfo_class_Sluice_Coroutine_WaitGroup_count arginfo_class_Sluice_Coroutine_Channel_count

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Coroutine_ContextValue___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_ContextValue_get, 0, 0, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_ContextValue_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_ContextValue_with, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Coroutine_TaskGroup___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Coroutine_TaskGroup_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, body, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Coroutine_TaskGroup_spawn, 0, 1, Sluice\\Coroutine\\Task, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, arguments, IS_MIXED, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Coroutine_TaskGroup_cancel arginfo_class_Sluice_Coroutine_Channel_close


ZEND_METHOD(Sluice_Coroutine_Channel, __construct);
ZEND_METHOD(Sluice_Coroutine_Channel, push);
ZEND_METHOD(Sluice_Coroutine_Channel, pop);
ZEND_METHOD(Sluice_Coroutine_Channel, close);
ZEND_METHOD(Sluice_Coroutine_Channel, isClosed);
ZEND_METHOD(Sluice_Coroutine_Channel, count);
ZEND_METHOD(Sluice_Coroutine_Channel, getIterator);
ZEND_METHOD(Sluice_Coroutine_Mutex, lock);
ZEND_METHOD(Sluice_Coroutine_Mutex, tryLock);
ZEND_METHOD(Sluice_Coroutine_Mutex, unlock);
ZEND_METHOD(Sluice_Coroutine_Mutex, isLocked);
ZEND_METHOD(Sluice_Coroutine_Mutex, use);
ZEND_METHOD(Sluice_Coroutine_Semaphore, __construct);
ZEND_METHOD(Sluice_Coroutine_Semaphore, acquire);
ZEND_METHOD(Sluice_Coroutine_Semaphore, tryAcquire);
ZEND_METHOD(Sluice_Coroutine_Semaphore, release);
ZEND_METHOD(Sluice_Coroutine_Semaphore, free);
ZEND_METHOD(Sluice_Coroutine_Semaphore, use);
ZEND_METHOD(Sluice_Coroutine_WaitGroup, add);
ZEND_METHOD(Sluice_Coroutine_WaitGroup, done);
ZEND_METHOD(Sluice_Coroutine_WaitGroup, wait);
ZEND_METHOD(Sluice_Coroutine_WaitGroup, count);
ZEND_METHOD(Sluice_Coroutine_ContextValue, __construct);
ZEND_METHOD(Sluice_Coroutine_ContextValue, get);
ZEND_METHOD(Sluice_Coroutine_ContextValue, set);
ZEND_METHOD(Sluice_Coroutine_ContextValue, with);
ZEND_METHOD(Sluice_Coroutine_TaskGroup, __construct);
ZEND_METHOD(Sluice_Coroutine_TaskGroup, run);
ZEND_METHOD(Sluice_Coroutine_TaskGroup, spawn);
ZEND_METHOD(Sluice_Coroutine_TaskGroup, cancel);


static const zend_function_entry class_Sluice_Coroutine_Channel_methods[] = {
	ZEND_ME(Sluice_Coroutine_Channel, __construct, arginfo_class_Sluice_Coroutine_Channel___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, push, arginfo_class_Sluice_Coroutine_Channel_push, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, pop, arginfo_class_Sluice_Coroutine_Channel_pop, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, close, arginfo_class_Sluice_Coroutine_Channel_close, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, isClosed, arginfo_class_Sluice_Coroutine_Channel_isClosed, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, count, arginfo_class_Sluice_Coroutine_Channel_count, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Channel, getIterator, arginfo_class_Sluice_Coroutine_Channel_getIterator, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_ClosedException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_Mutex_methods[] = {
	ZEND_ME(Sluice_Coroutine_Mutex, lock, arginfo_class_Sluice_Coroutine_Mutex_lock, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Mutex, tryLock, arginfo_class_Sluice_Coroutine_Mutex_tryLock, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Mutex, unlock, arginfo_class_Sluice_Coroutine_Mutex_unlock, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Mutex, isLocked, arginfo_class_Sluice_Coroutine_Mutex_isLocked, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Mutex, use, arginfo_class_Sluice_Coroutine_Mutex_use, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_Semaphore_methods[] = {
	ZEND_ME(Sluice_Coroutine_Semaphore, __construct, arginfo_class_Sluice_Coroutine_Semaphore___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Semaphore, acquire, arginfo_class_Sluice_Coroutine_Semaphore_acquire, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Semaphore, tryAcquire, arginfo_class_Sluice_Coroutine_Semaphore_tryAcquire, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Semaphore, release, arginfo_class_Sluice_Coroutine_Semaphore_release, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Semaphore, free, arginfo_class_Sluice_Coroutine_Semaphore_free, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_Semaphore, use, arginfo_class_Sluice_Coroutine_Semaphore_use, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_WaitGroup_methods[] = {
	ZEND_ME(Sluice_Coroutine_WaitGroup, add, arginfo_class_Sluice_Coroutine_WaitGroup_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_WaitGroup, done, arginfo_class_Sluice_Coroutine_WaitGroup_done, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_WaitGroup, wait, arginfo_class_Sluice_Coroutine_WaitGroup_wait, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_WaitGroup, count, arginfo_class_Sluice_Coroutine_WaitGroup_count, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_ContextValue_methods[] = {
	ZEND_ME(Sluice_Coroutine_ContextValue, __construct, arginfo_class_Sluice_Coroutine_ContextValue___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_ContextValue, get, arginfo_class_Sluice_Coroutine_ContextValue_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_ContextValue, set, arginfo_class_Sluice_Coroutine_ContextValue_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_ContextValue, with, arginfo_class_Sluice_Coroutine_ContextValue_with, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Coroutine_TaskGroup_methods[] = {
	ZEND_ME(Sluice_Coroutine_TaskGroup, __construct, arginfo_class_Sluice_Coroutine_TaskGroup___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Coroutine_TaskGroup, run, arginfo_class_Sluice_Coroutine_TaskGroup_run, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Coroutine_TaskGroup, spawn, arginfo_class_Sluice_Coroutine_TaskGroup_spawn, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Coroutine_TaskGroup, cancel, arginfo_class_Sluice_Coroutine_TaskGroup_cancel, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Coroutine_Channel(zend_class_entry *class_entry_IteratorAggregate, zend_class_entry *class_entry_Countable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Channel", class_Sluice_Coroutine_Channel_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 2, class_entry_IteratorAggregate, class_entry_Countable);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_ClosedException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "ClosedException", class_Sluice_Coroutine_ClosedException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_Mutex(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Mutex", class_Sluice_Coroutine_Mutex_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_Semaphore(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "Semaphore", class_Sluice_Coroutine_Semaphore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_WaitGroup(zend_class_entry *class_entry_Countable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "WaitGroup", class_Sluice_Coroutine_WaitGroup_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Countable);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_ContextValue(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "ContextValue", class_Sluice_Coroutine_ContextValue_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Coroutine_TaskGroup(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Coroutine", "TaskGroup", class_Sluice_Coroutine_TaskGroup_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
