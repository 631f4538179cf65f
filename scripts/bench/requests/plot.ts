import { label, picture, rect } from '../drawing.ts';
import { OWN, type RequestFigures, type Row, type Spread } from '../requests.ts';
import { nameOf } from './table.ts';

const NAMES_WIDTH = 270;
const BARS_WIDTH = 300;
const VALUES_WIDTH = 70;
const PANEL_WIDTH = BARS_WIDTH + VALUES_WIDTH;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 14;
const HEAD_HEIGHT = 56;

/**
 * Draws bars for requests per second and CPU time per request. Each panel's logarithmic axis starts at a power of ten.
 */
export function requestsPlot({ engine, rows }: RequestFigures): string {
  const height = HEAD_HEIGHT + rows.length * ROW_HEIGHT + 12;
  const width = NAMES_WIDTH + 2 * PANEL_WIDTH;
  const title = `Requests per second, and CPU time per request, ${engine}`;
  const top = (index: number) => HEAD_HEIGHT + index * ROW_HEIGHT;
  return picture({ width, height, title }, [
    label({ x: 12, y: 22 }, `${title} (logarithmic)`),
    ...rows.map((row, index) => label({ x: NAMES_WIDTH - 10, y: top(index) + 12 }, nameOf(row), 'ink', 'end')),
    ...panel(rows, 'requests per second', NAMES_WIDTH, top, ({ rate }) => rate),
    ...panel(rows, 'CPU µs per request', NAMES_WIDTH + PANEL_WIDTH, top, ({ cpu }) => cpu),
  ]);
}

function panel(
  rows: readonly Row[],
  head: string,
  left: number,
  top: (index: number) => number,
  figureOf: (row: Row) => Spread,
): string[] {
  const values = rows.map((row) => figureOf(row).median);
  const first = Math.floor(Math.log10(Math.max(1, Math.min(...values))));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const scale = (value: number) => (BARS_WIDTH * (Math.log10(Math.max(value, 10 ** first)) - first)) / (last - first);
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  const grid = powers.map((value) =>
    rect({ x: left + scale(value), y: HEAD_HEIGHT - 4, width: 1, height: rows.length * ROW_HEIGHT }, 'line'),
  );
  const bars = rows.flatMap((row, index) => {
    const { median } = figureOf(row);
    const width = Math.max(1, scale(median));
    const place = { x: left, y: top(index), width, height: BAR_HEIGHT };
    return [
      rect(place, row.server === OWN ? 'own' : 'other'),
      label({ x: left + width + 6, y: top(index) + 12 }, Math.round(median).toLocaleString('en-US'), 'faint'),
    ];
  });
  return [label({ x: left, y: HEAD_HEIGHT - 12 }, head, 'faint'), ...grid, ...bars];
}
