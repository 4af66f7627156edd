<?php

/** @generate-class-entries */

namespace Sluice\Http;

interface Handler
{
    public function handle(Request $request, Response $response): void;
}

/**
 * One HTTP listener, and its routes: which requests go to which handlers. The reactor finds them, before a worker hears of a
 * request.
 *
 * A path is a pattern: `/users/{id}` takes any one segment for `{id}`, which may not be empty, `/files/{path...}` all that
 * follows, which may. `Request::parameter()` has what they stand for. Everything else is compared as it is, segment by segment,
 * with percent-encoding undone; `/users/` is not `/users`. Of several patterns that match a path, text comes before a parameter,
 * and a parameter before the rest, whatever their order in the script. `.` and `..` are no values of parameters, and what
 * `{path...}` takes holds no slash that was encoded as `%2F`.
 *
 * What no route matches goes to the handler that `Server::http()` has; without one the answer is 404. Where there are routes
 * for the path, but none for the method, it is 405 with an Allow field. Routes for GET get HEAD as well, and OPTIONS is answered
 * with an Allow field, unless there are routes for these (RFC 9110 9.3.2, 9.3.7, 15.5.6).
 *
 * @strict-properties
 * @not-serializable
 */
final class Site
{
    private function __construct() {}

    /**
     * A route for GET and HEAD.
     *
     * @param (callable(Request, Response): mixed)|Handler $handler
     * @param Options|null $options null, and what they leave open: as the site
     * @param Limits|null $limits null, and what they leave open: as the site
     * @throws \ValueError when $path is no pattern, or a route is there already for the method and the paths
     */
    public function get(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /** @param (callable(Request, Response): mixed)|Handler $handler */
    public function post(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /** @param (callable(Request, Response): mixed)|Handler $handler */
    public function put(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /** @param (callable(Request, Response): mixed)|Handler $handler */
    public function patch(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /** @param (callable(Request, Response): mixed)|Handler $handler */
    public function delete(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * A route for every method that has no route of its own at this path.
     *
     * @param (callable(Request, Response): mixed)|Handler $handler
     */
    public function any(string $path, callable|Handler $handler, ?Options $options = null, ?Limits $limits = null): static {}
    /**
     * A route for any method, such as `OPTIONS` or `PROPFIND`.
     *
     * @param string $method a token in upper case, but not CONNECT
     * @param (callable(Request, Response): mixed)|Handler $handler
     */
    public function route(
        string $method,
        string $path,
        callable|Handler $handler,
        ?Options $options = null,
        ?Limits $limits = null,
    ): static {}

    /**
     * Accepts WebSockets (RFC 6455) for this path, which is a pattern as those of routes are; a callable gets the messages. Requests
     * to the same path that want no WebSocket go to its routes.
     *
     * @param (callable(\Sluice\WebSocket\Connection, string, bool): mixed)|\Sluice\WebSocket\Handler $handler the bool: binary
     * @param \Sluice\WebSocket\Options|null $options null: its defaults
     * @param \Sluice\WebSocket\Limits|null $limits null, and what they leave open: `\Sluice\Limits::$webSocket`
     * @param (callable(\Sluice\WebSocket\Handshake): mixed)|null $handshake decides before the client is answered; null: all are accepted
     * @throws \ValueError when $path is no pattern, or is there already
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
 * A request, complete with its body unless its site streams bodies. PHP arrays are built only when asked for.
 *
 * @strict-properties
 * @not-serializable
 */
final class Request
{
    private function __construct() {}

    /** As received, e.g. `GET`; methods are case-sensitive. */
    public function method(): string {}
    /** The request target as received. */
    public function target(): string {}
    /** The path of the target, not decoded, without the query. */
    public function path(): string {}
    /**
     * What a parameter of the route stands for in the path, decoded: with `/users/{id}`, `parameter('id')` of `/users/7` is `7`.
     * A `%2F` has become a slash.
     *
     * @throws \ValueError when the route has no parameter of that name
     */
    public function parameter(string $name): string {}
    /**
     * All parameters of the route, decoded.
     *
     * @return array<string, string>
     */
    public function parameters(): array {}
    /** The pattern of the route that has matched, such as `/users/{id}`; null for a request that came to `Server::http()`'s handler. */
    public function route(): ?string {}
    /** The version of HTTP that the client spoke: `1.0`, `1.1` or `2`. */
    public function protocol(): string {}
    /** The host that a trusted proxy was asked for, else the Host field, or the authority of an absolute target; `header('host')` is the field itself. */
    public function host(): string {}
    /**
     * The client's address and port, `192.0.2.1:1234` or `[2001:db8::1]:1234`, as far as the listener's TrustedProxies have
     * named it, then perhaps without a port; `unix:` by a Unix socket; '' when it had gone before the first call.
     */
    public function peer(): string {}
    /** The client's IP address, as peer() has it, without port and brackets: `192.0.2.1`, `2001:db8::1`; '' when it has none. */
    public function clientAddress(): string {}
    /** The other end of the connection itself: the client, or the proxy that it came through; '' when it had gone. */
    public function connectionPeer(): string {}

    /** Whether the client spoke TLS, to a trusted proxy that says so or to this server. */
    public function isSecure(): bool {}
    /** Whether the connection to this server has TLS, whatever a proxy says. */
    public function isConnectionSecure(): bool {}
    /** `https` if isSecure(), else `http`. */
    public function scheme(): string {}

    /** A query parameter, decoded; the last one when it was given more than once. */
    public function query(string $name, ?string $default = null): ?string {}
    /** The raw query string without `?`. */
    public function queryString(): string {}
    /**
     * All query parameters as PHP's `$_GET` would hold them (`a[]=1` becomes an array).
     *
     * @return array<mixed>
     */
    public function queryAll(): array {}

    /** A header field, any case; several of one name are joined by `, `. */
    public function header(string $name, ?string $default = null): ?string {}
    /** @return array<string, list<string>> lower-case names */
    public function headers(): array {}

    /** A cookie's value, percent-decoded as PHP does for `$_COOKIE`; the first one of that name. `header('cookie')` is what was sent. */
    public function cookie(string $name, ?string $default = null): ?string {}
    /**
     * All cookies, their values percent-decoded.
     *
     * @return array<string, string>
     */
    public function cookies(): array {}

    /**
     * The one of `$types` that the client wants most, by the Accept field of its request (RFC 9110 12.5.1); the first of
     * several that it wants alike, and of all when it has not said.
     *
     * @param list<string> $types what the handler can answer with, the best first, such as `text/html`
     * @return null|string null: the client accepts none of them, which is what 406 is for
     * @throws \ValueError for an empty list, a wildcard, and what is no media type
     */
    public function prefers(array $types): ?string {}
    /**
     * The one of `$languages` that the client wants most, by Accept-Language (RFC 9110 12.5.4). `en` answers a client that
     * wants `en-GB`, and `en-GB` one that wants `en`, unless there is one that fits better.
     *
     * @param list<string> $languages what the handler can answer in, the best first, such as `de` or `en-GB`
     * @return null|string null: the client wants none of them
     * @throws \ValueError for an empty list, and what is no language tag
     */
    public function prefersLanguage(array $languages): ?string {}

    /**
     * What PHP's other servers give as `$_SERVER`, for PSR-7's getServerParams() and for frameworks: REQUEST_METHOD, REQUEST_URI,
     * QUERY_STRING, SERVER_PROTOCOL, SERVER_NAME, SERVER_PORT, SERVER_SOFTWARE, REQUEST_SCHEME, HTTPS (`on`, or not there),
     * REMOTE_ADDR, REMOTE_PORT, REQUEST_TIME, REQUEST_TIME_FLOAT, CONTENT_TYPE, CONTENT_LENGTH, and HTTP_* for each other field.
     * Nothing names a script or a document root. Client, host and scheme are those that trusted proxies tell. Left out are
     * `Proxy` and fields with an underscore in their name, which would pass for others.
     *
     * @return array<string, string|int|float>
     */
    public function serverParams(): array {}

    /**
     * The body; of 8 KiB and more it is the very memory that the socket was read into, above `Limits::$bodyFileBytes` it is
     * read from its temporary file. With `Bodies::Stream` this waits until it has arrived.
     *
     * @throws \Sluice\ServerException when it does not fit into memory_limit
     * @throws BadRequest when it will not be complete
     */
    public function body(): string {}
    /**
     * The body as a read-only stream, without reading all of it into memory. With `Bodies::Stream` it gives
     * the bytes as they arrive and reading suspends the coroutine until some do; it cannot seek then, and there is only
     * one. Otherwise it can, and each call gives one of its own.
     *
     * A read from it throws BadRequest when the body will not be complete: the client has gone, or got 408 or 413.
     *
     * @return resource
     * @throws \Sluice\ServerException when the body arrives and is being read already
     */
    public function bodyStream(): mixed {}
    /**
     * With `Bodies::Stream`: waits until the whole body has arrived, in memory or, above `Limits::$bodyFileBytes`, in a temporary
     * file. From then on all is as with `Bodies::Whole`: bodyStream() can seek, and gives as many streams as are wanted. So a handler
     * looks at the head first, and then takes the body whole, reads it as it comes, or refuses it. form(), formAll() and files() do
     * this by themselves. With `Bodies::Whole` there is nothing to wait for.
     *
     * @throws \Sluice\ServerException when the body is being read already, or there is no room for it (`\Sluice\Limits::$temporaryFileBytes`);
     *     then its code is 503, or 413 for a body that is too long by itself, and so is the answer when no handler catches it
     * @throws BadRequest when it will not be complete
     */
    public function receiveBody(): void {}
    /**
     * The body decoded as JSON, objects as arrays.
     *
     * @throws BadRequest when it is malformed
     */
    public function json(): mixed {}

    /**
     * A field of the form in the body, decoded; the last one when it was given more than once. A body whose Content-Type
     * is neither `application/x-www-form-urlencoded` nor `multipart/form-data` is a form without fields.
     *
     * The form is read at the first call of this, formAll() or files().
     *
     * @throws BadRequest when it is malformed, or over `Limits::$formFields`, `$formBytes` or `$partHeadBytes`
     */
    public function form(string $name, ?string $default = null): ?string {}
    /**
     * All fields of the form but files, as PHP's `$_POST` would hold them (`a[]=1` becomes an array).
     *
     * @return array<mixed>
     * @throws BadRequest
     */
    public function formAll(): array {}
    /**
     * The files of a `multipart/form-data` body; `photos[]` becomes an array. A file input that was left empty is left out.
     *
     * @return array<mixed> of UploadedFile, or of arrays of them
     * @throws BadRequest
     */
    public function files(): array {}
}

/**
 * A file of a form. Its bytes stay in the body, in memory or in its temporary file, which lives as long as this does.
 *
 * @strict-properties
 * @not-serializable
 */
final class UploadedFile
{
    /** The name that the client gave, without folders; whatever else it holds is the client's choice. */
    public readonly string $clientName;
    /** The type that the client gave, unchecked; `text/plain` when it gave none. */
    public readonly string $clientType;
    /** In bytes. */
    public readonly int $size;

    private function __construct() {}

    /**
     * The bytes as a new string.
     *
     * @throws \Sluice\ServerException when they do not fit into memory_limit
     */
    public function contents(): string {}
    /**
     * A read-only, seekable stream over the bytes, without a copy.
     *
     * @return resource
     */
    public function stream(): mixed {}
    /**
     * The path of a file with these bytes, for what takes nothing else: `getimagesize()`, `ZipArchive`, programs. It is written at
     * the first call, to `Server`'s $temporaryFolder, readable by this user alone, and removed when this object is let go; it may
     * be renamed before. A worker that is killed leaves it behind.
     *
     * @throws \Sluice\ServerException when it cannot be written
     */
    public function path(): string {}
    /**
     * Writes the bytes to a file, replacing one that is there; other coroutines run meanwhile.
     *
     * @throws \Sluice\ServerException when that fails
     */
    public function moveTo(string $path): void {}
}

/** The client's mistake. One that no handler catches is answered with 400 and its message. */
final class BadRequest extends \RuntimeException {}

/**
 * The answer to one request. It may be kept and finished after the handler has returned; one that is let go
 * unfinished is finished with what it has.
 *
 * @strict-properties
 * @not-serializable
 */
final class Response
{
    private function __construct() {}

    /**
     * @param int $status 200 to 599
     * @throws \ValueError
     * @throws \Sluice\ServerException when the head is sent
     */
    public function status(int $status): static {}
    /** The status that was set, or is set by default. */
    public function statusCode(): int {}
    /**
     * Sets a field, replacing earlier ones of that name. The server writes `date` itself and leaves out one given here.
     *
     * @throws \ValueError for CR, LF, NUL or a name that is not a token, and for `connection` and `transfer-encoding`,
     *                     which are the server's
     */
    public function header(string $name, string $value): static {}
    /**
     * Adds a field beside earlier ones of that name.
     *
     * @throws \ValueError as header()
     */
    public function addHeader(string $name, string $value): static {}

    /** Finishes with a body of `text/plain; charset=utf-8`. */
    public function text(string $body): \Sluice\Delivery {}
    /** Finishes with a body of `text/html; charset=utf-8`. */
    public function html(string $body): \Sluice\Delivery {}
    /**
     * Finishes with a body of `application/json`.
     *
     * @throws \JsonException
     */
    public function json(mixed $value, int $flags = 0): \Sluice\Delivery {}
    /** Finishes with a body of `application/json` that is JSON already, out of a cache or a database; it is sent as it is. */
    public function jsonText(string $json): \Sluice\Delivery {}
    /**
     * Finishes with what `$function` echoes, as `text/html; charset=utf-8` unless there is a Content-Type: for templates and older
     * code. It may wait, for each coroutine has output buffers of its own. What it throws is thrown here, and its output dropped;
     * PHP's header(), setcookie() and http_response_code() do not reach the client.
     *
     * @param callable(): mixed $function
     * @throws \Sluice\ServerException when it closes output buffers that it has not opened
     * @throws \Throwable what `$function` throws
     */
    public function capture(callable $function): \Sluice\Delivery {}
    /**
     * Finishes with a file, which goes from the page cache to the socket without passing through PHP. It sets
     * Content-Type, Last-Modified and ETag unless they are set, and answers conditional requests (RFC 9110 13) and, with
     * status 200, Range and If-Range (RFC 9110 14): 206, as multipart/byteranges for several ranges, or 416. Of a file that
     * becomes shorter meanwhile the client gets what is left, and a closed connection.
     *
     * @param string $path of a regular file, in the file system: no stream wrappers
     * @param ?string $type the Content-Type; null: by the extension of the name
     * @param ?string $download has browsers save it under this name (RFC 6266): UTF-8 without slashes and control characters
     * @throws \ValueError for a name or type that cannot be a field
     * @throws \Sluice\ServerException when the file cannot be opened, or the head is sent
     */
    public function sendFile(string $path, ?string $type = null, ?string $download = null): \Sluice\Delivery {}
    /**
     * Finishes with a Location field and no body.
     *
     * @throws \ValueError for a status other than 301, 302, 303, 307, 308
     */
    public function redirect(string $location, int $status = 302): \Sluice\Delivery {}

    /**
     * Adds a cookie. It is refused where browsers would drop it: SameSite::None, `partitioned` and names that begin with
     * `__Secure-` or `__Host-` want `secure`, and the latter the path `/` and no domain.
     *
     * @param string $value percent-encoded where it is not visible ASCII, and where it holds quotes, commas, semicolons,
     *     backslashes or percent signs; `Request::cookie()` decodes it. With the name at most 4,096 bytes once encoded
     * @param int|\DateTimeInterface|null $expires seconds since 1970
     * @param ?int $maxAge seconds from now; 0 deletes the cookie
     * @throws \ValueError
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
     * Sends a 103 with a Link field for each argument, such as `</style.css>; rel=preload; as=style`, before the response
     * itself. Clients of HTTP/1.0 get none.
     *
     * @throws \ValueError
     */
    public function earlyHints(string ...$links): \Sluice\Delivery {}

    /**
     * Sets the ETag: what is between its quotes.
     *
     * @throws \ValueError for quotes, blanks or control characters in it
     */
    public function etag(string $tag, bool $weak = false): static {}
    /**
     * Sets Last-Modified; an int is seconds since 1970.
     *
     * @throws \ValueError
     */
    public function lastModified(int|\DateTimeInterface $at): static {}
    /**
     * Evaluates the conditions of the request (If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since) against
     * what etag() and lastModified() have said: finishes with 304 or 412 and returns true when they ask for it.
     *
     * A GET or HEAD that is finished by text(), html(), json() or end() without write() is treated so anyway, if etag() or
     * lastModified() was called: asking before spares the work. Other methods have to ask before they change anything.
     */
    public function endByCondition(): bool {}

    /** Leaves this response uncompressed, whatever the site's Compression says: for secrets beside what a client has chosen. */
    public function withoutCompression(): static {}

    /** Sends the head of a stream of server-sent events, with `Cache-Control: no-cache` unless there is one. */
    public function events(): EventStream {}

    /**
     * Adds a field after the body. It is sent to clients of HTTP/1.1 when no content-length was set; most of them ignore it.
     *
     * @throws \ValueError as header(), and for fields that have to be known before the body
     */
    public function trailer(string $name, string $value): static {}

    /**
     * Sends a part of the body now: chunked in HTTP/1.1 unless a content-length was set. When more than
     * `\Sluice\Limits::$highWaterBytes` would wait for the client, the coroutine waits first, until the client has taken all but
     * `\Sluice\Limits::$lowWaterBytes`: so a body of any length takes that much memory. When the client leaves meanwhile, the handler
     * is cancelled, or gets `Closed` where its site does not cancel. Outside of coroutines the worker waits.
     */
    public function write(string $chunk): \Sluice\Delivery {}
    /**
     * Finishes.
     *
     * @throws \Sluice\ServerException when it was finished already
     */
    public function end(string $body = ''): \Sluice\Delivery {}

    public function isEnded(): bool {}
}

/**
 * Answers requests by a script that was written for php-fpm: it is executed from its top, with globals, superglobals and output of the request's
 * own, as `Options::$classic` has them. What it echoes is the response. `exit()` ends the request.
 *
 * The file is compiled once in each worker: what has changed in it is seen after a reload, as are files that it includes by `require_once`. Functions
 * and classes that stay in the worker are declared once; a file with such declarations that is included by `require` at each
 * request declares them twice, which PHP refuses.
 *
 * @strict-properties
 * @not-serializable
 */
final class Script implements Handler
{
    /**
     * @param string $file what requests are answered by, whatever their path
     * @throws \Sluice\ServerException when there is no such file, or it cannot be read
     */
    public function __construct(string $file) {}

    public function handle(Request $request, Response $response): void {}
}

/**
 * Sends the files of a folder: with all that Response::sendFile() does. The path of the request, below the prefix, is
 * that of the file; the folder is opened here, so that what takes its place later is another one. Not to be reached are
 * names that begin with a dot (except `.well-known`), and what symbolic links outside of the folder point to.
 *
 * A folder is answered with the first index file that it has, after a redirect (301) to its path with a slash; it is
 * never listed.
 *
 * @strict-properties
 * @not-serializable
 */
final class Files implements Handler
{
    /**
     * @param string $prefix what the paths of requests begin with; it begins and ends with a slash
     * @param list<string> $index names to look for in a folder
     * @param ?string $cacheControl the value of Cache-Control; null: none
     * @param bool $precompressed sends `app.js.br`, `app.js.zst` or `app.js.gz`, if it is there and the client takes it, in
     *     place of `app.js`
     * @throws \ValueError
     * @throws \Sluice\ServerException when the folder cannot be opened
     */
    public function __construct(
        string $folder,
        string $prefix = '/',
        array $index = ['index.html'],
        ?string $cacheControl = null,
        bool $precompressed = false,
    ) {}

    /** As a site's handler: 404 for what is not there, 405 for methods other than GET and HEAD. */
    public function handle(Request $request, Response $response): void {}

    /**
     * From a handler that goes on with something else when there is no such file: false then, and nothing was sent.
     *
     * @throws \Sluice\ServerException when the head of the response is sent
     */
    public function send(Request $request, Response $response): bool {}
}

/** To which requests from other sites a browser adds a cookie. */
enum SameSite
{
    /** To none. */
    case Strict;
    /** When the user follows a link. */
    case Lax;
    /** To all. */
    case None;
}

/**
 * A response of server-sent events (text/event-stream), as a browser's EventSource reads it. It may be kept: it ends with
 * end(), or when it is let go.
 *
 * @strict-properties
 * @not-serializable
 */
final class EventStream
{
    private function __construct() {}

    /**
     * Sends one event; line ends in its data arrive as LF.
     *
     * @param string $type what the browser calls it; '' is `message`
     * @param ?string $id what the browser sends as `Last-Event-ID` when it comes back; '' clears it, null leaves it
     * @param ?int $retryMs how long the browser waits before it comes back
     * @throws \ValueError for CR, LF or NUL in the type or the id
     */
    public function send(string $data, string $type = '', ?string $id = null, ?int $retryMs = null): \Sluice\Delivery {}
    /** Sends what browsers drop: it tells whether the client is still there, and keeps proxies from closing. */
    public function comment(string $text = ''): \Sluice\Delivery {}
    /** Ends the response; a browser's EventSource will come back. */
    public function end(): \Sluice\Delivery {}
}
