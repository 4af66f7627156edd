<?php

return $_POST['included'] ?? 'none';
