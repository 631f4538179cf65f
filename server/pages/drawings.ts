import { digest, draws, pick } from '../domain/chance.ts';
import type { RideTypeInfo } from '../domain/service-area.ts';
import { type Html, html, NOTHING } from './page.ts';

/** A side view, 320 by 160: outline and windows as SVG paths, wheels and headlight as x coordinates. */
interface Body {
  readonly outline: string;
  readonly windows: readonly string[];
  readonly wheels: readonly [number, number];
  readonly headlight: number;
}

const HATCHBACK: Body = {
  outline:
    'M52 116 V92 Q52 80 64 76 L86 70 Q104 42 138 42 H176 Q204 42 226 70 L252 76 Q266 80 266 96 V116 Q266 120 262 120 H56 Q52 120 52 116Z',
  windows: ['M104 72 Q116 54 138 54 H150 V72Z', 'M160 54 H176 Q194 54 208 72 H160Z'],
  wheels: [98, 220],
  headlight: 257,
};

const SEDAN: Body = {
  outline:
    'M24 116 V96 Q24 84 38 80 L78 72 Q104 44 138 44 H176 Q206 44 230 72 L278 80 Q296 84 296 100 V116 Q296 120 292 120 H28 Q24 120 24 116Z',
  windows: ['M98 74 Q114 56 138 56 H152 V74Z', 'M162 56 H176 Q196 56 212 74 H162Z'],
  wheels: [82, 240],
  headlight: 287,
};

const VAN: Body = {
  outline:
    'M26 114 V50 Q26 34 42 34 H188 Q208 34 222 48 L252 76 L282 84 Q296 88 296 102 V114 Q296 120 290 120 H32 Q26 120 26 114Z',
  windows: ['M42 48 H92 V76 H42Z', 'M104 48 H154 V76 H104Z', 'M166 48 H188 Q200 48 210 58 L228 76 H166Z'],
  wheels: [82, 242],
  headlight: 287,
};

const SUV: Body = {
  outline:
    'M24 114 V58 Q24 38 44 36 H184 Q202 36 214 50 L232 70 L284 76 Q298 78 298 92 V114 Q298 120 292 120 H30 Q24 120 24 114Z',
  windows: ['M42 50 H94 V74 H42Z', 'M106 50 H152 V74 H106Z', 'M164 50 H182 Q194 50 202 60 L214 74 H164Z'],
  wheels: [80, 244],
  headlight: 289,
};

interface Appearance {
  readonly body: Body;
  readonly paint: string;
  /** The color of a line along the side; null for none. */
  readonly trim: string | null;
}

/** A car from the side. The outline is visible on light and dark backgrounds. */
function drawCar(title: string, { body, paint, trim }: Appearance): Html {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 160" role="img">
  <title>${title}</title>
  <ellipse cx="160" cy="140" rx="140" ry="8" fill="#7f8794" opacity=".3"/>
  <path d="${body.outline}" fill="${paint}" stroke="#7f8794" stroke-width="2"/>
  ${body.windows.map((window) => html`<path d="${window}" fill="#d5e6f3" stroke="#7f8794"/>`)}
  ${trim === null ? NOTHING : html`<path d="M30 98 H290" stroke="${trim}" stroke-width="4"/>`}
  <circle cx="${body.headlight}" cy="96" r="6" fill="#ffe9a8"/>
  ${body.wheels.map((x) => html`<circle cx="${x}" cy="120" r="22" fill="#20242c" stroke="#7f8794" stroke-width="2"/><circle cx="${x}" cy="120" r="9" fill="#c9d0d9"/>`)}
</svg>`;
}

const LOOKS: ReadonlyMap<string, Appearance> = new Map([
  ['svc_line', { body: HATCHBACK, paint: '#13a38b', trim: null }],
  ['svc', { body: SEDAN, paint: '#5b5bd6', trim: null }],
  ['svc_plus', { body: VAN, paint: '#d9663b', trim: null }],
  ['svc_premier', { body: SEDAN, paint: '#8a97a8', trim: '#f4f6f8' }],
  ['svc_lux', { body: SEDAN, paint: '#343b49', trim: '#d8b45a' }],
  ['svc_luxsuv', { body: SUV, paint: '#343b49', trim: '#d8b45a' }],
]);

const MORE_PAINTS = ['#b8477f', '#3c82c9', '#7a8f2a', '#a0623c'];

/** A ride type's picture. Without an entry in LOOKS, the name sets the color and the seats set the body. */
export function carPicture({ rideType, displayName, seats }: RideTypeInfo): Html {
  const look = LOOKS.get(rideType) ?? {
    body: seats > 4 ? VAN : SEDAN,
    paint: MORE_PAINTS[digest('paint', rideType)[0]! % MORE_PAINTS.length]!,
    trim: null,
  };
  return drawCar(displayName, look);
}

/** Models other than sedans. */
const BODIES = new Map([
  ...['Prius', 'Niro', 'Focus'].map((model) => [model, HATCHBACK] as const),
  ...['Odyssey', 'Sienna', 'Carnival', 'Pacifica'].map((model) => [model, VAN] as const),
  ...['Highlander', 'Explorer', 'Escalade', 'Navigator', 'GLS', 'X7'].map((model) => [model, SUV] as const),
]);

const PAINTS: ReadonlyMap<string, string> = new Map([
  ['Black', '#23262e'],
  ['White', '#f7f8fa'],
  ['Silver', '#c3c8cf'],
  ['Gray', '#868d98'],
  ['Dark Gray', '#4a505b'],
  ['Blue', '#2f6fd0'],
  ['Red', '#c93636'],
  ['Green', '#2e8b57'],
  ['Beige', '#d9c7a3'],
]);
const UNKNOWN_PAINT = '#9b8fb0';

/** A driver's car. Also works for past rides with models that have left the fleet. */
export function vehiclePicture(make: string, model: string, color: string): Html {
  const body = BODIES.get(model) ?? SEDAN;
  return drawCar(`${color} ${make} ${model}`, { body, paint: PAINTS.get(color) ?? UNKNOWN_PAINT, trim: null });
}

const BACKDROPS = ['#f3c969', '#8fc7a6', '#89b4e0', '#e59a8c', '#b7a1dd', '#7fc4c9', '#d9b38c'];
const SKINS = ['#f6d3bd', '#e8b894', '#cf9468', '#a86b42', '#7d4b2e', '#5a3422'];
const HAIR_COLORS = ['#23201f', '#4a3024', '#7a4a25', '#b9803a', '#8d8f94', '#a3452c'];
const CLOTHES = ['#2f4a7d', '#7d2f4f', '#2f6b57', '#5b4b8a', '#8a5a2b', '#34404f'];

/** SVG paths of the hair, drawn over the head. */
const HAIR = [
  'M62 92 Q58 50 100 48 Q142 50 138 92 Q132 72 112 70 Q84 72 74 76 Q66 82 62 92Z',
  'M62 88 Q60 48 100 46 Q140 48 138 88 Q134 66 100 66 Q66 66 62 88Z',
  'M58 128 Q50 46 100 44 Q150 46 142 128 Q136 128 134 116 V84 Q112 82 96 68 Q84 82 66 84 V116 Q64 128 58 128Z',
  'M60 92 Q50 78 60 68 Q60 52 76 52 Q88 40 102 46 Q120 40 128 54 Q144 58 140 72 Q150 82 140 92 Q136 74 124 72 Q100 78 78 72 Q64 76 60 92Z',
  'M64 84 Q68 54 100 53 Q132 54 136 84 Q126 68 100 67 Q74 68 64 84Z',
];

/** A portrait. The same ID always returns the same one. */
export function personPicture(id: string): Html {
  const [backdrop = 0, skin = 0, hair = 0, hairColor = 0, clothes = 0, glasses = 0] = draws(6, 'portrait', id);
  const skinColor = pick(SKINS, skin);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" role="img">
  <title>Portrait</title>
  <rect width="200" height="200" fill="${pick(BACKDROPS, backdrop)}"/>
  <path d="M28 200 Q30 148 84 144 H116 Q170 148 172 200Z" fill="${pick(CLOTHES, clothes)}"/>
  <path d="M84 120 H116 V146 Q100 162 84 146Z" fill="${skinColor}"/>
  <path d="M84 128 Q100 142 116 128 V136 Q100 150 84 136Z" opacity=".14"/>
  <circle cx="64" cy="98" r="7" fill="${skinColor}"/>
  <circle cx="136" cy="98" r="7" fill="${skinColor}"/>
  <path d="M64 88 Q64 54 100 54 Q136 54 136 88 Q136 134 100 136 Q64 134 64 88Z" fill="${skinColor}"/>
  <path d="${pick(HAIR, hair)}" fill="${pick(HAIR_COLORS, hairColor)}"/>
  <circle cx="86" cy="96" r="4" fill="#1d1b1a"/>
  <circle cx="114" cy="96" r="4" fill="#1d1b1a"/>
  <path d="M87 114 Q100 125 113 114" fill="none" stroke="#1d1b1a" stroke-width="3" stroke-linecap="round"/>
  ${glasses < 0.25 ? GLASSES : []}
</svg>`;
}

const GLASSES = html`<g fill="none" stroke="#1d1b1a" stroke-width="3"><circle cx="86" cy="96" r="11"/><circle cx="114" cy="96" r="11"/><path d="M97 95 Q100 92 103 95"/></g>`;
