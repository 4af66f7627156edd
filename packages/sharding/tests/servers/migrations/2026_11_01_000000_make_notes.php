<?php

declare(strict_types=1);

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::create('notes', static function (Blueprint $table): void {
            $table->unsignedBigInteger('user_id');
            $table->unsignedInteger('number');
            $table->string('text', 80)->index();
            $table->primary(['user_id', 'number']);
        });
    }

    public function down(): void
    {
        Schema::drop('notes');
    }
};
