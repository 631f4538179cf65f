import type { Speed } from './journal.ts';
import type { Figures, Speeds } from './webhooks.ts';

const HEADS = ['', 'events/s', 'p50 ms', 'p99 ms', 'CPU ms/event'];

/** The figures as a Markdown table, with a line about the machine. */
export function webhooksTable({ engine, quick, machine, repeated, ...figures }: Figures): string {
  const { oneReceiver, hundredReceivers: many, backlog } = figures;
  const rows = [
    ...rowsOf('one receiver', oneReceiver),
    ...rowsOf(`${many.endpoints - many.hanging} of ${many.endpoints} receivers`, many.allHealthy),
    ...rowsOf(`the same, ${many.hanging} others hang`, many.someHang),
    [`backlog of ${backlog.events}`, whole(backlog.drainRate), '', '', ''],
    row('new events during the backlog', backlog.newcomers),
  ];
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, ` +
      `${whole(machine.durableWritesPerSecond)} fsyncs/s, node ${machine.node}`,
    '',
    ...[HEADS, HEADS.map((_, column) => (column === 0 ? '---' : '---:')), ...rows].map(
      (cells) => `| ${cells.join(' | ')} |`,
    ),
    '',
    `rate of the healthy receivers while others hang ÷ before: ${many.ratio.toFixed(2)}; by CPU time ${many.ratioByCpu.toFixed(2)}`,
    `events sent again after their 200: ${repeated}`,
  ].join('\n');
}

function rowsOf(what: string, { saturated, halfLoaded, cpuPerEvent }: Speeds): string[][] {
  return [row(`${what}, saturated`, saturated, cpuPerEvent.toFixed(2)), row(`${what}, half loaded`, halfLoaded)];
}

function row(what: string, { rate, p50, p99 }: Speed, cpu = ''): string[] {
  return [what, whole(rate), p50.toFixed(1), p99.toFixed(1), cpu];
}

const whole = (value: number) => value.toFixed(0);
