<?php

/** @generate-class-entries */

namespace Sluice\Http;

/** A content coding of RFC 9110 8.4.1. */
enum Encoding: string
{
    case Gzip = 'gzip';
    /** Brotli, RFC 7932. */
    case Brotli = 'br';
    /** Zstandard, RFC 8878. */
    case Zstd = 'zstd';
}

/** How a handler gets the bodies of requests. */
enum Bodies
{
    /** When they are complete: in memory or, above `Limits::$bodyFileBytes`, in a temporary file. */
    case Whole;
    /** The handler is called before, and may read the body as it arrives: `Request::bodyStream()`. */
    case Stream;
}

/** Which versions of HTTP a site speaks. */
enum Versions
{
    /** HTTP/1.1 and 1.0, and HTTP/2 (RFC 9113): over TLS by ALPN, in clear text with clients that begin with its preface. */
    case Any;
    /** HTTP/1.1 and 1.0. */
    case Http1;
    /**
     * HTTP/2: clients that offer it by ALPN, or in clear text know it beforehand. Others are refused, by an alert of TLS
     * (no_application_protocol) when they offer other protocols, else with 505.
     */
    case Http2;
}

/** What an error is told as. */
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
 * Pages of a site's or a route's own for errors that the server answers itself: for a request that is malformed or too long, that no route is for, whose
 * handler has thrown, whose worker has died, that nobody has answered in time, and for what `Files` does not find. What a handler sends is
 * left alone.
 *
 * The Accept field of a request decides between HTML, problem+json and text. Without a page for a status, and without ErrorPages, the
 * server has its own.
 *
 * In a page `{status}` is the status, `{reason}` its phrase, `{detail}` a sentence, which may be empty, and `{request}` the number of the
 * request on its connection, which log lines have as well: `404`, `Not Found`, `this site has no such path`, `3`. They are escaped as HTML, or as they have to be between the quotes of a JSON string.
 *
 * @strict-properties
 * @not-serializable
 */
final class ErrorPages
{
    /**
     * @param array<int|'*', string> $html pages by status, 400 to 599, and by `*` for all others; in UTF-8
     * @param array<int|'*', string> $json the same for problem+json
     * @param ErrorFormat $otherwise for clients that want none of the three more than others, and for what is too malformed to tell
     * @throws \ValueError for a status or a page that is none, and for more than 1 MiB
     */
    public function __construct(array $html = [], array $json = [], ErrorFormat $otherwise = ErrorFormat::Text) {}
}

/**
 * How requests are handled, by a site or a route. What is null a route has from its site, and a site by the defaults that are named here.
 *
 * @strict-properties
 * @not-serializable
 */
final class Options
{
    /** Which worker gets a request. By default LeastBusy. */
    public readonly ?\Sluice\Dispatch $dispatch;
    /** How a handler gets bodies. By default Whole. */
    public readonly ?Bodies $bodies;
    /**
     * Whether a handler whose client closes its connection, or its side of it, is cancelled where it waits. By default it is; not
     * so for handlers whose work is wanted anyway.
     */
    public readonly ?bool $cancelOnDisconnect;
    /** How responses are compressed; false: they go as the handler gives them, which is the default. */
    public readonly Compression|false|null $compression;
    /** Which versions of HTTP are spoken. Of a site alone: clients choose before they ask. By default Any. */
    public readonly ?Versions $versions;
    /** Of a site alone; by default none. */
    public readonly ?AccessLog $accessLog;
    /** Of a site, and of those of its routes that have none of their own; by default the server's. */
    public readonly ?ErrorPages $errorPages;
    /**
     * Whether each request has what scripts for php-fpm know: `$_GET`, `$_POST`, `$_COOKIE`, `$_FILES`, `$_SERVER`, `$_REQUEST`, `$GLOBALS` and
     * `php://input`; `header()`, `http_response_code()`, `setcookie()`, `echo` and output buffers, which go to its response;
     * `register_shutdown_function()`, `session_start()`, the time zone, the locale, what `ini_set()` sets; and `exit()`, which ends the request alone. All are the request's own, while others wait in the
     * same worker. A request that the handler answers by `$response` is answered by that; what is echoed is lost then. With `Bodies::Stream` the
     * body is received before the handler is called. By default false; `Script` does it for the file that it names.
     */
    public readonly ?bool $classic;
    /**
     * How many of these requests a worker handles at a time; the rest wait for their turn, in order, and for as long as `requestSeconds` allows. A
     * site's is for all of its routes together, but those that have one of their own. 1 is for code that knows nothing of coroutines and keeps
     * its state in statics. In process mode a request goes to a worker that has nothing to do, if there is one. 1 to 1,000,000; by default
     * any number.
     */
    public readonly ?int $concurrency;

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
    ) {}
}

/**
 * How a site's responses are compressed for clients that ask for it by Accept-Encoding. The worker does it, so that
 * no other client waits for it; what write() and EventStream send is flushed, so that the client sees it at once.
 *
 * Not compressed are: what sendFile() and Files send (the kernel reads those; see Files' $precompressed); responses with
 * a Content-Encoding, Content-Range or digest of their own, or with `Cache-Control: no-transform`; those that called
 * withoutCompression(); and what is not smaller afterwards. All that might have been gets `Vary: Accept-Encoding`.
 *
 * A strong ETag gets the encoding's name added (`"v1"` becomes `"v1-br"`), and the conditions of requests know both.
 *
 * Compression tells how long a response is when encrypted, too: where a page repeats what a request said beside a
 * secret, such as a token against forgeries, somebody who can have a victim's browser ask again and again finds the
 * secret out (BREACH). Therefore nothing is compressed unless it is asked for here. Leave such pages out by
 * withoutCompression(), or mask the secret with something random in each response.
 *
 * @strict-properties
 * @not-serializable
 */
final class Compression
{
    /** @var list<Encoding> */
    public readonly array $encodings;
    public readonly int $minBytes;
    /** @var list<string> */
    public readonly array $types;
    public readonly int $gzipLevel;
    public readonly int $brotliLevel;
    public readonly int $zstdLevel;

    /**
     * @param list<Encoding>|null $encodings the most wanted first: it decides between those that a client wants alike;
     *     null: Zstd, Brotli, Gzip
     * @param int $minBytes shorter bodies are left alone; of a stream whose length is not known, all are compressed. 0 to
     *     1,073,741,824
     * @param list<string>|null $types media types in lower case without parameters, `text/*` for a whole family; null:
     *     `text/*`, and those of application, font and image that compress as text does, such as JSON, XML, JavaScript,
     *     WebAssembly, SVG, TrueType
     * @param int $gzipLevel 1 to 9
     * @param int $brotliLevel 1 to 11; above 4 for little more is it much slower
     * @param int $zstdLevel 1 to 19
     * @throws \ValueError
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

/** How the lines of an access log look. Their time is UTC. */
enum LogFormat
{
    /** `192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "GET /a?b HTTP/1.1" 200 5` */
    case Common;
    /** As Common, with the Referer and User-Agent of the request behind it, in quotes. */
    case Combined;
    /**
     * One object a line: time, peer, method, target, protocol, status, bytes (of the body, as sent), duration_us, complete, and
     * route (the pattern that matched, such as `/users/{id}`), host, referer, user_agent, request_id (the X-Request-Id of the
     * request) where the request has them.
     */
    case Json;
}

/**
 * One line for each request of a site: when the client has been sent all of the response, or its connection has ended
 * before (`complete` is false then, and the status 499 when nothing was sent); also for those that were answered with an
 * error without having reached a handler, and for WebSocket handshakes.
 *
 * Lines are written by a thread of its own, and nobody waits for it: what the disk does not take in time is dropped, see
 * `\Sluice\Limits::$accessLogBytes`. SIGUSR1 and SIGHUP, which reload, open the file anew, as logrotate wants it. Whatever clients
 * send cannot break a line or forge one: control characters, quotes and backslashes are escaped. A line has at most 4,096
 * bytes; what is too long for that is cut, and ends in `...`.
 *
 * @strict-properties
 * @not-serializable
 */
final class AccessLog
{
    public readonly string $path;
    public readonly LogFormat $format;

    /**
     * @param string $path a file, appended to, or a FIFO, or `php://stdout` or `php://stderr`; several sites may name one file
     * @throws \ValueError when its directory is not there, or it cannot be written to
     */
    public function __construct(string $path, LogFormat $format = LogFormat::Combined) {}
}
