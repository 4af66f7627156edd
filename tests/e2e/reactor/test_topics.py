"""Topics: who hears what, by name and by prefix, once and in order; and who asks about it."""

import asyncio
import json
from urllib.parse import quote

import pytest

from http_client import get
from websocket_client import asynchronous, connect

SERVER = dict(script="topics.php", workers=3, reactors=2)


class Doer:
    """A client of /do."""

    @classmethod
    async def enter(cls, server):
        self = cls()
        self.socket = await connect(server, "/do")
        self.others = []
        self.id = json.loads(await self.socket.recv())["id"]
        return self

    async def do(self, what, **more):
        """The result; what comes meanwhile is kept for receive()."""
        await self.socket.send(json.dumps({"do": what} | more))
        while True:
            message = await self.socket.recv()
            if message.startswith('{"did"'):
                answer = json.loads(message)
                assert answer["did"] == what
                return answer["result"]
            self.others.append(message)

    async def receive(self):
        return self.others.pop(0) if self.others else await self.socket.recv()


async def doers(server, count):
    return await asyncio.gather(*(Doer.enter(server) for _ in range(count)))


async def subscribers(server, topic):
    return json.loads((await asyncio.to_thread(get, server, "/subscribers?topic=" + quote(topic))).body)


async def settled(server, topic, count):
    """A subscription is made by its reactor, a moment after it was asked for."""
    while await subscribers(server, topic) != count:
        await asyncio.sleep(0.01)


async def leave(*everybody):
    await asyncio.gather(*(one.socket.close() for one in everybody))


@asynchronous
async def test_prefixes(server):
    exact, prefix, everything, nothing = everybody = await doers(server, 4)
    assert await exact.do("subscribe", topic="room/1") == "Sent"
    assert await prefix.do("subscribe-prefix", prefix="room/") == "Sent"
    assert await everything.do("subscribe-prefix", prefix="") == "Sent"
    await settled(server, "room/1", 3)
    await settled(server, "room/2", 2)
    await settled(server, "roo", 1)
    await nothing.do("publish", topic="room/2", data="two")
    await nothing.do("publish", topic="elsewhere", data="elsewhere")
    await nothing.do("publish", topic="room/1", data="one")
    assert [await exact.receive()] == ["one"]
    assert [await prefix.receive() for _ in range(2)] == ["two", "one"]
    assert [await everything.receive() for _ in range(3)] == ["two", "elsewhere", "one"]
    assert await prefix.do("unsubscribe-prefix", prefix="room/") == "Sent"
    await settled(server, "room/1", 2)
    await leave(*everybody)
    await settled(server, "room/1", 0)


@asynchronous
async def test_who_matches_in_several_ways_gets_each_message_once(server):
    one, other = await doers(server, 2)
    for prefix in ("", "a", "ab/"):
        await one.do("subscribe-prefix", prefix=prefix)
    await one.do("subscribe", topic="ab/c")
    await one.do("subscribe", topic="ab/c")
    await settled(server, "ab/c", 1)
    for data in ("first", "second", "third"):
        await other.do("publish", topic="ab/c", data=data)
    assert [await one.receive() for _ in range(3)] == ["first", "second", "third"]
    assert await one.do("topics") == ["ab/c"] and one.others == []
    await leave(one, other)


@asynchronous
async def test_topics_of_a_connection(server):
    one, other = await doers(server, 2)
    assert await one.do("topics") == [] and await one.do("prefixes") == []
    for topic in ("a", "b", "ä" * 127):
        await one.do("subscribe", topic=topic)
    await one.do("subscribe-prefix", prefix="a")
    assert sorted(await one.do("topics")) == ["a", "b", "ä" * 127]
    assert await one.do("prefixes") == ["a"]
    assert sorted(await other.do("topics-of", id=one.id)) == ["a", "b", "ä" * 127]
    await one.do("unsubscribe", topic="a")
    assert sorted(await one.do("topics")) == ["b", "ä" * 127]
    await leave(one)
    while await other.do("topics-of", id=one.id):
        await asyncio.sleep(0.01)
    assert await other.do("topics-of", id=12345) == []
    await leave(other)


@asynchronous
async def test_no_more_subscriptions_than_allowed(server):
    one, other = await doers(server, 2)
    for number in range(8):
        assert await one.do("subscribe", topic=f"limited {number}") == "Sent"
    assert await one.do("subscribe", topic="limited 8") == "Dropped"
    assert await one.do("subscribe-prefix", prefix="limited") == "Dropped"
    assert len(await one.do("topics")) == 8
    await one.do("unsubscribe", topic="limited 0")
    assert len(await one.do("topics")) == 7
    assert await one.do("subscribe", topic="limited 8") == "Sent"
    await leave(one, other)


@asynchronous
async def test_a_publication_reaches_the_subscription_made_before_it(server):
    everybody = await doers(server, 12)
    for number, one in enumerate(everybody):
        for turn in range(10):
            topic = f"mine {number} {turn % 5} {turn // 5}"
            await one.do("enter", topic=topic, data=f"hello {turn}")
            assert await one.receive() == f"hello {turn}"
            await one.do("unsubscribe", topic=topic)
    await leave(*everybody)


@pytest.mark.parametrize("how", ["exact", "prefix", "both"])
@asynchronous
async def test_every_subscriber_gets_every_message_once_and_in_order(server, how):
    listeners, publishers = await doers(server, 40), await doers(server, 6)
    topic = f"ordered/{how}"
    for one in listeners:
        if how != "prefix":
            await one.do("subscribe", topic=topic)
        if how != "exact":
            await one.do("subscribe-prefix", prefix=f"ordered/{how[:2]}")
    await settled(server, topic, 40)
    count = 30
    await asyncio.gather(*(one.do("publish-counted", topic=topic, name=f"p{n}", count=count)
                           for n, one in enumerate(publishers)))

    async def check(one):
        seen = {}
        for _ in range(count * len(publishers)):
            name, number = (await one.receive()).rstrip(".").split()
            assert seen.get(name, -1) + 1 == int(number), (name, number, seen)
            seen[name] = int(number)
    await asyncio.gather(*(check(one) for one in listeners))
    for one in listeners:
        assert len(await one.do("topics")) == (how != "prefix") and one.others == []
    await leave(*listeners, *publishers)


@asynchronous
async def test_many_questions_at_once(server):
    one = await Doer.enter(server)
    await one.do("subscribe", topic="topic 7")
    await settled(server, "topic 7", 1)
    answer = json.loads((await asyncio.to_thread(get, server, "/many-questions")).body)
    assert answer == [int(n == 7) for n in range(100)]
    await leave(one)


def test_a_question_is_answered_in_a_fiber_of_the_application_too(server):
    assert get(server, "/own-fiber").body == b"0"


def test_a_question_has_a_deadline(server):
    """0 s are over at once; or the answers were there before the worker looked."""
    answer = get(server, "/deadline").body
    assert answer == b"0" or b"have not answered within 0 s" in answer
