/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1438a4a111328b814882e2c81a46e6158e9e3265 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Shared_Table___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bytes, IS_LONG, 0, "16777216")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, evict, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_get, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_has, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_set, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_add, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_compareAndSet, 0, 3, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, expected, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_increment, 0, 1, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_update, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, change, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Shared_Table_remove arginfo_class_Sluice_Shared_Table_has

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_compareAndRemove, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, expected, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_clear, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_listKeys, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Table_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Shared_Table_stats, 0, 0, Sluice\\Shared\\TableStats, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Shared_TableStats___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Shared_Counter___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Shared_Counter_get arginfo_class_Sluice_Shared_Table_count

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Counter_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Counter_add, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Counter_compareAndSet, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, expected, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Counter_waitWhile, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Shared_Counter_wake, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, processes, IS_LONG, 0, "2147483647")
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Shared_Table, __construct);
ZEND_METHOD(Sluice_Shared_Table, get);
ZEND_METHOD(Sluice_Shared_Table, has);
ZEND_METHOD(Sluice_Shared_Table, set);
ZEND_METHOD(Sluice_Shared_Table, add);
ZEND_METHOD(Sluice_Shared_Table, compareAndSet);
ZEND_METHOD(Sluice_Shared_Table, increment);
ZEND_METHOD(Sluice_Shared_Table, update);
ZEND_METHOD(Sluice_Shared_Table, remove);
ZEND_METHOD(Sluice_Shared_Table, compareAndRemove);
ZEND_METHOD(Sluice_Shared_Table, clear);
ZEND_METHOD(Sluice_Shared_Table, listKeys);
ZEND_METHOD(Sluice_Shared_Table, count);
ZEND_METHOD(Sluice_Shared_Table, stats);
ZEND_METHOD(Sluice_Shared_TableStats, __construct);
ZEND_METHOD(Sluice_Shared_Counter, __construct);
ZEND_METHOD(Sluice_Shared_Counter, get);
ZEND_METHOD(Sluice_Shared_Counter, set);
ZEND_METHOD(Sluice_Shared_Counter, add);
ZEND_METHOD(Sluice_Shared_Counter, compareAndSet);
ZEND_METHOD(Sluice_Shared_Counter, waitWhile);
ZEND_METHOD(Sluice_Shared_Counter, wake);


static const zend_function_entry class_Sluice_Shared_Table_methods[] = {
	ZEND_ME(Sluice_Shared_Table, __construct, arginfo_class_Sluice_Shared_Table___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, get, arginfo_class_Sluice_Shared_Table_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, has, arginfo_class_Sluice_Shared_Table_has, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, set, arginfo_class_Sluice_Shared_Table_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, add, arginfo_class_Sluice_Shared_Table_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, compareAndSet, arginfo_class_Sluice_Shared_Table_compareAndSet, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, increment, arginfo_class_Sluice_Shared_Table_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, update, arginfo_class_Sluice_Shared_Table_update, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, remove, arginfo_class_Sluice_Shared_Table_remove, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, compareAndRemove, arginfo_class_Sluice_Shared_Table_compareAndRemove, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, clear, arginfo_class_Sluice_Shared_Table_clear, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, listKeys, arginfo_class_Sluice_Shared_Table_listKeys, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, count, arginfo_class_Sluice_Shared_Table_count, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Table, stats, arginfo_class_Sluice_Shared_Table_stats, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Shared_TableStats_methods[] = {
	ZEND_ME(Sluice_Shared_TableStats, __construct, arginfo_class_Sluice_Shared_TableStats___construct, ZEND_ACC_PRIVATE)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Shared_FullException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Shared_Counter_methods[] = {
	ZEND_ME(Sluice_Shared_Counter, __construct, arginfo_class_Sluice_Shared_Counter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, get, arginfo_class_Sluice_Shared_Counter_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, set, arginfo_class_Sluice_Shared_Counter_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, add, arginfo_class_Sluice_Shared_Counter_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, compareAndSet, arginfo_class_Sluice_Shared_Counter_compareAndSet, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, waitWhile, arginfo_class_Sluice_Shared_Counter_waitWhile, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Shared_Counter, wake, arginfo_class_Sluice_Shared_Counter_wake, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Shared_Table(zend_class_entry *class_entry_Countable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Shared", "Table", class_Sluice_Shared_Table_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Countable);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Shared_TableStats(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Shared", "TableStats", class_Sluice_Shared_TableStats_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_entries_default_value;
	ZVAL_UNDEF(&property_entries_default_value);
	zend_string *property_entries_name = zend_string_init("entries", sizeof("entries") - 1, 1);
	zend_declare_typed_property(class_entry, property_entries_name, &property_entries_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_entries_name);

	zval property_usedBytes_default_value;
	ZVAL_UNDEF(&property_usedBytes_default_value);
	zend_string *property_usedBytes_name = zend_string_init("usedBytes", sizeof("usedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_usedBytes_name, &property_usedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_usedBytes_name);

	zval property_bytes_default_value;
	ZVAL_UNDEF(&property_bytes_default_value);
	zend_string *property_bytes_name = zend_string_init("bytes", sizeof("bytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytes_name, &property_bytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytes_name);

	zval property_evicted_default_value;
	ZVAL_UNDEF(&property_evicted_default_value);
	zend_string *property_evicted_name = zend_string_init("evicted", sizeof("evicted") - 1, 1);
	zend_declare_typed_property(class_entry, property_evicted_name, &property_evicted_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_evicted_name);

	zval property_repaired_default_value;
	ZVAL_UNDEF(&property_repaired_default_value);
	zend_string *property_repaired_name = zend_string_init("repaired", sizeof("repaired") - 1, 1);
	zend_declare_typed_property(class_entry, property_repaired_name, &property_repaired_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_repaired_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Shared_FullException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Shared", "FullException", class_Sluice_Shared_FullException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Shared_Counter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Shared", "Counter", class_Sluice_Shared_Counter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
