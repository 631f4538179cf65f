import { label, picture, rect } from '../drawing.ts';
import type { Sample } from './samples.ts';
import { type Frame, STAGES, type Stage, stageOf } from './stages.ts';

const WIDTH = 1200;
const ROW_HEIGHT = 17;
const HEAD_HEIGHT = 64;
const CHARACTER_WIDTH = 6.8;
const LEAST_WIDTH = 1;
const LEAST_TEXT_WIDTH = 24;

/** A color for each stage: light, dark. Text is readable on all of them. */
const HUES: Readonly<Record<Stage, readonly [string, string]>> = {
  HTTP: ['#b6d7ff', '#1f4b7a'],
  log: ['#ffe08a', '#6b5300'],
  headers: ['#e5d0ff', '#553a80'],
  routing: ['#c8f0d0', '#1f5a33'],
  authentication: ['#ffc9c9', '#7a2e2e'],
  limit: ['#ffd3a8', '#7a4a1a'],
  body: ['#d7f2f0', '#1d5653'],
  validator: ['#ffb8e0', '#7a2a5c'],
  handler: ['#d4e88a', '#4b5c12'],
  SQL: ['#b9c3ff', '#333f8a'],
  response: ['#b5eaf7', '#13566a'],
  'garbage collection': ['#d5d5d5', '#4d4d4d'],
  rest: ['#ececec', '#333333'],
};

interface Tower {
  readonly name: string;
  readonly stage: Stage;
  time: number;
  readonly above: Map<string, Tower>;
}

/** Draws a flame graph. Each box is a function, as wide as its share of the time, above the function that called it. */
export function flameGraph(samples: readonly Sample[], title: string): string {
  const root = towerOf(samples);
  const depth = depthOf(root, root.time);
  const height = HEAD_HEIGHT + depth * ROW_HEIGHT + 8;
  const palette = Object.fromEntries(STAGES.map((stage) => [classOf(stage), HUES[stage]]));
  const boxes = [...root.above.values()];
  return picture({ width: WIDTH, height, title, palette }, [
    label({ x: 8, y: 20 }, title),
    ...legend(),
    ...row(boxes, { x: 0, bottom: height - 8, scale: WIDTH / root.time, total: root.time }),
  ]);
}

function towerOf(samples: readonly Sample[]): Tower {
  const root: Tower = { name: '', stage: 'rest', time: 0, above: new Map() };
  for (const { stack, time } of samples) {
    root.time += time;
    let tower = root;
    for (const { name, stage } of folded(stack)) {
      const next = tower.above.get(name) ?? { name, stage, time: 0, above: new Map() };
      next.time += time;
      tower.above.set(name, next);
      tower = next;
    }
  }
  return root;
}

/**
 * Returns the boxes of a stack, outermost first. Merges consecutive frames of a package into one box. Omits the
 * router's frames unless they are innermost, because the router passes each request through dozens of frames.
 */
function folded(stack: readonly Frame[]): Pick<Tower, 'name' | 'stage'>[] {
  const frames = stack.map((frame, index) => ({ ...frame, stage: stageOf(stack.slice(index)) }));
  const shown = frames.filter(({ stage }, index) => index === 0 || stage !== 'routing');
  return shown
    .filter((frame, index) => index === shown.length - 1 || placeOf(frame) !== placeOf(shown[index + 1]!))
    .map(({ functionName, file, stage }) => {
      const name = file === '' ? functionName : `${functionName} ${file.replace(/^node_modules\//, '')}`;
      return { name, stage };
    })
    .reverse();
}

/** Returns the package of a file, or the file itself. */
function placeOf({ file }: Frame): string {
  return /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;
}

interface Ground {
  readonly x: number;
  readonly bottom: number;
  /** Pixels per microsecond. */
  readonly scale: number;
  readonly total: number;
}

function row(towers: readonly Tower[], { x, bottom, scale, total }: Ground): string[] {
  let left = x;
  return towers
    .toSorted((a, b) => b.time - a.time)
    .flatMap((tower) => {
      const width = tower.time * scale;
      const at = left;
      left += width;
      if (width < LEAST_WIDTH) return [];
      const top = bottom - ROW_HEIGHT;
      const share = `${tower.name}: ${((100 * tower.time) / total).toFixed(1)} %, ${tower.stage}`;
      const box = rect({ x: at, y: top, width: width - 0.5, height: ROW_HEIGHT - 1 }, classOf(tower.stage), share);
      const words = tower.name.slice(0, Math.floor((width - 4) / CHARACTER_WIDTH));
      const text = width < LEAST_TEXT_WIDTH ? [] : [label({ x: at + 3, y: top + 12 }, words)];
      return [box, ...text, ...row([...tower.above.values()], { x: at, bottom: top, scale, total })];
    });
}

function depthOf({ above }: Tower, total: number): number {
  const shown = [...above.values()].filter(({ time }) => (time * WIDTH) / total >= LEAST_WIDTH);
  return shown.length === 0 ? 0 : 1 + Math.max(...shown.map((tower) => depthOf(tower, total)));
}

function legend(): string[] {
  let x = 8;
  return STAGES.flatMap((stage) => {
    const left = x;
    x += 26 + stage.length * CHARACTER_WIDTH;
    return [
      rect({ x: left, y: 32, width: 10, height: 10 }, classOf(stage)),
      label({ x: left + 14, y: 41 }, stage, 'faint'),
    ];
  });
}

const classOf = (stage: Stage) => `stage-${STAGES.indexOf(stage)}`;
