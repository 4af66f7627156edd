<?php

declare(strict_types=1);

// Loads FOLDER/<name>.php, which declares a class, and answers what the class says.

require_once getenv('FOLDER') . "/{$_GET['name']}.php";
echo new $_GET['name']();
