<?php

declare(strict_types=1);

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration {
    public function up(): void
    {
        Schema::table('notes', static function (Blueprint $table): void {
            $table->timestamp('written_at')->nullable();
        });
    }

    public function down(): void
    {
        Schema::dropColumns('notes', 'written_at');
    }
};
