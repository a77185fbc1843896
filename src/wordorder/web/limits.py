"""What a request may ask for. Larger work belongs on the command line, which has no such limits."""

from __future__ import annotations

MIB = 1 << 20

BODY = MIB  # bytes of a request in JSON
UPLOAD = 64 * MIB  # bytes of all files of an upload
BODY_SECONDS = 20  # in which a request must have arrived; uploads have more, by their size
UPLOAD_RATE = MIB / 4  # bytes a second below which an upload is too slow

SENTENCES = 1000  # of a request
WORDS = 1000  # of a sentence
CHARACTERS = 20_000  # of a sentence
METRICS = 40
CANDIDATES = 200  # of a sentence
REFERENCES = 8
SYSTEMS = 20
NBEST = 50
EXPLAINED = 10  # sentences whose tables and reasons are computed
BOOTSTRAP = 2000

SECONDS = 20.0  # of work on a request
REPORT_SECONDS = 600.0
WAITING = 200  # requests that wait for a worker; further ones are refused at once
WORKER_MEMORY = 4 << 30  # bytes
CONNECTIONS = 500
HEADER_SECONDS = 10  # in which a connection must have sent its first request
