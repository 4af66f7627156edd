<?php

/**
 * Functions that php-fpm has and PHP's command line has not, for scripts. They exist once a server runs that has a `Script`, a `DocumentRoot` or a
 * `classic` handler.
 *
 * @generate-function-entries
 */

/** The fields of the request, by name, as Apache writes names: `X-Forwarded-For`. Outside of a request of a script an empty array. */
function getallheaders(): array {}

/** @alias getallheaders */
function apache_request_headers(): array {}

/** The fields of the response so far, by name. */
function apache_response_headers(): array {}

/**
 * Completes the response of a script, and lets the script go on without its client. False when there is no response, or it is complete already. In a
 * worker what follows is still bounded by `Limits::$requestSeconds`.
 */
function fastcgi_finish_request(): bool {}
