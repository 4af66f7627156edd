--TEST--
Metrics\Counter, Gauge and Histogram: what they count, and what they refuse
--EXTENSIONS--
sluice
--FILE--
<?php
require __DIR__ . '/attempt.inc';
use Sluice\Metrics\{Counter, Gauge, Histogram};

echo "-- counter\n";
$plain = new Counter('plain_total', 'Plain.');
$plain->inc();
$plain->inc(PHP_INT_MAX - 1);
var_dump($plain->value() === PHP_INT_MAX, (new Counter('plain', 'Plain.'))->value() === PHP_INT_MAX);
$orders = new Counter('orders', 'Orders.', ['country', 'kind']);
$books = $orders->labels(kind: 'book', country: 'DE');
$books->inc();
$books->inc(by: 2.5);
var_dump($orders->labels('DE', kind: 'book')->value(), $orders->labels('DE', 7)->value(), $books::class);
attempt('no labels', fn () => $orders->inc());
attempt('no labels', fn () => $orders->value());
attempt('one', fn () => $orders->labels('DE'));
attempt('three', fn () => $orders->labels('DE', 'book', 'x'));
attempt('unknown', fn () => $orders->labels('DE', sort: 'book'));
attempt('twice', fn () => $orders->labels('DE', country: 'FR'));
attempt('type', fn () => $orders->labels('DE', 1.5));
attempt('UTF-8', fn () => $orders->labels('DE', "\xff"));
attempt('long', fn () => $orders->labels('DE', str_repeat('x', 256)));
attempt('longest', fn () => $orders->labels('', str_repeat('x', 255)));
attempt('again', fn () => $books->labels('DE', 'book'));
attempt('none to give', fn () => $plain->labels('x'));
attempt('falls', fn () => $books->inc(-1));
attempt('NAN', fn () => $books->inc(NAN));
var_dump($books->value(), $plain->labels()->value() === $plain->value());

echo "-- gauge\n";
$gauge = new Gauge('queued', 'Queued.');
$gauge->inc();
$gauge->inc(2);
$gauge->dec(0.5);
var_dump($gauge->value());
$gauge->set(-7);
$gauge->dec();
var_dump($gauge->value());
attempt('INF', fn () => $gauge->inc(INF));
attempt('set INF', fn () => $gauge->set(INF));
attempt('nothing', fn () => $gauge->set());

echo "-- histogram\n";
$seconds = new Histogram('query_seconds', 'Queries.');
$seconds->observe(0.1);
$seconds->observe(3);
var_dump($seconds->count(), $seconds->sum());
attempt('INF', fn () => $seconds->observe(INF));
$sizes = new Histogram('sizes', 'Sizes.', [1, 2.5], ['of']);
$sizes->labels(of: 'a')->observe(1);
var_dump($sizes->labels('a')->count(), $sizes->labels('b')->sum());

echo "-- names\n";
attempt('empty', fn () => new Counter('', 'x'));
attempt('digit', fn () => new Counter('1x', 'x'));
attempt('hyphen', fn () => new Counter('a-b', 'x'));
attempt('colon', fn () => new Gauge('a:b', 'x'));
attempt('long', fn () => new Gauge(str_repeat('x', 129), 'x'));
attempt('ours', fn () => new Gauge('sluice_x', 'x'));
attempt('_total', fn () => new Gauge('x_total', 'x'));
attempt('_count', fn () => new Counter('x_count_total', 'x'));
attempt('help', fn () => new Counter('x', ''));
attempt('help', fn () => new Counter('x', "\xff"));
attempt('help', fn () => new Counter('x', str_repeat('x', 256)));
attempt('labels', fn () => new Counter('x', 'x', ['a', 'a']));
attempt('labels', fn () => new Counter('x', 'x', ['a b']));
attempt('labels', fn () => new Counter('x', 'x', ['__name']));
attempt('labels', fn () => new Counter('x', 'x', [1]));
attempt('labels', fn () => new Counter('x', 'x', array_map(fn (int $i) => "l$i", range(1, 17))));
attempt('le', fn () => new Counter('with_le', 'x', ['le']));
attempt('le', fn () => new Histogram('x', 'x', labels: ['le']));
attempt('series', fn () => new Counter('x', 'x', maxSeries: 0));
attempt('series', fn () => new Histogram('x', 'x', maxSeries: 10001));
attempt('buckets', fn () => new Histogram('x', 'x', []));
attempt('buckets', fn () => new Histogram('x', 'x', [1, 1]));
attempt('buckets', fn () => new Histogram('x', 'x', [1, INF]));
attempt('buckets', fn () => new Histogram('x', 'x', ['1']));
attempt('buckets', fn () => new Histogram('x', 'x', range(1, 65)));

echo "-- one name\n";
attempt('alike', fn () => new Counter('orders_total', 'Other help.', ['country', 'kind'], 5));
attempt('type', fn () => new Gauge('orders', 'Orders.', ['country', 'kind']));
attempt('labels', fn () => new Counter('orders', 'Orders.', ['kind', 'country']));
attempt('buckets', fn () => new Histogram('sizes', 'Sizes.', [1, 2], ['of']));
attempt('constructed', fn () => $plain->__construct('y', 'y'));

echo "-- room\n";
$few = new Counter('few', 'Few.', ['id'], maxSeries: 2);
foreach ([1, 2, 3, 4, 1] as $id) {
    $few->labels($id)->inc();
}
var_dump($few->labels(1)->value(), $few->labels(2)->value(), $few->labels('_other')->value());

echo "-- another process\n";
if (($pid = pcntl_fork()) === 0) {
    $few->labels(2)->inc();
    $seconds->observe(1);
    exit;
}
pcntl_waitpid($pid, $status);
var_dump($few->labels(2)->value(), $seconds->count());
?>
--EXPECTF--
-- counter
bool(true)
bool(true)
float(3.5)
int(0)
string(22) "Sluice\Metrics\Counter"
Error: The counter "orders" has labels: call labels() first
Error: The counter "orders" has labels: call labels() first
ValueError: The counter "orders" has 2 labels (country, kind), values of 1 given
ValueError: The counter "orders" has 2 labels (country, kind), values of 3 given
ValueError: The counter "orders" has no label "sort" beside those given before it
ValueError: The counter "orders" has no label "country" beside those given before it
TypeError: The label "kind" must be a string or an int, float given
ValueError: The label "kind" must be valid UTF-8
ValueError: The label "kind" must have at most 255 bytes, 256 given
longest: fine
Error: The counter has the values of its labels already
ValueError: The counter "plain" has no labels, values of 1 given
ValueError: Sluice\Metrics\Counter::inc(): Argument #1 ($by) must be 0 or more, -1 given: a counter only grows, a Gauge may fall
ValueError: Sluice\Metrics\Counter::inc(): Argument #1 ($by) must be finite, NAN given
float(3.5)
bool(true)
-- gauge
float(2.5)
float(-8)
ValueError: Sluice\Metrics\Gauge::inc(): Argument #1 ($by) must be finite, INF given
set INF: fine
ArgumentCountError: Sluice\Metrics\Gauge::set() expects exactly 1 argument, 0 given
-- histogram
int(2)
float(3.1)
ValueError: Sluice\Metrics\Histogram::observe(): Argument #1 ($value) must be finite, INF given
int(1)
float(0)
-- names
ValueError: Sluice\Metrics\Counter::__construct(): Argument #1 ($name) must be 1 to 128 letters, digits and underscores, not first a digit, "" given
ValueError: Sluice\Metrics\Counter::__construct(): Argument #1 ($name) must be 1 to 128 letters, digits and underscores, not first a digit, "1x" given
ValueError: Sluice\Metrics\Counter::__construct(): Argument #1 ($name) must be 1 to 128 letters, digits and underscores, not first a digit, "a-b" given
ValueError: Sluice\Metrics\Gauge::__construct(): Argument #1 ($name) must be 1 to 128 letters, digits and underscores, not first a digit, "a:b" given
ValueError: Sluice\Metrics\Gauge::__construct(): Argument #1 ($name) must be 1 to 128 letters, digits and underscores, not first a digit, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" given
ValueError: Sluice\Metrics\Gauge::__construct(): Argument #1 ($name) must not begin with "sluice_", as the server's own metrics do, "sluice_x" given
ValueError: Sluice\Metrics\Gauge::__construct(): Argument #1 ($name) must not end with "_total", which is of counters, "x_total" given
ValueError: Sluice\Metrics\Counter::__construct(): Argument #1 ($name) must not end with "_count", which is of histograms, "x_count_total" given
ValueError: Sluice\Metrics\Counter::__construct(): Argument #2 ($help) must be UTF-8 of 1 to 255 bytes
ValueError: Sluice\Metrics\Counter::__construct(): Argument #2 ($help) must be UTF-8 of 1 to 255 bytes
ValueError: Sluice\Metrics\Counter::__construct(): Argument #2 ($help) must be UTF-8 of 1 to 255 bytes
ValueError: Sluice\Metrics\Counter::__construct(): Argument #3 ($labels) must have each name once, "a" is there twice
ValueError: Sluice\Metrics\Counter::__construct(): Argument #3 ($labels) must be names of 1 to 128 letters, digits and underscores, not first a digit or two underscores, "a b" given
ValueError: Sluice\Metrics\Counter::__construct(): Argument #3 ($labels) must be names of 1 to 128 letters, digits and underscores, not first a digit or two underscores, "__name" given
TypeError: Sluice\Metrics\Counter::__construct(): Argument #3 ($labels) must be a list of strings, int given in it
ValueError: Sluice\Metrics\Counter::__construct(): Argument #3 ($labels) must have at most 16 names, 17 given
le: fine
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #4 ($labels) must not have "le", which is the bound of a bucket
ValueError: Sluice\Metrics\Counter::__construct(): Argument #4 ($maxSeries) must be between 1 and 10000, 0 given
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #5 ($maxSeries) must be between 1 and 10000, 10001 given
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #3 ($buckets) must have 1 to 64 bounds, 0 given
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #3 ($buckets) must ascend, 1 follows 1
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #3 ($buckets) must be finite bounds: one for all larger values is added
TypeError: Sluice\Metrics\Histogram::__construct(): Argument #3 ($buckets) must be a list of ints and floats, string given in it
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #3 ($buckets) must have 1 to 64 bounds, 65 given
-- one name
alike: fine
ValueError: Sluice\Metrics\Gauge::__construct(): Argument #1 ($name) must be a new name: this script has a metric "orders" of another type, or with other labels or buckets
ValueError: Sluice\Metrics\Counter::__construct(): Argument #1 ($name) must be a new name: this script has a metric "orders" of another type, or with other labels or buckets
ValueError: Sluice\Metrics\Histogram::__construct(): Argument #1 ($name) must be a new name: this script has a metric "sizes" of another type, or with other labels or buckets
Error: The counter is constructed already
-- room
%s script[%d] warning: the metric few has no room for another set of label values (at most 2, and 4194304 bytes for all metrics): further ones count as the set _other
int(2)
int(1)
int(2)
-- another process
int(2)
int(3)
