<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

/** Vitess's comment directives: a comment that begins with vt+ and has names, each with an optional value. */
final readonly class Directives
{
    private const KNOWN = [
        'ALLOW_SCATTER', 'SCATTER_ERRORS_AS_WARNINGS', 'MULTI_SHARD_AUTOCOMMIT', 'QUERY_TIMEOUT_MS', 'IGNORE_MAX_MEMORY_ROWS', 'WORKLOAD_NAME', 'PRIORITY', 'SKIP_QUERY_PLAN_CACHE',
    ];

    public function __construct(
        public bool $allowScatter = false,
        public bool $errorsAsWarnings = false,
        public bool $multiShardAutocommit = false,
        public bool $ignoreMemory = false,
        public ?float $timeoutSeconds = null,
    ) {}

    /** @throws Unsupported for a directive that Vitess does not have */
    public static function parse(string $comment): self
    {
        $found = [];
        foreach (\preg_split('/\s+/', \trim(\substr($comment, 5, -2))) ?: [] as $word) {
            [$name, $value] = \explode('=', $word, 2) + [1 => '1'];
            if ($name === '') {
                continue;
            }
            if (!\in_array(\strtoupper($name), self::KNOWN, true)) {
                throw Unsupported::because("the directive $name", 'Known are ' . \implode(', ', self::KNOWN) . '.');
            }
            $found[\strtoupper($name)] = \trim($value, '"\'');
        }
        $is = static fn(string $name): bool => \in_array(\strtolower($found[$name] ?? '0'), ['1', 'true'], true);
        $timeout = $found['QUERY_TIMEOUT_MS'] ?? null;
        return new self(
            $is('ALLOW_SCATTER'),
            $is('SCATTER_ERRORS_AS_WARNINGS'),
            $is('MULTI_SHARD_AUTOCOMMIT'),
            $is('IGNORE_MAX_MEMORY_ROWS'),
            $timeout === null || (int) $timeout <= 0 ? null : (int) $timeout / 1000,
        );
    }
}
