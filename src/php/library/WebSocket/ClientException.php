<?php

declare(strict_types=1);

namespace Sluice\WebSocket;

/** An operation of the WebSocket client has failed. */
abstract class ClientException extends \RuntimeException {}

/** The WebSocket client got no connection, or its TLS options did not accept the server. */
final class ConnectException extends ClientException {}

/** The server has not accepted the WebSocket handshake (RFC 6455 4.1). The code is the status of its response, or 0. */
final class HandshakeException extends ClientException {}

/** A time limit of the WebSocket client was reached. The connection stays open. */
final class TimeoutException extends ClientException {}

/** The WebSocket connection is closed. The code is the close code; 1006 when the connection broke off without one. */
final class ClosedException extends ClientException {}
