<?php

declare(strict_types=1);

namespace Sluice\App\Admin;

/** The times of requests by route, of one text of /metrics. */
final class Scrape
{
    private const NAME = 'sluice_http_first_byte_seconds';

    /** @param array<string, array{count: float, sum: float, buckets: array<string, float>}> $routes by site and route */
    private function __construct(public readonly array $routes) {}

    /** @throws \ValueError when it is no text of a server's /metrics */
    public static function of(string $text): self
    {
        if (!\str_contains($text, '# TYPE ' . self::NAME . ' histogram')) {
            throw new \ValueError('This is no text of a server\'s /metrics: it lacks ' . self::NAME);
        }
        $routes = [];
        \preg_match_all('/^' . self::NAME . '_(bucket|sum|count)\{(.*)\} (\S+)$/m', $text, $samples, \PREG_SET_ORDER);
        foreach ($samples as [, $kind, $labels, $value]) {
            $key = self::label($labels, 'site') . ' ' . self::label($labels, 'route');
            $routes[$key] ??= ['count' => 0.0, 'sum' => 0.0, 'buckets' => []];
            if ($kind === 'bucket') {
                $bound = self::label($labels, 'le');
                $routes[$key]['buckets'][$bound] = ($routes[$key]['buckets'][$bound] ?? 0.0) + (float) $value;
            } else {
                $routes[$key][$kind] += (float) $value;
            }
        }
        return new self($routes);
    }

    /** What has come between an earlier scrape of the same server, and this one. A server that was started anew counts from 0. */
    public function since(self $before): self
    {
        $routes = [];
        foreach ($this->routes as $key => $now) {
            $then = $before->routes[$key] ?? null;
            if ($then !== null && $then['count'] <= $now['count']) {
                $now['count'] -= $then['count'];
                $now['sum'] -= $then['sum'];
                foreach ($now['buckets'] as $bound => $count) {
                    $now['buckets'][$bound] = $count - ($then['buckets'][$bound] ?? 0.0);
                }
            }
            $routes[$key] = $now;
        }
        return new self($routes);
    }

    /** The mean in seconds; null: there was no request. */
    public function mean(string $route): ?float
    {
        $its = $this->routes[$route] ?? null;
        return $its === null || $its['count'] <= 0 ? null : $its['sum'] / $its['count'];
    }

    /**
     * A percentile in seconds, linear within its bucket, as Prometheus' histogram_quantile() has it.
     *
     * @param float $share 0 to 1
     * @return float|null null: there was no request; INF: beyond the last bound
     */
    public function percentile(string $route, float $share): ?float
    {
        $its = $this->routes[$route] ?? null;
        if ($its === null || $its['count'] <= 0) {
            return null;
        }
        $wanted = $share * $its['count'];
        $lower = $below = 0.0;
        foreach ($its['buckets'] as $bound => $count) {
            if ($count >= $wanted) {
                return $bound === '+Inf' ? \INF : $lower + ((float) $bound - $lower) * ($count > $below ? ($wanted - $below) / ($count - $below) : 1.0);
            }
            $lower = (float) $bound;
            $below = $count;
        }
        return \INF;
    }

    private static function label(string $labels, string $name): string
    {
        return \preg_match('/(?:^|,)' . $name . '="((?:[^"\\\\]|\\\\.)*)"/', $labels, $found) === 1 ? \stripcslashes($found[1]) : '';
    }
}
