import { OPERATIONS } from '../../generated/server.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import { PATHS } from '../links.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';

/** The Ferry Building in San Francisco, and Dolores Park. */
const FROM = { lat: 37.7955, lng: -122.3937 };
const TO = { lat: 37.7596, lng: -122.4269 };

export function landingPage({ areas, rideTypes }: Geography, publicUrl: string): Page {
  return {
    title: 'Take a ride by API',
    lead: html`Request a ride for a passenger, watch the car come and pay for it, in ${areas.length} simulated cities, through one contract.`,
    body: html`
      <p class="fleet" role="img" aria-label="The cars of the fleet">
        ${Object.keys(rideTypes).map((rideType) => html`<img src="${PATHS.car(rideType)}" alt="" width="112" height="56">`)}
      </p>
      <ul class="links">
        <li><a href="/docs"><strong>Documentation</strong><span>Every operation, with examples</span></a></li>
        <li><a href="/openapi.yaml"><strong>openapi.yaml</strong><span>The contract, for your tools</span></a></li>
        <li><a href="/openapi.json"><strong>openapi.json</strong><span>The same, as JSON</span></a></li>
        <li><a href="/openapi-3.0.json"><strong>openapi-3.0.json</strong><span>For generators that read no OpenAPI 3.1</span></a></li>
        <li><a href="/webhooks.json"><strong>webhooks.json</strong><span>The events you are sent</span></a></li>
      </ul>
      ${firstRequest(publicUrl)}
      <section aria-labelledby="cities">
        <h2 id="cities">Cities and their prices</h2>
        <ul class="cities">${areas.map(city)}</ul>
      </section>`,
  };
}

function firstRequest(publicUrl: string): Html {
  const commands = [
    '# in the project folder, while this server runs',
    `TOKEN=$(${portOf(publicUrl)}npm run -s token -- --client)`,
    '',
    '# the ride types at the Ferry Building in San Francisco',
    'curl -s -H "Authorization: Bearer $TOKEN" \\',
    `  '${publicUrl}${OPERATIONS.listRideTypes.path}?lat=${FROM.lat}&lng=${FROM.lng}'`,
    '',
    '# what they cost from there to Dolores Park',
    'curl -s -H "Authorization: Bearer $TOKEN" \\',
    `  -G ${publicUrl}${OPERATIONS.estimateCost.path} \\`,
    `  -d start_lat=${FROM.lat} -d start_lng=${FROM.lng} \\`,
    `  -d end_lat=${TO.lat} -d end_lng=${TO.lng}`,
  ];
  return html`
    <section aria-labelledby="first-request">
      <h2 id="first-request">A first request</h2>
      <pre tabindex="0" aria-labelledby="first-request"><code>${commands.join('\n')}</code></pre>
    </section>`;
}

/** The token script uses port 8080 unless PORT names another. */
function portOf(publicUrl: string): string {
  const { port } = new URL(publicUrl);
  return port === '' || port === '8080' ? '' : `PORT=${port} `;
}

function city({ id, name, currency }: ServiceArea): Html {
  return html`<li><a href="/pricing/${id}">${name}</a> <span class="quiet">${currency}</span></li>`;
}
