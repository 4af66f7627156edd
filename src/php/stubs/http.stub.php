<?php

/** @generate-class-entries */

namespace Sluice\Http;

/** Handles HTTP requests; an object in place of a callable. */
interface Handler
{
    /** Answers one request by `$response`, in a coroutine of its own. An uncaught exception is answered with 500. */
    public function handle(Request $request, Response $response): void;
}

/**
 * One HTTP listener and its routes, which say which handler gets a request. The reactor matches the routes before it hands the
 * request to a worker.
 *
 * A path is a pattern. In `/users/{id}` the parameter `{id}` matches any one segment that is not empty; in `/files/{path...}` it
 * matches the rest of the path, which may be empty. `Request::parameter()` gives the values. Other segments are compared with
 * percent-encoding undone; `/users/` is not `/users`. When several patterns match, text wins over a parameter, and a parameter
 * over the rest of a path, whatever the order of the routes. A parameter never matches `.` or `..`, and the rest of a path holds
 * no slash that was encoded as `%2F`.
 *
 * A request that no route matches goes to the handler given to `Server::http()`; without one the answer is 404. When the path has
 * routes, but none for the method, the answer is 405 with an Allow field. A route for GET gets HEAD requests too, and the server
 * answers OPTIONS with an Allow field, unless HEAD or OPTIONS have routes of their own (RFC 9110 9.3.2, 9.3.7, 15.5.6).
 *
 * @strict-properties
 * @not-serializable
 */
final class Site
{
    private function __construct() {}

    /**
     * Adds a route for GET and HEAD.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function get(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for POST.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function post(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for PUT.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function put(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for PATCH.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function patch(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for DELETE.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function delete(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for every method that has no route of its own at this path.
     *
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, these paths have such a route, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function any(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * Adds a route for one method, such as `OPTIONS` or `PROPFIND`.
     *
     * @param string $method a token in upper case (RFC 9110 9.1), but not CONNECT
     * @param string $path a pattern such as `/users/{id}` or `/files/{path...}`
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and properties that are null: as the site
     * @param Limits|null $limits null, and properties that are null: as the site
     * @throws \ValueError when $path is not a pattern, the method has a route for these paths, or an option is for whole sites only
     * @throws \Sluice\ServerException after run()
     */
    public function route(
        string $method,
        string $path,
        callable|Handler $handler,
        ?Options $options = null,
        ?Limits $limits = null,
    ): static {}

    /**
     * Accepts WebSockets (RFC 6455) at these paths. Requests to the paths that ask for no WebSocket go to the site's other routes.
     *
     * @param string $path a pattern such as `/rooms/{id}` or `/files/{path...}`
     * @param (callable(\Sluice\WebSocket\Connection, string, bool): mixed)|\Sluice\WebSocket\Handler $handler a callable gets the
     *     messages; its third argument says whether the message is binary
     * @param \Sluice\WebSocket\Options|null $options null: the defaults of that class
     * @param \Sluice\WebSocket\Limits|null $limits null, and properties that are null: `\Sluice\Limits::$webSocket`
     * @param (callable(\Sluice\WebSocket\Handshake): mixed)|null $handshake decides on each handshake before the client is answered;
     *     null: all are accepted
     * @throws \ValueError when $path is not a pattern, or WebSockets are accepted at these paths already
     * @throws \Sluice\ServerException after run()
     */
    public function webSocket(
        string $path,
        callable|\Sluice\WebSocket\Handler $handler,
        ?\Sluice\WebSocket\Options $options = null,
        ?\Sluice\WebSocket\Limits $limits = null,
        ?callable $handshake = null,
    ): static {}
}

/**
 * The trace that a request belongs to, by W3C Trace Context: that of its field `traceparent` when that is valid, or else one that
 * begins with it. The server's part of the trace is one span, whose id is made anew for each request. The access log in JSON and the
 * server's log name both ids.
 *
 * @strict-properties
 * @not-serializable
 */
final class Trace
{
    private function __construct() {}

    /**
     * The trace of the request that the running code works for: in its handler, and in the coroutines that this spawns, also after
     * it has ended. null elsewhere, as in a timer.
     */
    public static function current(): ?Trace {}

    /** The id of the trace, 32 hexadecimal digits in lower case. */
    public function traceId(): string {}
    /** The id of the request's span on this server, 16 hexadecimal digits in lower case. */
    public function spanId(): string {}
    /** The id of the caller's span; null when the trace begins with the request. */
    public function parentSpanId(): ?string {}
    /** Whether the trace is recorded (the flag `sampled`): as the caller has decided, or with `Server::tracing()` its sampler. */
    public function isSampled(): bool {}
    /** Whether anyone has decided about isSampled(): a caller, or the sampler of `Server::tracing()`. Where no one has, an SDK of tracing may. */
    public function isDecided(): bool {}
    /** What the `tracestate` fields say, several joined by commas; '' when there is none, or it is malformed. */
    public function state(): string {}
    /**
     * What the `baggage` fields carry (W3C Baggage), percent-decoded, without properties. Malformed members are left out, and those
     * beyond 64 members or 8,192 bytes. Any client can send it: do not trust it.
     *
     * @return array<string>
     */
    public function baggage(): array {}
    /**
     * The header fields with which a request to another server goes on with the trace: `traceparent`, and `tracestate` and `baggage`
     * when the request has brought them. Sluice\Http\Client sends them by itself.
     *
     * @return array<string, string>
     */
    public function headers(): array {}
}

/**
 * An HTTP request. Its body is complete unless the site or route has `Bodies::Stream`. A method that returns an array builds it
 * when it is called.
 *
 * @strict-properties
 * @not-serializable
 */
final class Request
{
    private function __construct() {}

    /** The method as received, such as `GET`; methods are case-sensitive (RFC 9110 9.1). */
    public function method(): string {}
    /** The request target as received, such as `/a?b=1` (RFC 9112 3.2). */
    public function target(): string {}
    /** The path of the request target without the query, not percent-decoded. */
    public function path(): string {}
    /**
     * The value of a parameter of the route, percent-decoded: with the route `/users/{id}`, `parameter('id')` of `/users/7` is `7`.
     * The value of one segment may hold a slash that was encoded as `%2F`.
     *
     * @throws \ValueError when the route has no parameter of that name
     */
    public function parameter(string $name): string {}
    /**
     * The values of all parameters of the route by name, percent-decoded.
     *
     * @return array<string, string>
     */
    public function parameters(): array {}
    /** The pattern of the route that has matched, such as `/users/{id}`; null when none has, in the handler given to `Server::http()`. */
    public function route(): ?string {}
    /** The trace that the request belongs to, for logs and for requests to other servers. Each call gives a new object. */
    public function trace(): Trace {}
    /** The HTTP version of the request: `1.0`, `1.1` or `2`. */
    public function protocol(): string {}
    /**
     * The host that the client asked for, with the port if the client gave one: as a trusted proxy names it, or else the
     * authority of an absolute request target, or else the Host field.
     */
    public function host(): string {}
    /**
     * The client's address and port: `192.0.2.1:1234` or `[2001:db8::1]:1234`. When a proxy of the listener's TrustedProxies names
     * the client, this is the client as named, perhaps without a port. `unix:` for a Unix socket; '' when the connection was
     * closed before the first call.
     */
    public function peer(): string {}
    /**
     * The client's IP address without port and brackets: `192.0.2.1` or `2001:db8::1`. When a proxy of the listener's
     * TrustedProxies names the client, this is the client as named. '' for a Unix socket and for a closed connection.
     */
    public function clientAddress(): string {}
    /** The address and port of the connection's other end, a proxy's too; `unix:` for a Unix socket; '' when the connection is closed. */
    public function connectionPeer(): string {}

    /** Whether the client uses TLS: to this server, or to a trusted proxy that says so. */
    public function isSecure(): bool {}
    /** Whether the connection to this server uses TLS, whatever proxies say. */
    public function isConnectionSecure(): bool {}
    /** `https` when the client uses TLS, to this server or to a trusted proxy that says so; else `http`. */
    public function scheme(): string {}

    /** The value of a query parameter, percent-decoded; of several with this name, the last. $default when there is none. */
    public function query(string $name, ?string $default = null): ?string {}
    /** The query string as received, without `?`; '' when there is none. */
    public function queryString(): string {}
    /**
     * All query parameters as PHP's `$_GET` holds them: percent-decoded, and `a[]=1` is an array.
     *
     * @return array<mixed>
     */
    public function queryAll(): array {}

    /** The value of a header field, its name in any case; several fields with this name are joined by `, `. $default when there is none. */
    public function header(string $name, ?string $default = null): ?string {}
    /**
     * The values of all header fields, by name.
     *
     * @return array<string, list<string>> names in lower case; a list has one value for each field with the name
     */
    public function headers(): array {}

    /** The value of a cookie, percent-decoded as in PHP's `$_COOKIE`; of several with this name, the first. $default when there is none. */
    public function cookie(string $name, ?string $default = null): ?string {}
    /**
     * The values of all cookies by name, percent-decoded as in PHP's `$_COOKIE`.
     *
     * @return array<string, string>
     */
    public function cookies(): array {}

    /**
     * The media type of `$types` that the client prefers, by the Accept field of the request (RFC 9110 12.5.1). Among types that
     * it prefers equally, and for a request without Accept, the first.
     *
     * @param list<string> $types what the handler can answer with, the best first, such as `text/html`
     * @return null|string null: the client accepts none of them; 406 is the status for that
     * @throws \ValueError when $types is empty, or holds a wildcard or something that is not a media type
     */
    public function prefers(array $types): ?string {}
    /**
     * The language of `$languages` that the client prefers, by the Accept-Language field of the request (RFC 9110 12.5.4). `en`
     * answers a client that wants `en-GB`, and `en-GB` one that wants `en`, unless another language fits better.
     *
     * @param list<string> $languages what the handler can answer in, the best first, such as `de` or `en-GB`
     * @return null|string null: the client accepts none of them
     * @throws \ValueError when $languages is empty, or holds something that is not a language tag
     */
    public function prefersLanguage(array $languages): ?string {}

    /**
     * The entries that PHP's other servers have in `$_SERVER`, for getServerParams() of PSR-7 and for frameworks: REQUEST_METHOD,
     * REQUEST_URI, QUERY_STRING, SERVER_PROTOCOL, SERVER_NAME, SERVER_PORT, SERVER_SOFTWARE, REQUEST_SCHEME, HTTPS (`on`, or
     * missing), REMOTE_ADDR, REMOTE_PORT, REQUEST_TIME, REQUEST_TIME_FLOAT, CONTENT_TYPE, CONTENT_LENGTH, and HTTP_* for each other
     * header field. No entry names a script or a document root. Client, host and scheme are those that trusted proxies name. The
     * field `Proxy`, and fields with an underscore in their name, are left out: their entries could pass for others.
     *
     * @return array<string, string|int|float>
     */
    public function serverParams(): array {}

    /**
     * The body as a string. A body of 8 KiB and more is not copied: the string is the memory that the socket was read into. A body
     * above `Limits::$bodyFileBytes` is read from its temporary file. With `Bodies::Stream` the coroutine waits until the body has
     * arrived.
     *
     * @throws \Sluice\ServerException when the body does not fit into memory_limit, or bodyStream() reads it as it arrives
     * @throws BadRequest when the body will not be complete: the client has gone, or got 408 or 413
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function body(): string {}
    /**
     * The body as a read-only stream, without reading all of it into memory.
     *
     * With `Bodies::Stream` the stream gives the bytes as they arrive: a read suspends the coroutine until there are some. It cannot
     * seek, and there is one stream only. A read throws BadRequest when the body will not be complete: the client has gone, or got
     * 408 or 413. With `Bodies::Whole`, and after receiveBody(), the stream can seek, and each call gives a new one.
     *
     * @return resource
     * @throws \Sluice\ServerException when the body is being read as it arrives already
     */
    public function bodyStream(): mixed {}
    /**
     * Waits until the whole body has arrived, for `Bodies::Stream`: in memory or, above `Limits::$bodyFileBytes`, in a temporary
     * file. From then on the request is as with `Bodies::Whole`: bodyStream() can seek, and gives any number of streams. A
     * handler can so decide by the head whether it refuses the body, reads it as it arrives or receives it whole. form(),
     * formAll() and files() call it themselves. With `Bodies::Whole` it does nothing.
     *
     * @throws \Sluice\ServerException when the body is being read already, or there is no room for it
     *     (`\Sluice\Limits::$temporaryFileBytes`). Without room the exception's code, and the answer when no handler catches it, is
     *     503, or 413 when the body alone is too long
     * @throws BadRequest when the body will not be complete: the client has gone, or got 408 or 413
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function receiveBody(): void {}
    /**
     * The body decoded as JSON; objects become arrays. At most 512 levels deep.
     *
     * @throws BadRequest when the body is not JSON, or will not be complete
     * @throws \Sluice\ServerException when the body does not fit into memory_limit
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function json(): mixed {}

    /**
     * The value of a field of the form in the body, decoded; of several with this name, the last. $default when there is none. A
     * form is a body of the type `application/x-www-form-urlencoded` or `multipart/form-data`; another body has no fields.
     *
     * The first call of form(), formAll() or files() reads the form.
     *
     * @throws BadRequest when the form is malformed, or over `Limits::$formFields`, `$formBytes` or `$partHeadBytes`, or the body will
     *     not be complete
     * @throws \Sluice\ServerException when the body is being read as it arrives already, or there is no room for it
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function form(string $name, ?string $default = null): ?string {}
    /**
     * All fields of the form in the body without files, as PHP's `$_POST` holds them: decoded, and `a[]=1` is an array.
     *
     * @return array<mixed>
     * @throws BadRequest when the form is malformed, or over `Limits::$formFields`, `$formBytes` or `$partHeadBytes`, or the body will
     *     not be complete
     * @throws \Sluice\ServerException when the body is being read as it arrives already, or there is no room for it
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function formAll(): array {}
    /**
     * The files of a `multipart/form-data` body by name; `photos[]` is an array. A file input that was left empty is left out.
     *
     * @return array<mixed> of UploadedFile, or of arrays of UploadedFile
     * @throws BadRequest when the form is malformed, or over `Limits::$formFields`, `$formBytes` or `$partHeadBytes`, or the body will
     *     not be complete
     * @throws \Sluice\ServerException when the body is being read as it arrives already, or there is no room for it
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function files(): array {}
}

/**
 * A file of a form that the client has sent. Its bytes stay in the request's body, in memory or in a temporary file, as long as
 * this object exists.
 *
 * @strict-properties
 * @not-serializable
 */
final class UploadedFile
{
    /** The name that the client gave, without folders. It is not checked otherwise. */
    public readonly string $clientName;
    /** The media type that the client gave, not checked; `text/plain` when it gave none. */
    public readonly string $clientType;
    /** The size of the file, in bytes. */
    public readonly int $size;

    private function __construct() {}

    /**
     * The bytes of the file as a new string.
     *
     * @throws \Sluice\ServerException when they do not fit into memory_limit
     */
    public function contents(): string {}
    /**
     * A read-only, seekable stream over the bytes of the file, without a copy.
     *
     * @return resource
     */
    public function stream(): mixed {}
    /**
     * The path of a file with these bytes, for code that needs one: `getimagesize()`, `ZipArchive`, other programs. The first call
     * writes the file to the `$temporaryFolder` of `Server`, readable by this user alone. It is removed when this object is
     * released, unless it has been renamed. A worker that is killed leaves it behind.
     *
     * @throws \Sluice\ServerException when the file cannot be written
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function path(): string {}
    /**
     * Writes the bytes to a file, replacing an existing one. Other coroutines run meanwhile.
     *
     * @throws \Sluice\ServerException when the file cannot be written
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function moveTo(string $path): void {}
}

/** The request is malformed or incomplete. When no handler catches it, the client gets 400 with the message. */
final class BadRequest extends \RuntimeException {}

/**
 * The response to one HTTP request. A handler may keep it, and finish it after it has returned. When the object is released
 * unfinished, the server finishes it; a response without status, fields and body becomes a 500.
 *
 * Methods that set something throw `\Sluice\ServerException` once the head has been sent. Methods that send a body throw it once the
 * response is finished, when the status allows no body, and when the body does not have the content-length that was set.
 *
 * @strict-properties
 * @not-serializable
 */
final class Response
{
    private function __construct() {}

    /**
     * Sets the status; without it the response has 200.
     *
     * @param int $status 200 to 599
     * @throws \ValueError for another number
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function status(int $status): static {}
    /** The status of the response; 200 unless another was set. */
    public function statusCode(): int {}
    /**
     * Sets a header field, replacing earlier fields with this name. The server writes `date` itself, and ignores one that is set.
     *
     * @throws \ValueError when the name is not a token, the value holds CR, LF, NUL or another control character, or a
     *     content-length is no number; and for `connection` and `transfer-encoding`, which the server writes
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function header(string $name, string $value): static {}
    /**
     * Adds a header field beside earlier fields with this name. A content-length replaces an earlier one.
     *
     * @throws \ValueError when the name is not a token, the value holds CR, LF, NUL or another control character, or a
     *     content-length is no number; and for `connection` and `transfer-encoding`, which the server writes
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function addHeader(string $name, string $value): static {}

    /**
     * Finishes the response with this body. Content-Type is `text/plain; charset=utf-8` unless it was set.
     *
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function text(string $body): \Sluice\Delivery {}
    /**
     * Finishes the response with this body. Content-Type is `text/html; charset=utf-8` unless it was set.
     *
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function html(string $body): \Sluice\Delivery {}
    /**
     * Finishes the response with a value encoded as JSON. Content-Type is `application/json` unless it was set.
     *
     * @param int $flags of json_encode(); JSON_THROW_ON_ERROR is always set
     * @throws \JsonException when the value cannot be encoded
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function json(mixed $value, int $flags = 0): \Sluice\Delivery {}
    /**
     * Finishes the response with JSON text, from a cache or a database for example; it is sent unchanged and unchecked.
     * Content-Type is `application/json` unless it was set.
     *
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function jsonText(string $json): \Sluice\Delivery {}
    /**
     * Finishes the response with the output of `$function`: for templates and older code. Content-Type is
     * `text/html; charset=utf-8` unless it was set. `$function` may wait: each coroutine has output buffers of its own. When it
     * throws, its output is dropped. PHP's header(), setcookie() and http_response_code() do not change the response.
     *
     * @param callable(): mixed $function
     * @throws \Sluice\ServerException when `$function` closes output buffers that it has not opened, or the response is finished already
     * @throws \Throwable what `$function` throws
     */
    public function capture(callable $function): \Sluice\Delivery {}
    /**
     * Finishes the response with a file, which the kernel sends from its page cache without PHP. It sets Content-Type, Last-Modified
     * and ETag unless they were set. It answers conditional requests (RFC 9110 13). With status 200 it answers Range and If-Range
     * (RFC 9110 14): with 206, as multipart/byteranges for several ranges, or with 416. When the file becomes shorter while it is
     * sent, the client gets what is left, and the connection is closed.
     *
     * @param string $path of a regular file in the file system; no stream wrappers
     * @param ?string $type the Content-Type; null: by the file name's extension
     * @param ?string $download the name under which browsers save the file (RFC 6266), in UTF-8 without slashes, backslashes and
     *     control characters; null: browsers show the file
     * @throws \ValueError when $type or $download cannot stand in a header field
     * @throws \Sluice\ServerException when the file cannot be opened, or the head has been sent
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function sendFile(string $path, ?string $type = null, ?string $download = null): \Sluice\Delivery {}
    /**
     * Finishes the response with a Location field and no body.
     *
     * @param string $location a URL or a path; it is sent unchanged
     * @param int $status 301, 302, 303, 307 or 308
     * @throws \ValueError for another status, and for a location that is empty or holds control characters
     * @throws \Sluice\ServerException when the head has been sent
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function redirect(string $location, int $status = 302): \Sluice\Delivery {}

    /**
     * Adds a Set-Cookie field (RFC 6265). A cookie that browsers would drop is refused: SameSite::None, `$partitioned` and names that
     * begin with `__Secure-` or `__Host-` need `$secure`; names that begin with `__Host-` also need the path `/` and no domain.
     *
     * @param string $value bytes that a cookie cannot hold are percent-encoded; `Request::cookie()` decodes them. Name and encoded
     *     value have at most 4,096 bytes together
     * @param int|\DateTimeInterface|null $expires a Unix time in seconds; null: no Expires attribute
     * @param ?int $maxAge seconds from now; 0 deletes the cookie; null: no Max-Age attribute
     * @param string $domain '': only the host that sets the cookie gets it
     * @param ?SameSite $sameSite null: no SameSite attribute
     * @throws \ValueError when an attribute is malformed, or browsers would drop the cookie
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function cookie(
        string $name,
        string $value = '',
        int|\DateTimeInterface|null $expires = null,
        ?int $maxAge = null,
        string $path = '/',
        string $domain = '',
        bool $secure = false,
        bool $httpOnly = true,
        ?SameSite $sameSite = SameSite::Lax,
        bool $partitioned = false,
    ): static {}

    /**
     * Sends an informational response 103 (RFC 8297) at once, with a Link field for each argument, such as
     * `</style.css>; rel=preload; as=style`. An HTTP/1.0 client gets none.
     *
     * @throws \ValueError for an argument that is empty or holds control characters
     * @throws \Sluice\ServerException when the head has been sent
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function earlyHints(string ...$links): \Sluice\Delivery {}

    /**
     * Sets the ETag field (RFC 9110 8.8.3).
     *
     * @param string $tag the tag without its quotes
     * @param bool $weak adds `W/`: the tag stands for equivalent bodies, not for equal bytes
     * @throws \ValueError when the tag holds quotes, blanks or control characters
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function etag(string $tag, bool $weak = false): static {}
    /**
     * Sets the Last-Modified field (RFC 9110 8.8.2).
     *
     * @param int|\DateTimeInterface $at an int is a Unix time in seconds
     * @throws \ValueError for a time before 1970 or after the year 9999
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function lastModified(int|\DateTimeInterface $at): static {}
    /**
     * Evaluates the conditions of the request (If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since; RFC 9110 13)
     * against etag() and lastModified(). Finishes the response with 304 or 412 and returns true when the conditions say so;
     * otherwise returns false.
     *
     * For GET and HEAD, text(), html(), json() and end() evaluate the conditions themselves when etag() or lastModified() was called
     * and write() was not; calling this first spares the work for a body. A handler of another method calls this before it changes
     * anything.
     *
     * @throws \Sluice\ServerException when the head has been sent
     */
    public function endByCondition(): bool {}

    /** Leaves this response uncompressed: for a page that holds a secret and text from the request (see Compression). */
    public function withoutCompression(): static {}

    /**
     * Sends the head of a stream of server-sent events, with `Cache-Control: no-cache` unless Cache-Control was set.
     *
     * @throws \Sluice\ServerException when the head has been sent
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function events(): EventStream {}

    /**
     * Adds a trailer field, which follows the body (RFC 9110 6.5). HTTP/2 clients get it, and HTTP/1.1 clients when no
     * content-length was set. Most clients ignore trailers.
     *
     * @throws \ValueError when the name is not a token, the value holds control characters, or the field has to be known before the
     *     body
     * @throws \Sluice\ServerException when the response is finished already
     */
    public function trailer(string $name, string $value): static {}

    /**
     * Sends a part of the body now, in HTTP/1.1 as a chunk unless a content-length was set. When more than
     * `\Sluice\Limits::$highWaterBytes` would wait for the client, the coroutine first waits until no more than
     * `\Sluice\Limits::$lowWaterBytes` do, so that a body of any length needs no more memory than that. When the client closes the
     * connection meanwhile, the handler is cancelled, or write() returns `Closed` with `Options::$cancelOnDisconnect` false. Outside
     * of coroutines the worker waits.
     *
     * @throws \Sluice\ServerException when the response is finished already, its status allows no body, or the body becomes longer
     *     than the content-length that was set
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function write(string $chunk): \Sluice\Delivery {}
    /**
     * Finishes the response, with `$body` as the last part of its body.
     *
     * @throws \Sluice\ServerException when the response is finished already, its status allows no body, or the body does not have the
     *     content-length that was set
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function end(string $body = ''): \Sluice\Delivery {}

    /** Whether the response is finished. */
    public function isEnded(): bool {}
}

/**
 * A handler that answers requests by a script written for php-fpm. Each request executes the script from its top, with global
 * variables, superglobals and output of its own (see `Options::$classic`). Its output is the response, and `exit()` ends the request.
 *
 * Each worker compiles the file once: a change to it, or to files that it includes by `require_once`, takes effect after a
 * reload. Functions and classes stay in the worker. So a file that declares some must be included by `require_once`: by `require`
 * each request would declare them again, which PHP refuses.
 *
 * @strict-properties
 * @not-serializable
 */
final class Script implements Handler
{
    /**
     * @param string $file the script, which answers requests of every path
     * @throws \Sluice\ServerException when there is no such file, or it cannot be read
     */
    public function __construct(string $file) {}

    /** Executes the script, and finishes the response with its output. */
    public function handle(Request $request, Response $response): void {}
}

/**
 * A handler that serves a folder as nginx and php-fpm do: files with all that `Response::sendFile()` does, and scripts, whose names end in `.php`, in processes
 * (`Options::$processes`; without that option it has `new Processes()`). A script is known by the first segment of the path that names one: in `/app.php/users/7` the rest is its `PATH_INFO`. It has
 * `SCRIPT_NAME`, `SCRIPT_FILENAME`, `DOCUMENT_ROOT` and `PHP_SELF` as there, and its folder is the current one.
 *
 * A request for a folder gets its first index file. Without a slash at its end the path is redirected (301) to the one with it. Folders are never listed. The front controller answers
 * what else names nothing, as `try_files $uri $uri/ /index.php` does it.
 *
 * Never found, not by the front controller either: names that begin with a dot (except `.well-known`); targets of symbolic links outside of the folder and of `$linksTo`; paths with `..`, encoded slashes,
 * backslashes or control characters. **PHP source is never sent**: not files with `.php`, `.phtml`, `.phar`, `.phps` and the like in their names, in any case, such as `index.PHP` and `wp-config.php.bak`; not `.inc`;
 * and no file without a known type that begins as PHP source.
 *
 * @strict-properties
 * @not-serializable
 */
final class DocumentRoot implements Handler
{
    /**
     * @param string $folder an existing folder; its symbolic links are resolved once, here
     * @param string|null $front the front controller, a script in the folder: `index.php`; null: what names nothing is 404
     * @param list<string> $index names of index files, the first that exists answers for a folder
     * @param string|null $cacheControl of files, the value of Cache-Control
     * @param list<string> $linksTo folders that symbolic links in the folder may lead to, with all in them: `['/usr/share/javascript']`; they are opened here
     * @throws \Sluice\ServerException when there is no such folder, or it cannot be read
     * @throws \ValueError when `$front` is no script in the folder, or another argument is out of range
     */
    public function __construct(string $folder, ?string $front = null, array $index = ['index.php', 'index.html'], ?string $cacheControl = null, array $linksTo = []) {}

    /** Finishes the response with the file, or with what the script says. */
    public function handle(Request $request, Response $response): void {}
}

/**
 * A handler that sends the files of a folder, with all that `Response::sendFile()` does: types, conditional requests, ranges. The
 * path of a request after the prefix is the path of the file in the folder. Names that begin with a dot (except
 * `.well-known`) and targets of symbolic links outside of the folder and of `$linksTo` are not found. The constructor opens the folder: a folder
 * that replaces it later is not seen.
 *
 * A request for a folder gets its first index file. Without a slash at its end the path is redirected (301) to the one with it.
 * Folders are never listed.
 *
 * @strict-properties
 * @not-serializable
 */
final class Files implements Handler
{
    /**
     * @param string $prefix how the paths of requests begin; it begins and ends with a slash
     * @param list<string> $index names of index files to look for in a folder, the first that exists is sent
     * @param ?string $cacheControl the value of the Cache-Control field; null: no such field
     * @param bool $precompressed whether to send `app.js.br`, `app.js.zst` or `app.js.gz` in place of `app.js`, when it exists and
     *     the client accepts the encoding
     * @param list<string> $linksTo folders that symbolic links in the folder may lead to, with all in them: `['../storage/app/public']`; they are opened here
     * @throws \ValueError when an argument is malformed
     * @throws \Sluice\ServerException when the folder cannot be opened
     */
    public function __construct(
        string $folder,
        string $prefix = '/',
        array $index = ['index.html'],
        ?string $cacheControl = null,
        bool $precompressed = false,
        array $linksTo = [],
    ) {}

    /** Finishes the response with the file; with 404 when there is none, and 405 for methods other than GET and HEAD. */
    public function handle(Request $request, Response $response): void {}

    /**
     * Finishes the response with the file and returns true. Returns false when there is no such file, or the method is not GET or
     * HEAD: nothing was sent then, and the handler goes on.
     *
     * @throws \Sluice\ServerException when the head of the response has been sent, or the file cannot be read
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function send(Request $request, Response $response): bool {}
}

/** The SameSite attribute of a cookie: to which requests that other sites cause a browser adds the cookie. */
enum SameSite
{
    /** The browser adds the cookie to no request that another site causes. */
    case Strict;
    /** The browser adds the cookie when the user follows a link. */
    case Lax;
    /** The browser adds the cookie to all requests. The cookie must be `$secure`. */
    case None;
}

/**
 * A response of server-sent events (text/event-stream), for a browser's EventSource. A handler may keep it. It ends with end(), or
 * when the object is released; subscribe() hands it over to the server.
 *
 * send() and comment() wait for slow clients as `Response::write()` does. All methods throw `\Sluice\ServerException` once the
 * response is finished.
 *
 * @strict-properties
 * @not-serializable
 */
final class EventStream
{
    private function __construct() {}

    /**
     * Sends one event. Line ends in its data arrive as LF.
     *
     * @param string $type the name of the event in the browser; '' is `message`
     * @param ?string $id the browser sends it as `Last-Event-ID` when it connects again; '': none; null: the id of an earlier event
     *     stays
     * @param ?int $retryMs how long the browser waits before it connects again, 0 to 4,294,967,295 milliseconds; null: unchanged
     * @throws \ValueError when the type or the id holds CR, LF or NUL, or $retryMs is out of range
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function send(string $data, string $type = '', ?string $id = null, ?int $retryMs = null): \Sluice\Delivery {}
    /**
     * Sends a comment, which browsers ignore: it shows whether the client is still connected, and keeps proxies from closing an
     * idle connection.
     *
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function comment(string $text = ''): \Sluice\Delivery {}
    /**
     * Hands the stream over to the server, which sends each text that is published to one of the topics as an event (`data:`), without
     * waking a worker. For this object the response is finished: events of its own, such as the present state, are sent before. The stream goes on when
     * the handler has returned and when workers are reloaded, until the client leaves or the server stops; in base mode until the worker
     * ends. Every 20 seconds a client for whom nothing waits gets a comment.
     *
     * Binary messages are not sent. A client that reads so slowly that a message finds no room (`\Sluice\Limits::$queuedBytes`) is
     * disconnected: a browser's EventSource connects again, and the handler sends the present state. Messages that are published while a client is not connected
     * are lost to it, and published events have no id: `Last-Event-ID` is that of the handler's own events.
     *
     * @param string $topic 1 to 255 bytes, as for `Server::publish()`
     * @param string ...$topics further ones; `\Sluice\WebSocket\Limits::$subscriptions` is the most
     * @return \Sluice\Delivery `Dropped`: the first topic is one more than a client may have, and the stream was not handed over
     * @throws \ValueError for a topic of another length
     * @throws \Sluice\ServerException when the response is finished already, or compressed (see `Response::withoutCompression()`)
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function subscribe(string $topic, string ...$topics): \Sluice\Delivery {}
    /**
     * Finishes the response. A browser's EventSource connects again.
     *
     * @throws \Sluice\ServerException when the response is finished already
     * @throws \Sluice\Coroutine\CancelledError when the coroutine is cancelled while it waits
     */
    public function end(): \Sluice\Delivery {}
}
