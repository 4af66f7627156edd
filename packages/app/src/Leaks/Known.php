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
        // Symfony.
        'the service "controller.cache_attribute_listener", *',
        'the service "debug.debug_handlers_listener", *',
        'the service "data_collector.*", *',
        'the service "profiler_listener", *',
        'the service "profiler", *',
        'the service ".container.private.profiler", *',
        'the service "mailer.message_logger_listener", *',
        'the service "kernel", ->startTime',
        'the service "debug.stopwatch", ->sections*',
        // The dispatcher of development takes listeners out and puts them back around each event. Without debugging, those that an application adds are told.
        'the service "event_dispatcher", ->dispatcher->listeners*',
    ];
}
