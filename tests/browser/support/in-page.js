/** What runs inside a page: in JavaScript, because the server's types know no browser. */

/** Whether the page has come to a width and a color scheme that it was given. */
export function looksLike({ width = innerWidth, colorScheme }) {
  const isColored = colorScheme === undefined || matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches;
  return innerWidth === width && isColored;
}

export function whatIsSeen() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    overflow: scrollWidth - clientWidth,
    broken: [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    headings: document.querySelectorAll('h1').length,
  };
}

/** Those of some pictures that cannot be drawn. */
export async function brokenAmong(urls) {
  const drawn = urls.map((src) =>
    Object.assign(new Image(), { src })
      .decode()
      .then(
        () => [],
        () => [src],
      ),
  );
  return (await Promise.all(drawn)).flat();
}

/** The rules of accessibility that the page breaks, each with the elements that do. Needs axe in the page. */
export async function violations() {
  const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const found = await axe.run({ runOnly: RULES, resultTypes: ['violations'], preload: false });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

/** Whether a page is there with all its parts, and something has the focus if anything is to have it at first. */
export function hasBegun() {
  const isFocused = document.activeElement !== document.body;
  return document.readyState === 'complete' && (isFocused || document.querySelector('[autofocus]') === null);
}

/** What the keyboard acts on, and whether that can be seen; null: nothing. */
export function focusSeen() {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, left } = element.getBoundingClientRect();
  return {
    name: element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim(),
    isOutlined: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    isInSight: top >= 0 && bottom <= innerHeight,
    top: top + scrollY,
    left,
  };
}
