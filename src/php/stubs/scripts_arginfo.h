/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: e37956865df93036e7dff7a091fa304ec4391251 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_getallheaders, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_apache_request_headers arginfo_getallheaders

#define arginfo_apache_response_headers arginfo_getallheaders

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_fastcgi_finish_request, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(getallheaders);
ZEND_FUNCTION(apache_response_headers);
ZEND_FUNCTION(fastcgi_finish_request);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(getallheaders, arginfo_getallheaders)
	ZEND_FALIAS(apache_request_headers, getallheaders, arginfo_apache_request_headers)
	ZEND_FE(apache_response_headers, arginfo_apache_response_headers)
	ZEND_FE(fastcgi_finish_request, arginfo_fastcgi_finish_request)
	ZEND_FE_END
};
