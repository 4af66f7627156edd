--TEST--
sluice.swoole loads the package of the project before the script
--EXTENSIONS--
sluice
--FILE--
<?php

$project = sys_get_temp_dir() . '/sluice-layer-' . getmypid();
foreach (['vendor/sluice/swoole/src', 'vendor/framework/bin', 'elsewhere'] as $folder) {
    mkdir("$project/$folder", 0700, true);
}
file_put_contents("$project/vendor/sluice/swoole/src/autoload.php", '<?php echo "layer "; class Layer {}');
file_put_contents("$project/vendor/framework/bin/server", '#!/usr/bin/env php' . "\n" . '<?php echo class_exists("Layer", false) ? "there" : "not there", "\n";');
file_put_contents("$project/other.php", '<?php echo "other ";');
symlink("$project/vendor/framework/bin/server", "$project/elsewhere/link");
$php = escapeshellarg(getenv('SLUICE_PHP') ?: PHP_BINARY);
$run = fn(string $arguments, string $folder = '/') => print shell_exec("cd $folder && $php -d auto_prepend_file= $arguments 2>&1");

$run("-d sluice.swoole=6.2.2 $project/vendor/framework/bin/server");
$run("$project/vendor/framework/bin/server");
$run("-d sluice.swoole=6.2.2 $project/elsewhere/link");
$run('-d sluice.swoole=6.2.2 -r "echo 1, PHP_EOL;"', $project);
$run('-d sluice.swoole=6.2.2 -r "echo 2, PHP_EOL;"');
// What the user has set stays.
$run("-d sluice.swoole=6.2.2 -d auto_prepend_file=$project/other.php $project/vendor/framework/bin/server");
?>
--CLEAN--
<?php
shell_exec('rm -rf ' . escapeshellarg(sys_get_temp_dir()) . '/sluice-layer-*');
?>
--EXPECT--
layer there
not there
layer there
1
2
other not there
