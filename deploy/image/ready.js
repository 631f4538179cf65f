// Exits with code 0 if the server in this container is ready. For HEALTHCHECK, because the image has no curl.
const { PORT = '8080' } = process.env;
const response = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => undefined);
process.exitCode = response?.ok ? 0 : 1;
