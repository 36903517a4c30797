"""Makes the tables beside it: the Unicode character of each CID of Adobe's collections for Chinese, Japanese and Korean.

Run in a checkout of github.com/adobe-type-tools/mapping-resources-pdf (made of commit 2dd5e53f): python make.py FOLDER

A table is packed with zlib. It has a number for each CID in their order, seven bits a byte, the lowest first: 0 without a
character, otherwise 1 more than the distance from the character before, zigzag-coded as in protocol buffers. Variation
selectors are left out, and so are the characters of a CID that stands for several.
"""

import re
import sys
import zlib
from pathlib import Path


def text(units):
    letters = bytes.fromhex(units).decode("utf-16-be")
    return re.sub("[\ufe00-\ufe0f\U000e0100-\U000e01ef\ufffd]", "", letters)


def characters(cmap):
    found = {}
    for block in re.findall("beginbfchar(.*?)endbfchar", cmap, re.S):
        for cid, units in re.findall(r"<(\w+)>\s*<(\w+)>", block):
            found[int(cid, 16)] = text(units)
    for block in re.findall("beginbfrange(.*?)endbfrange", cmap, re.S):
        for first, last, units in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                letters = text(units)
                found[int(first, 16) + step] = letters[:-1] + chr(ord(letters[-1]) + step)
    return [found.get(cid, "") for cid in range(max(found) + 1)]


for name in ["Japan1", "GB1", "CNS1", "Korea1"]:
    packed = bytearray()
    before = 0
    for letters in characters(Path(f"pdf2unicode/Adobe-{name}-UCS2").read_text()):
        number = 0
        if len(letters) == 1:
            step = ord(letters) - before
            before += step
            number = 1 + (step * 2 if step >= 0 else -step * 2 - 1)
        while number > 127:
            packed.append(number & 127 | 128)
            number >>= 7
        packed.append(number)
    (Path(sys.argv[1]) / f"adobe-{name.lower()}.bin").write_bytes(zlib.compress(bytes(packed), 9))
