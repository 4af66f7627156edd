--TEST--
What PHP calls of objects by itself may wait: ten coroutines get what they get without waiting
--EXTENSIONS--
sluice
dom
igbinary
pdo
pdo_sqlite
simplexml
soap
sqlite3
xmlwriter
--FILE--
<?php
require __DIR__ . '/compare.inc';
require __DIR__ . '/magic.inc';

$said = '';
foreach (recipes_of_magic() as $method => $recipe) {
    $difference = difference($recipe);
    if ($difference) $said .= "$method: $difference\n";
}
echo $said, 'done';
?>
--EXPECT--
done
