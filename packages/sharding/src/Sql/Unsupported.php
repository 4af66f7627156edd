<?php

declare(strict_types=1);

namespace Sluice\Sharding\Sql;

use Sluice\Sharding\ShardingException;

/** A statement that is refused before a shard is touched, for it cannot be proved where it belongs. The message begins with Vitess's code. */
final class Unsupported extends ShardingException
{
    /** @var string where the application called, `file:line` */
    public string $callSite = '';

    /**
     * @param string $vitessCode such as VT12001
     * @param string $what what is not supported, with table and column
     * @param string $remedy what helps
     */
    public function __construct(public readonly string $vitessCode, public readonly string $what, public readonly string $remedy)
    {
        parent::__construct("$vitessCode: " . ($vitessCode === 'VT12001' ? 'unsupported: ' : '') . "$what. $remedy");
    }

    public static function because(string $what, string $remedy): self
    {
        return new self('VT12001', $what, $remedy);
    }

    /** The same with the place that has called. */
    public function at(string $callSite): self
    {
        $this->callSite = $callSite;
        $this->message .= " Called at $callSite.";
        return $this;
    }
}
