<?php

declare(strict_types=1);

namespace App\Controller;

use App\Entity\{Note, User};
use App\Visitor;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\HttpFoundation\{JsonResponse, Request, RequestStack, Response};
use Symfony\Component\Routing\Attribute\Route;
use Symfony\Component\Routing\RequestContext;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorageInterface;
use Symfony\Component\Security\Core\Authentication\Token\UsernamePasswordToken;
use Symfony\Component\Security\Csrf\CsrfTokenManagerInterface;
use Symfony\Contracts\Translation\{LocaleAwareInterface, TranslatorInterface};
use Twig\Environment;

/** A request that sets all that it can, waits, and looks whether its settings are unchanged. */
final class IsolationController extends AbstractController
{
    public function __construct(
        private readonly Visitor $visitor,
        private readonly RequestStack $requests,
        private readonly TokenStorageInterface $tokens,
        private readonly EntityManagerInterface $entities,
        #[Autowire(service: 'translator')]
        private readonly TranslatorInterface&LocaleAwareInterface $translator,
        private readonly RequestContext $context,
        private readonly Environment $twig,
        private readonly CsrfTokenManagerInterface $csrf,
    ) {}

    /** @return JsonResponse what is not as it should be: [as it is, as it should be] */
    #[Route('/isolation/{me}')]
    public function isolation(Request $request, string $me): Response
    {
        $number = \crc32($me);
        $before = $this->state();
        $locale = ['en', 'de', 'fr', 'es', 'it'][$number % 5];
        $zone = \DateTimeZone::listIdentifiers()[$number % 400];
        $wantsDatabase = $request->query->has('database');

        $user = new User($me);
        $this->tokens->setToken(new UsernamePasswordToken($user, 'main', ['ROLE_' . \strtoupper($me)]));
        $request->getSession()->set('me', $me);
        $csrf = $this->csrf->getToken('form')->getValue();
        $request->setLocale($locale);
        $this->translator->setLocale($locale);
        $this->context->setParameter('me', $me);
        $request->query->set('me', $me);
        \date_default_timezone_set($zone);
        \ini_set('precision', (string) ($number % 17 + 1));
        $this->visitor->name = $me;
        Visitor::$last = $me;
        $_SERVER['WHO'] = $me;
        $GLOBALS['who'] = $me;
        $writes = $wantsDatabase && $request->query->get('database') !== 'reads';
        if ($wantsDatabase) {
            $this->entities->beginTransaction();
            $note = new Note($me);
            $note->text = $me;
            $this->entities->persist($note);
            if ($writes) {
                $this->entities->flush();
            }
        }
        $expected = $this->state();
        $wrong = [];
        for ($i = 0; $i < 5 && $wrong === []; ++$i) {
            \usleep(10_000);
            if ($wantsDatabase) {
                $this->entities->getConnection()->fetchOne('SELECT COUNT(*) FROM notes');
            }
            foreach ($this->state() as $what => $value) {
                if ($value !== $expected[$what]) {
                    $wrong[$what] = [$value, $expected[$what]];
                }
            }
        }
        $mine = [
            'user' => [$this->getUser()?->getUserIdentifier(), $me],
            'role' => [$this->isGranted('ROLE_' . \strtoupper($me)), true],
            'session' => [$this->requests->getSession()->get('me'), $me],
            'csrf' => [$this->csrf->getToken('form')->getValue(), $csrf],
            'locale' => [$request->getLocale(), $locale],
            'formats' => [\Locale::getDefault(), $locale],
            'translator' => [$this->translator->getLocale(), $locale],
            'zone' => [\date_default_timezone_get(), $zone],
            'precision' => [\ini_get('precision'), (string) ($number % 17 + 1)],
            'context' => [$this->context->getParameter('me'), $me],
            'static' => [Visitor::$last, $me],
            'globals' => [[$_SERVER['WHO'] ?? null, $GLOBALS['who'] ?? null], [$me, $me]],
            'template' => [\trim($this->twig->render('visitor.txt.twig')), "$me $me $locale $me"],
            'request' => [$this->requests->getMainRequest() === $request, true],
        ];
        if ($wantsDatabase) {
            $mine['transaction'] = [$this->entities->getConnection()->getTransactionNestingLevel(), 1];
            $mine['persisted'] = [$this->entities->contains($note), true];
            if ($writes) {
                $mine['rows'] = [$this->entities->getConnection()->fetchFirstColumn('SELECT author FROM notes'), [$me]];
                $number % 2 === 0 && $this->entities->rollback();
            }
        }
        foreach ($mine as $what => [$is, $shouldBe]) {
            $is === $shouldBe || $wrong[$what] = [$is, $shouldBe];
        }
        // Each request begins with what the boot has left, whatever other requests have done.
        foreach (['user' => null, 'session' => null, 'visitor' => null, 'static' => null, 'locale' => 'en', 'translator' => 'en', 'formats' => 'en', 'zone' => 'UTC', 'precision' => '14', 'level' => 0, 'managed' => 0, 'globals' => [null, null]] as $what => $shouldBe) {
            $before[$what] === $shouldBe || $wrong["$what before"] = [$before[$what], $shouldBe];
        }
        return new JsonResponse($wrong);
    }

    #[Route('/count/{author}')]
    public function count(string $author): Response
    {
        return new JsonResponse($this->entities->getRepository(Note::class)->count(['author' => $author]));
    }

    /** A transaction that nobody ends. */
    #[Route('/left-open/{author}')]
    public function leftOpen(string $author): Response
    {
        $this->entities->beginTransaction();
        $this->entities->persist(new Note($author));
        $this->entities->flush();
        return new JsonResponse($this->entities->getConnection()->getTransactionNestingLevel());
    }

    /** An entity manager that is closed by a failure. */
    #[Route('/closed')]
    public function closed(): Response
    {
        $this->entities->persist(new User('anna'));
        $this->entities->flush();
        return new JsonResponse('kept twice');
    }

    /** @return array<string, mixed> */
    private function state(): array
    {
        $request = $this->requests->getCurrentRequest();
        return [
            'kernel' => \spl_object_id($this->container),
            'path' => $request?->getPathInfo(),
            'user' => $this->getUser()?->getUserIdentifier(),
            'session' => $request?->getSession()->get('me'),
            'locale' => $request?->getLocale(),
            'translator' => $this->translator->getLocale(),
            'zone' => \date_default_timezone_get(),
            'formats' => \Locale::getDefault(),
            'precision' => \ini_get('precision'),
            'visitor' => $this->visitor->name,
            'static' => Visitor::$last,
            'globals' => [$_SERVER['WHO'] ?? null, $GLOBALS['who'] ?? null],
            'level' => $this->entities->getConnection()->getTransactionNestingLevel(),
            'managed' => $this->entities->getUnitOfWork()->size() + \count($this->entities->getUnitOfWork()->getScheduledEntityInsertions()),
            'manager' => $this->entities->isOpen(),
        ];
    }
}
