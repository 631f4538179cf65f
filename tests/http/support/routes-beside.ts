const get = (...paths: string[]) => paths.map((path) => `GET ${path}`);
const post = (...paths: string[]) => paths.map((path) => `POST ${path}`);
const form = (...paths: string[]) => [...get(...paths), ...post(...paths)];
const inAccount = (...pages: string[]) => pages.map((page) => `/account${page}`);
const inPortal = (...pages: string[]) => pages.map((page) => `/portal${page}`);
const ofApplication = (...pages: string[]) => pages.map((page) => `/portal/applications/:application${page}`);
export const PROBES = get('/healthz', '/readyz');

/** Every route outside the contract, by its purpose. GET includes HEAD. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'for operators of the server': PROBES,
  'forms of the consent flow, which no application calls': [
    ...form('/sign-in', '/sign-up', '/consent'),
    ...post('/sign-out'),
  ],
  'pages of the passenger, which no application calls': [
    ...get('/account'),
    ...form(...inAccount('/applications', '/password', '/sessions', '/data', '/delete', '/sign-in')),
    // where a passenger adds a payment method, and verifies a phone number
    ...form(...inAccount('/payment', '/phone')),
    ...post('/account/sign-out'),
  ],
  'pages of the developer, which no application calls': [
    ...get(...ofApplication('', '/requests', '/log', '/deliveries/:world/rides/:ride')),
    ...form('/portal', ...ofApplication('/redirect-uris', '/webhooks', '/secrets', '/settings')),
    ...form(...ofApplication('/deliveries', '/deliveries/:world/:event')),
    ...form(...inPortal('/new-application', '/account', '/account/password', '/account/delete')),
    ...form(...inPortal('/sign-in', '/sign-up', '/set-password')),
    ...post('/portal/sign-out'),
  ],
  'the contract, for developers of clients': [
    ...get('/docs', '/docs/contract.json', '/docs/:script.js'),
    ...get(
      '/openapi.yaml',
      '/openapi.json',
      '/openapi-3.0.yaml',
      '/openapi-3.0.json',
      '/webhooks.yaml',
      '/webhooks.json',
    ),
  ],
  'for OAuth clients, which look up the endpoints there': get('/.well-known/oauth-authorization-server'),
  'for browsers and search engines': get('/', '/style.css', '/favicon.svg', '/favicon.ico', '/robots.txt'),
  'pages and pictures that responses link to': [
    ...get('/pictures/people/:id.svg', '/pictures/cars/:rideType.svg', '/pictures/vehicles/:make/:model/:color.svg'),
    ...get('/pricing/:area', '/account/:problem', '/routes/:world/:ride'),
  ],
};
export const WITH_DEMO: typeof BESIDE = {
  ...BESIDE,
  'for the scripts of a server with the demo': [
    ...['GET /development/demo', 'PUT /development/demo'],
    ...post('/development/codes'),
  ],
  'stands in for the application that a consent redirects to': get('/demo/callback'),
};
