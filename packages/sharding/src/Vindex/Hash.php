<?php

declare(strict_types=1);

namespace Sluice\Sharding\Vindex;

use Sluice\Sharding\{Integer64, KeyException};

/** Vitess's `hash`: the number as eight bytes, encrypted by 3DES with a key of zeros. Reversible. */
final class Hash extends Functional
{
    private const CIPHER = 'des-ede3-ecb';
    private const OPTIONS = \OPENSSL_RAW_DATA | \OPENSSL_ZERO_PADDING;

    public function hash(mixed $value): string
    {
        return (string) \openssl_encrypt(Integer64::of($value)->bytes(), self::CIPHER, \str_repeat("\0", 24), self::OPTIONS);
    }

    /** The unsigned number whose keyspace id this is. */
    public function reverse(string $keyspaceId): string
    {
        if (\strlen($keyspaceId) !== 8) {
            throw new KeyException('The keyspace id ' . \bin2hex($keyspaceId) . ' is not one of the vindex hash, whose ids have 8 bytes.');
        }
        return Integer64::fromBytes((string) \openssl_decrypt($keyspaceId, self::CIPHER, \str_repeat("\0", 24), self::OPTIONS))->text;
    }
}
