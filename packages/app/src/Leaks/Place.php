<?php

declare(strict_types=1);

namespace Sluice\App\Leaks;

/** Names places in services by the id that the service has in its container: of Symfony's, or of Laravel's. */
final class Place
{
    /** `the service "app.cart", ->items` in place of the way from the server through the container. */
    public static function named(string $place): string
    {
        // The last service of the way is the one that holds the value.
        $service = '/^.*->(?:services|privates|instances)\[(["\']?)((?:(?!\1\]).)+)\1\](.*)$/s';
        if (\preg_match($service, $place, $found) !== 1) {
            return $place;
        }
        return "the service \"$found[2]\"" . ($found[3] === '' ? '' : ", $found[3]");
    }
}
