<?php

declare(strict_types=1);

namespace App;

use Illuminate\Http\Response;
use Illuminate\Support\Facades\Http;

final class Hello
{
    public function hello(): Response
    {
        return new Response('hello world', headers: ['Content-Type' => 'text/plain; charset=utf-8', 'Content-Length' => '11']);
    }

    public function waits(): Response
    {
        return new Response(Http::get((string) getenv('UPSTREAM'))->body());
    }
}
