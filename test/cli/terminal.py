"""Runs a command in a terminal of its own and plays a person: waits for words, types, and at last says how it ended and whether the terminal is as it was.

usage: terminal.py '[["wait for", "type"], ...]' COMMAND ARG...
"""

import fcntl
import json
import os
import pty
import select
import sys
import termios
import time

steps = json.loads(sys.argv[1])
master, slave = pty.openpty()
before = termios.tcgetattr(slave)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(slave, stream)
    os.execv(sys.argv[2], sys.argv[2:])

shown = b""


def read_until(words):
    global shown
    start = len(shown)
    end = time.time() + 60
    while words not in shown[start:]:
        if time.time() > end:
            sys.exit(f"never saw {words!r} in {shown!r}")
        ready, _, _ = select.select([master], [], [], 0.1)
        if ready:
            shown += os.read(master, 65536)


raw = []
for words, typed in steps:
    read_until(words.encode())
    raw.append(not termios.tcgetattr(slave)[3] & termios.ICANON)
    os.write(master, typed.encode())
_, status = os.waitpid(pid, 0)
while select.select([master], [], [], 0)[0]:
    shown += os.read(master, 65536)
print(
    json.dumps(
        {
            "code": os.waitstatus_to_exitcode(status),
            "shown": shown.decode(errors="replace"),
            "raw": raw,
            "restored": termios.tcgetattr(slave)[3] == before[3],
        }
    )
)
