<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** Something is refused before a shard is touched. The message begins with Vitess's code; it has table, column, what helps, and the place that called. */
class RefusedException extends ShardingException
{
    /** @var string where the application called, `file:line`; '' when nobody has looked */
    public string $callSite = '';
    private bool $isPlaced = false;

    /** @param string $vitessCode such as VT12001 */
    public function __construct(public readonly string $vitessCode, string $message, ?\Throwable $previous = null)
    {
        parent::__construct("$vitessCode: $message", 0, $previous);
    }

    /**
     * The same with the table and the columns it is about.
     *
     * @param list<string> $columns
     * @internal
     */
    public function about(string $table, array $columns): static
    {
        if (!$this->isPlaced) {
            $this->isPlaced = true;
            $this->message = "$this->vitessCode: Table $table, column " . \implode(' and ', $columns) . \substr($this->message, \strlen($this->vitessCode));
        }
        return $this;
    }

    /**
     * The same with the place that has called.
     *
     * @internal
     */
    public function at(string $callSite): static
    {
        if ($this->callSite === '') {
            $this->callSite = $callSite;
            $this->message .= " Called at $callSite.";
        }
        return $this;
    }
}
