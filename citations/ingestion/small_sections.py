"""Small sections: consecutive ones under one heading are merged, to share a passage."""

from collections.abc import Iterable, Iterator, Sequence

from citations.formats.blocks import Block, BlockKind
from citations.formats.reading import Section

# Maximum number of words in a small section, and in the sections that share a passage.
TINY, SHARED = 25, 120


def merge_small(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield the sections; consecutive tiny ones with one parent are merged, with their headings."""
    run: list[Section] = []
    for section in sections:
        if run and not (is_tiny(section) and can_join_run(run, section)):
            yield from join_run(run)
            run = []
        if is_tiny(section):
            run.append(section)
        else:
            yield section
    yield from join_run(run)


def is_tiny(section: Section) -> bool:
    return len(section.headings) > 1 and count_words(section) <= TINY


def count_words(section: Section) -> int:
    return sum(len(block.text.split(maxsplit=TINY)) for block in section.blocks[: TINY + 1])


def can_join_run(run: Sequence[Section], section: Section) -> bool:
    last = run[-1]
    return (
        (last.headings[:-1], last.page) == (section.headings[:-1], section.page)
        and last.headings != section.headings
        and sum(map(count_words, [*run, section])) <= SHARED
    )


def join_run(run: Sequence[Section]) -> Iterator[Section]:
    if len(run) < 2:
        yield from run
        return
    blocks: list[Block] = []
    for section in run:
        blocks += [Block(BlockKind.HEADING, section.headings[-1]), *section.blocks]
    yield Section(run[0].headings[:-1], blocks, run[0].page)
