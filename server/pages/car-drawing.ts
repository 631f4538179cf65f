import { type Html, html, NOTHING } from './html.ts';

/** A side view, 320 by 160: outline and windows as SVG paths, wheels and headlight as x coordinates. */
export interface Body {
  readonly outline: string;
  readonly windows: readonly string[];
  readonly wheels: readonly [number, number];
  readonly headlight: number;
}

export const HATCHBACK: Body = {
  outline:
    'M52 116 V92 Q52 80 64 76 L86 70 Q104 42 138 42 H176 Q204 42 226 70 L252 76 Q266 80 266 96 V116 Q266 120 262 120 H56 Q52 120 52 116Z',
  windows: ['M104 72 Q116 54 138 54 H150 V72Z', 'M160 54 H176 Q194 54 208 72 H160Z'],
  wheels: [98, 220],
  headlight: 257,
};

export const SEDAN: Body = {
  outline:
    'M24 116 V96 Q24 84 38 80 L78 72 Q104 44 138 44 H176 Q206 44 230 72 L278 80 Q296 84 296 100 V116 Q296 120 292 120 H28 Q24 120 24 116Z',
  windows: ['M98 74 Q114 56 138 56 H152 V74Z', 'M162 56 H176 Q196 56 212 74 H162Z'],
  wheels: [82, 240],
  headlight: 287,
};

export const VAN: Body = {
  outline:
    'M26 114 V50 Q26 34 42 34 H188 Q208 34 222 48 L252 76 L282 84 Q296 88 296 102 V114 Q296 120 290 120 H32 Q26 120 26 114Z',
  windows: ['M42 48 H92 V76 H42Z', 'M104 48 H154 V76 H104Z', 'M166 48 H188 Q200 48 210 58 L228 76 H166Z'],
  wheels: [82, 242],
  headlight: 287,
};

export const SUV: Body = {
  outline:
    'M24 114 V58 Q24 38 44 36 H184 Q202 36 214 50 L232 70 L284 76 Q298 78 298 92 V114 Q298 120 292 120 H30 Q24 120 24 114Z',
  windows: ['M42 50 H94 V74 H42Z', 'M106 50 H152 V74 H106Z', 'M164 50 H182 Q194 50 202 60 L214 74 H164Z'],
  wheels: [80, 244],
  headlight: 289,
};

export interface Appearance {
  readonly body: Body;
  readonly paint: string;
  /** The color of a line along the side; null for none. */
  readonly trim: string | null;
}

/** A car from the side. The outline is visible on light and dark backgrounds. */
export function drawCar(title: string, { body, paint, trim }: Appearance): Html {
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
