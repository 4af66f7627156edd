<?php

declare(strict_types=1);

// What Laravel and Carbon need of packages that the test replaces by nothing.

namespace Symfony\Component\Clock {
    interface ClockInterface extends \Psr\Clock\ClockInterface
    {
        public function sleep(float|int $seconds): void;

        public function withTimeZone(\DateTimeZone|string $timezone): static;
    }
}

namespace {
    if (!function_exists('array_last')) {
        function array_first(array $array): mixed
        {
            return $array === [] ? null : $array[array_key_first($array)];
        }

        function array_last(array $array): mixed
        {
            return $array === [] ? null : $array[array_key_last($array)];
        }
    }
}
