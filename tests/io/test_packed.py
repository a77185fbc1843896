"""Compressed files: read whatever they are called, written by their name, never half."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from wordorder.errors import BadFile
from wordorder.io.files import open_binary, open_output
from wordorder.io.packed import rejoined, unpacked_from

TEXT = b"".join(b"line %d of a file\n" % number for number in range(20_000))


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


def content(path: Path) -> bytes:
    with open_binary(str(path)) as handle:
        return handle.read()


@pytest.mark.parametrize("name", ["plain.txt", "wrong.gz", "x"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
def test_packing_is_known_by_content_not_by_name(tmp_path: Path, name: str, pack: type[bytes]) -> None:
    path = tmp_path / name
    for text in (TEXT, b"short", b""):
        path.write_bytes(pack(text))
        assert content(path) == text


def test_several_archives_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"") + gzip.compress(TEXT) + b"\0" * 8)
    assert content(path) == b"one\n" + TEXT
    skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
    path.write_bytes(skippable + zstd(b"one\n") + zstd(b"") + skippable + zstd(TEXT))
    assert content(path) == b"one\n" + TEXT


@pytest.mark.parametrize(("pack", "kind"), [(gzip.compress, "gzip"), (zstd, "zstd")])
def test_archives_that_are_cut_off_or_damaged_are_errors_of_the_file(
    tmp_path: Path, pack: type[bytes], kind: str
) -> None:
    path = tmp_path / "x.txt"
    packed = pack(TEXT)
    for size in (12, len(packed) // 2, len(packed) - 1):
        path.write_bytes(packed[:size])
        with pytest.raises(BadFile, match=f"^{path}: the {kind} archive is cut off after [0-9,]+ bytes"):
            content(path)
    middle = len(packed) // 2
    path.write_bytes(
        packed[:middle] + bytes(255 - b for b in packed[middle : middle + 40]) + packed[middle + 40 :]
    )
    with pytest.raises(BadFile, match=f"the {kind} archive is (damaged|cut off)"):
        content(path)
    path.write_bytes(packed + b"garbage")
    with pytest.raises(BadFile, match=f"the {kind} archive is (damaged|cut off)"):
        content(path)


def test_other_packers_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data, kind in ((bz2.compress(TEXT), "bzip2"), (lzma.compress(TEXT), "xz"), (b"PK\x03\x04...", "zip")):
        path.write_bytes(data)
        with pytest.raises(BadFile, match=f"is packed with {kind}"):
            content(path)
    path.write_bytes(b"BZhang is a name\n")
    assert content(path) == b"BZhang is a name\n"


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst", ".GZ"])
def test_written_by_name_whole_or_not_at_all(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out.txt{suffix}"
    with open_output(str(path)) as out:
        out.write(TEXT)
    first = path.read_bytes()
    assert content(path) == TEXT and (first == TEXT) is (not suffix)
    with pytest.raises(RuntimeError), open_output(str(path)) as out:
        out.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == first and list(tmp_path.iterdir()) == [path]
    with open_output(str(path)) as out:
        out.write(TEXT)
    assert path.read_bytes() == first  # no time, no name inside


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="does not exist"):
        content(tmp_path / "none")
    with pytest.raises(BadFile, match="is a directory"):
        content(tmp_path)
    with pytest.raises(BadFile, match="is a directory"), open_output(str(tmp_path)):
        pass
    with pytest.raises(BadFile, match="cannot be written"), open_output(str(tmp_path / "no" / "x.gz")):
        pass


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstd])
def test_standard_input_may_be_packed(pack: type[bytes]) -> None:
    code = (
        "import sys\nfrom wordorder.io.files import open_binary\n"
        "with open_binary('-') as handle: sys.stdout.buffer.write(handle.read())"
    )
    for text in (TEXT, b"", b"a"):
        done = subprocess.run([sys.executable, "-c", code], input=pack(text), capture_output=True, check=True)
        assert done.stdout == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipes_are_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(TEXT),))
    writer.start()
    assert content(path) == TEXT
    writer.join()


def test_what_is_packed_says_so_and_keeps_its_file_number(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for pack, kind in ((bytes, None), (gzip.compress, "gzip"), (zstd, "zstd")):
        path.write_bytes(pack(TEXT))
        with open_binary(str(path)) as handle:
            assert unpacked_from(handle) == kind and handle.fileno() > 2


@given(st.binary(max_size=40), st.integers(0, 40), st.integers(1, 9))
def test_heads_are_joined_again(data: bytes, cut: int, size: int) -> None:
    whole = rejoined(data[:cut], io.BytesIO(data[cut:]))
    pieces = []
    while piece := whole.read(size):
        pieces.append(piece)
    assert b"".join(pieces) == data


def test_an_interrupt_after_the_move_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    move = os.replace

    def interrupted(source: str, target: str) -> None:
        move(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt), open_output(str(tmp_path / "out")) as out:
        out.write(b"all")
    assert (tmp_path / "out").read_bytes() == b"all" and len(list(tmp_path.iterdir())) == 1


def test_a_full_disk_names_the_file_that_was_written(tmp_path: Path) -> None:
    import errno

    with pytest.raises(BadFile, match=r"out: cannot be written: No space left"):  # noqa: SIM117
        with open_output(str(tmp_path / "out")):
            raise OSError(errno.ENOSPC, "No space left on device")
    assert not list(tmp_path.iterdir())
