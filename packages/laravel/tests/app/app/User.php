<?php

declare(strict_types=1);

namespace App;

use Illuminate\Foundation\Auth\User as Authenticatable;

/** @property string $name */
final class User extends Authenticatable
{
    public $timestamps = false;
    protected $guarded = [];

    /** What a request has set for itself. */
    public static ?string $lastSaved = null;

    protected static function booted(): void
    {
        self::saved(static fn(self $user) => self::$lastSaved = $user->name);
    }
}
