<?php

declare(strict_types=1);

namespace Sluice\Sharding;

use Sluice\Sharding\Reshard\{Comparison, Copier, Fence, Group, Part};
use Sluice\Sharding\Xa\Decisions;

/**
 * Moves the rows of shards to shards with other ranges while they are read and written. Each step can be repeated after a kill at any moment:
 * rows are copied without overwriting, and the keys of rows that change meanwhile, from the binary log or by triggers, are copied anew.
 *
 * run() does all steps: prepare(), copy(), follow(), verify(), and for one group of shards after the other switch(). From then on the
 * application's processes find the new shards by themselves. rollBack() leads back from any step before the first switch. When the
 * application has the new map, finish() cleans up.
 */
final class Resharding
{
    /** Writers wait for no longer than this; what is not followed by then is followed without a pause, and the switch tried again. */
    private const PAUSE_SECONDS = 0.7;
    private const ATTEMPTS = 100;
    /** When the changes of this time are copied in less time, they can be copied while writers wait. */
    private const SHORT_SECONDS = 0.3;
    /** Under load each look takes as long as the last: after so many that were not behind a pause is tried all the same. */
    private const LOOKS = 20;
    private const LOCK = 'sluice_reshard';
    /** @var list<Group> */
    private readonly array $groups;
    /** @var list<Part> the tables of each old shard */
    private readonly array $parts;
    /** @var array<string, Copier> by old shards */
    private array $copiers = [];

    /**
     * @param Keyspace $from the shards that are
     * @param Keyspace $to the tables of $from with the shards that shall be; those with a name that $from has, too, stay as they are. When tables have another primary vindex, all rows move
     * @throws ConfigurationException for a new shard in the database of an old one, and for new tables with numbers behind their names
     */
    public function __construct(private readonly Keyspace $from, private readonly Keyspace $to)
    {
        $this->groups = Group::all($from, $to);
        $this->parts = $this->groups === [] ? [] : Part::all($from, $to);
        foreach ($this->groups as $group) {
            foreach ($group->sources as $source) {
                $this->copiers[$source->name] = new Copier($source, $group, $to, $this->parts);
            }
        }
    }

    /**
     * All steps.
     *
     * @param callable(string): mixed $say called with a line for each step
     * @return list<string> what verify() has found wrong; nothing is switched then
     * @throws ShardingException when another process is at it, and when a step is not possible
     */
    public function run(callable $say): array
    {
        if ($this->groups === []) {
            $say('nothing moves: the shards are the same');
            return [];
        }
        $first = $this->groups[0]->sources[0];
        return $first->use(function (\PDO $lock) use ($say, $first): array {
            if (Ask::text($lock, 'SELECT GET_LOCK(?, 20)', [self::LOCK]) !== '1') {
                throw new ShardingException("Another process reshards the shard $first->name. Wait for its end.");
            }
            try {
                return $this->steps($say);
            } finally {
                Ask::rows($lock, 'SELECT RELEASE_LOCK(?)', [self::LOCK]);
            }
        });
    }

    /** Makes the tables of new shards, and begins to note what changes. */
    public function prepare(): void
    {
        foreach ($this->moving() as $copier) {
            $copier->prepare();
        }
    }

    /**
     * Copies all rows that are not there yet, in the order of their primary keys.
     *
     * @return int how many
     */
    public function copy(): int
    {
        return \array_sum(\array_map(static fn(Copier $copier) => $copier->copy(), $this->moving()));
    }

    /**
     * Copies what has changed, until one look finds nothing or the time is over.
     *
     * @return int how many changes the last look has found
     */
    public function follow(float $seconds = 60.0): int
    {
        $until = \microtime(true) + $seconds;
        do {
            $found = \array_sum($this->look());
        } while ($found > 0 && \microtime(true) < $until);
        return $found;
    }

    /** @return list<int> how many changes were copied, by old shard */
    private function look(): array
    {
        return \array_map(static fn(Copier $copier) => $copier->follow(), $this->moving());
    }

    private function catchUp(): void
    {
        for ($looks = 0; $looks < self::LOOKS;) {
            $began = \hrtime(true);
            if (\max([0, ...$this->look()]) < Copier::CHANGES) {
                ++$looks;
                if ((\hrtime(true) - $began) / 1e9 < self::SHORT_SECONDS) {
                    return;
                }
            }
        }
    }

    /**
     * Compares counts and checksums, chunk by chunk.
     *
     * @param bool $follows whether a chunk that differs is looked at again after changes were followed
     * @return list<string> a sentence for each table whose rows differ
     */
    public function verify(bool $follows = true): array
    {
        $wrong = [];
        foreach ($this->groups as $group) {
            foreach ($this->hasMoved($group) ? [] : $this->byTable() as $parts) {
                $difference = (new Comparison($group, $this->copiers, $follows ? $this->look(...) : null))->table($parts);
                if ($difference !== null) {
                    $wrong[] = $difference;
                }
            }
        }
        return $wrong;
    }

    /**
     * Writers wait, the last changes are copied, and writers go on at the new shards: all sources of a group at once, one group after the other.
     *
     * @param null|callable(string): mixed $say called with a line for each step
     */
    public function switch(?callable $say = null): void
    {
        $say ??= static fn(string $line) => null;
        foreach ($this->groups as $group) {
            foreach ($group->sources as $source) {
                if (!$this->copiers[$source->name]->fence->hasMoved()) {
                    $this->copiers[$source->name]->fence->make($this->names());
                }
            }
            $say("fenced {$group->name()}");
            for ($attempt = 1; !$this->hasMoved($group); ++$attempt) {
                if ($attempt > self::ATTEMPTS) {
                    throw new ShardingException("The shards {$group->name()} could not be switched in " . self::ATTEMPTS . ' pauses of ' . self::PAUSE_SECONDS
                        . ' s, for transactions do not end in time, or more is written than is copied. Go on when there is less to do.');
                }
                $this->pause($group, $say);
            }
            foreach ($group->sources as $source) {
                $this->copiers[$source->name]->fence->retire($this->names());
            }
            $say("retired the old tables of {$group->name()}");
        }
    }

    /**
     * Stops noting, leaves the old shards as they were, and drops the tables of the new ones.
     *
     * @throws ShardingException when a shard has been switched: the new shards have rows that the old ones lack
     */
    public function rollBack(): void
    {
        foreach ($this->copiers as $name => $copier) {
            if ($copier->fence->hasMoved()) {
                throw new ShardingException("The rows of the shard $name have moved already, and the new shards may have been written. Go on, or reshard the other way round.");
            }
        }
        foreach ($this->copiers as $copier) {
            $copier->dropTables();
        }
        $this->finish();
    }

    /** Cleans up when the application has the new map. The old rows stay in tables whose names begin with _sluice_moved_. */
    public function finish(): void
    {
        foreach ($this->copiers as $copier) {
            $copier->end();
            $copier->fence->drop($this->names());
            $copier->progress->drop();
        }
    }

    /**
     * @param callable(string): mixed $say
     * @return list<string>
     */
    private function steps(callable $say): array
    {
        $this->prepare();
        $say('prepared');
        $say('copied ' . $this->copy() . ' rows');
        $this->catchUp();
        $say('caught up');
        $wrong = $this->verify();
        if ($wrong !== []) {
            return $wrong;
        }
        $say('verified');
        $this->switch($say);
        return [];
    }

    /** @param callable(string): mixed $say */
    private function pause(Group $group, callable $say): void
    {
        $this->catchUp();
        $transaction = Transaction::ordered($this->from);
        $began = \hrtime(true);
        $seconds = static fn(): float => (\hrtime(true) - $began) / 1e9;
        try {
            foreach ($group->sources as $source) {
                if (!Fence::take($transaction->on($source))) {
                    $transaction->rollBack();
                    $say(\sprintf('writers have not ended, and go on after %.3f s', $seconds()));
                    Runtime::sleep(0.2);
                    return;
                }
            }
            $say("paused {$group->name()}");
            foreach ($group->sources as $source) {
                // Writers that wait have locked their rows already: reading with locks would wait for them, and all others have committed.
                while ($this->copiers[$source->name]->follow(locks: false) > 0) {
                    if ($seconds() > self::PAUSE_SECONDS) {
                        $transaction->rollBack();
                        $say(\sprintf('not followed in time, writers go on after %.3f s', $seconds()));
                        return;
                    }
                }
            }
            foreach ($group->sources as $source) {
                Decisions::handOver($source, $group->targets($source));
                Fence::move($transaction->on($source), $group->targets($source), $this->names(), $group->isMappedAnew ? $this->to->vschema->source : null);
            }
            $transaction->commit();
        } catch (\Throwable $error) {
            $transaction->rollBack();
            throw $error;
        }
        $say(\sprintf('switched %s, writes were paused for %.3f s', $group->name(), $seconds()));
    }

    private function hasMoved(Group $group): bool
    {
        foreach ($group->sources as $source) {
            if (!$this->copiers[$source->name]->fence->hasMoved()) {
                return false;
            }
        }
        return true;
    }

    /** @return list<Copier> those whose rows have not moved yet */
    private function moving(): array
    {
        return \array_values(\array_filter($this->copiers, static fn(Copier $copier) => !$copier->fence->hasMoved()));
    }

    /** @return list<string> of tables on the old shards */
    private function names(): array
    {
        return \array_map(static fn(Part $part) => $part->name, $this->parts);
    }

    /** @return array<string, non-empty-list<Part>> */
    private function byTable(): array
    {
        $parts = [];
        foreach ($this->parts as $part) {
            $parts[$part->table->schema->name][] = $part;
        }
        return $parts;
    }
}
