<?php

// Declares what a process can have once only, as old scripts do.

if (isset($_GET['name'])) {
    function greeting(string $name): string
    {
        static $calls = 0;
        return "hello $name, " . ++$calls;
    }
    class Page
    {
        public static array $parts = [];
    }
}
Page::$parts[] = greeting($_GET['name'] ?? 'nobody');
define('PAGE', count(Page::$parts));
header('X-Page: ' . PAGE);
setcookie('seen', $_GET['name']);
echo implode(', ', Page::$parts), ' ', $_SERVER['REMOTE_ADDR'], "\n";
exit;
