<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\DBAL\Schema\Schema;
use Doctrine\Migrations\AbstractMigration;

final class Version1 extends AbstractMigration
{
    public function up(Schema $schema): void
    {
        $this->addSql('CREATE TABLE notes (user_id BIGINT UNSIGNED, number INT, text VARCHAR(80), PRIMARY KEY (user_id, number))');
        $this->addSql('ALTER TABLE notes ADD written_at DATETIME');
    }
}
