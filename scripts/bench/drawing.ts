/** Draws SVG pictures for light and dark color schemes. */

/** Colors by name: light, dark. */
export const COLORS = {
  paper: ['#ffffff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  faint: ['#59636e', '#9198a1'],
  line: ['#d1d9e0', '#3d444d'],
  own: ['#0969da', '#4493f8'],
  other: ['#9a6700', '#d29922'],
} as const;

type Palette = Readonly<Record<string, readonly [light: string, dark: string]>>;

/** Returns a complete SVG. It follows the reader's color scheme, also inside an image element. */
export function picture(
  { width, height, title, palette = {} }: Size & { readonly title: string; readonly palette?: Palette },
  parts: readonly string[],
): string {
  const colors = { ...COLORS, ...palette };
  const rules = (scheme: 0 | 1) =>
    Object.entries(colors)
      .map(([name, shades]) => `.${name}{fill:${shades[scheme]}}`)
      .join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>text{font:12px system-ui,sans-serif}${rules(0)}@media (prefers-color-scheme:dark){${rules(1)}}</style>`,
    rect({ x: 0, y: 0, width, height }, 'paper'),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export function rect({ x, y, width, height }: Size & Point, color: string, tooltip = ''): string {
  const inside = tooltip === '' ? '' : `<title>${escaped(tooltip)}</title>`;
  return `<rect class="${color}" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}">${inside}</rect>`;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export function label({ x, y }: Point, words: string, color = 'ink', anchor: 'start' | 'end' = 'start'): string {
  return `<text class="${color}" x="${n(x)}" y="${n(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

const n = (value: number) => String(Math.round(value * 100) / 100);

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
