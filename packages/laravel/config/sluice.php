<?php

// How `php artisan sluice:start` serves the application. Variables of the environment take precedence.

return [
    // Where to listen: 127.0.0.1:8080, or unix:/run/app.sock.
    'address' => env('SLUICE_ADDRESS', '127.0.0.1:8080'),

    // process: connections live in a process apart from the workers; base: in the workers.
    'mode' => env('SLUICE_MODE', 'process'),

    // Worker processes; null: one for each CPU. While all are busy and requests wait there may be more, up to max_workers; null: no more.
    'workers' => env('SLUICE_WORKERS'),
    'max_workers' => env('SLUICE_MAX_WORKERS'),

    // Requests that a worker works on at a time. Each has a booted application, some 0.3 to 2 MiB.
    'applications' => env('SLUICE_APPLICATIONS', 64),

    // How many of them are booted before the workers begin: the first requests need not wait for a boot, and workers share their memory until they write to it.
    'warm' => env('SLUICE_WARM', 8),

    // After how many requests, or seconds, or at how many bytes of memory a worker is replaced, without an interruption; null: never for this reason.
    'max_requests' => env('SLUICE_MAX_REQUESTS'),
    'max_seconds' => env('SLUICE_MAX_SECONDS'),
    'max_memory_bytes' => env('SLUICE_MAX_MEMORY_BYTES'),

    // Where the server's process id stands while it runs, and where its log goes; null: standard error.
    'pid_file' => env('SLUICE_PID_FILE', storage_path('framework/sluice.pid')),
    'log_file' => env('SLUICE_LOG_FILE'),

    // Queue workers as services of the server, in place of `queue:work`: how many processes, and how many jobs each of them works on at a time. Each job has an
    // application of its own. Without a connection and queues Laravel's defaults hold. In seconds: `timeout`, after which a job is
    // cancelled; `sleep`, when there is no job; `backoff`, before a job is tried again.
    'queue' => [
        'processes' => env('SLUICE_QUEUE_PROCESSES', 0),
        'jobs' => env('SLUICE_QUEUE_JOBS', 8),
        'connection' => env('SLUICE_QUEUE_CONNECTION'),
        'queue' => env('SLUICE_QUEUE'),
        'tries' => env('SLUICE_QUEUE_TRIES', 1),
        'timeout' => env('SLUICE_QUEUE_TIMEOUT', 60),
        'sleep' => env('SLUICE_QUEUE_SLEEP', 1.0),
        'backoff' => env('SLUICE_QUEUE_BACKOFF', 0),
    ],

    // Whether the server runs what is scheduled, in place of a line in a crontab.
    'scheduler' => env('SLUICE_SCHEDULER', false),

    // With BROADCAST_CONNECTION=sluice the server speaks the Pusher protocol with Laravel Echo. The key is what Echo names; the secret stays here, and follows from
    // APP_KEY when it is not set. Origins: pages that may connect, as a list or apart by
    // commas, 'https://example.org'; null: all.
    'broadcasting' => [
        'key' => env('SLUICE_BROADCASTING_KEY', 'app'),
        'secret' => env('SLUICE_BROADCASTING_SECRET'),
        'origins' => env('SLUICE_BROADCASTING_ORIGINS'),
    ],

    // What each request has for itself. Each list adds to the defaults.
    'sandbox' => [
        // Services that are resolved, and models that are booted, when an application is booted. Services are rolled back after each request.
        'warm' => [],

        // Services that stay as they are once a request has resolved them, such as connections.
        'kept' => [],

        // Services that each request resolves anew, though something has resolved them while the application was booted.
        'flush' => [],

        // Statics that all requests of a worker share: 'Some\Class::$property', 'Some\Class', or 'Some\Namespace\\'.
        'shared' => [],

        // Folders with classes whose static properties belong to requests.
        'folders' => ['app'],
    ],
];
