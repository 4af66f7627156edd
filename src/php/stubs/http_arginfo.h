/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 81906f522d6d6b19edc2d13c7f14d0e356ce24be */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Handler_handle, 0, 2, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, request, Sluice\\Http\\Request, 0)
	ZEND_ARG_OBJ_INFO(0, response, Sluice\\Http\\Response, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Site___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Site_get, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\Http\\Handler, MAY_BE_CALLABLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, options, Sluice\\Http\\Options, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\Http\\Limits, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Site_post arginfo_class_Sluice_Http_Site_get

#define arginfo_class_Sluice_Http_Site_put arginfo_class_Sluice_Http_Site_get

#define arginfo_class_Sluice_Http_Site_patch arginfo_class_Sluice_Http_Site_get

#define arginfo_class_Sluice_Http_Site_delete arginfo_class_Sluice_Http_Site_get

#define arginfo_class_Sluice_Http_Site_any arginfo_class_Sluice_Http_Site_get

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Site_route, 0, 3, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, method, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\Http\\Handler, MAY_BE_CALLABLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, options, Sluice\\Http\\Options, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\Http\\Limits, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Site_webSocket, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, handler, Sluice\\WebSocket\\Handler, MAY_BE_CALLABLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, options, Sluice\\WebSocket\\Options, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, limits, Sluice\\WebSocket\\Limits, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, handshake, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Trace___construct arginfo_class_Sluice_Http_Site___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Trace_current, 0, 0, Sluice\\Http\\Trace, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Trace_traceId, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Trace_spanId arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Trace_parentSpanId, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Trace_isSampled, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Trace_isDecided arginfo_class_Sluice_Http_Trace_isSampled

#define arginfo_class_Sluice_Http_Trace_state arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Trace_baggage, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Trace_headers arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request___construct arginfo_class_Sluice_Http_Site___construct

#define arginfo_class_Sluice_Http_Request_method arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_target arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_path arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_parameter, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Request_parameters arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request_route arginfo_class_Sluice_Http_Trace_parentSpanId

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Request_trace, 0, 0, Sluice\\Http\\Trace, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Request_protocol arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_host arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_peer arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_clientAddress arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_connectionPeer arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_isSecure arginfo_class_Sluice_Http_Trace_isSampled

#define arginfo_class_Sluice_Http_Request_isConnectionSecure arginfo_class_Sluice_Http_Trace_isSampled

#define arginfo_class_Sluice_Http_Request_scheme arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_query, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Request_queryString arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_Request_queryAll arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request_header arginfo_class_Sluice_Http_Request_query

#define arginfo_class_Sluice_Http_Request_headers arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request_cookie arginfo_class_Sluice_Http_Request_query

#define arginfo_class_Sluice_Http_Request_cookies arginfo_class_Sluice_Http_Trace_baggage

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_prefers, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, types, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_prefersLanguage, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, languages, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Request_serverParams arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request_body arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_bodyStream, 0, 0, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Request_receiveBody, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Request_json arginfo_class_Sluice_Http_Request_bodyStream

#define arginfo_class_Sluice_Http_Request_form arginfo_class_Sluice_Http_Request_query

#define arginfo_class_Sluice_Http_Request_formAll arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_Request_files arginfo_class_Sluice_Http_Trace_baggage

#define arginfo_class_Sluice_Http_UploadedFile___construct arginfo_class_Sluice_Http_Site___construct

#define arginfo_class_Sluice_Http_UploadedFile_contents arginfo_class_Sluice_Http_Trace_traceId

#define arginfo_class_Sluice_Http_UploadedFile_stream arginfo_class_Sluice_Http_Request_bodyStream

#define arginfo_class_Sluice_Http_UploadedFile_path arginfo_class_Sluice_Http_Trace_traceId

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_UploadedFile_moveTo, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response___construct arginfo_class_Sluice_Http_Site___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_status, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, status, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_statusCode, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_header, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response_addHeader arginfo_class_Sluice_Http_Response_header

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_text, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, body, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response_html arginfo_class_Sluice_Http_Response_text

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_json, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, flags, IS_LONG, 0, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_jsonText, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, json, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_capture, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, function, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_sendFile, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, type, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, download, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_redirect, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, location, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, status, IS_LONG, 0, "302")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_cookie, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, value, IS_STRING, 0, "\'\'")
	ZEND_ARG_OBJ_TYPE_MASK(0, expires, DateTimeInterface, MAY_BE_LONG|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, maxAge, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, path, IS_STRING, 0, "\'/\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, domain, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, secure, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, httpOnly, _IS_BOOL, 0, "true")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, sameSite, Sluice\\Http\\SameSite, 1, "Sluice\\Http\\SameSite::Lax")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, partitioned, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_earlyHints, 0, 0, Sluice\\Delivery, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, links, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_etag, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, tag, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, weak, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_lastModified, 0, 1, IS_STATIC, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, at, DateTimeInterface, MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response_endByCondition arginfo_class_Sluice_Http_Trace_isSampled

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Response_withoutCompression, 0, 0, IS_STATIC, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_events, 0, 0, Sluice\\Http\\EventStream, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response_trailer arginfo_class_Sluice_Http_Response_header

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_write, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, chunk, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_Response_end, 0, 0, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, body, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Response_isEnded arginfo_class_Sluice_Http_Trace_isSampled

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Script___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Script_handle arginfo_class_Sluice_Http_Handler_handle

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_DocumentRoot___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, folder, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, front, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, index, IS_ARRAY, 0, "[\'index.php\', \'index.html\']")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cacheControl, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, linksTo, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_DocumentRoot_handle arginfo_class_Sluice_Http_Handler_handle

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Sluice_Http_Files___construct, 0, 0, 1)
	ZEND_ARG_TYPE_INFO(0, folder, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'/\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, index, IS_ARRAY, 0, "[\'index.html\']")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cacheControl, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, precompressed, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, linksTo, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_Files_handle arginfo_class_Sluice_Http_Handler_handle

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Sluice_Http_Files_send, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_OBJ_INFO(0, request, Sluice\\Http\\Request, 0)
	ZEND_ARG_OBJ_INFO(0, response, Sluice\\Http\\Response, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Sluice_Http_EventStream___construct arginfo_class_Sluice_Http_Site___construct

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_EventStream_send, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, type, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, id, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, retryMs, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_EventStream_comment, 0, 0, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, text, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_EventStream_subscribe, 0, 1, Sluice\\Delivery, 0)
	ZEND_ARG_TYPE_INFO(0, topic, IS_STRING, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, topics, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Sluice_Http_EventStream_end, 0, 0, Sluice\\Delivery, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Sluice_Http_Site, __construct);
ZEND_METHOD(Sluice_Http_Site, get);
ZEND_METHOD(Sluice_Http_Site, post);
ZEND_METHOD(Sluice_Http_Site, put);
ZEND_METHOD(Sluice_Http_Site, patch);
ZEND_METHOD(Sluice_Http_Site, delete);
ZEND_METHOD(Sluice_Http_Site, any);
ZEND_METHOD(Sluice_Http_Site, route);
ZEND_METHOD(Sluice_Http_Site, webSocket);
ZEND_METHOD(Sluice_Http_Trace, __construct);
ZEND_METHOD(Sluice_Http_Trace, current);
ZEND_METHOD(Sluice_Http_Trace, traceId);
ZEND_METHOD(Sluice_Http_Trace, spanId);
ZEND_METHOD(Sluice_Http_Trace, parentSpanId);
ZEND_METHOD(Sluice_Http_Trace, isSampled);
ZEND_METHOD(Sluice_Http_Trace, isDecided);
ZEND_METHOD(Sluice_Http_Trace, state);
ZEND_METHOD(Sluice_Http_Trace, baggage);
ZEND_METHOD(Sluice_Http_Trace, headers);
ZEND_METHOD(Sluice_Http_Request, __construct);
ZEND_METHOD(Sluice_Http_Request, method);
ZEND_METHOD(Sluice_Http_Request, target);
ZEND_METHOD(Sluice_Http_Request, path);
ZEND_METHOD(Sluice_Http_Request, parameter);
ZEND_METHOD(Sluice_Http_Request, parameters);
ZEND_METHOD(Sluice_Http_Request, route);
ZEND_METHOD(Sluice_Http_Request, trace);
ZEND_METHOD(Sluice_Http_Request, protocol);
ZEND_METHOD(Sluice_Http_Request, host);
ZEND_METHOD(Sluice_Http_Request, peer);
ZEND_METHOD(Sluice_Http_Request, clientAddress);
ZEND_METHOD(Sluice_Http_Request, connectionPeer);
ZEND_METHOD(Sluice_Http_Request, isSecure);
ZEND_METHOD(Sluice_Http_Request, isConnectionSecure);
ZEND_METHOD(Sluice_Http_Request, scheme);
ZEND_METHOD(Sluice_Http_Request, query);
ZEND_METHOD(Sluice_Http_Request, queryString);
ZEND_METHOD(Sluice_Http_Request, queryAll);
ZEND_METHOD(Sluice_Http_Request, header);
ZEND_METHOD(Sluice_Http_Request, headers);
ZEND_METHOD(Sluice_Http_Request, cookie);
ZEND_METHOD(Sluice_Http_Request, cookies);
ZEND_METHOD(Sluice_Http_Request, prefers);
ZEND_METHOD(Sluice_Http_Request, prefersLanguage);
ZEND_METHOD(Sluice_Http_Request, serverParams);
ZEND_METHOD(Sluice_Http_Request, body);
ZEND_METHOD(Sluice_Http_Request, bodyStream);
ZEND_METHOD(Sluice_Http_Request, receiveBody);
ZEND_METHOD(Sluice_Http_Request, json);
ZEND_METHOD(Sluice_Http_Request, form);
ZEND_METHOD(Sluice_Http_Request, formAll);
ZEND_METHOD(Sluice_Http_Request, files);
ZEND_METHOD(Sluice_Http_UploadedFile, __construct);
ZEND_METHOD(Sluice_Http_UploadedFile, contents);
ZEND_METHOD(Sluice_Http_UploadedFile, stream);
ZEND_METHOD(Sluice_Http_UploadedFile, path);
ZEND_METHOD(Sluice_Http_UploadedFile, moveTo);
ZEND_METHOD(Sluice_Http_Response, __construct);
ZEND_METHOD(Sluice_Http_Response, status);
ZEND_METHOD(Sluice_Http_Response, statusCode);
ZEND_METHOD(Sluice_Http_Response, header);
ZEND_METHOD(Sluice_Http_Response, addHeader);
ZEND_METHOD(Sluice_Http_Response, text);
ZEND_METHOD(Sluice_Http_Response, html);
ZEND_METHOD(Sluice_Http_Response, json);
ZEND_METHOD(Sluice_Http_Response, jsonText);
ZEND_METHOD(Sluice_Http_Response, capture);
ZEND_METHOD(Sluice_Http_Response, sendFile);
ZEND_METHOD(Sluice_Http_Response, redirect);
ZEND_METHOD(Sluice_Http_Response, cookie);
ZEND_METHOD(Sluice_Http_Response, earlyHints);
ZEND_METHOD(Sluice_Http_Response, etag);
ZEND_METHOD(Sluice_Http_Response, lastModified);
ZEND_METHOD(Sluice_Http_Response, endByCondition);
ZEND_METHOD(Sluice_Http_Response, withoutCompression);
ZEND_METHOD(Sluice_Http_Response, events);
ZEND_METHOD(Sluice_Http_Response, trailer);
ZEND_METHOD(Sluice_Http_Response, write);
ZEND_METHOD(Sluice_Http_Response, end);
ZEND_METHOD(Sluice_Http_Response, isEnded);
ZEND_METHOD(Sluice_Http_Script, __construct);
ZEND_METHOD(Sluice_Http_Script, handle);
ZEND_METHOD(Sluice_Http_DocumentRoot, __construct);
ZEND_METHOD(Sluice_Http_DocumentRoot, handle);
ZEND_METHOD(Sluice_Http_Files, __construct);
ZEND_METHOD(Sluice_Http_Files, handle);
ZEND_METHOD(Sluice_Http_Files, send);
ZEND_METHOD(Sluice_Http_EventStream, __construct);
ZEND_METHOD(Sluice_Http_EventStream, send);
ZEND_METHOD(Sluice_Http_EventStream, comment);
ZEND_METHOD(Sluice_Http_EventStream, subscribe);
ZEND_METHOD(Sluice_Http_EventStream, end);


static const zend_function_entry class_Sluice_Http_Handler_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Sluice_Http_Handler, handle, arginfo_class_Sluice_Http_Handler_handle, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Site_methods[] = {
	ZEND_ME(Sluice_Http_Site, __construct, arginfo_class_Sluice_Http_Site___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_Site, get, arginfo_class_Sluice_Http_Site_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, post, arginfo_class_Sluice_Http_Site_post, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, put, arginfo_class_Sluice_Http_Site_put, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, patch, arginfo_class_Sluice_Http_Site_patch, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, delete, arginfo_class_Sluice_Http_Site_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, any, arginfo_class_Sluice_Http_Site_any, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, route, arginfo_class_Sluice_Http_Site_route, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Site, webSocket, arginfo_class_Sluice_Http_Site_webSocket, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Trace_methods[] = {
	ZEND_ME(Sluice_Http_Trace, __construct, arginfo_class_Sluice_Http_Trace___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_Trace, current, arginfo_class_Sluice_Http_Trace_current, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Sluice_Http_Trace, traceId, arginfo_class_Sluice_Http_Trace_traceId, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, spanId, arginfo_class_Sluice_Http_Trace_spanId, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, parentSpanId, arginfo_class_Sluice_Http_Trace_parentSpanId, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, isSampled, arginfo_class_Sluice_Http_Trace_isSampled, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, isDecided, arginfo_class_Sluice_Http_Trace_isDecided, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, state, arginfo_class_Sluice_Http_Trace_state, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, baggage, arginfo_class_Sluice_Http_Trace_baggage, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Trace, headers, arginfo_class_Sluice_Http_Trace_headers, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Request_methods[] = {
	ZEND_ME(Sluice_Http_Request, __construct, arginfo_class_Sluice_Http_Request___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_Request, method, arginfo_class_Sluice_Http_Request_method, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, target, arginfo_class_Sluice_Http_Request_target, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, path, arginfo_class_Sluice_Http_Request_path, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, parameter, arginfo_class_Sluice_Http_Request_parameter, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, parameters, arginfo_class_Sluice_Http_Request_parameters, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, route, arginfo_class_Sluice_Http_Request_route, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, trace, arginfo_class_Sluice_Http_Request_trace, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, protocol, arginfo_class_Sluice_Http_Request_protocol, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, host, arginfo_class_Sluice_Http_Request_host, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, peer, arginfo_class_Sluice_Http_Request_peer, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, clientAddress, arginfo_class_Sluice_Http_Request_clientAddress, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, connectionPeer, arginfo_class_Sluice_Http_Request_connectionPeer, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, isSecure, arginfo_class_Sluice_Http_Request_isSecure, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, isConnectionSecure, arginfo_class_Sluice_Http_Request_isConnectionSecure, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, scheme, arginfo_class_Sluice_Http_Request_scheme, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, query, arginfo_class_Sluice_Http_Request_query, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, queryString, arginfo_class_Sluice_Http_Request_queryString, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, queryAll, arginfo_class_Sluice_Http_Request_queryAll, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, header, arginfo_class_Sluice_Http_Request_header, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, headers, arginfo_class_Sluice_Http_Request_headers, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, cookie, arginfo_class_Sluice_Http_Request_cookie, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, cookies, arginfo_class_Sluice_Http_Request_cookies, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, prefers, arginfo_class_Sluice_Http_Request_prefers, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, prefersLanguage, arginfo_class_Sluice_Http_Request_prefersLanguage, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, serverParams, arginfo_class_Sluice_Http_Request_serverParams, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, body, arginfo_class_Sluice_Http_Request_body, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, bodyStream, arginfo_class_Sluice_Http_Request_bodyStream, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, receiveBody, arginfo_class_Sluice_Http_Request_receiveBody, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, json, arginfo_class_Sluice_Http_Request_json, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, form, arginfo_class_Sluice_Http_Request_form, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, formAll, arginfo_class_Sluice_Http_Request_formAll, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Request, files, arginfo_class_Sluice_Http_Request_files, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_UploadedFile_methods[] = {
	ZEND_ME(Sluice_Http_UploadedFile, __construct, arginfo_class_Sluice_Http_UploadedFile___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_UploadedFile, contents, arginfo_class_Sluice_Http_UploadedFile_contents, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_UploadedFile, stream, arginfo_class_Sluice_Http_UploadedFile_stream, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_UploadedFile, path, arginfo_class_Sluice_Http_UploadedFile_path, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_UploadedFile, moveTo, arginfo_class_Sluice_Http_UploadedFile_moveTo, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_BadRequest_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Response_methods[] = {
	ZEND_ME(Sluice_Http_Response, __construct, arginfo_class_Sluice_Http_Response___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_Response, status, arginfo_class_Sluice_Http_Response_status, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, statusCode, arginfo_class_Sluice_Http_Response_statusCode, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, header, arginfo_class_Sluice_Http_Response_header, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, addHeader, arginfo_class_Sluice_Http_Response_addHeader, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, text, arginfo_class_Sluice_Http_Response_text, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, html, arginfo_class_Sluice_Http_Response_html, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, json, arginfo_class_Sluice_Http_Response_json, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, jsonText, arginfo_class_Sluice_Http_Response_jsonText, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, capture, arginfo_class_Sluice_Http_Response_capture, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, sendFile, arginfo_class_Sluice_Http_Response_sendFile, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, redirect, arginfo_class_Sluice_Http_Response_redirect, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, cookie, arginfo_class_Sluice_Http_Response_cookie, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, earlyHints, arginfo_class_Sluice_Http_Response_earlyHints, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, etag, arginfo_class_Sluice_Http_Response_etag, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, lastModified, arginfo_class_Sluice_Http_Response_lastModified, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, endByCondition, arginfo_class_Sluice_Http_Response_endByCondition, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, withoutCompression, arginfo_class_Sluice_Http_Response_withoutCompression, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, events, arginfo_class_Sluice_Http_Response_events, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, trailer, arginfo_class_Sluice_Http_Response_trailer, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, write, arginfo_class_Sluice_Http_Response_write, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, end, arginfo_class_Sluice_Http_Response_end, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Response, isEnded, arginfo_class_Sluice_Http_Response_isEnded, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Script_methods[] = {
	ZEND_ME(Sluice_Http_Script, __construct, arginfo_class_Sluice_Http_Script___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Script, handle, arginfo_class_Sluice_Http_Script_handle, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_DocumentRoot_methods[] = {
	ZEND_ME(Sluice_Http_DocumentRoot, __construct, arginfo_class_Sluice_Http_DocumentRoot___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_DocumentRoot, handle, arginfo_class_Sluice_Http_DocumentRoot_handle, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_Files_methods[] = {
	ZEND_ME(Sluice_Http_Files, __construct, arginfo_class_Sluice_Http_Files___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Files, handle, arginfo_class_Sluice_Http_Files_handle, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_Files, send, arginfo_class_Sluice_Http_Files_send, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_SameSite_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Sluice_Http_EventStream_methods[] = {
	ZEND_ME(Sluice_Http_EventStream, __construct, arginfo_class_Sluice_Http_EventStream___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Sluice_Http_EventStream, send, arginfo_class_Sluice_Http_EventStream_send, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_EventStream, comment, arginfo_class_Sluice_Http_EventStream_comment, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_EventStream, subscribe, arginfo_class_Sluice_Http_EventStream_subscribe, ZEND_ACC_PUBLIC)
	ZEND_ME(Sluice_Http_EventStream, end, arginfo_class_Sluice_Http_EventStream_end, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Sluice_Http_Handler(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Handler", class_Sluice_Http_Handler_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Site(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Site", class_Sluice_Http_Site_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Trace(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Trace", class_Sluice_Http_Trace_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Request(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Request", class_Sluice_Http_Request_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_UploadedFile(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "UploadedFile", class_Sluice_Http_UploadedFile_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_clientName_default_value;
	ZVAL_UNDEF(&property_clientName_default_value);
	zend_string *property_clientName_name = zend_string_init("clientName", sizeof("clientName") - 1, 1);
	zend_declare_typed_property(class_entry, property_clientName_name, &property_clientName_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_clientName_name);

	zval property_clientType_default_value;
	ZVAL_UNDEF(&property_clientType_default_value);
	zend_string *property_clientType_name = zend_string_init("clientType", sizeof("clientType") - 1, 1);
	zend_declare_typed_property(class_entry, property_clientType_name, &property_clientType_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_clientType_name);

	zval property_size_default_value;
	ZVAL_UNDEF(&property_size_default_value);
	zend_string *property_size_name = zend_string_init("size", sizeof("size") - 1, 1);
	zend_declare_typed_property(class_entry, property_size_name, &property_size_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_size_name);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_BadRequest(zend_class_entry *class_entry_RuntimeException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "BadRequest", class_Sluice_Http_BadRequest_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Response(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Response", class_Sluice_Http_Response_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Script(zend_class_entry *class_entry_Sluice_Http_Handler)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Script", class_Sluice_Http_Script_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Sluice_Http_Handler);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_DocumentRoot(zend_class_entry *class_entry_Sluice_Http_Handler)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "DocumentRoot", class_Sluice_Http_DocumentRoot_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Sluice_Http_Handler);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_Files(zend_class_entry *class_entry_Sluice_Http_Handler)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "Files", class_Sluice_Http_Files_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Sluice_Http_Handler);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_SameSite(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Sluice\\Http\\SameSite", IS_UNDEF, class_Sluice_Http_SameSite_methods);

	zend_enum_add_case_cstr(class_entry, "Strict", NULL);

	zend_enum_add_case_cstr(class_entry, "Lax", NULL);

	zend_enum_add_case_cstr(class_entry, "None", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Sluice_Http_EventStream(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Sluice\\Http", "EventStream", class_Sluice_Http_EventStream_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
