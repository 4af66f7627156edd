<?php

declare(strict_types=1);

namespace Sluice\Sharding;

/** How a database of a shard is reached. */
final readonly class Address
{
    /** The database of the shard, '' when the DSN has none. */
    public string $database;
    /** What connections of several shards have in common: addresses with one host share a pool. */
    public string $host;
    /** The DSN without the database when connections can change it by `USE`, else the DSN. */
    public string $hostDsn;

    /**
     * @param string $dsn of PDO, such as `mysql:host=db1;dbname=shop_1`
     * @param array<int, mixed> $options of PDO; not PDO::ATTR_PERSISTENT
     * @param list<string|self> $replicas servers that follow this one, for reads with @replica and for a failover
     * @param list<string|self> $standbys servers that may become the primary without being asked as replicas, such as the other nodes of a Galera cluster
     * @throws ConfigurationException for persistent connections, and for a DSN without a driver
     */
    public function __construct(
        public string $dsn,
        public ?string $user = null,
        #[\SensitiveParameter]
        public ?string $password = null,
        public array $options = [],
        public array $replicas = [],
        public array $standbys = [],
    ) {
        if (!empty($options[\PDO::ATTR_PERSISTENT])) {
            throw new ConfigurationException('A shard must not have PDO::ATTR_PERSISTENT: its connections are pooled already, and would be one session.');
        }
        if (!\preg_match('/\A[a-z]+:/', $dsn)) {
            throw new ConfigurationException("\"$dsn\" is no DSN of PDO. An example: mysql:host=127.0.0.1;dbname=shop_1.");
        }
        $this->database = \preg_match('/(?<=[;:])dbname=([^;]*)/', $dsn, $found) && \str_starts_with($dsn, 'mysql:') ? $found[1] : '';
        $this->hostDsn = $this->database === '' ? $dsn : \rtrim((string) \preg_replace('/(?<=[;:])dbname=[^;]*;?/', '', $dsn), ';');
        $plain = \array_filter($options, static fn(mixed $value) => !\is_object($value));
        $this->host = $this->hostDsn . "\0$user\0" . \md5(\serialize($plain) . $password);
    }

    /** The same with what it does not say itself taken from another address. */
    public function inherit(self $from): self
    {
        return new self($this->dsn, $this->user ?? $from->user, $this->password ?? $from->password, $this->options + $from->options, $this->replicas, $this->standbys);
    }

    public static function of(string|self $address): self
    {
        return \is_string($address) ? new self($address) : $address;
    }
}
