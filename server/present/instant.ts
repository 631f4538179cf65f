/** An instant as responses show it: UTC, with the offset +00:00. @param at milliseconds UTC */
export function presentInstant(at: number): string {
  return new Date(at).toISOString().replace('Z', '+00:00');
}
