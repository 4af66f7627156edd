<?php

declare(strict_types=1);

namespace App;

use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;

/** A job that sets what is global, waits, and writes a line with what it finds. */
final class Write implements ShouldQueue
{
    use Queueable;

    public function __construct(private readonly string $name) {}

    public function handle(Counter $counter): void
    {
        $before = Counter::$name . ' ' . config('app.name') . ' ' . ++$counter->count;
        Counter::$name = $this->name;
        config(['app.name' => $this->name]);
        if ($this->name === 'fails') {
            throw new Expected('a job that fails');
        }
        usleep($this->name === 'hangs' ? 60_000_000 : 20_000);
        file_put_contents(storage_path('jobs'), "$before " . Counter::$name . ' ' . config('app.name') . "\n", FILE_APPEND);
    }

    public function failed(\Throwable $error): void
    {
        file_put_contents(storage_path('jobs'), "$this->name failed\n", FILE_APPEND);
    }
}
