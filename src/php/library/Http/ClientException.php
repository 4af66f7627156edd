<?php

declare(strict_types=1);

namespace Sluice\Http;

/** A request of the HTTP client has failed. A response with an error status is not a failure. */
abstract class ClientException extends \RuntimeException {}

/** The HTTP client got no connection: the name is unknown, nobody listens, or the network does not reach the host. */
final class ConnectException extends ClientException {}

/** A time limit of the HTTP client was reached. */
final class TimeoutException extends ClientException {}

/** The TLS options of the HTTP client did not accept the server's certificate or its TLS. */
final class TlsException extends ClientException {}

/** A response to the HTTP client is not HTTP/1.1, breaks off, or redirects too often. */
final class ProtocolException extends ClientException {}

/** The body of a response is longer than the HTTP client's $maxResponseBytes, or its head longer than 256 KiB. */
final class TooLargeException extends ClientException {}
