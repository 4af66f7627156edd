--TEST--
intl's default locale and its last error are the process's, as docs/isolation.md says
--EXTENSIONS--
sluice
intl
--FILE--
<?php
require __DIR__ . '/settings.inc';

echo whose(fn () => locale_set_default('ja_JP'), fn () => locale_get_default()), "\n";
echo whose(fn () => normalizer_normalize("\xff"), fn () => [intl_get_error_code(), intl_get_error_message()]), "\n";
?>
--EXPECT--
the process's
the process's
