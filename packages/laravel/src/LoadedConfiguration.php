<?php

declare(strict_types=1);

namespace Sluice\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\LoadConfiguration;

/**
 * What the files below `config` say. To look for some forty files and merge them is a third of a boot, so the first application does it, and the others get
 * what they say before any provider changes it.
 *
 * @internal
 */
final class LoadedConfiguration
{
    /** @var array<mixed>|null null: there is none that can be shared */
    private ?array $items = null;

    /** Has an application that is about to boot load its configuration from here, or, when it is the first, keeps what it loads. */
    public function shareWith(Application $app): void
    {
        // A configuration that is cached in a file is quick to load, and Laravel 12.0 has nothing to share one by.
        if ($app->configurationIsCached() || !\method_exists(LoadConfiguration::class, 'alwaysUse')) { // @phpstan-ignore function.alreadyNarrowedType
            return;
        }
        $isFirst = $this->items === null;
        if (!$isFirst) {
            $items = $this->items;
            $app->beforeBootstrapping(LoadConfiguration::class, static fn() => LoadConfiguration::alwaysUse(static fn() => $items));
        }
        $app->afterBootstrapping(LoadConfiguration::class, function (Application $app) use ($isFirst): void {
            if (!$isFirst) {
                LoadConfiguration::alwaysUse(null);
                // It is not what `config:cache` has made, and lacks what providers add.
                $app->instance('config_loaded_from_cache', false);
            } elseif (!$app->configurationIsCached() && !self::hasObjects($items = $app->make(Repository::class)->all())) {
                $this->items = $items;
            }
        });
    }

    /**
     * Objects would belong to several applications.
     *
     * @param array<mixed> $items
     */
    private static function hasObjects(array $items): bool
    {
        foreach ($items as $item) {
            if (\is_object($item) && !$item instanceof \UnitEnum || \is_array($item) && self::hasObjects($item)) {
                return true;
            }
        }
        return false;
    }
}
