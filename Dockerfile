# A small image: the package is compiled in the first stage; the second holds only what running needs.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev && rm -rf /var/lib/apt/lists/*
# The exact versions that were tested, with their hashes; then the package itself.
COPY requirements.lock /source/requirements.lock
RUN python -m venv /app && /app/bin/pip install --no-cache-dir --require-hashes -r /source/requirements.lock
COPY . /source
RUN /app/bin/pip install --no-cache-dir --no-deps /source

FROM python:3.12-slim
RUN useradd --system --no-create-home --uid 10001 ludotheque && install -d -o ludotheque /data
COPY --from=build /app /app
USER ludotheque
ENV PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8000
# Nothing but /data and /tmp is written to: run it with --read-only --tmpfs /tmp.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["/app/bin/python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["/app/bin/ludotheque", "serve", "--host", "0.0.0.0", "--port", "8000", "--data", "/data"]
