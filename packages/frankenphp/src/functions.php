<?php

declare(strict_types=1);

// FrankenPHP's functions, for worker scripts. FrankenPHP has them itself.

use Sluice\FrankenPhp\WorkerScript;

if (!\function_exists('frankenphp_handle_request')) {
    foreach (['DEBUG' => -4, 'INFO' => 0, 'WARN' => 4, 'ERROR' => 8] as $level => $number) {
        \define("FRANKENPHP_LOG_LEVEL_$level", $number);
    }
    unset($level, $number);

    /** Waits for the next request, and calls $callback for it; false: the worker is to end. */
    function frankenphp_handle_request(callable $callback): bool
    {
        return WorkerScript::current()->next($callback);
    }

    /** Sends an informational response with the header fields so far: 103 with Link fields. */
    function headers_send(int $status = 200): int
    {
        return WorkerScript::current()->sendHeaders($status);
    }

    /** Ends the response; the callback may go on. */
    function frankenphp_finish_request(): bool
    {
        return WorkerScript::current()->finish();
    }

    if (!\function_exists('fastcgi_finish_request')) {
        function fastcgi_finish_request(): bool
        {
            return frankenphp_finish_request();
        }
    }

    /** @return array<string, string> */
    function frankenphp_request_headers(): array
    {
        return WorkerScript::current()->requestHeaders();
    }

    /** @return array<string, string> */
    function frankenphp_response_headers(): array
    {
        return WorkerScript::current()->responseHeaders();
    }

    if (!\function_exists('apache_request_headers')) {
        /** @return array<string, string> */
        function apache_request_headers(): array
        {
            return frankenphp_request_headers();
        }
    }

    if (!\function_exists('apache_response_headers')) {
        /** @return array<string, string> */
        function apache_response_headers(): array
        {
            return frankenphp_response_headers();
        }
    }

    if (!\function_exists('getallheaders')) {
        /** @return array<string, string> */
        function getallheaders(): array
        {
            return frankenphp_request_headers();
        }
    }

    /** @param array<string, mixed> $context */
    function frankenphp_log(string $message, int $level = 0, array $context = []): void
    {
        $name = match (true) {
            $level >= 8 => 'error',
            $level >= 4 => 'warning',
            $level >= 0 => 'info',
            default => 'debug',
        };
        \error_log("$name: $message" . ($context === [] ? '' : ' ' . \json_encode($context, \JSON_PARTIAL_OUTPUT_ON_ERROR | \JSON_UNESCAPED_SLASHES)));
    }

    /** @param string|list<string> $topics */
    function mercure_publish(string|array $topics, string $data = '', bool $private = false, ?string $id = null, ?string $type = null, ?int $retry = null): string
    {
        throw new \RuntimeException('There is no Mercure hub here: use Sluice\Server::publish(), and EventStream::subscribe()');
    }
}
