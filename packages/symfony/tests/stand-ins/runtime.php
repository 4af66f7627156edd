<?php

declare(strict_types=1);

// What sluice/symfony and sluice/frankenphp use of symfony/runtime, where the package itself is not to be had.

namespace Symfony\Component\Runtime;

interface RunnerInterface
{
    public function run(): int;
}

interface ResolverInterface
{
    /** @return array{callable, array<mixed>} */
    public function resolve(): array;
}

interface RuntimeInterface
{
    public function getResolver(callable $callable): ResolverInterface;

    public function getRunner(?object $application): RunnerInterface;
}

class SymfonyRuntime implements RuntimeInterface
{
    /** @param array<string, mixed> $options */
    public function __construct(protected readonly array $options = []) {}

    public function getResolver(callable $callable): ResolverInterface
    {
        return new class ($callable) implements ResolverInterface {
            /** @param callable $callable */
            public function __construct(private readonly mixed $callable) {}

            public function resolve(): array
            {
                return [$this->callable, []];
            }
        };
    }

    public function getRunner(?object $application): RunnerInterface
    {
        throw new \LogicException('It runs nothing');
    }
}
