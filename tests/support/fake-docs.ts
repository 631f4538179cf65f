import { EXAMPLE_URL } from '../../generated/server.ts';

/** A page with the parts of a Redoc page, for writeServedDocs. tests/browser/docs.test.ts tests a real Redoc page. */
export const FAKE_DOCS = `<!DOCTYPE html><html><head><title>Docs</title></head><body><div id="redoc"><script>1;</script>${EXAMPLE_URL}</div>
<script type="module">
  const hydrate = (...parts) => parts;

  const __redoc_definition = {"servers":[{"url":"${EXAMPLE_URL}"}],"back":"${encodeURIComponent(`${EXAMPLE_URL}/callback`)}"};
  const __redoc_options = {"a":1};

  hydrate(__redoc_definition, __redoc_options, document.getElementById('redoc'));
</script></body></html>`;
