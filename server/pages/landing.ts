import { OPERATIONS } from '../../generated/server.ts';
import { DEMO } from '../demo.ts';
import type { Geography, ServiceArea } from '../domain/service-area.ts';
import { PATHS, PORTAL_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { type Html, html, NOTHING, type Page, section } from './page.ts';

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
        <li><a href="#first-ride"><strong>Take your first ride</strong><span>Five commands, then watch the car</span></a></li>
        <li><a href="#webhooks"><strong>Receive webhooks</strong><span>Events when a ride changes</span></a></li>
        <li><a href="#mock"><strong>Run the mock</strong><span>Any response, without a server</span></a></li>
        <li><a href="${PORTAL_PATHS.overview}"><strong>Developer portal</strong><span>Create applications and get credentials</span></a></li>
        <li><a href="/docs"><strong>Documentation</strong><span>Every endpoint, with examples</span></a></li>
        <li><a href="#contract"><strong>Contract</strong><span>OpenAPI 3.1 and 3.0</span></a></li>
      </ul>
      ${where.hasDemo ? NOTHING : section('credentials', 'Credentials', CREDENTIALS)}
      ${section('first-ride', 'Take your first ride', firstRide(where))}
      ${section('webhooks', 'Receive webhooks', webhooks(where))}
      ${section('mock', 'Run the mock', mock(where))}
      ${section('contract', 'Load the contract into a tool', CONTRACT)}
      ${section('cities', 'Cities and prices', html`<ul class="cities">${areas.map(city)}</ul>`)}`,
  };
}

function commands(id: string, ...lines: readonly string[]): Html {
  return html`<pre aria-labelledby="${id}"><code>${lines.join('\n')}</code></pre>`;
}

const CREDENTIALS = html`<p>An application has a client ID and two client secrets: one for live rides and one for its sandboxes. Create an application in
      the <a href="${PORTAL_PATHS.overview}">developer portal</a>, or ask the operator of this server to create one. Passengers create
      their own accounts when an application first sends them here.</p>`;

function firstRide({ publicUrl, hasDemo }: Where): Html {
  if (!hasDemo) {
    const cost = [
      '# estimate the cost of a ride from the Ferry Building in San Francisco to Dolores Park',
      `curl -s -H "Authorization: Bearer $TOKEN" -G ${publicUrl}${OPERATIONS.estimateCost.path} \\`,
      `  -d start_lat=${FROM.lat} -d start_lng=${FROM.lng} -d end_lat=${TO.lat} -d end_lng=${TO.lng}`,
    ];
    return commands('first-ride', ...tokenOfApplication(publicUrl), '', ...cost);
  }
  const trip = `start_lat=${FROM.lat}&start_lng=${FROM.lng}&end_lat=${TO.lat}&end_lng=${TO.lng}&ride_type=svc`;
  const place = ({ lat, lng }: typeof FROM, name: string) => `{"lat": ${lat}, "lng": ${lng}, "address": "${name}"}`;
  const rides = `${publicUrl}${OPERATIONS.requestRide.path}`;
  return html`<p>Paste these lines in a terminal. They get a token of Maya, a demo passenger, and a price, request a ride, and print the address of its map.</p>
      ${commands(
        'first-ride',
        'pick() { node -e "const it = JSON.parse(fs.readFileSync(0)); if (it.error) { console.error(it.error_description); process.exit(1); } console.log(it.$1)"; } &&',
        `AUTH="Authorization: Bearer $(curl -s -u ${DEMO.clientId}:${DEMO.clientSecret} ${publicUrl}${OPERATIONS.createToken.path} -d grant_type=authorization_code -d code=$(curl -s -X POST ${publicUrl}/development/codes | pick code) | pick access_token)" &&`,
        `COST_TOKEN=$(curl -s "${publicUrl}${OPERATIONS.estimateCost.path}?${trip}" -H "$AUTH" | pick "cost_estimates[0].cost_token") &&`,
        `RIDE_ID=$(curl -s ${rides} -H "$AUTH" -H "Content-Type: application/json" -d '{"origin": ${place(FROM, 'Ferry Building')}, "destination": ${place(TO, 'Dolores Park')}, "ride_type": "svc", "cost_token": "'$COST_TOKEN'"}' | pick ride_id) &&`,
        `curl -s ${rides}/$RIDE_ID -H "$AUTH" | pick route_url`,
      )}`;
}

function webhooks({ publicUrl, hasDemo }: Where): Html {
  const more = html`<a href="/docs#tag/Webhooks">Webhooks</a> in the docs lists the events, and says how to check their signatures.`;
  if (!hasDemo) {
    return html`<p>Set a webhook URL in the <a href="${PORTAL_PATHS.overview}">developer portal</a>, and send a test event to it. ${more}</p>`;
  }
  return html`<p>In a checkout of the repository, this sends the events of the demo application to a receiver of yours. It prints the tokens that sign them.
      <code>docs/guides/webhooks.md</code> has a receiver. ${more}</p>
      ${commands('webhooks', `${portOf(publicUrl)}npm run -s demo -- --webhook-url http://localhost:9090/`)}`;
}

function mock({ publicUrl, hasDemo }: Where): Html {
  // visitors of a production server have no project folder
  const start = hasDemo ? 'npm run mock' : `npx @stoplight/prism-cli mock ${publicUrl}/openapi.yaml`;
  return html`<p>The mock returns the examples of the contract, and every error. It needs no account, and takes any token. Start
      it${hasDemo ? ' in a checkout of the repository' : ''}:</p>
      ${commands('mock', start)}
      <p>Then ask it for any response:</p>
      ${commands('mock', `curl -s localhost:\${MOCK_PORT:-4010}${OPERATIONS.getProfile.path} -H "Authorization: Bearer any" -H "Prefer: code=429"`)}`;
}

const CONTRACT = html`<ul>
        <li><a href="/openapi.yaml">openapi.yaml</a> and <a href="/openapi.json">openapi.json</a>, in OpenAPI 3.1</li>
        <li><a href="/openapi-3.0.json">openapi-3.0.json</a>, for tools without OpenAPI 3.1 support</li>
        <li><a href="/webhooks.json">webhooks.json</a>, only the events that we send you</li>
      </ul>`;

function tokenOfApplication(publicUrl: string): string[] {
  return [
    '# get a token with your application’s credentials',
    `curl -s -u "$CLIENT_ID:$CLIENT_SECRET" ${publicUrl}${OPERATIONS.createToken.path} \\`,
    '  -d grant_type=client_credentials',
    '',
    '# paste the access_token from the response',
    'TOKEN=',
  ];
}

/** The scripts default to port 8080. */
function portOf(publicUrl: string): string {
  const { port } = new URL(publicUrl);
  return port === '' || port === '8080' ? '' : `PORT=${port} `;
}

function city({ id, name, currency }: ServiceArea): Html {
  return html`<li><a href="/pricing/${id}">${name}</a> <span class="quiet">${currency}</span></li>`;
}
