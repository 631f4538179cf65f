/** A page may leave out the origin: then calls go to its own. */
const BASE_URL = /^(https?:\/\/[^/?#\s]|\/|$)[^?#\s]*$/i;

/** @throws TypeError if it is not the start of a URL, because calls would go elsewhere */
export function checkBaseUrl(baseUrl: string): void {
  if (BASE_URL.test(baseUrl)) return;
  throw new TypeError(`baseUrl must be a URL such as https://api.example.com, without a query, but is '${baseUrl}'.`);
}
