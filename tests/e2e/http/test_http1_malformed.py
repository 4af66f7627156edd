"""Malformed requests, and those that smuggle another one: what RFC 9112 and RFC 9110 ask for each, and that the server is
alive and serves others afterwards.

Each case is the bytes of one connection and what may be answered. A request that is refused must not reach a handler, and
nothing behind it may be read as a further request: the one answer is the last thing on its connection.
"""

import pytest

from http_client import ClosedEarly, HttpConnection

SERVER = dict(script="http1.php", workers=2)

HOST = b"Host: a.example\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n"


def get(line=b"GET / HTTP/1.1\r\n", fields=HOST, end=b"\r\n", rest=b""):
    return line + fields + end + rest


def post(fields, body=b"", line=b"POST / HTTP/1.1\r\n"):
    return line + HOST + fields + b"\r\n" + body


def chunked(body):
    return post(b"Transfer-Encoding: chunked\r\n", body)


# name: (bytes, statuses)
REFUSED = {
    # RFC 9112 section 2.2: lines end with CR LF, and nothing stands before the request line.
    "2.2 bare LF ends the request line": (get(line=b"GET / HTTP/1.1\n"), {400}),
    "2.2 bare LF ends a field": (get(fields=b"Host: a.example\n"), {400}),
    "2.2 bare LF ends the head": (get(end=b"\n"), {400}),
    "2.2 bare CR ends the request line": (get(line=b"GET / HTTP/1.1\r"), {400}),
    "2.2 bare CR ends a field": (get(fields=b"Host: a.example\rX: y\r\n"), {400}),
    "2.2 bare CR within a target": (get(line=b"GET /a\rb HTTP/1.1\r\n"), {400}),
    "2.2 bare CR within a value": (get(fields=HOST + b"X: a\rb\r\n"), {400}),
    "2.2 bare CR within a name": (get(fields=HOST + b"X\rY: b\r\n"), {400}),
    "2.2 CR CR LF ends a field": (get(fields=b"Host: a.example\r\r\n"), {400}),
    "2.2 a blank before the request line": (b" " + get(), {400}),
    "2.2 a tab before the request line": (b"\t" + get(), {400}),
    "2.2 LF before the request line": (b"\n" + get(), {400}),
    "2.2 CR before the request line": (b"\r" + get(), {400}),
    "2.2 many empty lines before the request line": (b"\r\n" * 50 + get(), {400}),
    "2.2 a blank before the first field": (get(fields=b" X: y\r\n" + HOST), {400}),
    "2.2 a tab before the first field": (get(fields=b"\tX: y\r\n" + HOST), {400}),
    "2.2 an empty line of a blank before the fields": (get(fields=b" \r\n" + HOST), {400}),
    "2.2 NUL before the request line": (b"\0" + get(), {400}),
    "2.2 a byte order mark before the request line": (b"\xef\xbb\xbf" + get(), {400}),
    "2.2 TLS where HTTP is spoken": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 40, {400}),
    # Section 2.3: the version.
    "2.3 no version": (b"GET /\r\n\r\n", {400}),
    "2.3 no version but a blank": (b"GET / \r\n\r\n", {400}),
    "2.3 a later major version": (get(line=b"GET / HTTP/2.0\r\n"), {505}),
    "2.3 an earlier major version": (get(line=b"GET / HTTP/0.9\r\n"), {505}),
    "2.3 HTTP/3.0": (get(line=b"GET / HTTP/3.0\r\n"), {505}),
    "2.3 the name in lower case": (get(line=b"GET / http/1.1\r\n"), {400}),
    "2.3 no minor version": (get(line=b"GET / HTTP/1\r\n"), {400}),
    "2.3 no minor version but a dot": (get(line=b"GET / HTTP/1.\r\n"), {400}),
    "2.3 two digits of minor version": (get(line=b"GET / HTTP/1.10\r\n"), {400}),
    "2.3 a zero before the major version": (get(line=b"GET / HTTP/01.1\r\n"), {400}),
    "2.3 a blank within the version": (get(line=b"GET / HTTP/ 1.1\r\n"), {400}),
    "2.3 a comma in the version": (get(line=b"GET / HTTP/1,1\r\n"), {400}),
    "2.3 another protocol": (get(line=b"GET / ICY/1.1\r\n"), {400}),
    "2.3 letters for digits": (get(line=b"GET / HTTP/1.x\r\n"), {400}),
    # Section 3: one space between the parts of the request line.
    "3 two spaces behind the method": (get(line=b"GET  / HTTP/1.1\r\n"), {400}),
    "3 two spaces behind the target": (get(line=b"GET /  HTTP/1.1\r\n"), {400}),
    "3 a tab behind the method": (get(line=b"GET\t/ HTTP/1.1\r\n"), {400}),
    "3 a tab behind the target": (get(line=b"GET /\tHTTP/1.1\r\n"), {400}),
    "3 a vertical tab behind the method": (get(line=b"GET\x0b/ HTTP/1.1\r\n"), {400}),
    "3 a space behind the version": (get(line=b"GET / HTTP/1.1 \r\n"), {400}),
    "3 no target": (get(line=b"GET HTTP/1.1\r\n"), {400}),
    "3 nothing but a method": (b"GET\r\n\r\n", {400}),
    "3 a space within the target": (get(line=b"GET /a b HTTP/1.1\r\n"), {400}),
    "3 no method": (get(line=b" / HTTP/1.1\r\n"), {400}),
    # Section 3.1: the method is a token.
    "3.1 a separator in the method": (get(line=b"GE(T / HTTP/1.1\r\n"), {400}),
    "3.1 a control character in the method": (get(line=b"GE\x01T / HTTP/1.1\r\n"), {400}),
    "3.1 NUL in the method": (get(line=b"GE\0T / HTTP/1.1\r\n"), {400}),
    "3.1 a byte beyond ASCII in the method": (get(line=b"G\xcbT / HTTP/1.1\r\n"), {400}),
    "3.1 a method of 10,000 bytes": (get(line=b"A" * 10000 + b" / HTTP/1.1\r\n"), {400, 501}),
    # Section 3.2: the target, and the Host field that belongs to it.
    "3.2 a fragment in the target": (get(line=b"GET /#top HTTP/1.1\r\n"), {400}),
    "3.2 a control character in the target": (get(line=b"GET /\x07 HTTP/1.1\r\n"), {400}),
    "3.2 NUL in the target": (get(line=b"GET /\0 HTTP/1.1\r\n"), {400}),
    "3.2 DEL in the target": (get(line=b"GET /\x7f HTTP/1.1\r\n"), {400}),
    "3.2 a byte beyond ASCII in the target": (get(line=b"GET /\xc3\xbc HTTP/1.1\r\n"), {400}),
    "3.2 a quote in the target": (get(line=b'GET /"a" HTTP/1.1\r\n'), {400}),
    "3.2 angle brackets in the target": (get(line=b"GET /<a> HTTP/1.1\r\n"), {400}),
    "3.2 an encoded NUL in the path": (get(line=b"GET /a%00b HTTP/1.1\r\n"), {400}),
    "3.2 an encoded line break in the path": (get(line=b"GET /a%0d%0ab HTTP/1.1\r\n"), {400}),
    "3.2 half an encoding in the path": (get(line=b"GET /a%2 HTTP/1.1\r\n"), {400}),
    "3.2 a wrong encoding in the path": (get(line=b"GET /a%zz HTTP/1.1\r\n"), {400}),
    "3.2 no Host": (get(fields=b""), {400}),
    "3.2 two Hosts": (get(fields=HOST + b"Host: b.example\r\n"), {400}),
    "3.2 the same Host twice": (get(fields=HOST + HOST), {400}),
    "3.2 two Hosts in one field": (get(fields=b"Host: a.example, b.example\r\n"), {400}),
    "3.2 an empty Host": (get(fields=b"Host:\r\n"), {400}),
    "3.2 a Host with a path": (get(fields=b"Host: a.example/x\r\n"), {400}),
    "3.2 a Host with a user": (get(fields=b"Host: me@a.example\r\n"), {400}),
    "3.2 a Host with a scheme": (get(fields=b"Host: http://a.example\r\n"), {400}),
    "3.2 a Host with a blank": (get(fields=b"Host: a example\r\n"), {400}),
    "3.2 a Host with a fragment": (get(fields=b"Host: a.example#x\r\n"), {400}),
    "3.2 a Host with a port that is none": (get(fields=b"Host: a.example:http\r\n"), {400}),
    "3.2 a Host with a port out of range": (get(fields=b"Host: a.example:99999\r\n"), {400}),
    "3.2 a Host with half a bracket": (get(fields=b"Host: [::1\r\n"), {400}),
    "3.2 a Host with NUL": (get(fields=b"Host: a\0b\r\n"), {400}),
    "3.2 a blank between Host and its colon": (get(fields=b"Host : a.example\r\n"), {400}),
    "3.2.1 a target that is a relative path": (get(line=b"GET index HTTP/1.1\r\n"), {400}),
    "3.2.1 a target that begins with a query": (get(line=b"GET ?a HTTP/1.1\r\n"), {400}),
    "3.2.2 an absolute target without a host": (get(line=b"GET http:/// HTTP/1.1\r\n"), {400}),
    "3.2.2 an absolute target with a user": (get(line=b"GET http://me@a.example/ HTTP/1.1\r\n"), {400}),
    "3.2.2 an absolute target of another scheme": (get(line=b"GET ftp://a.example/ HTTP/1.1\r\n"), {400}),
    "3.2.3 CONNECT with a path": (get(line=b"CONNECT / HTTP/1.1\r\n"), {400}),
    "3.2.3 CONNECT without a port": (get(line=b"CONNECT a.example HTTP/1.1\r\n"), {400}),
    "3.2.3 an authority as the target of GET": (get(line=b"GET a.example:80 HTTP/1.1\r\n"), {400}),
    "3.2.4 an asterisk as the target of GET": (get(line=b"GET * HTTP/1.1\r\n"), {400}),
    "3.2.4 an asterisk and more": (get(line=b"OPTIONS *a HTTP/1.1\r\n"), {400}),
    # Section 5: the fields.
    "5 a field without a colon": (get(fields=HOST + b"Nonsense\r\n"), {400}),
    "5 a field without a name": (get(fields=HOST + b": value\r\n"), {400}),
    "5 a separator in a name": (get(fields=HOST + b"X(Y): z\r\n"), {400}),
    "5 a byte beyond ASCII in a name": (get(fields=HOST + b"X\xfc: z\r\n"), {400}),
    "5 NUL in a name": (get(fields=HOST + b"X\0: z\r\n"), {400}),
    "5 a blank within a name": (get(fields=HOST + b"X Y: z\r\n"), {400}),
    "5.1 a blank before the colon": (get(fields=HOST + b"X : y\r\n"), {400}),
    "5.1 a tab before the colon": (get(fields=HOST + b"X\t: y\r\n"), {400}),
    "5.2 a folded field": (get(fields=HOST + b"X: y\r\n z\r\n"), {400}),
    "5.2 a field folded by a tab": (get(fields=HOST + b"X: y\r\n\tz\r\n"), {400}),
    "5.2 a folded Transfer-Encoding": (post(b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"), {400}),
    "5.5 NUL in a value": (get(fields=HOST + b"X: a\0b\r\n"), {400}),
    "5.5 a control character in a value": (get(fields=HOST + b"X: a\x08b\r\n"), {400}),
    "5.5 DEL in a value": (get(fields=HOST + b"X: a\x7fb\r\n"), {400}),
    "5.4 too many fields": (get(fields=HOST + b"X: y\r\n" * 101), {431}),
    "5.4 a field that is too long": (get(fields=HOST + b"X: " + b"y" * 20000 + b"\r\n"), {431}),
    "5.4 a name that is too long": (get(fields=HOST + b"X" * 20000 + b": y\r\n"), {431}),
    "3 a target that is too long": (get(line=b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n"), {414}),
    # Section 6.1 and 6.3: Transfer-Encoding, and what stands beside it.
    "6.1 chunked and a length": (post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"), {400}),
    "6.1 a length and chunked": (post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n"), {400}),
    "6.1 chunked twice in one field": (post(b"Transfer-Encoding: chunked, chunked\r\n", b"0\r\n\r\n"), {400}),
    "6.1 chunked in two fields": (post(b"Transfer-Encoding: chunked\r\n" * 2, b"0\r\n\r\n"), {400}),
    "6.1 chunked is not the last coding": (post(b"Transfer-Encoding: chunked, gzip\r\n", b"0\r\n\r\n"), {400}),
    "6.1 identity behind chunked": (post(b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"), {400}),
    "6.1 an unknown coding": (post(b"Transfer-Encoding: frobnicate\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 gzip before chunked": (post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 identity": (post(b"Transfer-Encoding: identity\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 xchunked": (post(b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 chunked in quotes": (post(b'Transfer-Encoding: "chunked"\r\n', b"0\r\n\r\n"), {400, 501}),
    "6.1 chunked with a parameter": (post(b"Transfer-Encoding: chunked;a=b\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 an empty Transfer-Encoding": (post(b"Transfer-Encoding:\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 a comma before chunked": (post(b"Transfer-Encoding: ,chunked\r\n", b"0\r\n\r\n"), {400, 501}),
    "6.1 a vertical tab before chunked": (post(b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n"), {400}),
    "6.1 chunked behind a control character": (post(b"Transfer-Encoding: chunked\x1f\r\n", b"0\r\n\r\n"), {400}),
    "6.1 a blank before the colon of Transfer-Encoding": (post(b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"), {400}),
    "6.1 an underscore in Transfer_Encoding": (post(b"Transfer_Encoding: chunked\r\n", b"0\r\n\r\n"), {400}),
    "6.1 chunked in HTTP/1.0": (post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", b"POST / HTTP/1.0\r\n"), {400}),
    # Section 6.2 and 6.3: Content-Length.
    "6.2 a negative length": (post(b"Content-Length: -1\r\n"), {400}),
    "6.2 a length with a plus": (post(b"Content-Length: +5\r\n", b"hello"), {400}),
    "6.2 a hexadecimal length": (post(b"Content-Length: 0x5\r\n", b"hello"), {400}),
    "6.2 a length with a fraction": (post(b"Content-Length: 5.0\r\n", b"hello"), {400}),
    "6.2 a length with an exponent": (post(b"Content-Length: 5e0\r\n", b"hello"), {400}),
    "6.2 a length with letters": (post(b"Content-Length: 5a\r\n", b"hello"), {400}),
    "6.2 a length with a blank within": (post(b"Content-Length: 1 5\r\n", b"hello"), {400}),
    "6.2 an empty length": (post(b"Content-Length:\r\n"), {400}),
    "6.2 a length beyond 64 bits": (post(b"Content-Length: 18446744073709551621\r\n", b"hello"), {400}),
    "6.2 a length of 2 to the 63": (post(b"Content-Length: 9223372036854775808\r\n", b"hello"), {400}),
    "6.2 a length with thousands": (post(b"Content-Length: 1,000\r\n", b"hello"), {400}),
    "6.2 a length in quotes": (post(b'Content-Length: "5"\r\n', b"hello"), {400}),
    "6.2 a length that reads as octal": (post(b"Content-Length: 010\r\n", b"hello wo"), {400}),
    "6.2 a length in digits of another script": (post(b"Content-Length: \xd9\xa5\r\n", b"hello"), {400}),
    "6.2 an underscore in Content_Length": (post(b"Content_Length: 5\r\n", b"hello"), {400}),
    "6.2 a blank before the colon of Content-Length": (post(b"Content-Length : 5\r\n", b"hello"), {400}),
    "6.3 two lengths": (post(b"Content-Length: 5\r\nContent-Length: 6\r\n", b"hello!"), {400}),
    "6.3 two lengths in one field": (post(b"Content-Length: 5, 6\r\n", b"hello!"), {400}),
    "6.3 the same length twice": (post(b"Content-Length: 5\r\nContent-Length: 5\r\n", b"hello"), {400}),
    "6.3 the same length twice in one field": (post(b"Content-Length: 5, 5\r\n", b"hello"), {400}),
    # Section 7.1: chunks.
    "7.1 a chunk size that is none": (chunked(b"x\r\n"), {400}),
    "7.1 a chunk size with a sign": (chunked(b"+5\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a negative chunk size": (chunked(b"-5\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk size with 0x": (chunked(b"0x5\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a blank before a chunk size": (chunked(b" 5\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 an underscore in a chunk size": (chunked(b"1_0\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 no chunk size": (chunked(b"\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk size beyond 64 bits": (chunked(b"10000000000000005\r\nhello\r\n0\r\n\r\n"), {400, 413}),
    "7.1 a chunk size of many zeros": (chunked(b"0" * 40 + b"5\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk size that ends with LF": (chunked(b"5\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk size that ends with CR": (chunked(b"5\rhello\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk that ends with LF": (chunked(b"5\r\nhello\n0\r\n\r\n"), {400}),
    "7.1 a chunk that ends with CR": (chunked(b"5\r\nhello\r0\r\n\r\n"), {400}),
    "7.1 a chunk that is longer than its size": (chunked(b"5\r\nhello!\r\n0\r\n\r\n"), {400}),
    "7.1 a chunk that is shorter than its size": (chunked(b"7\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1 a last chunk that ends with LF": (chunked(b"0\n\r\n"), {400}),
    "7.1 an end that is LF": (chunked(b"0\r\n\n"), {400}),
    "7.1.1 an extension with a bare LF": (chunked(b"5;a\nhello\r\n0\r\n\r\n"), {400}),
    "7.1.1 an extension with a bare CR": (chunked(b"5;a\rb\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1.1 an extension with NUL": (chunked(b"5;a\0b\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1.1 an extension without a semicolon": (chunked(b"5 a\r\nhello\r\n0\r\n\r\n"), {400}),
    "7.1.1 an extension of 100,000 bytes": (chunked(b"5;" + b"a" * 100_000 + b"\r\nhello\r\n0\r\n\r\n"), {400, 413, 431}),
    "7.1.2 a trailer without a colon": (chunked(b"5\r\nhello\r\n0\r\nnonsense\r\n\r\n"), {400}),
    "7.1.2 a folded trailer": (chunked(b"5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n"), {400}),
    "7.1.2 a trailer with NUL": (chunked(b"5\r\nhello\r\n0\r\nX: \0\r\n\r\n"), {400}),
    "7.1.2 a trailer that ends with LF": (chunked(b"5\r\nhello\r\n0\r\nX: y\n\r\n"), {400}),
    "7.1.2 a length as a trailer": (chunked(b"5\r\nhello\r\n0\r\nContent-Length: 5\r\n\r\n"), {400}),
    "7.1.2 a coding as a trailer": (chunked(b"5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"), {400}),
    "7.1.2 a Host as a trailer": (chunked(b"5\r\nhello\r\n0\r\nHost: b.example\r\n\r\n"), {400}),
    "7.1.2 trailers of 100,000 bytes": (chunked(b"5\r\nhello\r\n0\r\nX: " + b"y" * 100_000 + b"\r\n\r\n"), {400, 431}),
    "7.1 a body over the limit": (chunked(b"200000\r\n" + b"x" * 0x200000 + b"\r\n0\r\n\r\n"), {413}),
    # RFC 9110.
    "9110 15.5.14 a length over the limit": (post(b"Content-Length: 2000000\r\n", b"x"), {413}),
    "9110 10.1.1 an unknown expectation": (get(fields=HOST + b"Expect: the-unexpected\r\n"), {417}),
    "9110 10.1.1 100-continue for a body over the limit": (
        post(b"Content-Length: 2000000\r\nExpect: 100-continue\r\n"), {413}),
    "9110 9.3.8 TRACE with a body": (post(b"Content-Length: 5\r\n", b"hello", b"TRACE / HTTP/1.1\r\n"), {400}),
    "9110 9.3.6 CONNECT with a body": (post(b"Content-Length: 5\r\n", b"hello", b"CONNECT a.example:1 HTTP/1.1\r\n"), {400}),
    "9110 8.3 two types": (post(b"Content-Type: a/b\r\nContent-Type: c/d\r\nContent-Length: 0\r\n"), {400}),
}

# name: (bytes, [(status, body), ...]): odd, but right, or harmless and read in one way only.
TAKEN = {
    "2.2 an empty line before the request line": (b"\r\n" + get(), [(200, b"OK")]),
    "2.3 a later minor version is HTTP/1.1": (get(line=b"GET / HTTP/1.2\r\n"), [(200, b"OK")]),
    "3.2.2 an absolute target": (get(line=b"GET http://b.example/ HTTP/1.1\r\n"), [(200, b"OK")]),
    "3.2.2 an absolute target without a path": (get(line=b"GET http://b.example HTTP/1.1\r\n"), [(200, b"OK")]),
    "3.2.4 an asterisk for OPTIONS": (get(line=b"OPTIONS * HTTP/1.1\r\n"), [(204, b"")]),
    "3.2 a Host in brackets": (get(fields=b"Host: [::1]:8080\r\n"), [(200, b"OK")]),
    "5 no blank behind the colon": (get(fields=b"Host:a.example\r\n"), [(200, b"OK")]),
    "5 blanks around a value": (get(fields=b"Host: \t a.example \t \r\n"), [(200, b"OK")]),
    "5 an empty value": (get(fields=HOST + b"X:\r\n"), [(200, b"OK")]),
    "5.5 a value beyond ASCII": (get(fields=HOST + b"X: \xfc\xff\r\n"), [(200, b"OK")]),
    "6.3 neither length nor coding is no body": (post(b"", SMUGGLED), [(200, b""), (200, b"OK")]),
    "6.3 a length of nothing": (post(b"Content-Length: 0\r\n", SMUGGLED), [(200, b""), (200, b"OK")]),
    "6.3 a length ends the body": (post(b"Content-Length: 5\r\n", b"hello" + SMUGGLED), [(200, b"hello"), (200, b"OK")]),
    "6.3 a body of GET is read and passed over": (
        post(b"Content-Length: 44\r\n", SMUGGLED.ljust(44, b" ") + SMUGGLED, b"GET / HTTP/1.1\r\n"), [(200, b"OK")] * 2),
    "6.1 the coding in capitals": (post(b"Transfer-Encoding: CHUNKED\r\n", b"5\r\nhello\r\n0\r\n\r\n"), [(200, b"hello")]),
    "7.1 a chunk size in capitals": (chunked(b"A\r\n0123456789\r\n0\r\n\r\n"), [(200, b"0123456789")]),
    "7.1 a few zeros before a chunk size": (chunked(b"005\r\nhello\r\n0\r\n\r\n"), [(200, b"hello")]),
    "7.1.1 extensions": (chunked(b'5;a;b=c;d="e;\\"f"\r\nhello\r\n0;g\r\n\r\n'), [(200, b"hello")]),
    "7.1.2 trailers": (chunked(b"5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n" + SMUGGLED), [(200, b"hello"), (200, b"OK")]),
    "9.3.2 pipelined": (get() * 5, [(200, b"OK")] * 5),
    "9110 10.1.1 an expectation of HTTP/1.0 is none": (
        get(line=b"GET / HTTP/1.0\r\n", fields=b"Expect: the-unexpected\r\n"), [(200, b"OK")]),
    "9110 7.8 an unknown upgrade is passed over": (
        get(fields=HOST + b"Connection: upgrade\r\nUpgrade: coffee/1.0\r\n"), [(200, b"OK")]),
    "9110 9.1 methods have a case": (get(line=b"get / HTTP/1.1\r\n"), [(405, None)]),
    "9110 9.3.8 TRACE is for the application": (get(line=b"TRACE / HTTP/1.1\r\n"), [(405, None)]),
}

# Requests that have begun and do not go on: nothing is answered that could be taken for more than it is.
UNFINISHED = {
    "no end of the head": get(end=b""),
    "no end of the request line": b"GET / HTTP/1.1",
    "a body that is too short": post(b"Content-Length: 50\r\n", b"hello"),
    "a chunk that is too short": chunked(b"5\r\nhel"),
    "no last chunk": chunked(b"5\r\nhello\r\n"),
    "no end of the trailers": chunked(b"5\r\nhello\r\n0\r\nX: y\r\n"),
}


def of_head(data):
    return "HEAD" if data.startswith(b"HEAD ") else "GET"


def alive(server):
    with HttpConnection(server.address) as connection:
        response = connection.request("/")
        assert (response.status, response.body) == (200, b"OK")


@pytest.mark.parametrize("name", REFUSED)
def test_refused(server, name):
    data, statuses = REFUSED[name]
    before = len(server.events("request"))
    with HttpConnection(server.address) as connection:
        try:
            connection.send(data + SMUGGLED)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has answered and closed before all was sent
        response = connection.read()
        assert response.status in statuses, response
        assert response.header("connection") == "close", response
        assert connection.take_all() == b"", "what follows was read as a request"
    assert len(server.events("request")) == before, "it has reached the handler"
    alive(server)


@pytest.mark.parametrize("name", TAKEN)
def test_taken(server, name):
    data, answers = TAKEN[name]
    with HttpConnection(server.address) as connection:
        connection.send(data)
        for status, body in answers:
            response = connection.read()
            assert response.status == status, response
            assert body is None or response.body == body, response
    alive(server)


@pytest.mark.parametrize("name", UNFINISHED)
def test_unfinished(server, name):
    before = len(server.events("request"))
    with HttpConnection(server.address) as connection:
        connection.send(UNFINISHED[name])
        connection.socket.shutdown(1)
        try:
            while connection.read().status == 100:
                pass
            raise AssertionError("it was answered as if it were complete")
        except ClosedEarly as closed:
            assert closed.args[0] == b""
    assert len(server.events("request")) == before
    alive(server)


@pytest.mark.parametrize("name", [*REFUSED, *TAKEN])
def test_the_same_byte_by_byte(server, name):
    """The answer does not depend on how the bytes arrive."""
    data, expected = (REFUSED | TAKEN)[name]
    if len(data) > 400:
        pytest.skip("it would take as many packets")
    whole, pieces = [], []
    for answers, step in ((whole, len(data)), (pieces, 1)):
        with HttpConnection(server.address) as connection:
            try:
                for at in range(0, len(data), step):
                    connection.send(data[at:at + step])
                connection.socket.shutdown(1)
            except OSError:
                pass
            try:
                while True:
                    response = connection.read()
                    answers.append((response.status, response.body))
            except ClosedEarly:
                pass
    assert pieces == whole
    alive(server)
