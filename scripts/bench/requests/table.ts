import { OWN, type RequestFigures, type Row, type Spread, type Verdict } from '../requests.ts';
import { BARE, BARE_NAME, MEASURED, PEERS } from './operations.ts';

/** Returns the figures as Markdown: a line about the machine, a row for each server and operation, and the aims. */
export function requestsTable({ engine, quick, machine, ...figures }: RequestFigures): string {
  const { date, minutes, size, rounds, rows, verdicts } = figures;
  const express = rows.find(({ server }) => server === 'express');
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, ` +
      `${machine.durableWritesPerSecond.toFixed(0)} fsyncs/s, node ${machine.node}; ${date}, ${rounds} rounds in ${minutes.toFixed(1)} minutes; ` +
      `${size.passengers} tokens of ${size.applications} applications, ${ridesIn(size)} rides`,
    '',
    '| | requests/s | CPU µs per request | CPU of stock Express ÷ CPU of this row |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${[nameOf(row), spread(row.rate), spread(row.cpu), timesOf(express, row)].join(' | ')} |`),
    '',
    '| operation | compared with | aim | ratio | |',
    '| --- | --- | ---: | ---: | --- |',
    ...verdicts.map(verdictRow),
  ].join('\n');
}

/** Returns the name of a row's server, or of our operation. */
export function nameOf({ server, operation }: Row): string {
  if (server === OWN) return MEASURED[operation].name;
  return server === BARE ? `${MEASURED[operation].name}: ${BARE_NAME}` : PEERS[server];
}

function ridesIn({ passengers, riding, history }: RequestFigures['size']): number {
  return passengers - riding + riding * (history + 1);
}

function verdictRow({ operation, against, aim, byCpu, byRate, isMet }: Verdict): string {
  const ratio = aim.by === 'cpu' ? `${byCpu.toFixed(2)} by CPU` : `${byRate.toFixed(2)} by rate`;
  const other = against === BARE ? BARE_NAME : PEERS[against];
  return `| ${[MEASURED[operation].name, other, aim.ratio.toFixed(1), ratio, isMet ? 'met' : 'not met'].join(' | ')} |`;
}

function timesOf(express: Row | undefined, { server, cpu }: Row): string {
  return express === undefined || server === BARE ? '' : (express.cpu.median / cpu.median).toFixed(2);
}

function spread({ median, lowest, highest }: Spread): string {
  return `${whole(median)} (${whole(lowest)}–${whole(highest)})`;
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
