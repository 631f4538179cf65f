/** The target of a request that asks for no path: no route has it. */
export const NO_PATH = '*';

/**
 * A request's target as a path with its query, whatever form it came in (RFC 9112, section 3.2), and such that every part of the
 * path can be decoded. What is no path of a web server becomes NO_PATH.
 */
export function originForm(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]+(?=[/?#]|$)/i, '');
  if (local === target && !target.startsWith('/')) return NO_PATH;
  // a fragment stays with the client: its mark makes a path that nobody has, and what is behind it should not be known here
  const [path = '', ...query] = local.replace(/#.*$/s, '%23').split('?');
  const readable = path.split('/').map(readableSegment).join('/');
  return [readable.startsWith('/') ? readable : `/${readable}`, ...query].join('?');
}

/** A percent sign that stands for nothing is taken for itself: the router would refuse it before anything else is looked at. */
function readableSegment(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
