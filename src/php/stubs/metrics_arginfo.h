/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: b93a410187fcdaf9c1a10a0f8eeba601793b2dad */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Metrics_Counter___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, help, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxSeries, IS_LONG, 0, "1000")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Metrics_Counter_labels, 0, 0, IS_STATIC, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, values, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Metrics_Counter_inc, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_MASK(0, by, MAY_BE_LONG|MAY_BE_DOUBLE, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_Sluice_Metrics_Counter_value, 0, 0, MAY_BE_LONG|MAY_BE_DOUBLE)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Metrics_Gauge___construct arginfo_class_Sluice_Metrics_Counter___construct

#define arginfo_class_Sluice_Metrics_Gauge_labels arginfo_class_Sluice_Metrics_Counter_labels

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Metrics_Gauge_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_MASK(0, value, MAY_BE_LONG|MAY_BE_DOUBLE, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Metrics_Gauge_inc arginfo_class_Sluice_Metrics_Counter_inc

#define arginfo_class_Sluice_Metrics_Gauge_dec arginfo_class_Sluice_Metrics_Counter_inc

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Metrics_Gauge_value, 0, 0, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Metrics_Histogram___construct, 0, 0, 2)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, help, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, buckets, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, labels, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxSeries, IS_LONG, 0, "1000")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Metrics_Histogram_labels arginfo_class_Sluice_Metrics_Counter_labels

#define arginfo_class_Sluice_Metrics_Histogram_observe arginfo_class_Sluice_Metrics_Gauge_set

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Metrics_Histogram_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Metrics_Histogram_sum arginfo_class_Sluice_Metrics_Gauge_value


ZEND_METHOD(Sluice_Metrics_Counter, __construct);
ZEND_METHOD(Sluice_Metrics_Counter, labels);
ZEND_METHOD(Sluice_Metrics_Counter, inc);
ZEND_METHOD(Sluice_Metrics_Counter, value);
ZEND_METHOD(Sluice_Metrics_Gauge, __construct);
ZEND_METHOD(Sluice_Metrics_Gauge, labels);
ZEND_METHOD(Sluice_Metrics_Gauge, set);
ZEND_METHOD(Sluice_Metrics_Gauge, inc);
ZEND_METHOD(Sluice_Metrics_Gauge, dec);
ZEND_METHOD(Sluice_Metrics_Gauge, value);
ZEND_METHOD(Sluice_Metrics_Histogram, __construct);
ZEND_METHOD(Sluice_Metrics_Histogram, labels);
ZEND_METHOD(Sluice_Metrics_Histogram, observe);
ZEND_METHOD(Sluice_Metrics_Histogram, count);
ZEND_METHOD(Sluice_Metrics_Histogram, sum);


static const zend_function_entry class_Sluice_Metrics_Counter_methods[] = {
	ZEND_ME(Sluice_Metrics_Counter, __construct, arginfo_class_Sluice_Metrics_Counter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Counter, labels, arginfo_class_Sluice_Metrics_Counter_labels, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Counter, inc, arginfo_class_Sluice_Metrics_Counter_inc, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Counter, value, arginfo_class_Sluice_Metrics_Counter_value, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Metrics_Gauge_methods[] = {
	ZEND_ME(Sluice_Metrics_Gauge, __construct, arginfo_class_Sluice_Metrics_Gauge___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Gauge, labels, arginfo_class_Sluice_Metrics_Gauge_labels, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Gauge, set, arginfo_class_Sluice_Metrics_Gauge_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Gauge, inc, arginfo_class_Sluice_Metrics_Gauge_inc, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Gauge, dec, arginfo_class_Sluice_Metrics_Gauge_dec, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Gauge, value, arginfo_class_Sluice_Metrics_Gauge_value, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Metrics_Histogram_methods[] = {
	ZEND_ME(Sluice_Metrics_Histogram, __construct, arginfo_class_Sluice_Metrics_Histogram___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Histogram, labels, arginfo_class_Sluice_Metrics_Histogram_labels, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Histogram, observe, arginfo_class_Sluice_Metrics_Histogram_observe, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Histogram, count, arginfo_class_Sluice_Metrics_Histogram_count, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Metrics_Histogram, sum, arginfo_class_Sluice_Metrics_Histogram_sum, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Metrics_Counter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Metrics", "Counter", class_Sluice_Metrics_Counter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Metrics_Gauge(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Metrics", "Gauge", class_Sluice_Metrics_Gauge_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Metrics_Histogram(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Metrics", "Histogram", class_Sluice_Metrics_Histogram_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
