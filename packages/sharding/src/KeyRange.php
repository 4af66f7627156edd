<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** A range of keyspace ids, by Vitess's notation: `-80`, `80-`, `40-80`, and `-` for all. The end is not part of the range; an empty end is no end. */
final readonly class KeyRange
{
    /**
     * @param string $start the first keyspace id, as bytes
     * @param string $end the keyspace id after the last one, as bytes; '' for none
     */
    public function __construct(public string $start, public string $end) {}

    /** @throws ConfigurationException when it is not hexadecimal, or its end is not above its start */
    public static function parse(string $name): self
    {
        if ($name === '0' || $name === '-') {
            return new self('', '');
        }
        if (!\preg_match('/\A((?:[0-9a-f]{2})*)-((?:[0-9a-f]{2})*)\z/i', $name, $parts)) {
            throw new ConfigurationException("The shard \"$name\" is no key range. Allowed are ranges of hexadecimal bytes such as -80, 80- and 40-80,"
                . ' and - or 0 for a keyspace of one shard.');
        }
        $range = new self((string) \hex2bin($parts[1]), (string) \hex2bin($parts[2]));
        if ($range->end !== '' && \strcmp($range->start, $range->end) >= 0) {
            throw new ConfigurationException("The shard \"$name\" holds nothing, for its end is not above its start. Exchange the two.");
        }
        return $range;
    }

    /** The range of all keyspace ids that begin with these bytes. */
    public static function ofPrefix(string $prefix): self
    {
        $end = $prefix;
        for ($i = \strlen($end) - 1; $i >= 0; --$i) {
            if ($end[$i] !== "\xff") {
                return new self($prefix, \substr($end, 0, $i) . \chr(\ord($end[$i]) + 1));
            }
        }
        return new self($prefix, '');
    }

    public function contains(string $keyspaceId): bool
    {
        return \strcmp($keyspaceId, $this->start) >= 0 && ($this->end === '' || \strcmp($keyspaceId, $this->end) < 0);
    }

    public function intersects(self $other): bool
    {
        return ($this->end === '' || \strcmp($other->start, $this->end) < 0) && ($other->end === '' || \strcmp($this->start, $other->end) < 0);
    }

    public function name(): string
    {
        return \bin2hex($this->start) . '-' . \bin2hex($this->end);
    }
}
