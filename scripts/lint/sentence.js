/** Whether a description ends with a full stop; one that ends in a table may end with its last row. */
// Spectral takes a custom function as a default export, and by the name of its file.
export default function sentence(description, _options, { path }) {
  if (typeof description !== 'string' || isInExample(path)) return;
  if (/[.!?|]$/.test(description.trimEnd())) return;
  return [{ message: 'A description ends with a full stop.' }];
}

/** Examples have fields called description too, and what stands in them is not ours to judge. */
function isInExample(path) {
  return path.some((key) => key === 'example' || key === 'examples');
}
