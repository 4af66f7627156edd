<?php

declare(strict_types=1);

namespace Sluice\WebSocket;

/** The WebSocket client could not do what it was asked for. */
abstract class ClientException extends \RuntimeException {}

/** No connection, or no TLS that the options accept. */
final class ConnectException extends ClientException {}

/** The server's response to the handshake is not what RFC 6455 asks for. Its code is the response's status, or 0. */
final class HandshakeException extends ClientException {}

/** A time limit was over. The connection is as it was. */
final class TimeoutException extends ClientException {}

/** There is no connection any more. Its code is the close code: 1006 when it broke off without one. */
final class ClosedException extends ClientException {}
