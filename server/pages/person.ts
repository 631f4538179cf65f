import { draws, pick } from '../domain/chance.ts';
import { type Html, html } from './page.ts';

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
