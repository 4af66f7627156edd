<?php

function declared_by_require(): string
{
    return 'declared';
}
