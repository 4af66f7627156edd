<?php

declare(strict_types=1);

namespace Sluice\Swoole\WhyNot;

/** Reads PHP files without running them, and finds what they use of Swoole. */
final class Scanner
{
    private const SKIPPED = ['vendor', 'node_modules', '.git'];

    /** @var list<Finding> */
    private array $findings = [];
    /** @var array<string, string> lower-case aliases of the file, and what they stand for */
    private array $imports = [];
    private string $file = '';
    /** @var list<\PhpToken> without white space and comments */
    private array $tokens = [];
    private bool $speaksOfSwoole = false;

    /** @return list<Finding> */
    public function scan(string $folder): array
    {
        $this->findings = [];
        foreach (self::files($folder) as $file) {
            $this->file = $file === $folder ? \basename($file) : \ltrim(\substr($file, \strlen(\rtrim($folder, '/'))), '/');
            $this->read((string) \file_get_contents($file));
        }
        return $this->findings;
    }

    /** @return iterable<string> */
    private static function files(string $folder): iterable
    {
        if (\is_file($folder)) {
            yield $folder;
            return;
        }
        foreach (\scandir($folder) ?: [] as $name) {
            $path = "$folder/$name";
            if (\is_dir($path) && !\is_link($path) && $name !== '.' && $name !== '..' && !\in_array($name, self::SKIPPED, true)) {
                yield from self::files($path);
            } elseif (\is_file($path) && \str_ends_with($name, '.php')) {
                yield $path;
            }
        }
    }

    private function read(string $code): void
    {
        if (\preg_match('/swoole|\bCo\\\\|\bgo\(|\bCo::/i', $code) !== 1) {
            return;
        }
        $this->speaksOfSwoole = \stripos($code, 'swoole') !== false;
        $this->imports = [];
        $this->tokens = \array_values(\array_filter(\PhpToken::tokenize($code), static fn(\PhpToken $token): bool => !$token->isIgnorable()));
        foreach ($this->tokens as $at => $token) {
            match (true) {
                $token->is(\T_USE) => $this->import($at),
                $token->is([\T_NAME_QUALIFIED, \T_NAME_FULLY_QUALIFIED, \T_STRING]) => $this->name($at),
                $token->is(\T_CONSTANT_ENCAPSED_STRING) => $this->option($at),
                default => null,
            };
        }
    }

    /** `use Swoole\A;`, `use Swoole\{A, B as C};`, `use function …`. */
    private function import(int $at): void
    {
        $prefix = '';
        $name = '';
        for ($next = $at + 1; isset($this->tokens[$next]) && !\in_array($this->tokens[$next]->text, [';', '('], true); ++$next) {
            $token = $this->tokens[$next];
            if ($token->text === '{') {
                $prefix = $name;
                $name = '';
            } elseif ($token->is(\T_AS)) {
                $this->imports[\strtolower($this->text($next + 1))] = \ltrim($prefix . $name, '\\');
                ++$next;
            } elseif ($token->text === ',' || $token->text === '}') {
                $name = '';
            } elseif ($token->is([\T_NAME_QUALIFIED, \T_NAME_FULLY_QUALIFIED, \T_STRING, \T_NS_SEPARATOR])) {
                $name .= $token->text;
                $whole = \ltrim($prefix . $name, '\\');
                $this->imports[\strtolower((string) \preg_replace('~^.*\\\\~', '', $whole))] = $whole;
            }
        }
    }

    private function name(int $at): void
    {
        $token = $this->tokens[$at];
        $before = $this->text($at - 1);
        $after = $this->text($at + 1);
        if ($before === '->' || $before === '?->') {
            $known = $after === '(' && $this->speaksOfSwoole ? Knowledge::ofCall($token->text) : null;
            $this->note($known, "->$token->text()", $token->line);
            return;
        }
        if ($before === '::' || \in_array(\strtolower($before), ['function', 'const', 'namespace', 'class', 'as', 'goto'], true)) {
            return;
        }
        $name = $this->resolved($token->text);
        if (!self::isSwoole($name)) {
            return;
        }
        if ($after === '::') {
            $member = $this->tokens[$at + 2] ?? null;
            if ($member !== null && $member->is(\T_STRING) && $this->text($at + 3) === '(') {
                $this->note(Knowledge::ofMethod($name, $member->text), "$name::$member->text()", $token->line);
                return;
            }
        }
        if ($after === '(' && \strtolower($before) !== 'new') {
            $this->note(Knowledge::ofFunction($name), "$name()", $token->line);
        } elseif (\preg_match('/^(SWOOLE|WEBSOCKET)_[A-Z0-9_]+$/', $name) === 1) {
            $this->note(Knowledge::ofConstant($name), $name, $token->line);
        } elseif ($before !== '\\' && !$this->isImport($at)) {
            $this->note(Knowledge::ofClass($name), $name, $token->line);
        }
    }

    /** A key of an array that is given to a set(), in a file that speaks of Swoole. */
    private function option(int $at): void
    {
        if ($this->speaksOfSwoole && $this->text($at + 1) === '=>' && $this->isInSet($at)) {
            $name = \trim($this->tokens[$at]->text, '\'"');
            $this->note(Knowledge::ofOption($name) ?? [Verdict::Missing, ''], "option $name", $this->tokens[$at]->line);
        }
    }

    private function isInSet(int $at): bool
    {
        $arrays = 0;
        for ($depth = 0, $before = $at - 1; $before > 0; --$before) {
            $text = $this->text($before);
            $depth += match ($text) {
                ']', ')' => 1,
                '[', '(' => -1,
                default => 0,
            };
            if ($depth < 0 && ($text === '[' || $text === '(')) {
                $depth = 0;
                if ($text === '(' && \strtolower($this->text($before - 1)) === 'set') {
                    return $arrays === 1;
                }
                ++$arrays;
            }
            if ($text === ';' && $depth === 0) {
                return false;
            }
        }
        return false;
    }

    private function resolved(string $name): string
    {
        if (\str_starts_with($name, '\\')) {
            return \substr($name, 1);
        }
        $lower = \strtolower($name);
        if ($lower === 'co' || \str_starts_with($lower, 'co\\')) {
            return 'Swoole\Coroutine' . \substr($name, 2);
        }
        if ($this->speaksOfSwoole && ($lower === 'chan' || $lower === 'go')) {
            return $lower === 'go' ? 'Swoole\Coroutine\go' : 'Swoole\Coroutine\Channel';
        }
        [$first, $rest] = \explode('\\', $name, 2) + ['', ''];
        $import = $this->imports[\strtolower($first)] ?? null;
        return $import === null ? $name : $import . ($rest === '' ? '' : "\\$rest");
    }

    private static function isSwoole(string $name): bool
    {
        return \preg_match('/^(swoole\\\\|swoole_|websocket_(opcode|status|close)_)/i', $name) === 1;
    }

    private function isImport(int $at): bool
    {
        $before = $at - 1;
        while ($before >= 0 && ($this->tokens[$before]->is([\T_NAME_QUALIFIED, \T_NAME_FULLY_QUALIFIED, \T_STRING, \T_NS_SEPARATOR, \T_AS, \T_FUNCTION, \T_CONST])
            || \in_array($this->text($before), ['{', ','], true))) {
            --$before;
        }
        return $before >= 0 && $this->tokens[$before]->is(\T_USE);
    }

    private function text(int $at): string
    {
        return isset($this->tokens[$at]) ? $this->tokens[$at]->text : '';
    }

    /** @param array{Verdict, string}|null $known */
    private function note(?array $known, string $name, int $line): void
    {
        if ($known !== null) {
            $this->findings[] = new Finding($name, $known[0], $known[1], $this->file, $line);
        }
    }
}
