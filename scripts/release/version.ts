const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Throws an Error if the text is not a version of three numbers. */
export function checkVersion(text: string): void {
  if (!VERSION.test(text)) throw new Error(`${text} is not a version. Write three numbers, such as 1.1.0.`);
}

/** Returns the version that a `-dev` version leads to. Throws an Error if the text is not such a version. */
export function versionAfter(text: string): string {
  const [version, ending] = text.split('-', 2) as [string, string?];
  if (ending === 'dev' && VERSION.test(version)) return version;
  throw new Error(`${text} is not a next version. Write three numbers and -dev, such as 1.2.0-dev.`);
}

/** Throws an Error if the text is not an existing date in ISO 8601. */
export function checkDate(text: string): void {
  const day = new Date(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
  if (!isDay) throw new Error(`${text} is not a date. Write year, month and day, such as 2026-11-24.`);
}

/** Whether the first version is higher than the second. */
export function isHigher(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((one) => one.split('.').map(Number));
  const at = numbers!.findIndex((number, i) => number !== others![i]);
  return at >= 0 && numbers![at]! > others![at]!;
}
