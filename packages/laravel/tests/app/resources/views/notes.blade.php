<!doctype html>
<title>Notes</title>
<p id="who">{{ auth()->user()->name }}</p>
@if (session('status'))<p class="notice">{{ session('status') }}</p>@endif
@error('text')<p id="error">{{ $message }}</p>@enderror
<ul>@foreach (session('notes', []) as $note)<li>{{ $note }}</li>@endforeach</ul>
<form method="post" action="/notes" enctype="multipart/form-data">
    @csrf
    <input name="text" value="{{ old('text') }}">
    <input name="upload" type="file">
    <button>Keep</button>
</form>
<form method="post" action="/sign-out">@csrf<button id="out">Sign out</button></form>
