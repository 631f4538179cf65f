/** These functions run inside a page. They are JavaScript because the server's types have no browser types. */

/** Replaces the page with this markup, and waits until its style and its pictures are there. */
export async function write(markup) {
  document.open();
  document.write(markup);
  document.close();
  // a written document can be complete before its style is there, if the browser does not keep it in memory
  const styles = [...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => sheet === null);
  const arrival = (link) => new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }));
  await Promise.all(styles.map(arrival));
  // whatIsSeen tells which do not show
  await Promise.allSettled([...document.images].map((image) => image.decode()));
}

/** @param asked the selector of buttons that must be in sight at the top of the page */
export function whatIsSeen(asked) {
  const { scrollWidth, clientWidth } = document.documentElement;
  scrollTo(0, 0);
  const below = [...document.querySelectorAll(asked)].filter(
    (each) => each.getBoundingClientRect().bottom > innerHeight,
  );
  return {
    overflow: scrollWidth - clientWidth,
    broken: [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    unseen: below.map(({ innerText }) => innerText),
    uncopied: [...document.querySelectorAll('pre:not(.copy + pre) > code, dd:not(:has(.copy)) > code')].map(
      ({ innerText }) => innerText,
    ),
    headings: document.querySelectorAll('h1').length,
  };
}

/** Those of the accessibility rules that the page breaks, with the elements that break them. Needs axe in the page. */
export async function violations(rules) {
  const found = await axe.run({ runOnly: rules, resultTypes: ['violations'], preload: false });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
}

/** Whether the page has loaded, and its autofocus element, if any, has the focus. */
export function hasBegun() {
  const isFocused = document.activeElement !== document.body;
  return document.readyState === 'complete' && (isFocused || document.querySelector('[autofocus]') === null);
}

/** The focused element and whether a user can see it; null: none has the focus. */
export function focusSeen() {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom } = element.getBoundingClientRect();
  return {
    name: element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent.trim() ?? element.textContent.trim(),
    isOutlined: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    isInSight: top >= 0 && bottom <= innerHeight,
  };
}

/** What is wrong with the elements that get the focus, and their order. A rule of axe refuses `tabindex`. */
export function focusFaults() {
  const inOrder = [...document.querySelectorAll('a[href], button, input, select, textarea')];
  const reached = inOrder.filter((element) => element.checkVisibility());
  // there, a bar at the edge of the window is in its own place
  scrollTo(0, document.documentElement.scrollHeight);
  const boxes = reached.map((element) => element.getBoundingClientRect());
  return reached.flatMap((element, i) => {
    const name = element.id || element.textContent.trim();
    element.focus();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    const [box, last] = [boxes[i], boxes[i - 1] ?? boxes[i]];
    // the next column begins above the end of the last one
    const isAbove = box.bottom <= last.top && box.left < last.right;
    const isBefore = box.right <= last.left && box.top < last.bottom;
    const described = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    const target = element.getAttribute('href')?.match(/^#(.*)/)?.[1] ?? [];
    const missing = described.concat(target).filter((id) => document.getElementById(id) === null);
    return [
      ...(isOutlined ? [] : [`does not show the focus on ${name}`]),
      ...(isAbove || isBefore ? [`moves the focus back to ${name}`] : []),
      ...(element.ariaInvalid === 'true' && described.length === 0 ? [`does not say what is wrong with ${name}`] : []),
      ...missing.map((id) => `has no #${id}`),
    ];
  });
}

/** Records the headings that are in sight, frame by frame, each time that they change. */
export function recordHeadings() {
  window.headingsSeen = [];
  const record = () => {
    const inSight = [...document.querySelectorAll('main :is(h1, h2, h3, .not-found-page)')].filter((heading) => {
      const { top, bottom } = heading.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && heading.checkVisibility({ visibilityProperty: true });
    });
    const seen = inSight.map((heading) => heading.textContent.trim());
    if (String(seen) !== String(window.headingsSeen.at(-1))) window.headingsSeen.push(seen);
    requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}
