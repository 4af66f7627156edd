<?php

declare(strict_types=1);

namespace Sluice\Internal;

use Sluice\{Leak, LeakKind, Server};

/**
 * Compares what a worker keeps after each request with what it kept after the request before; see Server::detectLeaks().
 *
 * The first requests of a kind (method and path) mostly make things that are to be kept: connections, services, compiled templates. So
 * a change counts when requests of its kind have come often enough, or when its place has changed again and again.
 */
final class LeakDetector
{
    /** A place that so many requests have changed is a leak, however different the requests were. */
    private const CHANGES = 20;
    /** So many requests in a row have to take memory before a leak of memory is told. */
    private const GROWING = 10;
    private const MOST_KINDS = 10_000;

    private readonly ProcessState $state;
    /** @var (\Closure(Leak): mixed)|null */
    private readonly ?\Closure $report;
    /** @var array<string, int> by kind of request: how many there were */
    private array $seen = [];
    /** @var array<string, int> by place */
    private array $changes = [];
    /** @var array<string, true> places that were told */
    private array $told = [];
    /** @var list<Leak> of the comparison under way */
    private array $found = [];
    private string $request = '';
    private bool $isWarm = false;
    private bool $isWhole = true;

    /** @var array<string, string> */
    private array $settings = [];
    /** @var array<string, string> by name: what it is */
    private array $registered = [];
    private int $shutdownFunctions = 0;
    private int $buffers = 0;
    /** @var array<int, string> */
    private array $transactions = [];
    /** @var list<string> */
    private array $descriptors = [];
    /** @var array<string, array{string, string}> descriptors that the last comparison found first: the request before it, and where it opened them */
    private array $fresh = [];
    private int $timers = 0;
    private int $coroutines = 0;
    private int $bytes = 0;
    private int $growing = 0;
    private int $grownBytes = 0;
    /** @var array<string, int> by class, when memory began to grow */
    private array $objects = [];

    /**
     * @param (callable(Leak): mixed)|null $report
     * @param list<string> $ignore
     */
    public function __construct(Server $server, ?callable $report, private readonly array $ignore, private readonly int $warmUp)
    {
        $this->state = new ProcessState($server);
        $this->report = $report === null ? null : $report(...);
    }

    /** @param string $request what was handled; '' the first time, before there was anything */
    public function look(string $request): void
    {
        ProcessState::recordWrites(false);
        \gc_collect_cycles();
        $this->compare($request, \memory_get_usage() - $this->bytes);
        ProcessState::recordWrites(true);
        $this->bytes = \memory_get_usage();
    }

    private function compare(string $request, int $grown): void
    {
        if (\count($this->seen) >= self::MOST_KINDS) {
            $this->seen = [];
        }
        $times = $this->seen[$request] ?? 0;
        $this->seen[$request] = $times + 1;
        $this->request = $request;
        $this->isWarm = $times >= $this->warmUp;
        $this->found = [];

        $this->compareValues();
        $this->compareSettings();
        $this->compareRegistrations();
        $this->compareConnections();
        $this->compareCounts();
        if ($request !== '') {
            $this->compareMemory($grown);
            $this->tell();
        }
    }

    private function compareValues(): void
    {
        foreach ($this->state->changes() as [$place, $was, $is, $at]) {
            $this->suspect(LeakKind::Value, $place, $was, $is, $at);
        }
        if ($this->isWhole && !$this->state->isWhole()) {
            $this->isWhole = false;
            \error_log('Leaks are looked for in 300,000 values, and there are more: what is in the others is not seen');
        }
    }

    private function compareSettings(): void
    {
        $before = $this->settings;
        $this->settings = self::settings();
        foreach ($this->settings as $name => $value) {
            if (($before[$name] ?? null) !== $value) {
                $this->suspect(LeakKind::Setting, $name, self::quoted($before[$name] ?? ''), self::quoted($value), ProcessState::calledAt($name));
            }
        }
        foreach (\array_diff_key($before, $this->settings) as $name => $value) {
            $this->suspect(LeakKind::Setting, $name, self::quoted($value), 'not set', ProcessState::calledAt($name));
        }
    }

    private function compareRegistrations(): void
    {
        $before = $this->registered;
        $this->registered = self::registered();
        foreach (\array_diff_key($this->registered, $before) as $name => $what) {
            // Handlers are called by their names; how they are registered does not say which one it is.
            $subject = \preg_replace('/^(the autoloader|the (error|exception) handler) .*/s', '$1', $what);
            $this->suspect(LeakKind::Registration, $what, '', 'registered', ProcessState::calledAt($subject));
        }
        $functions = $this->shutdownFunctions;
        $this->shutdownFunctions = ProcessState::shutdownFunctions();
        if ($this->shutdownFunctions > $functions) {
            $this->suspect(LeakKind::Registration, 'shutdown functions', (string) $functions, (string) $this->shutdownFunctions, ProcessState::calledAt('shutdown functions'));
        }
        $buffers = $this->buffers;
        $this->buffers = \ob_get_level();
        if ($this->buffers > $buffers) {
            $this->suspect(LeakKind::OutputBuffer, 'output buffers', (string) $buffers, (string) $this->buffers, ProcessState::calledAt('output buffers'));
        }
    }

    private function compareConnections(): void
    {
        $before = $this->transactions;
        $this->transactions = ProcessState::transactions();
        foreach (\array_diff_key($this->transactions, $before) as $what) {
            // No request leaves a transaction open on purpose: one change is enough.
            $this->suspect(LeakKind::Transaction, "a transaction of $what", '', 'open', isSure: true);
        }
        $before = $this->descriptors;
        $this->descriptors = ProcessState::descriptors();
        // A file that is on its way to a client, say, is closed soon.
        foreach (\array_intersect($this->descriptors, \array_keys($this->fresh)) as $descriptor) {
            $place = \preg_replace(['/^\d+, /', '/\[\d+\]/'], '', $descriptor);
            [$request, $at] = $this->fresh[$descriptor];
            $this->suspect(LeakKind::Descriptor, "descriptor $descriptor", '', 'open', $at, true, "descriptor $place", $request);
        }
        $this->fresh = [];
        foreach (\array_diff($this->descriptors, $before) as $descriptor) {
            if ($this->isWarm) {
                $file = \preg_replace('/^\d+, /', '', $descriptor);
                $this->fresh[$descriptor] = [$this->request, ProcessState::calledAt("descriptor $file") ?: ProcessState::calledAt('descriptor')];
            }
        }
    }

    private function compareCounts(): void
    {
        $timers = $this->timers;
        $this->timers = ProcessState::timers();
        if ($this->timers > $timers) {
            $this->suspect(LeakKind::Timer, 'active timers', (string) $timers, (string) $this->timers, ProcessState::calledAt('active timers'));
        }
        $coroutines = $this->coroutines;
        $this->coroutines = ProcessState::coroutines();
        if ($this->coroutines > $coroutines) {
            $this->suspect(LeakKind::Coroutine, 'coroutines', (string) $coroutines, "$this->coroutines:" . ProcessState::places());
        }
    }

    private function compareMemory(int $grown): void
    {
        if (!$this->isWarm) {
            return;
        }
        if ($grown <= 0) {
            $this->growing = 0;
            return;
        }
        if ($this->growing++ === 0) {
            $this->objects = ProcessState::objects();
            $this->grownBytes = 0;
            return;
        }
        $this->grownBytes += $grown;
        if ($this->growing <= self::GROWING) {
            return;
        }
        $more = [];
        foreach (ProcessState::objects() as $class => $count) {
            $added = $count - ($this->objects[$class] ?? 0);
            if ($added >= self::GROWING) {
                $more[] = "$added objects of $class";
            }
        }
        $what = \sprintf('grown by %s bytes in %d requests', \number_format($this->grownBytes), self::GROWING);
        $this->suspect(LeakKind::Memory, 'memory', '', $what . ($more === [] ? '' : ', with ' . \implode(', ', $more)));
        $this->growing = 0;
    }

    /**
     * @param bool $isSure whether one change is enough
     * @param string|null $name stands for the place in the list of what was told; for places with another text each time
     */
    private function suspect(
        LeakKind $kind,
        string $place,
        string $was,
        string $is,
        string $at = '',
        bool $isSure = false,
        ?string $name = null,
        ?string $request = null,
    ): void {
        $name ??= $place;
        if ($this->request === '' || isset($this->told[$name])) {
            return;
        }
        $changes = $this->changes[$name] = ($this->changes[$name] ?? 0) + 1;
        if (!$isSure && !$this->isWarm && $changes < self::CHANGES) {
            return;
        }
        unset($this->changes[$name]);
        $this->told[$name] = true;
        foreach ($this->ignore as $pattern) {
            if (\fnmatch($pattern, $place, \FNM_NOESCAPE)) {
                return;
            }
        }
        $this->found[] = new Leak($kind, $place, $was, $is, $request ?? $this->request, $at);
    }

    private function tell(): void
    {
        foreach ($this->found as $leak) {
            \error_log("Leak: $leak");
            if ($this->report !== null) {
                ($this->report)($leak);
            }
        }
        // What the report itself has changed is not the next request's.
        if ($this->found !== [] && $this->report !== null) {
            $this->state->changes();
            $this->settings = self::settings();
        }
        $this->found = [];
    }

    private static function quoted(string $value): string
    {
        return "\"$value\"";
    }

    /** @return array<string, string> */
    private static function settings(): array
    {
        $settings = [
            'the time zone' => \date_default_timezone_get(),
            'the locale' => (string) \setlocale(\LC_ALL, '0'),
            'the folder' => (string) \getcwd(),
            'the umask' => \sprintf('%04o', \umask()),
        ];
        foreach (['mb_internal_encoding', 'mb_substitute_character', 'mb_language', 'mb_regex_encoding', 'mb_http_output', 'libxml_use_internal_errors'] as $function) {
            if (\function_exists($function)) {
                $value = $function();
                $settings["$function()"] = \is_scalar($value) ? (string) $value : '';
            }
        }
        foreach (\ini_get_all(null, false) ?: [] as $name => $value) {
            $settings["the setting $name"] = (string) $value;
        }
        foreach (\getenv() as $name => $value) {
            $settings["the environment variable $name"] = $value;
        }
        return $settings;
    }

    /** @return array<string, string> what is registered, by a unique name */
    private static function registered(): array
    {
        $registered = [];
        foreach (\spl_autoload_functions() as $place => $function) {
            $registered[self::identity($function, $place)] = 'the autoloader ' . self::named($function);
        }
        $handler = \set_error_handler(static fn(): bool => false);
        \restore_error_handler();
        if ($handler !== null) {
            $registered['error handler, ' . self::identity($handler, 0)] = 'the error handler ' . self::named($handler);
        }
        $handler = \set_exception_handler(null);
        \restore_exception_handler();
        if ($handler !== null) {
            $registered['exception handler, ' . self::identity($handler, 0)] = 'the exception handler ' . self::named($handler);
        }
        foreach (\stream_get_wrappers() as $name) {
            $registered["wrapper $name"] = "the stream wrapper $name";
        }
        foreach (\stream_get_filters() as $name) {
            $registered["filter $name"] = "the stream filter $name";
        }
        return $registered;
    }

    private static function identity(callable $function, int|string $place): string
    {
        return match (true) {
            \is_object($function) => \spl_object_id($function) . ", $place",
            \is_array($function) && \is_object($function[0]) => \spl_object_id($function[0]) . ", $place, " . $function[1],
            default => self::named($function),
        };
    }

    private static function named(callable $function): string
    {
        if ($function instanceof \Closure) {
            $reflection = new \ReflectionFunction($function);
            return $reflection->getFileName() . ':' . $reflection->getStartLine();
        }
        return match (true) {
            \is_array($function) => (\is_object($function[0]) ? $function[0]::class : $function[0]) . '::' . $function[1] . '()',
            \is_object($function) => $function::class,
            default => "$function()",
        };
    }
}
