<?php

declare(strict_types=1);

namespace Sluice\Symfony\Tests\App;

use Psr\Cache\CacheItemPoolInterface;
use Sluice\HttpFoundation\TopicResponse;
use Sluice\Symfony\{EarlyHints, Publisher};
use Symfony\Component\DependencyInjection\Attribute\Autowire;
use Symfony\Component\Form\Extension\Core\Type\{FileType, IntegerType, TextType};
use Symfony\Component\Form\{FormError, FormFactoryInterface};
use Symfony\Component\HttpFoundation\{BinaryFileResponse, EventStreamResponse, File\UploadedFile, JsonResponse, Request, RequestStack, Response, ServerEvent, StreamedResponse};
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Validator\Constraints\{NotBlank, Positive};
use Symfony\Contracts\Cache\{CacheInterface, ItemInterface};

final class Controller
{
    private static int $made = 0;

    public function __construct(
        private readonly RequestStack $requests,
        private readonly FormFactoryInterface $forms,
        private readonly CurrentUser $user,
        private readonly CacheInterface&CacheItemPoolInterface $cache,
        #[Autowire(service: 'cache.limits')]
        private readonly CacheItemPoolInterface $limits,
        #[Autowire(service: 'lock.reports.factory')]
        private readonly LockFactory $locks,
        private readonly Publisher $publisher,
        private readonly EarlyHints $hints,
    ) {
        ++self::$made;
    }

    public function hello(): Response
    {
        return new Response('hello', 200, ['Content-Type' => 'text/plain', 'X-Two' => ['1', '2']]);
    }

    /** How many kernels this worker has booted. */
    public function kernels(): Response
    {
        return new JsonResponse(self::$made);
    }

    /** Goes on when so many requests of this worker are here. */
    public function crowd(Request $request): Response
    {
        /** @var int $here */
        static $here = 0;
        ++$here;
        for ($i = 0; $here < $request->query->getInt('of') && $i < 2000; ++$i) {
            \usleep(5000);
        }
        return new JsonResponse([$request->query->get('me'), $here >= $request->query->getInt('of')]);
    }

    public function whoami(Request $request): Response
    {
        return new JsonResponse([
            $request->getMethod(), $request->getSchemeAndHttpHost(), $request->getPathInfo(), $request->query->all(), $request->cookies->all(),
            $request->getClientIp() === '127.0.0.1', $request->headers->get('X-Mine'), $request->getLocale(), $request->getContent(), $request->isSecure(),
        ]);
    }

    public function count(Request $request): Response
    {
        $session = $request->getSession();
        $count = $session->get('count', 0);
        \assert(\is_int($count));
        \usleep($request->query->getInt('wait') * 1000);
        $session->set('count', ++$count);
        return new JsonResponse($count);
    }

    public function login(Request $request): Response
    {
        $session = $request->getSession();
        $session->migrate(true);
        $session->set('user', $request->query->get('user'));
        return new JsonResponse($session->get('user'));
    }

    public function logout(Request $request): Response
    {
        $request->getSession()->invalidate();
        return new JsonResponse(null);
    }

    /** Whether this request sees what another one has set meanwhile. */
    public function isolation(Request $request): Response
    {
        $me = $request->query->get('me');
        \assert(\is_string($me));
        $mine = fn(): array => [
            $this->user->name, $this->requests->getCurrentRequest()?->query->get('me'), $request->getSession()->get('me'), $request->getLocale(),
            $this->requests->getMainRequest() === $request, $this->requests->getSession() === $request->getSession(),
        ];
        if ($this->user->name !== null) {
            return new JsonResponse("$me has found {$this->user->name}", 500);
        }
        $this->user->name = $me;
        $request->getSession()->set('me', $me);
        $before = $mine();
        for ($i = 0; $i < 5; ++$i) {
            \usleep(10_000);
            if ($mine() !== $before) {
                return new JsonResponse([$me, $before, $mine()], 500);
            }
        }
        return new JsonResponse($before);
    }

    public function form(Request $request): Response
    {
        $form = $this->forms->createNamedBuilder('order')
            ->add('name', TextType::class, ['constraints' => [new NotBlank()]])
            ->add('number', IntegerType::class, ['constraints' => [new Positive()]])
            ->add('photo', FileType::class, ['required' => false])
            ->getForm();
        $form->handleRequest($request);
        if (!$form->isSubmitted()) {
            throw new BadRequestHttpException('Nothing was sent');
        }
        if (!$form->isValid()) {
            $errors = [];
            foreach ($form->getErrors(true) as $error) {
                \assert($error instanceof FormError);
                $errors[] = $error->getOrigin()?->getName() . ': ' . $error->getMessage();
            }
            // Some versions of Symfony validate a field twice.
            return new JsonResponse(\array_values(\array_unique($errors)), 422);
        }
        $data = $form->getData();
        \assert(\is_array($data));
        $photo = $data['photo'];
        return new JsonResponse([$data['name'], $data['number'], $photo instanceof UploadedFile ? [$photo->getClientOriginalName(), $photo->getSize(), $photo->isValid()] : null]);
    }

    public function upload(Request $request): Response
    {
        $file = $request->files->get('file');
        \assert($file instanceof UploadedFile);
        $type = $file->getMimeType();
        $moved = $file->move((string) \getenv('APP_VAR'), 'moved');
        return new JsonResponse([$file->getClientOriginalName(), $type, $moved->getSize(), \md5_file($moved->getPathname())]);
    }

    public function stream(): Response
    {
        return new StreamedResponse(static function (): void {
            for ($i = 0; $i < 200; ++$i) {
                echo \str_repeat('x', 10_000);
                \flush();
            }
        }, 200, ['Content-Type' => 'text/plain']);
    }

    public function events(): Response
    {
        return new StreamedResponse(static function (): void {
            for ($i = 1; $i <= 3; ++$i) {
                echo "data: $i\n\n";
                @\ob_flush();
                \flush();
                \usleep(20_000);
            }
        }, 200, ['Content-Type' => 'text/event-stream']);
    }

    public function file(): Response
    {
        return (new BinaryFileResponse((string) \getenv('APP_FILE')))->setContentDisposition('attachment', 'report.txt');
    }

    public function temporary(): Response
    {
        $path = \getenv('APP_VAR') . '/temporary';
        \file_put_contents($path, 'only once');
        return (new BinaryFileResponse($path))->deleteFileAfterSend();
    }

    public function fails(): Response
    {
        throw new \DomainException('a bug in a controller');
    }

    /** Ends by a fatal error, where the boot has found that errors should be displayed, as Symfony's runtime does on PHP's command line. */
    public function exhausts(): never
    {
        \ini_set('memory_limit', (string) (\memory_get_usage() + (16 << 20)));
        for ($all = [];;) {
            $all[] = \str_repeat('x', 1 << 20);
        }
    }

    public function body(Request $request): Response
    {
        return new JsonResponse([\strlen($request->getContent()), $request->toArray() !== []]);
    }

    public function secure(Request $request): Response
    {
        return new JsonResponse([$request->isSecure(), $request->getHost(), $request->getClientIp()]);
    }

    /** What the pool has for a key; the first request that asks makes it, in whichever worker. */
    public function cached(Request $request): Response
    {
        if ($request->query->has('clear')) {
            $this->cache->clear();
        }
        $isMade = false;
        $value = $this->cache->get('page', static function (ItemInterface $item) use (&$isMade): array {
            $isMade = true;
            $item->expiresAfter(60);
            return ['by' => \getmypid()];
        });
        $item = $this->limits->getItem('page');
        $wasThere = $item->isHit();
        $this->limits->save($item->set(1));
        $long = $this->limits->getItem('long')->set(\str_repeat('x', 8 << 20));
        return new JsonResponse([\getmypid(), $isMade, $value, $wasThere, $this->limits->save($long)]);
    }

    /** Counts in a file, which is right only when one request counts at a time. */
    public function locked(): Response
    {
        $lock = $this->locks->createLock('report', 5.0);
        $lock->acquire(true);
        $other = $this->locks->createLock('report', 5.0);
        $isOthers = $other->acquire();
        $file = \getenv('APP_VAR') . '/counted';
        $count = (int) @\file_get_contents($file) + 1;
        \usleep(5_000);
        \file_put_contents($file, (string) $count);
        $remaining = $lock->getRemainingLifetime();
        $lock->refresh(2.0);
        $isMine = $lock->isAcquired() && !$other->isAcquired();
        $lock->release();
        return new JsonResponse([$count, $isOthers, $isMine, $remaining > 3.0, $lock->isAcquired()]);
    }

    /** Says something in a chat room by way of a request. */
    public function say(Request $request): Response
    {
        $this->publisher->publish('chat/' . $request->query->getString('room'), $request->query->getString('text'));
        return new JsonResponse($this->publisher->subscribers('chat/' . $request->query->getString('room')));
    }

    public function subscribers(Request $request): Response
    {
        return new JsonResponse($this->publisher->subscribers('chat/' . $request->query->getString('room')));
    }

    /** A page's EventSource. */
    public function live(Request $request): Response
    {
        return new TopicResponse(['chat/' . $request->query->getString('room')], \class_exists(ServerEvent::class)
            ? ['plain', new ServerEvent('welcome', 'state', 500, $request->headers->get('Last-Event-ID', '0'))]
            : ['plain']);
    }

    public function left(): Response
    {
        return new JsonResponse($this->cache->getItem('left')->get());
    }

    public function serverEvents(): Response
    {
        return new EventStreamResponse(static function (): \Generator {
            for ($i = 1; $i <= 3; ++$i) {
                yield new ServerEvent("number $i", 'count', 500, (string) $i);
                \usleep(20_000);
            }
        });
    }

    public function dumps(Request $request): Response
    {
        $request->query->has('end') ? \dd(['what' => 'is dumped']) : \dump(['what' => 'is dumped']);
        return new Response('after the dump');
    }

    public function hints(): Response
    {
        $this->hints->send('</style.css>; rel=preload; as=style', '</app.js>; rel=preload; as=script');
        return new Response('the page');
    }
}
