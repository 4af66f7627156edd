<?php

/** @generate-class-entries */

namespace Sluice\Metrics;

/**
 * A number that only grows, such as of orders, for the admin listener's /metrics. Its value lies in memory that all processes of a server
 * share: it is exact over workers that are killed, and goes on over reloads. It begins with 0 when the server begins. Without a server it
 * counts for this process and those that it forks.
 *
 * Declare it before run() or in a worker, once or several times: objects of one name are one metric. A reload may declare it with another
 * type or other labels: then it begins anew.
 *
 * @strict-properties
 * @not-serializable
 */
final class Counter
{
    /**
     * @param string $name 1 to 128 letters, digits and underscores, not first a digit; `_total` is added to it when it does not end with it.
     *     It must not begin with `sluice_`, nor end with what histograms add: `_bucket`, `_count`, `_sum`, `_created`
     * @param string $help what it counts: UTF-8 of 1 to 255 bytes
     * @param list<string> $labels at most 16 names of the form of $name; without two underscores in front
     * @param int $maxSeries sets of label values that are told apart, 1 to 10,000: all others count as one, whose labels say `_other`,
     *     and a warning is logged
     * @throws \ValueError for an argument that is not as said, and when this script has a metric with this name and other labels
     * @throws \Sluice\ServerException for more than 256 metrics, and when the 4 MiB for all of them are full
     */
    public function __construct(string $name, string $help, array $labels = [], int $maxSeries = 1000) {}

    /**
     * The counter for these values of its labels. It begins with 0, and is shown from then on. Keep the object where it is used often.
     *
     * @param string|int ...$values one for each label, by name or in their order; UTF-8 of at most 255 bytes. Not what clients can
     *     choose freely, such as paths: each set is kept as long as the server
     * @throws \ValueError for other names, another number of values, and a value that is not as said
     * @throws \TypeError for a value that is neither a string nor an int
     * @throws \Error when it has its values already
     */
    public function labels(mixed ...$values): static {}

    /**
     * Adds to it.
     *
     * @param int|float $by 0 or more, finite
     * @throws \ValueError for another number
     * @throws \Error when it has labels: call labels() first
     */
    public function inc(int|float $by = 1): void {}

    /**
     * What all processes have counted; a float once a float was added.
     *
     * @throws \Error when it has labels: call labels() first
     */
    public function value(): int|float {}
}

/**
 * A number that rises and falls, such as of jobs in a queue, for the admin listener's /metrics. All processes of a server share its value:
 * set() replaces what another one has set. What a process has added with inc() stays when it is killed before its dec(). As with a Counter
 * a reload keeps the value.
 *
 * @strict-properties
 * @not-serializable
 */
final class Gauge
{
    /**
     * @param string $name 1 to 128 letters, digits and underscores, not first a digit. It must not begin with `sluice_`, nor end with what
     *     counters and histograms add: `_total`, `_bucket`, `_count`, `_sum`, `_created`
     * @param string $help what it says: UTF-8 of 1 to 255 bytes
     * @param list<string> $labels at most 16 names of the form of $name; without two underscores in front
     * @param int $maxSeries sets of label values that are told apart, 1 to 10,000: all others are one, whose labels say `_other`, and a
     *     warning is logged
     * @throws \ValueError for an argument that is not as said, and when this script has a metric with this name and other labels
     * @throws \Sluice\ServerException for more than 256 metrics, and when the 4 MiB for all of them are full
     */
    public function __construct(string $name, string $help, array $labels = [], int $maxSeries = 1000) {}

    /**
     * The gauge for these values of its labels. It begins with 0, and is shown from then on.
     *
     * @param string|int ...$values one for each label, by name or in their order; UTF-8 of at most 255 bytes
     * @throws \ValueError for other names, another number of values, and a value that is not as said
     * @throws \TypeError for a value that is neither a string nor an int
     * @throws \Error when it has its values already
     */
    public function labels(mixed ...$values): static {}

    /**
     * Sets it; also to INF or NAN.
     *
     * @throws \Error when it has labels: call labels() first
     */
    public function set(int|float $value): void {}

    /**
     * Adds to it.
     *
     * @param int|float $by finite
     * @throws \ValueError for another number
     * @throws \Error when it has labels: call labels() first
     */
    public function inc(int|float $by = 1): void {}

    /**
     * Subtracts from it.
     *
     * @param int|float $by finite
     * @throws \ValueError for another number
     * @throws \Error when it has labels: call labels() first
     */
    public function dec(int|float $by = 1): void {}

    /**
     * What it is now.
     *
     * @throws \Error when it has labels: call labels() first
     */
    public function value(): float {}
}

/**
 * How values are distributed, such as the seconds that queries take, for the admin listener's /metrics: counts of values by upper bounds,
 * and their sum. All processes of a server share them, and a reload keeps them, as with a Counter. A process that is killed within
 * observe() may leave a value counted whose amount is not in the sum.
 *
 * @strict-properties
 * @not-serializable
 */
final class Histogram
{
    /**
     * @param string $name 1 to 128 letters, digits and underscores, not first a digit. It must not begin with `sluice_`, nor end with what
     *     counters and histograms add: `_total`, `_bucket`, `_count`, `_sum`, `_created`
     * @param string $help what is measured: UTF-8 of 1 to 255 bytes
     * @param list<int|float>|null $buckets 1 to 64 upper bounds, inclusive, finite and ascending; one for all larger values is added. null:
     *     0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, for seconds, as OpenTelemetry and the
     *     server's own histograms have them
     * @param list<string> $labels at most 16 names of the form of $name but `le`; without two underscores in front
     * @param int $maxSeries sets of label values that are told apart, 1 to 10,000: all others are one, whose labels say `_other`, and a
     *     warning is logged
     * @throws \ValueError for an argument that is not as said, and when this script has a metric with this name and other labels or buckets
     * @throws \Sluice\ServerException for more than 256 metrics, and when the 4 MiB for all of them are full
     */
    public function __construct(string $name, string $help, ?array $buckets = null, array $labels = [], int $maxSeries = 1000) {}

    /**
     * The histogram for these values of its labels. It begins with 0, and is shown from then on.
     *
     * @param string|int ...$values one for each label, by name or in their order; UTF-8 of at most 255 bytes
     * @throws \ValueError for other names, another number of values, and a value that is not as said
     * @throws \TypeError for a value that is neither a string nor an int
     * @throws \Error when it has its values already
     */
    public function labels(mixed ...$values): static {}

    /**
     * Counts a value.
     *
     * @param int|float $value finite
     * @throws \ValueError for another number
     * @throws \Error when it has labels: call labels() first
     */
    public function observe(int|float $value): void {}

    /**
     * How many values all processes have observed.
     *
     * @throws \Error when it has labels: call labels() first
     */
    public function count(): int {}

    /**
     * The sum of these values.
     *
     * @throws \Error when it has labels: call labels() first
     */
    public function sum(): float {}
}
