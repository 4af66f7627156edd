/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6e402bb86b086d5ecfb99e8aa1dc5fe79cc79ca9 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Limits___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, connections, IS_LONG, 0, "65536")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, connectionsPerAddress, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, connectionsPerAddressPerSecond, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, arenaBytes, IS_LONG, 0, "268435456")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ringBytes, IS_LONG, 0, "1048576")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, outBytes, IS_LONG, 0, "67108864")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lentBytes, IS_LONG, 0, "33554432")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, temporaryFileBytes, IS_LONG, 0, "1073741824")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bodyStreams, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queuedBytes, IS_LONG, 0, "16777216")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, highWaterBytes, IS_LONG, 0, "1048576")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lowWaterBytes, IS_LONG, 0, "262144")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queuedTotalBytes, IS_LONG, 0, "536870912")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, compressionBytes, IS_LONG, 0, "67108864")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, attachedBytes, IS_LONG, 0, "4096")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, attachedTotalBytes, IS_LONG, 0, "67108864")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, encodingBytes, IS_LONG, 0, "67108864")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, accessLogBytes, IS_LONG, 0, "1048576")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, handshakes, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, openFiles, IS_LONG, 0, "1024")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, subscriptionBytes, IS_LONG, 0, "268435456")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, coroutines, IS_LONG, 0, "10000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, pooledStacks, IS_LONG, 0, "256")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, handshakeSeconds, IS_DOUBLE, 0, "10.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeSeconds, IS_DOUBLE, 0, "30.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, writeBytesPerSecond, IS_LONG, 0, "240")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shutdownSeconds, IS_DOUBLE, 0, "10.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, bootSeconds, IS_DOUBLE, 0, "60.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stallSeconds, IS_DOUBLE, 0, "1.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, killSeconds, IS_DOUBLE, 0, "60.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queueSeconds, IS_DOUBLE, 0, "10.0")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, http, Sluice\\Http\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, http2, Sluice\\Http2\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, webSocket, Sluice\\WebSocket\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, tcp, Sluice\\Tcp\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, udp, Sluice\\\125dp\\Limits, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Worker___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Worker_current, 0, 0, Sluice\\Worker, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Worker_isStopping, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Worker_waitForEnd, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Worker_replace, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Worker_lentBytes, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Service___construct arginfo_class_Sluice_Worker___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Service_current, 0, 0, Sluice\\Service, 1)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Service_isStopping arginfo_class_Sluice_Worker_isStopping

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Service_wait, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Stats___construct arginfo_class_Sluice_Worker___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Stats_ofServer, 0, 1, Sluice\\Stats, 0)
	ZEND_ARG_TYPE_INFO(0, pid, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_WorkerStats___construct arginfo_class_Sluice_Worker___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_WorkerStats_ofServer, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, pid, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Server___construct, 0, 0, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, mode, Sluice\\Mode, 0, "Sluice\\Mode::Process")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, workers, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, reactors, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\Limits, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, pidFile, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, logFile, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, temporaryFolder, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxWorkers, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Server_http, 0, 1, Sluice\\Http\\Site, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, address, Sluice\\Listener, MAY_BE_STRING, NULL)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\Http\\Handler, MAY_BE_CALLABLE|MAY_BE_NULL, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, options, Sluice\\Http\\Options, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\Http\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, http2, Sluice\\Http2\\Limits, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_tcp, 0, 3, IS_VOID, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, address, Sluice\\Listener, MAY_BE_STRING, NULL)
	ZEND_ARG_OBJ_INFO(0, framing, Sluice\\Tcp\\Framing, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\Tcp\\Handler, MAY_BE_CALLABLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\Tcp\\Limits, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, slowClient, Sluice\\SlowClient, 0, "Sluice\\SlowClient::Wait")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_udp, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, address, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\\125dp\\Handler, MAY_BE_CALLABLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\\125dp\\Limits, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_recycle, 0, 0, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, requests, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, memoryBytes, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_runAs, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, user, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, group, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, umask, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_log, 0, 0, IS_STATIC, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, format, Sluice\\LogFormat, 0, "Sluice\\LogFormat::Text")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, least, Sluice\\LogLevel, 0, "Sluice\\LogLevel::Info")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_crashReports, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, folder, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_watch, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, paths, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, names, IS_ARRAY, 0, "[\'*.php\']")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, quietSeconds, IS_DOUBLE, 0, "0.1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_canary, 0, 0, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, share, IS_DOUBLE, 0, "0.05")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_admin, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, address, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, token, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_readiness, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, check, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_DOUBLE, 0, "2.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, interval, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_tracing, 0, 0, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, endpoint, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ratio, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, service, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, headers, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_detectLeaks, 0, 0, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, report, IS_CALLABLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ignore, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, warmUp, IS_LONG, 0, "2")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_service, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, run, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, processes, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Server_tasks, 0, 1, Sluice\\TaskPool, 0)
	ZEND_ARG_TYPE_INFO(0, boot, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, workers, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, queue, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, graceSeconds, IS_DOUBLE, 0, "2.0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, name, IS_STRING, 0, "\'tasks\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_onWorkerStart, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, callback, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Server_onWorkerStop arginfo_class_Sluice_Server_onWorkerStart

#define arginfo_class_Sluice_Server_onError arginfo_class_Sluice_Server_onWorkerStart

#define arginfo_class_Sluice_Server_onRequest arginfo_class_Sluice_Server_onWorkerStart

#define arginfo_class_Sluice_Server_onResponse arginfo_class_Sluice_Server_onWorkerStart

#define arginfo_class_Sluice_Server_run arginfo_class_Sluice_Worker_replace

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_publish, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, binary, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_subscribers, 0, 1, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_listSubscribers, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, after, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeoutSeconds, IS_DOUBLE, 0, "5.0")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Server_reload arginfo_class_Sluice_Worker_replace

#define arginfo_class_Sluice_Server_stop arginfo_class_Sluice_Worker_replace

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Server_addresses, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Server_stats, 0, 0, Sluice\\Stats, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Limits, __construct);
ZEND_METHOD(Sluice_Worker, __construct);
ZEND_METHOD(Sluice_Worker, current);
ZEND_METHOD(Sluice_Worker, isStopping);
ZEND_METHOD(Sluice_Worker, waitForEnd);
ZEND_METHOD(Sluice_Worker, replace);
ZEND_METHOD(Sluice_Worker, lentBytes);
ZEND_METHOD(Sluice_Service, __construct);
ZEND_METHOD(Sluice_Service, current);
ZEND_METHOD(Sluice_Service, isStopping);
ZEND_METHOD(Sluice_Service, wait);
ZEND_METHOD(Sluice_Stats, __construct);
ZEND_METHOD(Sluice_Stats, ofServer);
ZEND_METHOD(Sluice_WorkerStats, __construct);
ZEND_METHOD(Sluice_WorkerStats, ofServer);
ZEND_METHOD(Sluice_Server, __construct);
ZEND_METHOD(Sluice_Server, http);
ZEND_METHOD(Sluice_Server, tcp);
ZEND_METHOD(Sluice_Server, udp);
ZEND_METHOD(Sluice_Server, recycle);
ZEND_METHOD(Sluice_Server, runAs);
ZEND_METHOD(Sluice_Server, log);
ZEND_METHOD(Sluice_Server, crashReports);
ZEND_METHOD(Sluice_Server, watch);
ZEND_METHOD(Sluice_Server, canary);
ZEND_METHOD(Sluice_Server, admin);
ZEND_METHOD(Sluice_Server, readiness);
ZEND_METHOD(Sluice_Server, tracing);
ZEND_METHOD(Sluice_Server, detectLeaks);
ZEND_METHOD(Sluice_Server, service);
ZEND_METHOD(Sluice_Server, tasks);
ZEND_METHOD(Sluice_Server, onWorkerStart);
ZEND_METHOD(Sluice_Server, onWorkerStop);
ZEND_METHOD(Sluice_Server, onError);
ZEND_METHOD(Sluice_Server, onRequest);
ZEND_METHOD(Sluice_Server, onResponse);
ZEND_METHOD(Sluice_Server, run);
ZEND_METHOD(Sluice_Server, publish);
ZEND_METHOD(Sluice_Server, subscribers);
ZEND_METHOD(Sluice_Server, listSubscribers);
ZEND_METHOD(Sluice_Server, reload);
ZEND_METHOD(Sluice_Server, stop);
ZEND_METHOD(Sluice_Server, addresses);
ZEND_METHOD(Sluice_Server, stats);


static const zend_function_entry class_Sluice_Mode_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_LogFormat_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_LogLevel_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Delivery_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_SlowClient_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Dispatch_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_ServerException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Limits_methods[] = {
	ZEND_ME(Sluice_Limits, __construct, arginfo_class_Sluice_Limits___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Worker_methods[] = {
	ZEND_ME(Sluice_Worker, __construct, arginfo_class_Sluice_Worker___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Worker, current, arginfo_class_Sluice_Worker_current, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Worker, isStopping, arginfo_class_Sluice_Worker_isStopping, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Worker, waitForEnd, arginfo_class_Sluice_Worker_waitForEnd, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Worker, replace, arginfo_class_Sluice_Worker_replace, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Worker, lentBytes, arginfo_class_Sluice_Worker_lentBytes, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Service_methods[] = {
	ZEND_ME(Sluice_Service, __construct, arginfo_class_Sluice_Service___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Service, current, arginfo_class_Sluice_Service_current, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Service, isStopping, arginfo_class_Sluice_Service_isStopping, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Service, wait, arginfo_class_Sluice_Service_wait, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Stats_methods[] = {
	ZEND_ME(Sluice_Stats, __construct, arginfo_class_Sluice_Stats___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Stats, ofServer, arginfo_class_Sluice_Stats_ofServer, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_WorkerStats_methods[] = {
	ZEND_ME(Sluice_WorkerStats, __construct, arginfo_class_Sluice_WorkerStats___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_WorkerStats, ofServer, arginfo_class_Sluice_WorkerStats_ofServer, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Server_methods[] = {
	ZEND_ME(Sluice_Server, __construct, arginfo_class_Sluice_Server___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, http, arginfo_class_Sluice_Server_http, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, tcp, arginfo_class_Sluice_Server_tcp, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, udp, arginfo_class_Sluice_Server_udp, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, recycle, arginfo_class_Sluice_Server_recycle, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, runAs, arginfo_class_Sluice_Server_runAs, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, log, arginfo_class_Sluice_Server_log, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, crashReports, arginfo_class_Sluice_Server_crashReports, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, watch, arginfo_class_Sluice_Server_watch, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, canary, arginfo_class_Sluice_Server_canary, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, admin, arginfo_class_Sluice_Server_admin, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, readiness, arginfo_class_Sluice_Server_readiness, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, tracing, arginfo_class_Sluice_Server_tracing, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, detectLeaks, arginfo_class_Sluice_Server_detectLeaks, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, service, arginfo_class_Sluice_Server_service, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, tasks, arginfo_class_Sluice_Server_tasks, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, onWorkerStart, arginfo_class_Sluice_Server_onWorkerStart, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, onWorkerStop, arginfo_class_Sluice_Server_onWorkerStop, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, onError, arginfo_class_Sluice_Server_onError, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, onRequest, arginfo_class_Sluice_Server_onRequest, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, onResponse, arginfo_class_Sluice_Server_onResponse, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, run, arginfo_class_Sluice_Server_run, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, publish, arginfo_class_Sluice_Server_publish, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, subscribers, arginfo_class_Sluice_Server_subscribers, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, listSubscribers, arginfo_class_Sluice_Server_listSubscribers, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, reload, arginfo_class_Sluice_Server_reload, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, stop, arginfo_class_Sluice_Server_stop, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, addresses, arginfo_class_Sluice_Server_addresses, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Server, stats, arginfo_class_Sluice_Server_stats, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Mode(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Mode", IS_STRING, class_Sluice_Mode_methods);

	zval enum_case_Process_value;
	zend_string *enum_case_Process_value_str = zend_string_init("process", strlen("process"), 1);
	ZVAL_STR(&enum_case_Process_value, enum_case_Process_value_str);
	zend_enum_add_case_cstr(class_entry, "Process", &enum_case_Process_value);

	zval enum_case_Base_value;
	zend_string *enum_case_Base_value_str = zend_string_init("base", strlen("base"), 1);
	ZVAL_STR(&enum_case_Base_value, enum_case_Base_value_str);
	zend_enum_add_case_cstr(class_entry, "Base", &enum_case_Base_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_LogFormat(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\LogFormat", IS_STRING, class_Sluice_LogFormat_methods);

	zval enum_case_Text_value;
	zend_string *enum_case_Text_value_str = zend_string_init("text", strlen("text"), 1);
	ZVAL_STR(&enum_case_Text_value, enum_case_Text_value_str);
	zend_enum_add_case_cstr(class_entry, "Text", &enum_case_Text_value);

	zval enum_case_Json_value;
	zend_string *enum_case_Json_value_str = zend_string_init("json", strlen("json"), 1);
	ZVAL_STR(&enum_case_Json_value, enum_case_Json_value_str);
	zend_enum_add_case_cstr(class_entry, "Json", &enum_case_Json_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_LogLevel(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\LogLevel", IS_STRING, class_Sluice_LogLevel_methods);

	zval enum_case_Info_value;
	zend_string *enum_case_Info_value_str = zend_string_init("info", strlen("info"), 1);
	ZVAL_STR(&enum_case_Info_value, enum_case_Info_value_str);
	zend_enum_add_case_cstr(class_entry, "Info", &enum_case_Info_value);

	zval enum_case_Warning_value;
	zend_string *enum_case_Warning_value_str = zend_string_init("warning", strlen("warning"), 1);
	ZVAL_STR(&enum_case_Warning_value, enum_case_Warning_value_str);
	zend_enum_add_case_cstr(class_entry, "Warning", &enum_case_Warning_value);

	zval enum_case_Error_value;
	zend_string *enum_case_Error_value_str = zend_string_init("error", strlen("error"), 1);
	ZVAL_STR(&enum_case_Error_value, enum_case_Error_value_str);
	zend_enum_add_case_cstr(class_entry, "Error", &enum_case_Error_value);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Delivery(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Delivery", IS_UNDEF, class_Sluice_Delivery_methods);

	zend_enum_add_case_cstr(class_entry, "Sent", NULL);

	zend_enum_add_case_cstr(class_entry, "Queued", NULL);

	zend_enum_add_case_cstr(class_entry, "Dropped", NULL);

	zend_enum_add_case_cstr(class_entry, "Closed", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_SlowClient(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\SlowClient", IS_UNDEF, class_Sluice_SlowClient_methods);

	zend_enum_add_case_cstr(class_entry, "Wait", NULL);

	zend_enum_add_case_cstr(class_entry, "DropNewest", NULL);

	zend_enum_add_case_cstr(class_entry, "DropOldest", NULL);

	zend_enum_add_case_cstr(class_entry, "Close", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Dispatch(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Dispatch", IS_UNDEF, class_Sluice_Dispatch_methods);

	zend_enum_add_case_cstr(class_entry, "LeastBusy", NULL);

	zend_enum_add_case_cstr(class_entry, "Sticky", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_ServerException(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "ServerException", class_Sluice_ServerException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Limits(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Limits", class_Sluice_Limits_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_connections_default_value;
	ZVAL_UNDEF(&property_connections_default_value);
	zend_string *property_connections_name = zend_string_init("connections", sizeof("connections") - 1, 1);
	zend_declare_typed_property(class_entry, property_connections_name, &property_connections_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_connections_name);

	zval property_connectionsPerAddress_default_value;
	ZVAL_UNDEF(&property_connectionsPerAddress_default_value);
	zend_string *property_connectionsPerAddress_name = zend_string_init("connectionsPerAddress", sizeof("connectionsPerAddress") - 1, 1);
	zend_declare_typed_property(class_entry, property_connectionsPerAddress_name, &property_connectionsPerAddress_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_connectionsPerAddress_name);

	zval property_connectionsPerAddressPerSecond_default_value;
	ZVAL_UNDEF(&property_connectionsPerAddressPerSecond_default_value);
	zend_string *property_connectionsPerAddressPerSecond_name = zend_string_init("connectionsPerAddressPerSecond", sizeof("connectionsPerAddressPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_connectionsPerAddressPerSecond_name, &property_connectionsPerAddressPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_connectionsPerAddressPerSecond_name);

	zval property_arenaBytes_default_value;
	ZVAL_UNDEF(&property_arenaBytes_default_value);
	zend_string *property_arenaBytes_name = zend_string_init("arenaBytes", sizeof("arenaBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_arenaBytes_name, &property_arenaBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_arenaBytes_name);

	zval property_ringBytes_default_value;
	ZVAL_UNDEF(&property_ringBytes_default_value);
	zend_string *property_ringBytes_name = zend_string_init("ringBytes", sizeof("ringBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_ringBytes_name, &property_ringBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_ringBytes_name);

	zval property_outBytes_default_value;
	ZVAL_UNDEF(&property_outBytes_default_value);
	zend_string *property_outBytes_name = zend_string_init("outBytes", sizeof("outBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_outBytes_name, &property_outBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_outBytes_name);

	zval property_lentBytes_default_value;
	ZVAL_UNDEF(&property_lentBytes_default_value);
	zend_string *property_lentBytes_name = zend_string_init("lentBytes", sizeof("lentBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lentBytes_name, &property_lentBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_lentBytes_name);

	zval property_temporaryFileBytes_default_value;
	ZVAL_UNDEF(&property_temporaryFileBytes_default_value);
	zend_string *property_temporaryFileBytes_name = zend_string_init("temporaryFileBytes", sizeof("temporaryFileBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_temporaryFileBytes_name, &property_temporaryFileBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_temporaryFileBytes_name);

	zval property_bodyStreams_default_value;
	ZVAL_UNDEF(&property_bodyStreams_default_value);
	zend_string *property_bodyStreams_name = zend_string_init("bodyStreams", sizeof("bodyStreams") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyStreams_name, &property_bodyStreams_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bodyStreams_name);

	zval property_queuedBytes_default_value;
	ZVAL_UNDEF(&property_queuedBytes_default_value);
	zend_string *property_queuedBytes_name = zend_string_init("queuedBytes", sizeof("queuedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedBytes_name, &property_queuedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_queuedBytes_name);

	zval property_highWaterBytes_default_value;
	ZVAL_UNDEF(&property_highWaterBytes_default_value);
	zend_string *property_highWaterBytes_name = zend_string_init("highWaterBytes", sizeof("highWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_highWaterBytes_name, &property_highWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_highWaterBytes_name);

	zval property_lowWaterBytes_default_value;
	ZVAL_UNDEF(&property_lowWaterBytes_default_value);
	zend_string *property_lowWaterBytes_name = zend_string_init("lowWaterBytes", sizeof("lowWaterBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lowWaterBytes_name, &property_lowWaterBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_lowWaterBytes_name);

	zval property_queuedTotalBytes_default_value;
	ZVAL_UNDEF(&property_queuedTotalBytes_default_value);
	zend_string *property_queuedTotalBytes_name = zend_string_init("queuedTotalBytes", sizeof("queuedTotalBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedTotalBytes_name, &property_queuedTotalBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_queuedTotalBytes_name);

	zval property_compressionBytes_default_value;
	ZVAL_UNDEF(&property_compressionBytes_default_value);
	zend_string *property_compressionBytes_name = zend_string_init("compressionBytes", sizeof("compressionBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_compressionBytes_name, &property_compressionBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_compressionBytes_name);

	zval property_attachedBytes_default_value;
	ZVAL_UNDEF(&property_attachedBytes_default_value);
	zend_string *property_attachedBytes_name = zend_string_init("attachedBytes", sizeof("attachedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_attachedBytes_name, &property_attachedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_attachedBytes_name);

	zval property_attachedTotalBytes_default_value;
	ZVAL_UNDEF(&property_attachedTotalBytes_default_value);
	zend_string *property_attachedTotalBytes_name = zend_string_init("attachedTotalBytes", sizeof("attachedTotalBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_attachedTotalBytes_name, &property_attachedTotalBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_attachedTotalBytes_name);

	zval property_encodingBytes_default_value;
	ZVAL_UNDEF(&property_encodingBytes_default_value);
	zend_string *property_encodingBytes_name = zend_string_init("encodingBytes", sizeof("encodingBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_encodingBytes_name, &property_encodingBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_encodingBytes_name);

	zval property_accessLogBytes_default_value;
	ZVAL_UNDEF(&property_accessLogBytes_default_value);
	zend_string *property_accessLogBytes_name = zend_string_init("accessLogBytes", sizeof("accessLogBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_accessLogBytes_name, &property_accessLogBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_accessLogBytes_name);

	zval property_handshakes_default_value;
	ZVAL_UNDEF(&property_handshakes_default_value);
	zend_string *property_handshakes_name = zend_string_init("handshakes", sizeof("handshakes") - 1, 1);
	zend_declare_typed_property(class_entry, property_handshakes_name, &property_handshakes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_handshakes_name);

	zval property_openFiles_default_value;
	ZVAL_UNDEF(&property_openFiles_default_value);
	zend_string *property_openFiles_name = zend_string_init("openFiles", sizeof("openFiles") - 1, 1);
	zend_declare_typed_property(class_entry, property_openFiles_name, &property_openFiles_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_openFiles_name);

	zval property_subscriptionBytes_default_value;
	ZVAL_UNDEF(&property_subscriptionBytes_default_value);
	zend_string *property_subscriptionBytes_name = zend_string_init("subscriptionBytes", sizeof("subscriptionBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_subscriptionBytes_name, &property_subscriptionBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_subscriptionBytes_name);

	zval property_coroutines_default_value;
	ZVAL_UNDEF(&property_coroutines_default_value);
	zend_string *property_coroutines_name = zend_string_init("coroutines", sizeof("coroutines") - 1, 1);
	zend_declare_typed_property(class_entry, property_coroutines_name, &property_coroutines_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_coroutines_name);

	zval property_pooledStacks_default_value;
	ZVAL_UNDEF(&property_pooledStacks_default_value);
	zend_string *property_pooledStacks_name = zend_string_init("pooledStacks", sizeof("pooledStacks") - 1, 1);
	zend_declare_typed_property(class_entry, property_pooledStacks_name, &property_pooledStacks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pooledStacks_name);

	zval property_handshakeSeconds_default_value;
	ZVAL_UNDEF(&property_handshakeSeconds_default_value);
	zend_string *property_handshakeSeconds_name = zend_string_init("handshakeSeconds", sizeof("handshakeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_handshakeSeconds_name, &property_handshakeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_handshakeSeconds_name);

	zval property_writeSeconds_default_value;
	ZVAL_UNDEF(&property_writeSeconds_default_value);
	zend_string *property_writeSeconds_name = zend_string_init("writeSeconds", sizeof("writeSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeSeconds_name, &property_writeSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_writeSeconds_name);

	zval property_writeBytesPerSecond_default_value;
	ZVAL_UNDEF(&property_writeBytesPerSecond_default_value);
	zend_string *property_writeBytesPerSecond_name = zend_string_init("writeBytesPerSecond", sizeof("writeBytesPerSecond") - 1, 1);
	zend_declare_typed_property(class_entry, property_writeBytesPerSecond_name, &property_writeBytesPerSecond_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_writeBytesPerSecond_name);

	zval property_shutdownSeconds_default_value;
	ZVAL_UNDEF(&property_shutdownSeconds_default_value);
	zend_string *property_shutdownSeconds_name = zend_string_init("shutdownSeconds", sizeof("shutdownSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_shutdownSeconds_name, &property_shutdownSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_shutdownSeconds_name);

	zval property_bootSeconds_default_value;
	ZVAL_UNDEF(&property_bootSeconds_default_value);
	zend_string *property_bootSeconds_name = zend_string_init("bootSeconds", sizeof("bootSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_bootSeconds_name, &property_bootSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_bootSeconds_name);

	zval property_stallSeconds_default_value;
	ZVAL_UNDEF(&property_stallSeconds_default_value);
	zend_string *property_stallSeconds_name = zend_string_init("stallSeconds", sizeof("stallSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_stallSeconds_name, &property_stallSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_stallSeconds_name);

	zval property_killSeconds_default_value;
	ZVAL_UNDEF(&property_killSeconds_default_value);
	zend_string *property_killSeconds_name = zend_string_init("killSeconds", sizeof("killSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_killSeconds_name, &property_killSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_killSeconds_name);

	zval property_queueSeconds_default_value;
	ZVAL_UNDEF(&property_queueSeconds_default_value);
	zend_string *property_queueSeconds_name = zend_string_init("queueSeconds", sizeof("queueSeconds") - 1, 1);
	zend_declare_typed_property(class_entry, property_queueSeconds_name, &property_queueSeconds_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_queueSeconds_name);

	zend_string *property_http_class_Sluice_Http_Limits = zend_string_init("Sluice\\Http\\Limits", sizeof("Sluice\\Http\\Limits")-1, 1);
	zval property_http_default_value;
	ZVAL_UNDEF(&property_http_default_value);
	zend_string *property_http_name = zend_string_init("http", sizeof("http") - 1, 1);
	zend_declare_typed_property(class_entry, property_http_name, &property_http_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_http_class_Sluice_Http_Limits, 0, 0));
	zend_string_release(property_http_name);

	zend_string *property_http2_class_Sluice_Http2_Limits = zend_string_init("Sluice\\Http2\\Limits", sizeof("Sluice\\Http2\\Limits")-1, 1);
	zval property_http2_default_value;
	ZVAL_UNDEF(&property_http2_default_value);
	zend_string *property_http2_name = zend_string_init("http2", sizeof("http2") - 1, 1);
	zend_declare_typed_property(class_entry, property_http2_name, &property_http2_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_http2_class_Sluice_Http2_Limits, 0, 0));
	zend_string_release(property_http2_name);

	zend_string *property_webSocket_class_Sluice_WebSocket_Limits = zend_string_init("Sluice\\WebSocket\\Limits", sizeof("Sluice\\WebSocket\\Limits")-1, 1);
	zval property_webSocket_default_value;
	ZVAL_UNDEF(&property_webSocket_default_value);
	zend_string *property_webSocket_name = zend_string_init("webSocket", sizeof("webSocket") - 1, 1);
	zend_declare_typed_property(class_entry, property_webSocket_name, &property_webSocket_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_webSocket_class_Sluice_WebSocket_Limits, 0, 0));
	zend_string_release(property_webSocket_name);

	zend_string *property_tcp_class_Sluice_Tcp_Limits = zend_string_init("Sluice\\Tcp\\Limits", sizeof("Sluice\\Tcp\\Limits")-1, 1);
	zval property_tcp_default_value;
	ZVAL_UNDEF(&property_tcp_default_value);
	zend_string *property_tcp_name = zend_string_init("tcp", sizeof("tcp") - 1, 1);
	zend_declare_typed_property(class_entry, property_tcp_name, &property_tcp_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_tcp_class_Sluice_Tcp_Limits, 0, 0));
	zend_string_release(property_tcp_name);

	zend_string *property_udp_class_Sluice_Udp_Limits = zend_string_init("Sluice\\\125dp\\Limits", sizeof("Sluice\\\125dp\\Limits")-1, 1);
	zval property_udp_default_value;
	ZVAL_UNDEF(&property_udp_default_value);
	zend_string *property_udp_name = zend_string_init("udp", sizeof("udp") - 1, 1);
	zend_declare_typed_property(class_entry, property_udp_name, &property_udp_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_udp_class_Sluice_Udp_Limits, 0, 0));
	zend_string_release(property_udp_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Worker(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Worker", class_Sluice_Worker_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_id_name);

	zval property_pid_default_value;
	ZVAL_UNDEF(&property_pid_default_value);
	zend_string *property_pid_name = zend_string_init("pid", sizeof("pid") - 1, 1);
	zend_declare_typed_property(class_entry, property_pid_name, &property_pid_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pid_name);

	zval property_generation_default_value;
	ZVAL_UNDEF(&property_generation_default_value);
	zend_string *property_generation_name = zend_string_init("generation", sizeof("generation") - 1, 1);
	zend_declare_typed_property(class_entry, property_generation_name, &property_generation_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_generation_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Service(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Service", class_Sluice_Service_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_name_default_value;
	ZVAL_UNDEF(&property_name_default_value);
	zend_string *property_name_name = zend_string_init("name", sizeof("name") - 1, 1);
	zend_declare_typed_property(class_entry, property_name_name, &property_name_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_name_name);

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_id_name);

	zval property_pid_default_value;
	ZVAL_UNDEF(&property_pid_default_value);
	zend_string *property_pid_name = zend_string_init("pid", sizeof("pid") - 1, 1);
	zend_declare_typed_property(class_entry, property_pid_name, &property_pid_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pid_name);

	zval property_generation_default_value;
	ZVAL_UNDEF(&property_generation_default_value);
	zend_string *property_generation_name = zend_string_init("generation", sizeof("generation") - 1, 1);
	zend_declare_typed_property(class_entry, property_generation_name, &property_generation_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_generation_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Stats(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Stats", class_Sluice_Stats_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_connections_default_value;
	ZVAL_UNDEF(&property_connections_default_value);
	zend_string *property_connections_name = zend_string_init("connections", sizeof("connections") - 1, 1);
	zend_declare_typed_property(class_entry, property_connections_name, &property_connections_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_connections_name);

	zval property_arenaBytes_default_value;
	ZVAL_UNDEF(&property_arenaBytes_default_value);
	zend_string *property_arenaBytes_name = zend_string_init("arenaBytes", sizeof("arenaBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_arenaBytes_name, &property_arenaBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_arenaBytes_name);

	zval property_lentBytes_default_value;
	ZVAL_UNDEF(&property_lentBytes_default_value);
	zend_string *property_lentBytes_name = zend_string_init("lentBytes", sizeof("lentBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_lentBytes_name, &property_lentBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_lentBytes_name);

	zval property_compressionBytes_default_value;
	ZVAL_UNDEF(&property_compressionBytes_default_value);
	zend_string *property_compressionBytes_name = zend_string_init("compressionBytes", sizeof("compressionBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_compressionBytes_name, &property_compressionBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_compressionBytes_name);

	zval property_attachedBytes_default_value;
	ZVAL_UNDEF(&property_attachedBytes_default_value);
	zend_string *property_attachedBytes_name = zend_string_init("attachedBytes", sizeof("attachedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_attachedBytes_name, &property_attachedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_attachedBytes_name);

	zval property_subscriptionBytes_default_value;
	ZVAL_UNDEF(&property_subscriptionBytes_default_value);
	zend_string *property_subscriptionBytes_name = zend_string_init("subscriptionBytes", sizeof("subscriptionBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_subscriptionBytes_name, &property_subscriptionBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_subscriptionBytes_name);

	zval property_queuedBytes_default_value;
	ZVAL_UNDEF(&property_queuedBytes_default_value);
	zend_string *property_queuedBytes_name = zend_string_init("queuedBytes", sizeof("queuedBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_queuedBytes_name, &property_queuedBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_queuedBytes_name);

	zval property_temporaryFileBytes_default_value;
	ZVAL_UNDEF(&property_temporaryFileBytes_default_value);
	zend_string *property_temporaryFileBytes_name = zend_string_init("temporaryFileBytes", sizeof("temporaryFileBytes") - 1, 1);
	zend_declare_typed_property(class_entry, property_temporaryFileBytes_name, &property_temporaryFileBytes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_temporaryFileBytes_name);

	zval property_bodyStreams_default_value;
	ZVAL_UNDEF(&property_bodyStreams_default_value);
	zend_string *property_bodyStreams_name = zend_string_init("bodyStreams", sizeof("bodyStreams") - 1, 1);
	zend_declare_typed_property(class_entry, property_bodyStreams_name, &property_bodyStreams_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bodyStreams_name);

	zval property_handshakes_default_value;
	ZVAL_UNDEF(&property_handshakes_default_value);
	zend_string *property_handshakes_name = zend_string_init("handshakes", sizeof("handshakes") - 1, 1);
	zend_declare_typed_property(class_entry, property_handshakes_name, &property_handshakes_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_handshakes_name);

	zval property_openFiles_default_value;
	ZVAL_UNDEF(&property_openFiles_default_value);
	zend_string *property_openFiles_name = zend_string_init("openFiles", sizeof("openFiles") - 1, 1);
	zend_declare_typed_property(class_entry, property_openFiles_name, &property_openFiles_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_openFiles_name);

	zval property_messagesReceived_default_value;
	ZVAL_UNDEF(&property_messagesReceived_default_value);
	zend_string *property_messagesReceived_name = zend_string_init("messagesReceived", sizeof("messagesReceived") - 1, 1);
	zend_declare_typed_property(class_entry, property_messagesReceived_name, &property_messagesReceived_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_messagesReceived_name);

	zval property_bytesReceived_default_value;
	ZVAL_UNDEF(&property_bytesReceived_default_value);
	zend_string *property_bytesReceived_name = zend_string_init("bytesReceived", sizeof("bytesReceived") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytesReceived_name, &property_bytesReceived_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytesReceived_name);

	zval property_bytesSent_default_value;
	ZVAL_UNDEF(&property_bytesSent_default_value);
	zend_string *property_bytesSent_name = zend_string_init("bytesSent", sizeof("bytesSent") - 1, 1);
	zend_declare_typed_property(class_entry, property_bytesSent_name, &property_bytesSent_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_bytesSent_name);

	zval property_coroutines_default_value;
	ZVAL_UNDEF(&property_coroutines_default_value);
	zend_string *property_coroutines_name = zend_string_init("coroutines", sizeof("coroutines") - 1, 1);
	zend_declare_typed_property(class_entry, property_coroutines_name, &property_coroutines_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_coroutines_name);

	zval property_pooledStacks_default_value;
	ZVAL_UNDEF(&property_pooledStacks_default_value);
	zend_string *property_pooledStacks_name = zend_string_init("pooledStacks", sizeof("pooledStacks") - 1, 1);
	zend_declare_typed_property(class_entry, property_pooledStacks_name, &property_pooledStacks_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pooledStacks_name);

	zval property_peakCoroutines_default_value;
	ZVAL_UNDEF(&property_peakCoroutines_default_value);
	zend_string *property_peakCoroutines_name = zend_string_init("peakCoroutines", sizeof("peakCoroutines") - 1, 1);
	zend_declare_typed_property(class_entry, property_peakCoroutines_name, &property_peakCoroutines_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_peakCoroutines_name);

	zval property_stalls_default_value;
	ZVAL_UNDEF(&property_stalls_default_value);
	zend_string *property_stalls_name = zend_string_init("stalls", sizeof("stalls") - 1, 1);
	zend_declare_typed_property(class_entry, property_stalls_name, &property_stalls_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_stalls_name);

	zval property_datagramsDropped_default_value;
	ZVAL_UNDEF(&property_datagramsDropped_default_value);
	zend_string *property_datagramsDropped_name = zend_string_init("datagramsDropped", sizeof("datagramsDropped") - 1, 1);
	zend_declare_typed_property(class_entry, property_datagramsDropped_name, &property_datagramsDropped_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_datagramsDropped_name);

	zval property_workers_default_value;
	ZVAL_UNDEF(&property_workers_default_value);
	zend_string *property_workers_name = zend_string_init("workers", sizeof("workers") - 1, 1);
	zend_declare_typed_property(class_entry, property_workers_name, &property_workers_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_workers_name);

	zval property_services_default_value;
	ZVAL_UNDEF(&property_services_default_value);
	zend_string *property_services_name = zend_string_init("services", sizeof("services") - 1, 1);
	zend_declare_typed_property(class_entry, property_services_name, &property_services_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_services_name);

	zval property_serviceRestarts_default_value;
	ZVAL_UNDEF(&property_serviceRestarts_default_value);
	zend_string *property_serviceRestarts_name = zend_string_init("serviceRestarts", sizeof("serviceRestarts") - 1, 1);
	zend_declare_typed_property(class_entry, property_serviceRestarts_name, &property_serviceRestarts_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_serviceRestarts_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_WorkerStats(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "WorkerStats", class_Sluice_WorkerStats_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_id_default_value;
	ZVAL_UNDEF(&property_id_default_value);
	zend_string *property_id_name = zend_string_init("id", sizeof("id") - 1, 1);
	zend_declare_typed_property(class_entry, property_id_name, &property_id_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_id_name);

	zval property_pid_default_value;
	ZVAL_UNDEF(&property_pid_default_value);
	zend_string *property_pid_name = zend_string_init("pid", sizeof("pid") - 1, 1);
	zend_declare_typed_property(class_entry, property_pid_name, &property_pid_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_pid_name);

	zval property_generation_default_value;
	ZVAL_UNDEF(&property_generation_default_value);
	zend_string *property_generation_name = zend_string_init("generation", sizeof("generation") - 1, 1);
	zend_declare_typed_property(class_entry, property_generation_name, &property_generation_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_generation_name);

	zval property_handled_default_value;
	ZVAL_UNDEF(&property_handled_default_value);
	zend_string *property_handled_name = zend_string_init("handled", sizeof("handled") - 1, 1);
	zend_declare_typed_property(class_entry, property_handled_name, &property_handled_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_handled_name);

	zval property_inFlight_default_value;
	ZVAL_UNDEF(&property_inFlight_default_value);
	zend_string *property_inFlight_name = zend_string_init("inFlight", sizeof("inFlight") - 1, 1);
	zend_declare_typed_property(class_entry, property_inFlight_name, &property_inFlight_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_inFlight_name);

	zval property_waiting_default_value;
	ZVAL_UNDEF(&property_waiting_default_value);
	zend_string *property_waiting_name = zend_string_init("waiting", sizeof("waiting") - 1, 1);
	zend_declare_typed_property(class_entry, property_waiting_name, &property_waiting_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_waiting_name);

	zval property_coroutines_default_value;
	ZVAL_UNDEF(&property_coroutines_default_value);
	zend_string *property_coroutines_name = zend_string_init("coroutines", sizeof("coroutines") - 1, 1);
	zend_declare_typed_property(class_entry, property_coroutines_name, &property_coroutines_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_coroutines_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Server(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice", "Server", class_Sluice_Server_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
