<?php

declare(strict_types=1);

namespace Sluice\Http;

/** A request of the HTTP client has failed. A response, whatever its status, is no failure. */
abstract class ClientException extends \RuntimeException {}

/** No connection: the name is unknown, nobody listens, the way there is barred. */
final class ConnectException extends ClientException {}

/** One of the client's time limits was over. */
final class TimeoutException extends ClientException {}

/** The server's certificate, or its TLS, is not what the client's options ask for. */
final class TlsException extends ClientException {}

/** What came is no HTTP/1.1, broke off, or redirected too often. */
final class ProtocolException extends ClientException {}

/** The response is longer than $maxResponseBytes. */
final class TooLargeException extends ClientException {}
