<?php

declare(strict_types=1);

namespace App\Entity;

use Doctrine\ORM\Mapping as ORM;

#[ORM\Entity]
#[ORM\Table(name: 'notes')]
class Note
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    #[ORM\Column]
    public string $text = '';

    #[ORM\Column(nullable: true)]
    public ?string $file = null;

    public function __construct(
        #[ORM\Column(length: 80)]
        public string $author,
    ) {}
}
