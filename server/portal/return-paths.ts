import { PORTAL_PATHS } from '../links.ts';

/**
 * Where a sign-in redirects to: the path if it is a page's, otherwise the overview. A matching path has only letters,
 * digits, `-`, `_` and single slashes, so it can't be a URL of another site.
 * @param patterns the pages' Express patterns
 */
export function returnPaths(patterns: readonly string[]): (to: unknown) => string {
  const pages = patterns.map((pattern) => pattern.split('/'));
  return (to) => {
    if (typeof to !== 'string') return PORTAL_PATHS.overview;
    const segments = to.split('/');
    return pages.some((page) => isLike(segments, page)) ? to : PORTAL_PATHS.overview;
  };
}

function isLike(segments: readonly string[], page: readonly string[]): boolean {
  const isLikeThat = (segment: string, i: number) =>
    page[i]!.startsWith(':') ? /^[\w-]{1,64}$/.test(segment) : segment === page[i];
  return segments.length === page.length && segments.every(isLikeThat);
}
