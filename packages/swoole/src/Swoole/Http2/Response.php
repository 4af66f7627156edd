<?php

declare(strict_types=1);

namespace Swoole\Http2;

class Response
{
    public int $streamId = 0;
    public int $errCode = 0;
    public int $statusCode = 0;
    public bool $pipeline = false;
    /** @var array<string, string>|null */
    public ?array $headers = null;
    /** @var list<string>|null */
    public ?array $set_cookie_headers = null;
    /** @var array<string, string>|null */
    public ?array $cookies = null;
    public string $data = '';
}
