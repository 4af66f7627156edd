<?php

declare(strict_types=1);

namespace Sluice\Internal;

use Sluice\Metrics\Gauge;
use Sluice\Timer;

/**
 * What the admin listener shows of the opcode cache, which a generation's workers share. Each of them tells of it now and then: only PHP's
 * own processes can look into it.
 *
 * @internal
 */
final class OpcacheMetrics
{
    private const SECONDS = 10.0;

    private ?Timer $timer = null;
    private Gauge $enabled;
    private Gauge $memory;
    private Gauge $scripts;
    private Gauge $hits;
    private Gauge $misses;
    private Gauge $restarts;

    /** In a worker that is about to serve. */
    public function begin(): void
    {
        $this->enabled = new Gauge('sluice_opcache_enabled', 'Whether PHP keeps compiled scripts (opcache.enable_cli).');
        $this->memory = new Gauge('sluice_opcache_memory_bytes', 'Memory of the opcode cache.', ['state']);
        $this->scripts = new Gauge('sluice_opcache_scripts', 'Scripts in the opcode cache.');
        $this->hits = new Gauge('sluice_opcache_hits', 'Scripts that were found in the opcode cache, since it began.');
        $this->misses = new Gauge('sluice_opcache_misses', 'Scripts that were not found in the opcode cache, since it began.');
        $this->restarts = new Gauge('sluice_opcache_restarts', 'How often the opcode cache was emptied, since it began.');
        if ($this->look()) {
            $this->timer = Timer::every(self::SECONDS, $this->look(...));
        }
    }

    /** The worker is told to end. */
    public function end(): void
    {
        $this->timer?->cancel();
    }

    /** False: there is no opcode cache. */
    private function look(): bool
    {
        // It warns where opcache.restrict_api keeps it from scripts.
        $status = \function_exists('opcache_get_status') ? @\opcache_get_status(false) : false;
        $memory = $status['memory_usage'] ?? [];
        $figures = $status['opcache_statistics'] ?? [];
        $this->enabled->set((int) ($status['opcache_enabled'] ?? false));
        foreach (['used', 'free', 'wasted'] as $state) {
            $this->memory->labels($state)->set($memory["{$state}_memory"] ?? 0);
        }
        $this->scripts->set($figures['num_cached_scripts'] ?? 0);
        $this->hits->set($figures['hits'] ?? 0);
        $this->misses->set($figures['misses'] ?? 0);
        $this->restarts->set(($figures['oom_restarts'] ?? 0) + ($figures['hash_restarts'] ?? 0) + ($figures['manual_restarts'] ?? 0));
        return \is_array($status);
    }
}
