"""Installing models: from folders and archives into the folder of the user, checked before they count."""

from __future__ import annotations

import lzma
import os
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from wordorder.errors import BadFile, BadSetting
from wordorder.io.folders import replaced_folder
from wordorder.io.model_folder import ABOUT, ARRAYS, CARD, load_folder, read_json
from wordorder.io.model_store import KINDS, NAME, Home, StoredModel, find_model, user_home

LARGEST = {ABOUT: 64 << 20, ARRAYS: 4 << 30, CARD: 1 << 20}  # bytes; what is read of an archive
# What the libraries of archives raise; sizes that a damaged one claims can be anything.
_DAMAGED = (
    OSError, EOFError, ValueError, RuntimeError, OverflowError, MemoryError,
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip


def install_models(place: str, *, name: str | None = None, replace: bool = False) -> list[StoredModel]:
    """Install a model folder, or all models in a folder or an archive; return what was installed.

    Archives are zip files, such as wheels, and tar files. Nothing of them is used but the three files of each
    model. All models are checked before the first is installed. An installed model is replaced if ``replace``
    is set; models of packages are not touched, but hidden.
    """
    with _models_in(Path(place)) as folders:
        if not folders:
            raise BadFile(f"has no model in it: expected a folder with {ABOUT} and {ARRAYS}", file=place)
        if name is not None and len(folders) > 1:
            raise BadSetting(f"{place} has {len(folders)} models; a name can be given to one")
        checked = [_checked(folder, name or folder.name) for folder in folders]
        home = Home(user_home())
        models = [StoredModel(kind, called, home) for kind, called in checked]
        if twice := {model for model in models if models.count(model) > 1}:
            raise BadFile(f"has several models {twice.pop().label}", file=place)
        for model in models:
            _check_free(model, replace=replace)
        for model, folder in zip(models, folders, strict=True):
            with replaced_folder(model.folder) as part:
                for file in _files_of(folder):
                    shutil.copyfile(file, part / file.name)
    return models


def remove_model(model: StoredModel) -> None:
    """Remove a model from the folder of the user; models of packages and of other folders stay."""
    if os.path.realpath(model.home.folder) != os.path.realpath(user_home()):
        raise BadSetting(f"{model.name} is not in {user_home()}, but comes from {model.home.origin}")
    if model.folder.is_symlink():
        model.folder.unlink()
        return
    try:
        others = sorted({file.name for file in model.folder.iterdir()} - LARGEST.keys())
        if others:
            raise BadFile(f"has more than a model in it: {others[0]}", file=str(model.folder))
        shutil.rmtree(model.folder)
    except OSError as error:
        raise BadFile(f"cannot be removed: {error.strerror}", file=str(model.folder)) from None


def check_model(model: StoredModel) -> None:
    """Raise an error unless a model is complete and its arrays have the checksum of its description."""
    load_folder(model.folder, *KINDS[model.kind])


def _checked(folder: Path, name: str) -> tuple[str, str]:
    """Return the kind and the name of a model after its checksums were verified."""
    form = read_json(folder / ABOUT).get("format")
    kind = next((kind for kind, (known, _) in KINDS.items() if known == form), None)
    if kind is None:
        known = ", ".join(known for known, _ in KINDS.values())
        raise BadFile(f"is of the format {form!r}; expected one of {known}", file=str(folder))
    if not NAME.fullmatch(name):
        raise BadSetting(f"{name!r} cannot be the name of a model: expected letters, digits and ._+-")
    load_folder(folder, *KINDS[kind])
    return kind, name


def _check_free(model: StoredModel, *, replace: bool) -> None:
    found = find_model(model.kind, model.name)
    if found and not replace:
        raise BadSetting(
            f"there is a model {model.label} already, from {found.home.origin}; choose another "
            "name, or replace it.",
            suggest={"replace": True},
        )


def _files_of(folder: Path) -> list[Path]:
    return [folder / name for name in (ABOUT, ARRAYS, CARD) if (folder / name).is_file()]


# Folders and archives


@contextmanager
def _models_in(place: Path) -> Iterator[list[Path]]:
    """Yield the folders of the models in a folder or an archive."""
    if place.is_dir():
        yield sorted(Path(os.path.abspath(about.parent)) for about in place.rglob(ABOUT))
        return
    if not place.exists():
        raise BadFile("does not exist", file=str(place))
    with tempfile.TemporaryDirectory(prefix="wordorder-models-") as folder:
        try:
            _unpack(place, Path(folder))
        except _DAMAGED as error:
            if isinstance(error, BadFile):
                raise
            what = next(iter(str(error).splitlines()), "it is damaged")
            raise BadFile(f"cannot be read as a zip or tar file: {what}", file=str(place)) from None
        try:
            yield sorted(about.parent for about in Path(folder).rglob(ABOUT))
        except BadFile as error:  # name the archive, not where it was unpacked
            raise BadFile(error.message.replace(f"{folder}{os.sep}", ""), file=str(place)) from None


def _unpack(archive: Path, folder: Path) -> None:
    """Write the files of models to a folder; of the paths in the archive only harmless names are used."""
    homes: dict[Path, PurePosixPath] = {}
    with _members(archive) as members:
        for path, opened in members:
            file = PurePosixPath(path.replace("\\", "/"))
            if file.name not in LARGEST:
                continue
            folder_name = file.parent.name
            if file.name == ABOUT and folder_name not in ("", "..") and not NAME.fullmatch(folder_name):
                raise BadFile(f"{folder_name!r} cannot be the name of a model", file=str(archive))
            names = [part for part in file.parent.parts if NAME.fullmatch(part)]
            target = folder.joinpath(*(names or [archive.name.partition(".")[0]])) / file.name
            if homes.setdefault(target.parent, file.parent) != file.parent:
                raise BadFile(f"{path} cannot be told from {homes[target.parent]}", file=str(archive))
            target.parent.mkdir(parents=True, exist_ok=True)
            limit = LARGEST[file.name]
            with opened() as source, open(target, "wb") as out:
                while chunk := source.read(1 << 20):
                    out.write(chunk)
                    if out.tell() > limit:
                        raise BadFile(f"{path} is larger than {limit >> 20} MiB", file=str(archive))


@contextmanager
def _members(archive: Path) -> Iterator[Iterable[tuple[str, Callable[[], IO[bytes]]]]]:
    """Yield the regular files of an archive: their paths, and functions that open them."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as packed:
            yield ((m.filename, partial(packed.open, m)) for m in packed.infolist() if not m.is_dir())
        return
    with tarfile.open(archive) as tar:
        yield ((m.name, partial(cast(Any, tar.extractfile), m)) for m in tar if m.isreg())
