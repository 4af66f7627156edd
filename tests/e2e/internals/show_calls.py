"""Prints what a page of docs/internals follows as it happened: show_calls.py request process

One line for each call, below the process and thread that made it. For writing a page, and for finding out why a step fails."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "helpers")]

from test_call_order import DONE, order_of, why_not_traced

if why_not_traced():
    sys.exit(f"show_calls.py: {why_not_traced()}")
if len(sys.argv) != 3 or sys.argv[1] not in DONE or sys.argv[2] not in ("process", "base"):
    sys.exit(f"usage: show_calls.py {'|'.join(DONE)} process|base")
order = order_of(*sys.argv[1:])
last = None
for call in order.calls:
    thread = (call.process, call.thread)
    if thread != last:
        roles = [role for role, threads in order.threads.items() if thread in threads]
        print(f"--- {' and '.join(roles) or 'another thread'} ({call.process}/{call.thread})")
        last = thread
    print(f"    {call.function}")
