<?php

declare(strict_types=1);

use App\User;
use Illuminate\Support\Facades\Broadcast;

Broadcast::channel('users.{id}', fn(User $user, int $id) => $user->getKey() === $id);
Broadcast::channel('all', fn(User $user) => true);
Broadcast::channel('room.{number}', fn(User $user, int $number) => $number === 1 ? ['name' => $user->name] : false);
