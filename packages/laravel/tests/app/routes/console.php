<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Schedule;

Schedule::call(fn() => file_put_contents(storage_path('scheduled'), config('app.name') . "\n", FILE_APPEND))->everyMinute();
