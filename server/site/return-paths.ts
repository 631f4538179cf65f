/**
 * Where a sign-in redirects to: the path if it is a page's, otherwise the overview. A matching path has only letters,
 * digits, `-`, `_` and single slashes, so it can't be a URL of another site.
 * @param patterns the pages' Express patterns
 */
export function returnPaths(patterns: readonly string[], overview: string): (to: unknown) => string {
  const pages = patterns.map((pattern) => pattern.split('/'));
  return (to) => {
    if (typeof to !== 'string') return overview;
    const segments = to.split('/');
    return pages.some((page) => isLike(segments, page)) ? to : overview;
  };
}

function isLike(segments: readonly string[], page: readonly string[]): boolean {
  const isLikeThat = (segment: string, i: number) =>
    page[i]!.startsWith(':') ? /^[\w-]{1,64}$/.test(segment) : segment === page[i];
  return segments.length === page.length && segments.every(isLikeThat);
}
