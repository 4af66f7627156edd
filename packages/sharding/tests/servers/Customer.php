<?php

declare(strict_types=1);

namespace Sluice\Sharding\Tests\servers;

use Illuminate\Database\Eloquent\Model;
use Sluice\Sharding\ShardKey;

#[ShardKey('id', 'UINT64')]
final class Customer extends Model
{
    public $timestamps = false;
    public $incrementing = false;
    protected $table = 'users';
    protected $guarded = [];
}
