<?php

declare(strict_types=1);

// What sluice/symfony uses of symfony/runtime, where the package itself is not to be had.

namespace Symfony\Component\Runtime;

interface RunnerInterface
{
    public function run(): int;
}

interface RuntimeInterface
{
    public function getRunner(?object $application): RunnerInterface;
}

class SymfonyRuntime implements RuntimeInterface
{
    /** @param array<string, mixed> $options */
    public function __construct(protected readonly array $options = []) {}

    public function getRunner(?object $application): RunnerInterface
    {
        throw new \LogicException('It runs nothing');
    }
}
