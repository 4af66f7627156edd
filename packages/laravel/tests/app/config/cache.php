<?php

return [
    'default' => env('CACHE_STORE', 'file'),
    'limiter' => 'table',
    'stores' => [
        'array' => ['driver' => 'array'],
        'file' => ['driver' => 'file', 'path' => storage_path('framework/cache/data')],
        'table' => ['driver' => 'sluice', 'bytes' => 4 << 20],
    ],
    'prefix' => 'app:',
];
