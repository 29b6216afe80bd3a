"""A language model that answers anyone at a steady pace, in a process of its own.

    python -m tests.load.model PORT TOKENS_A_SECOND TOKENS

It does little else, so that what a load costs is the product's: no framework, each piece made once.
`GET /told` says how many tokens it has sent.
"""

import asyncio
import json
import re
import sys
from itertools import cycle, islice

from tests.surroundings import ROOT

SAMPLE = ROOT / "citations" / "sample" / "brca1-breast-cancer.md"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\nconnection: close\r\n\r\n"


def words_of(count: int) -> list[str]:
    """Return the pieces of an answer of so many tokens, one sentence after the other."""
    prose = re.findall(r"[A-Z][^#|*\n]+\.", SAMPLE.read_text().partition("\n## ")[2])
    words = list(islice(cycle(" ".join(prose).split()), count))
    return [f"{word} " for word in words[:-1]] + [words[-1].rstrip(".,;:") + "."]


def chunk(delta: dict[str, str] | None, *, finish: str | None = None, **more: object) -> bytes:
    """Return one event of a stream as it goes over the line."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    head = {"id": "load", "object": "chat.completion.chunk", "created": 0, "model": "load"}
    return f"data: {json.dumps(head | {'choices': choices} | more)}\n\n".encode()


class Model:
    """Answers each question with the same text."""

    def __init__(self, pace: float, tokens: int) -> None:
        self.pause = 1 / pace
        self.pieces = [chunk({"content": word}) for word in words_of(tokens)]
        usage = {"prompt_tokens": 100, "completion_tokens": tokens, "total_tokens": 100 + tokens}
        self.end = chunk({}, finish="stop") + chunk(None, usage=usage) + b"data: [DONE]\n\n"
        self.told = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
            await reader.readexactly(int(length[1]) if length else 0)
            if head.startswith(b"POST"):
                await self._answer(writer)
            else:
                writer.write(HEAD % b"application/json" + json.dumps(self.told).encode())
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has left
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD % b"text/event-stream")
        due = asyncio.get_running_loop().time()
        for piece in self.pieces:
            due += self.pause
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            if writer.is_closing():
                return
            writer.write(piece)
            self.told += 1
        writer.write(self.end)


async def main(port: int, pace: float, tokens: int) -> None:
    server = await asyncio.start_server(Model(pace, tokens).serve, "127.0.0.1", port, backlog=2048)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
