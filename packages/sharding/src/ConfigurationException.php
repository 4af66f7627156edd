<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** A VSchema, a map of shards or an option is not right. Thrown when the keyspace is made. */
final class ConfigurationException extends ShardingException {}
