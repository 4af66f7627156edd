<?php

declare(strict_types=1);

namespace Symfony\Component\PasswordHasher\Command;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;

#[AsCommand('security:hash-password')]
final class UserPasswordHashCommand extends Command {}
