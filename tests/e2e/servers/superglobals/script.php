<?php

echo $_GET['of_script'] ?? 'script';
