<?php

declare(strict_types=1);

use App\Hello;
use Illuminate\Support\Facades\Route;

Route::get('/', [Hello::class, 'hello']);
Route::get('/waits', [Hello::class, 'waits']);
