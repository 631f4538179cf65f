/**
 * A request's target as a path with its query, whatever form it came in (RFC 9112, section 3.2), and such that every part of the
 * path can be decoded. What is no path becomes one that nobody has.
 */
export function originForm(target: string): string {
  const local = target.replace(/^https?:\/\/[^/?#]+(?=[/?#]|$)/i, '');
  // a fragment is the client's own affair, and has no place in a request: its mark stands for itself
  const [path = '', ...query] = local.replaceAll('#', '%23').split('?');
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
