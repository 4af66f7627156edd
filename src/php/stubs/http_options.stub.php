<?php

/** @generate-class-entries */

namespace Sluice\Http;

/** A content coding of responses (RFC 9110 8.4.1). */
enum Encoding: string
{
    /** gzip, RFC 1952. */
    case Gzip = 'gzip';
    /** Brotli, RFC 7932. */
    case Brotli = 'br';
    /** Zstandard, RFC 8878. */
    case Zstd = 'zstd';
}

/** When a handler is called: after the body of its request, or before. */
enum Bodies
{
    /** The handler is called when the body is complete: in memory or, above `Limits::$bodyFileBytes`, in a temporary file. */
    case Whole;
    /** The handler is called when the head is complete, and may read the body as it arrives: `Request::bodyStream()`. */
    case Stream;
}

/** The HTTP versions that a site accepts. */
enum Versions
{
    /** HTTP/1.0, HTTP/1.1 and HTTP/2 (RFC 9113). HTTP/2 is agreed on by ALPN, or without TLS by the client's connection preface. */
    case Any;
    /** HTTP/1.0 and HTTP/1.1. */
    case Http1;
    /**
     * HTTP/2 alone, agreed on by ALPN, or without TLS by the client's connection preface. A client that offers other protocols by
     * ALPN gets the TLS alert no_application_protocol; any other client gets 505.
     */
    case Http2;
}

/** The media type of an error page. */
enum ErrorFormat
{
    /** A line of `text/plain`. */
    case Text;
    /** A page of `text/html`. */
    case Html;
    /** An object of `application/problem+json` (RFC 9457). */
    case Json;
}

/**
 * A site's or route's own pages for errors that the server answers itself: a request is malformed or too long, has no route, or is
 * not answered in time; its handler has thrown, or its worker has died; `Files` finds no file. What a handler sends is not changed.
 *
 * The Accept field of the request decides between HTML, problem+json (RFC 9457) and text. For a status without a page the server
 * has a page of its own.
 *
 * A page may hold `{status}`, such as `404`; `{reason}`, the reason phrase, such as `Not Found`; `{detail}`, a sentence such as
 * `this site has no such path`, which may be empty; and `{request}`, the number of the request on its connection, as log lines
 * name it, such as `3`. The values are escaped: as HTML, or as the contents of a JSON string.
 *
 * @strict-properties
 * @not-serializable
 */
final class ErrorPages
{
    /**
     * @param array<int|'*', string> $html HTML pages in UTF-8 by status, 400 to 599; `*` is for all other statuses
     * @param array<int|'*', string> $json problem+json pages in UTF-8 by status, 400 to 599; `*` is for all other statuses
     * @param ErrorFormat $otherwise for clients that prefer no format, and for requests too malformed to tell
     * @throws \ValueError for another status, for a page that is empty or not UTF-8, and when all pages have more than 1 MiB
     */
    public function __construct(array $html = [], array $json = [], ErrorFormat $otherwise = ErrorFormat::Text) {}
}

/**
 * How a site or a route handles requests. A property that is null is, for a route, the one of its site, and for a site, the default
 * named here.
 *
 * @strict-properties
 * @not-serializable
 */
final class Options
{
    /** Which worker gets a request. By default `Dispatch::LeastBusy`. */
    public readonly ?\Sluice\Dispatch $dispatch;
    /** Whether the handler is called after the body of a request, or before. By default `Bodies::Whole`. */
    public readonly ?Bodies $bodies;
    /**
     * Whether a handler is cancelled where it waits when the client closes its connection, or its direction of it. By default
     * true; false is for handlers whose work is wanted in any case. With true, a request whose client has gone before its handler has begun
     * is not handled, and one whose client has closed its direction waits behind the others.
     */
    public readonly ?bool $cancelOnDisconnect;
    /** How responses are compressed; false, the default: they are not. */
    public readonly Compression|false|null $compression;
    /** The HTTP versions that a site accepts. For sites only: a connection has one version. By default `Versions::Any`. */
    public readonly ?Versions $versions;
    /** The access log of a site and its routes. For sites only. By default none. */
    public readonly ?AccessLog $accessLog;
    /** Pages for errors that the server answers itself. By default the server's own pages. */
    public readonly ?ErrorPages $errorPages;
    /**
     * Whether handlers run as scripts do under php-fpm, each request with a state of its own while others wait in the worker: `$_GET`,
     * `$_POST`, `$_COOKIE`, `$_FILES`, `$_SERVER`, `$_REQUEST`, `$GLOBALS`, `php://input`; `header()`, `http_response_code()`,
     * `setcookie()`, `echo` and output buffers, which make its response; `register_shutdown_function()`, `session_start()`, the time
     * zone, the locale, settings of `ini_set()`; and `exit()`, which ends this request alone. When the handler answers by
     * `$response`, its output is dropped. With `Bodies::Stream` the body is received before the handler is called. By default
     * false; a `Script` works so in any case.
     */
    public readonly ?bool $classic;
    /**
     * How many requests of this site or route one worker handles at a time. Other requests wait, for
     * `Limits::$requestSeconds` at most: in order, but those of clients that have lately kept these places for long are behind
     * those of others. The number of a site counts the requests of all its routes, except routes with a number of their own. 1 is
     * for code that knows nothing of coroutines and keeps state in static properties. In process mode an idle worker is preferred.
     * 1 to 1,000,000; by default any number.
     */
    public readonly ?int $concurrency;
    /**
     * Processes that handle the requests of this site or route: their bounds, or the most at a time, 1 to 1,000. Further requests wait for a
     * process, as for `$concurrency`. Calls that wait block the process and nobody else. The body is received before the handler is called.
     *
     * A `Script` or `DocumentRoot` is executed as by php-fpm: a process serves one request after the other, and PHP's request ends and begins again in between. Functions,
     * classes, static properties, settings and connections of a request are gone then; the opcode cache and persistent connections stay. Nothing of the server's own script is there.
     * PHP itself decides what happens when the client leaves (`ignore_user_abort()`), and `$cancelOnDisconnect` concerns only requests that wait for a process.
     *
     * Any other handler gets a new process for each request, forked before it is needed from the booted script, with what `onWorkerStart()` has made there. It
     * gets no answers to questions to other processes, such as `Server::subscribers()`, and is killed when the client leaves.
     *
     * Once the response has begun, a process may wait for ever, but is killed when it computes for `\Sluice\Limits::$killSeconds`
     * without sending anything. The processes of a site are shared by its routes, except routes with a number of their own; handlers of both kinds have so many each. 0: workers
     * handle the requests of this route, whatever its site has. By default workers do, except for a `DocumentRoot`, which has `new Processes()`.
     */
    public readonly Processes|int|null $processes;
    /**
     * For development: whether the client is shown an exception that nobody catches, with its trace, as the detail of the error page. Everybody who
     * can send requests sees file names and values then. By default false: the log alone has them.
     */
    public readonly ?bool $showErrors;
    /**
     * For development: HTML that is put before the last `</body>` of each page, such as the script of a tool that refreshes browsers. A page is a whole
     * body of the type `text/html` that a handler sends in one call; pages that a handler has compressed, parts by `Response::write()`, and files by
     * `Response::sendFile()` stay as they are. By default nothing.
     */
    public readonly ?string $pageEnd;

    /** @throws \ValueError when $concurrency or $processes is out of range */
    public function __construct(
        ?\Sluice\Dispatch $dispatch = null,
        ?Bodies $bodies = null,
        ?bool $cancelOnDisconnect = null,
        Compression|false|null $compression = null,
        ?Versions $versions = null,
        ?AccessLog $accessLog = null,
        ?ErrorPages $errorPages = null,
        ?bool $classic = null,
        ?int $concurrency = null,
        Processes|int|null $processes = null,
        ?bool $showErrors = null,
        ?string $pageEnd = null,
    ) {}
}

/**
 * The processes of a site or route, as php-fpm's `pm = dynamic` has them; see `Options::$processes`. All but `$most` is for scripts.
 *
 * @strict-properties
 * @not-serializable
 */
final class Processes
{
    /** The most at a time (`pm.max_children`), 1 to 1,000. */
    public readonly int $most;
    /** So many stay, whatever there is to do (`pm.min_spare_servers`), 1 to `$most`. */
    public readonly int $least;
    /** A process ends after so many requests, and another one takes its place (`pm.max_requests`), 1 to 4,000,000,000; null: never. */
    public readonly ?int $requests;
    /** Processes above `$least` that nobody has needed for so long end (`pm.process_idle_timeout`), 0.1 to 1,000,000. */
    public readonly float $idleSeconds;
    /** A request that takes longer, with all that follows its response, is ended with its process (`request_terminate_timeout`), 0.01 to 1,000,000; null: it may take any time. */
    public readonly ?float $terminateSeconds;
    /** The log shows where a script stands that takes longer (`request_slowlog_timeout`), once for each request, 0.01 to 1,000,000; null: of none. */
    public readonly ?float $slowSeconds;

    /**
     * @param int|null $least null: 2, or `$most` when that is less
     * @throws \ValueError when a value is out of range
     */
    public function __construct(
        int $most = 16,
        ?int $least = null,
        ?int $requests = null,
        float $idleSeconds = 10.0,
        ?float $terminateSeconds = null,
        ?float $slowSeconds = null,
    ) {}
}

/**
 * How responses are compressed for clients that accept it (Accept-Encoding, RFC 9110 12.5.3). The worker compresses, so that no
 * reactor is held up. Each write() and each event of an EventStream is flushed, so that the client gets it at once.
 *
 * Not compressed are files of sendFile() and Files (see `$precompressed` of Files); responses with a Content-Encoding,
 * Content-Range or digest field, or with `Cache-Control: no-transform`; responses after withoutCompression(); and bodies that
 * would not become smaller. Responses that could be compressed for another client get `Vary: Accept-Encoding`.
 *
 * The coding is added to a strong ETag: `"v1"` becomes `"v1-br"`. Conditional requests match both.
 *
 * Compression shows in the length of an encrypted response how often text repeats. A page that holds a secret, such as a CSRF
 * token, and text from the request lets an attacker who can send many requests from a victim's browser find the secret
 * (BREACH). So nothing is compressed by default. Exclude such pages by `Response::withoutCompression()`, or mask the secret with
 * random bytes in each response.
 *
 * @strict-properties
 * @not-serializable
 */
final class Compression
{
    /**
     * The codings in use, the preferred first.
     *
     * @var list<Encoding>
     */
    public readonly array $encodings;
    /** Bodies of known length with fewer bytes are not compressed. */
    public readonly int $minBytes;
    /**
     * The media types that are compressed, in lower case, `text/*` for a family.
     *
     * @var list<string>
     */
    public readonly array $types;
    /** 1 (fastest) to 9 (smallest). */
    public readonly int $gzipLevel;
    /** 1 (fastest) to 11 (smallest). */
    public readonly int $brotliLevel;
    /** 1 (fastest) to 19 (smallest). */
    public readonly int $zstdLevel;

    /**
     * @param list<Encoding>|null $encodings the preferred first, which decides between codings that a client accepts equally;
     *     null: Zstd, Brotli, Gzip
     * @param int $minBytes bodies with fewer bytes are not compressed; a stream of unknown length is always compressed. 0 to
     *     1,073,741,824
     * @param list<string>|null $types media types in lower case without parameters, `text/*` for a family; null: `text/*`, and
     *     compressible types of application, font and image, such as JSON, XML, JavaScript, WebAssembly, SVG and TrueType
     * @param int $gzipLevel 1 (fastest) to 9 (smallest)
     * @param int $brotliLevel 1 (fastest) to 11 (smallest); levels above 4 take much more time for little
     * @param int $zstdLevel 1 (fastest) to 19 (smallest)
     * @throws \ValueError when an argument is invalid or out of range
     */
    public function __construct(
        ?array $encodings = null,
        int $minBytes = 1024,
        ?array $types = null,
        int $gzipLevel = 6,
        int $brotliLevel = 4,
        int $zstdLevel = 3,
    ) {}
}

/** The format of an access log's lines. Times are UTC. */
enum LogFormat
{
    /** Common Log Format: `192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "GET /a?b HTTP/1.1" 200 5` */
    case Common;
    /** Combined Log Format: the Common Log Format, then the Referer and User-Agent of the request in quotes. */
    case Combined;
    /**
     * One JSON object a line: time, peer, method, target, protocol, status, bytes (of the body, as sent), duration_us (in
     * microseconds), complete. Where the request has them: route (the pattern that matched, such as `/users/{id}`), host, referer,
     * user_agent, request_id (its X-Request-Id).
     */
    case Json;
}

/**
 * An access log: one line for each request of a site, written when the client has been sent all of the response. When the connection
 * ends first, `complete` is false in a JSON line, and the status is 499 if nothing was sent. Requests that the server has answered
 * with an error without a handler, and WebSocket handshakes, have lines too. The client is the one that `Http\Request::peer()` tells:
 * whom a trusted proxy has named, otherwise the connection's.
 *
 * A thread writes the lines, and nobody waits for it: lines that the disk does not take in time are dropped (see
 * `\Sluice\Limits::$accessLogBytes`). A reload, by SIGUSR1 or SIGHUP, opens the file again, for logrotate. Clients cannot break
 * or forge a line: control characters, quotes and backslashes are escaped. A line of more than 4,096 bytes is cut, and ends in
 * `...`.
 *
 * @strict-properties
 * @not-serializable
 */
final class AccessLog
{
    /** The file, FIFO, `php://stdout` or `php://stderr` that lines are written to. */
    public readonly string $path;
    /** The format of the lines. */
    public readonly LogFormat $format;

    /**
     * @param string $path a file that lines are appended to, a FIFO, `php://stdout` or `php://stderr`; several sites may share one
     * @throws \ValueError when the file's directory does not exist, or the file cannot be written to
     */
    public function __construct(string $path, LogFormat $format = LogFormat::Combined) {}
}
