{{ $shared }} {{ $name }} {{ app()->getLocale() }} {{ __('messages.hello') }} {{ auth()->user()?->name ?? 'guest' }}
