<?php
// Finds the classes of the generated client, as `composer install` would arrange it, and Guzzle where Debian puts it.
declare(strict_types=1);

require_once '/usr/share/php/GuzzleHttp/autoload.php';

const SOURCES = __DIR__ . '/generated/lib/';

spl_autoload_register(function (string $class): void {
    $file = SOURCES . str_replace('\\', '/', substr($class, strlen('Ledger\\'))) . '.php';
    if (str_starts_with($class, 'Ledger\\') && is_file($file)) {
        require_once $file;
    }
});

// `php load.php all` compiles and loads every file.
if (($argv[1] ?? '') === 'all' && realpath($argv[0]) === __FILE__) {
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(SOURCES)) as $file) {
        if ($file->getExtension() === 'php') {
            require_once $file->getPathname();
        }
    }
}
