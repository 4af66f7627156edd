<?php

declare(strict_types=1);

namespace Sluice\App\Leaks;

/** What frameworks keep by design: one object for the last request, in place of the one before. Nothing of it grows, and no later request uses it. */
final class Known
{
    /** As patterns for `Server::detectLeaks()`; `?` stands for a bracket. */
    public const PLACES = [
        // A pool's own times.
        '*->pool->idle?*?->checkedAt',
        '*->pool->idle?*?->idleSince',
        // Symfony, by the ids of services.
        "*'controller.cache_attribute_listener'?->*",
        "*'debug.debug_handlers_listener'?->*",
        "*'data_collector.*'?->*",
        "*'profiler_listener'?->*",
        "*'profiler'?->*",
        "*'.container.private.profiler'?->*",
        "*'mailer.message_logger_listener'?->*",
        '*->pool->idle?*?->item->startTime',
    ];
}
