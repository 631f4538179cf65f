import { answerOf } from './answers.ts';
import type { Riding } from './take-ride.ts';

/** Everything that a passenger sees of a ride: the ride, its receipt and the history, without `generated_at`. */
export async function viewOf({ api, params }: Pick<Riding, 'api' | 'params'>) {
  const ride = answerOf(await api.getRide({ params }));
  const receipt = answerOf(await api.getReceipt({ params }));
  const query = { start_time: '2015-01-01T00:00:00Z', limit: 50 };
  const history = answerOf(await api.listRides({ params: { query } }));
  return JSON.parse(JSON.stringify({ ride, receipt, history }, (key, value) => (key === 'generated_at' ? 0 : value)));
}

/** The values of a view that no other passenger may see: names, places, links, plates and amounts, at any depth. */
export function secretsOf(view: unknown): string[] {
  const secrets = new Set<string>();
  JSON.stringify(view, (key, value) => {
    const isTold = /_id$|name|url|address|lat|lng|plate|phone|make|model|token$|feedback|amount/.test(key);
    if (isTold && (typeof value === 'string' || typeof value === 'number')) secrets.add(String(value));
    return value;
  });
  return [...secrets].filter((secret) => secret.length > 2);
}
