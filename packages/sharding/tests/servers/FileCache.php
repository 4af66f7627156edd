<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\DBAL\Connection;

/** Files of many storages, asked for as an application does that was written for one database: it knows of no shards. */
final class FileCache
{
    public const TABLES = [
        'CREATE TABLE filecache (fileid BIGINT PRIMARY KEY, storage BIGINT NOT NULL, path VARCHAR(200) NOT NULL, path_hash CHAR(32) NOT NULL, parent BIGINT NOT NULL, name VARCHAR(80) NOT NULL, size BIGINT NOT NULL,'
            . ' UNIQUE KEY (storage, path_hash))',
        'CREATE TABLE filecache_extended (fileid BIGINT PRIMARY KEY, storage BIGINT NOT NULL, upload_time INT NOT NULL)',
        'CREATE TABLE fileid_storage (fileid BIGINT PRIMARY KEY, keyspace_id VARBINARY(16) NOT NULL)',
    ];

    public function __construct(private readonly Connection $db) {}

    public function put(int $id, int $storage, string $path, int $parent, int $size): void
    {
        $this->db->transactional(function () use ($id, $storage, $path, $parent, $size): void {
            $this->db->insert('filecache', ['fileid' => $id, 'storage' => $storage, 'path' => $path, 'path_hash' => \md5($path), 'parent' => $parent, 'name' => \basename($path), 'size' => $size]);
            $this->db->insert('filecache_extended', ['fileid' => $id, 'storage' => $storage, 'upload_time' => 1000 + $id]);
        });
    }

    /** @return array<string, mixed>|false */
    public function byPath(int $storage, string $path): array|false
    {
        $query = $this->db->createQueryBuilder();
        return $query->select('f.fileid', 'f.name', 'f.size', 'e.upload_time')->from('filecache', 'f')
            ->leftJoin('f', 'filecache_extended', 'e', 'e.storage = f.storage AND e.fileid = f.fileid')
            ->where($query->expr()->eq('f.storage', $query->createNamedParameter($storage)))->andWhere('f.path_hash = ' . $query->createNamedParameter(\md5($path)))->fetchAssociative();
    }

    /** @return array<string, mixed>|false */
    public function byId(int $id): array|false
    {
        return $this->db->createQueryBuilder()->select('*')->from('filecache')->where('fileid = :id')->setParameter('id', $id)->fetchAssociative();
    }

    /** @return array<int, array<string, mixed>> */
    public function children(int $storage, int $parent): array
    {
        return $this->db->createQueryBuilder()->select('name', 'size')->from('filecache')->where('storage = :s', 'parent = :p')->orderBy('name')->setParameters(['s' => $storage, 'p' => $parent])->fetchAllAssociative();
    }

    public function move(int $storage, string $from, string $to): int
    {
        return (int) $this->db->executeStatement(
            "UPDATE filecache SET path_hash = MD5(CONCAT(?, SUBSTR(path, ?))), path = CONCAT(?, SUBSTR(path, ?)) WHERE storage = ? AND path LIKE ?",
            [$to, \strlen($from) + 1, $to, \strlen($from) + 1, $storage, \addcslashes($from, '%_\\') . '/%'],
        );
    }

    /** @return array<string, mixed>|false */
    public function used(int $storage): array|false
    {
        return $this->db->fetchAssociative('SELECT COUNT(*) AS files, SUM(size) AS bytes, MAX(size) AS biggest FROM filecache WHERE storage = ?', [$storage]);
    }

    public function remove(int $storage, int $id): int
    {
        $this->db->delete('filecache_extended', ['storage' => $storage, 'fileid' => $id]);
        return (int) $this->db->delete('filecache', ['storage' => $storage, 'fileid' => $id]);
    }
}
