import { PORTAL_PATHS } from '../links.ts';

/**
 * Where a sign-in may lead: the path itself if it is a page's, else the overview. A path that matches has only letters,
 * digits, `-`, `_` and single slashes, so it can be no URL of another site.
 * @param patterns the Express patterns of the pages
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
