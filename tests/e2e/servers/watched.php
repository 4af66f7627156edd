<?php

declare(strict_types=1);

// Watches FOLDER, from which it takes its answer: answer.php. With TOUCH it writes a file there itself when it boots. With EDITED the
// answer changes while the script boots for the first time.

require getenv('SUPPORT');

use Sluice\Http\{Request, Response};
use Sluice\Worker;

use function Sluice\EndToEnd\{address, server};

$folder = getenv('FOLDER');
$answer = require "$folder/answer.php";
if (getenv('EDITED') && $answer === 'first') {
    file_put_contents("$folder/answer.php", "<?php return 'second';");
}
if (getenv('TOUCH')) {
    file_put_contents("$folder/compiled.php", '<?php // ' . microtime(true));
}
$server = server();
$server->watch([$folder], ['*.php', '*.twig'], quietSeconds: 0.02);
$server->http(address(), fn (Request $request, Response $response) => $response->json([
    'answer' => $answer,
    'generation' => Worker::current()->generation,
]));
$server->run();
