/*
 * Runs in the head of the docs. Turns an anchor such as #operation/getRide into the route that Redoc has for it. Redoc
 * itself only does so after it has shown its 404. Shows a skeleton until the place of the anchor is in sight.
 */
(() => {
  /** The page of each operation, by its ID. scripts/docs/page.ts fills it in. */
  const PAGES = {};
  /** For an anchor within a page that does not have it: the longest wait after the program has started. */
  const MOST_WAITED_MS = 5000;

  const routeOf = (anchor) => {
    const [kind, ...path] = decodeURI(anchor).slice(1).split('/');
    if (kind === 'operation' && Object.hasOwn(PAGES, path[0])) return `#/${PAGES[path[0]]}/${path[0].toLowerCase()}`;
    return kind === 'tag' || path[0] === 'Glossary' ? `#/${path.join('/').toLowerCase()}` : null;
  };

  const enter = (event) => {
    const route = routeOf(location.hash);
    if (route === null) return;
    event?.stopImmediatePropagation();
    location.replace(route);
  };
  enter();
  for (const type of ['popstate', 'hashchange']) addEventListener(type, enter);
  if (location.hash.length < 2) return;

  const root = document.documentElement;
  const show = () => root.removeAttribute('data-waiting');
  const [place] = decodeURI(location.hash).replace(/^#\/?/, '/').toLowerCase().split('#');
  let isUpAt = Number.POSITIVE_INFINITY;
  const look = () => {
    const boxes = document.querySelectorAll(`[data-section-id="${CSS.escape(place)}"]`);
    const isInSight = [...boxes].some((box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return bottom > top && top < innerHeight / 2 && bottom > 0;
    });
    const trigger = document.querySelector('[data-testid="search-trigger"]');
    if (trigger !== null && !/loading/i.test(trigger.textContent)) isUpAt = Math.min(isUpAt, performance.now());
    const isUnknown = document.querySelector('.not-found-page') !== null;
    if (isInSight || isUnknown || performance.now() > isUpAt + MOST_WAITED_MS) show();
    else if (root.hasAttribute('data-waiting')) requestAnimationFrame(look);
  };
  root.setAttribute('data-waiting', '');
  // without the program or the contract, the page stays as the server renders it
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, show, { capture: true, once: true });
  requestAnimationFrame(look);
})();
