import { OPERATIONS } from '../../generated/server.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import { PATHS, PORTAL_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { type Html, html, NOTHING, type Page } from './page.ts';

type Where = Pick<Parts, 'publicUrl' | 'hasDemo'>;

/** The Ferry Building in San Francisco, and Dolores Park. */
const FROM = { lat: 37.7955, lng: -122.3937 };
const TO = { lat: 37.7596, lng: -122.4269 };

export function landingPage({ areas, rideTypes }: Geography, where: Where): Page {
  return {
    title: 'Build with the Ridehail API',
    lead: html`Request rides for passengers and track the cars in ${areas.length} cities. Cars and payments are simulated.`,
    body: html`
      <p class="fleet" role="img" aria-label="Ride types">
        ${[...rideTypes.keys()].map((rideType) => html`<img src="${PATHS.car(rideType)}" alt="" width="112" height="56">`)}
      </p>
      <ul class="links">
        <li><a href="/docs"><strong>Documentation</strong><span>Every endpoint, with examples</span></a></li>
        <li><a href="${PORTAL_PATHS.overview}"><strong>Developer portal</strong><span>Create apps and get credentials</span></a></li>
        <li><a href="/openapi.yaml"><strong>openapi.yaml</strong><span>The OpenAPI 3.1 contract</span></a></li>
        <li><a href="/openapi.json"><strong>openapi.json</strong><span>The contract as JSON</span></a></li>
        <li><a href="/openapi-3.0.json"><strong>openapi-3.0.json</strong><span>For tools without OpenAPI 3.1 support</span></a></li>
        <li><a href="/webhooks.json"><strong>webhooks.json</strong><span>The events we send you</span></a></li>
      </ul>
      ${where.hasDemo ? NOTHING : credentials()}
      ${firstRequest(where)}
      <section aria-labelledby="cities">
        <h2 id="cities">Cities and prices</h2>
        <ul class="cities">${areas.map(city)}</ul>
      </section>`,
  };
}

function credentials(): Html {
  return html`
    <section aria-labelledby="credentials">
      <h2 id="credentials">Credentials</h2>
      <p>An app has a client ID and two client secrets: one for live rides and one for its sandboxes. Create an app in the
      <a href="${PORTAL_PATHS.overview}">developer portal</a>, or ask the operator of this server to create one. Passengers create
      their own accounts when an app first sends them here.</p>
    </section>`;
}

function firstRequest({ publicUrl, hasDemo }: Where): Html {
  const commands = [
    ...(hasDemo ? tokenOfDemo(publicUrl) : tokenOfApplication(publicUrl)),
    '',
    '# list the ride types at the Ferry Building in San Francisco',
    'curl -s -H "Authorization: Bearer $TOKEN" \\',
    `  '${publicUrl}${OPERATIONS.listRideTypes.path}?lat=${FROM.lat}&lng=${FROM.lng}'`,
    '',
    '# estimate the cost of a ride to Dolores Park',
    'curl -s -H "Authorization: Bearer $TOKEN" \\',
    `  -G ${publicUrl}${OPERATIONS.estimateCost.path} \\`,
    `  -d start_lat=${FROM.lat} -d start_lng=${FROM.lng} \\`,
    `  -d end_lat=${TO.lat} -d end_lng=${TO.lng}`,
  ];
  return html`
    <section aria-labelledby="first-request">
      <h2 id="first-request">Make your first request</h2>
      <pre tabindex="0" aria-labelledby="first-request"><code>${commands.join('\n')}</code></pre>
    </section>`;
}

function tokenOfDemo(publicUrl: string): string[] {
  return [
    '# get a token: run this in the project folder while the server is running',
    `TOKEN=$(${portOf(publicUrl)}npm run -s token -- --client)`,
  ];
}

function tokenOfApplication(publicUrl: string): string[] {
  return [
    '# get a token with your app credentials',
    `curl -s -u "$CLIENT_ID:$CLIENT_SECRET" ${publicUrl}${OPERATIONS.createToken.path} \\`,
    '  -d grant_type=client_credentials',
    '',
    '# paste the access_token from the response',
    'TOKEN=',
  ];
}

/** The token script defaults to port 8080. */
function portOf(publicUrl: string): string {
  const { port } = new URL(publicUrl);
  return port === '' || port === '8080' ? '' : `PORT=${port} `;
}

function city({ id, name, currency }: ServiceArea): Html {
  return html`<li><a href="/pricing/${id}">${name}</a> <span class="quiet">${currency}</span></li>`;
}
