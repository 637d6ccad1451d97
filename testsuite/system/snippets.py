"""The guides of the project: what stands in them is what the tests run."""
import re

from cell import TOP


def snippets_of(guide):
    """A function that gives the one block of GUIDE that has all the words it is given."""
    text = (TOP / "doc" / guide).read_text()
    blocks = [re.sub("^ {4}", "", block, flags=re.M).strip("\n") + "\n" for block in re.findall(r"(?:^ {4}.*\n|^\n(?= {4}))+", text, re.M)]

    def snippet(*words):
        found = [block for block in blocks if all(word in block for word in words)]
        assert len(found) == 1, (words, found)
        return found[0]
    return snippet
