<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Doctrine\ORM\Mapping as ORM;
use Sluice\Sharding\ShardKey;

#[ORM\Entity]
#[ORM\Table('users')]
#[ShardKey('id', 'UINT64')]
class Buyer
{
    #[ORM\Id]
    #[ORM\Column(type: 'bigint')]
    public int $id = 0;

    #[ORM\Column]
    public string $name = '';
}
