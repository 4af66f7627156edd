<?php

declare(strict_types=1);

namespace Swoole\Http2;

class Request
{
    public string $path = '/';
    public string $method = 'GET';
    public mixed $headers = null;
    public mixed $cookies = null;
    public mixed $data = '';
    public bool $pipeline = false;
    public bool $usePipelineRead = false;
}
