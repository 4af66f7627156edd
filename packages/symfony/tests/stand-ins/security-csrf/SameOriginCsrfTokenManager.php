<?php

declare(strict_types=1);

namespace Symfony\Component\Security\Csrf;

/** What Symfony removes from the container where no token is to be stateless. */
final class SameOriginCsrfTokenManager {}
