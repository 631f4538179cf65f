/** What runs inside a page: in JavaScript, because the server's types know no browser. */

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

/** The texts whose color is too near to that of their ground (WCAG 2, 1.4.3). */
export function faintTexts() {
  const LEAST = 4.5;
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? groundOf(element.parentElement) : backgroundColor;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isFaint = (element) =>
    contrast(luminance(getComputedStyle(element).color), luminance(groundOf(element))) < LEAST;
  return [...document.body.querySelectorAll('*')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
    .filter((element) => !element.closest('svg') && isFaint(element))
    .map((element) => element.textContent);
}
