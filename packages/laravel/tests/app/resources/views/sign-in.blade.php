<!doctype html>
<title>Sign in</title>
<form method="post" action="/sign-in">
    @csrf
    <input name="name" value="{{ old('name') }}">
    <input name="password" type="password">
    <button>Sign in</button>
    @error('name')<p id="error">{{ $message }}</p>@enderror
</form>
