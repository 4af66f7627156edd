<?php

declare(strict_types=1);

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\{Request, Response};
use Symfony\Component\Routing\Attribute\Route;

/** What the profiler collects, and what an HTTP cache keeps. */
final class DevelopmentController extends AbstractController
{
    #[Route('/dumps/{me}')]
    public function dumps(string $me): Response
    {
        for ($i = 0; $i < 3; ++$i) {
            \dump("number $i of $me");
            \usleep(10_000);
        }
        return new Response("<html><body>$me</body></html>");
    }

    #[Route('/page/{name}')]
    public function page(string $name): Response
    {
        \usleep(20_000);
        $response = new Response("<p>$name " . self::unique() . "</p><esi:include src=\"/fragment/$name\"/>", headers: ['Surrogate-Control' => 'content="ESI/1.0"']);
        return $response->setSharedMaxAge(600);
    }

    #[Route('/fragment/{name}')]
    public function fragment(Request $request, string $name): Response
    {
        return new Response("<i>$name " . self::unique() . '</i>');
    }

    private static function unique(): string
    {
        return \bin2hex(\random_bytes(8));
    }
}
