<?php

declare(strict_types=1);

namespace Swoole\Coroutine\Http;

/**
 * One request, by a client of its own; false: it has failed.
 *
 * @param array<string, mixed>|string|null $data
 * @param array<string, mixed>|null $options
 * @param array<string, string>|null $headers
 * @param array<string, string>|null $cookies
 */
function request(string $url, string $method, array|string|null $data = null, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy|false
{
    $parts = \parse_url($url);
    if (!\is_array($parts) || !isset($parts['host'])) {
        throw new Client\Exception("the URL $url has no host");
    }
    $client = new Client($parts['host'], $parts['port'] ?? 0, ($parts['scheme'] ?? 'http') === 'https');
    $client->set($options ?? []);
    $client->setMethod($method);
    $client->setHeaders($headers ?? []);
    if ($cookies !== null) {
        $client->setCookies($cookies);
    }
    if ($data !== null) {
        $client->setData($data);
    }
    return $client->execute(($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : '')) ? new ClientProxy($client) : false;
}

/**
 * @param array<string, mixed>|null $options
 * @param array<string, string>|null $headers
 * @param array<string, string>|null $cookies
 */
function get(string $url, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy|false
{
    return request($url, 'GET', null, $options, $headers, $cookies);
}

/**
 * @param array<string, mixed>|string $data
 * @param array<string, mixed>|null $options
 * @param array<string, string>|null $headers
 * @param array<string, string>|null $cookies
 */
function post(string $url, array|string $data, ?array $options = null, ?array $headers = null, ?array $cookies = null): ClientProxy|false
{
    return request($url, 'POST', $data, $options, $headers, $cookies);
}
