<?php

declare(strict_types=1);

namespace Sluice\Swoole\WhyNot;

enum Verdict: string
{
    case Same = 'same';
    case Differs = 'differs';
    case Missing = 'missing';
}
