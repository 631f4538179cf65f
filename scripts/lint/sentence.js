/** Reports a description that does not end with a full stop, or with the last row of a table. */
// Spectral needs a default export, and finds it by the file's name.
export default function sentence(description, _options, { path }) {
  if (typeof description !== 'string' || isInExample(path)) return;
  if (/[.!?|]$/.test(description.trimEnd())) return;
  return [{ message: 'A description ends with a full stop.' }];
}

/** Examples can also have fields called description, and the rule does not apply to them. */
function isInExample(path) {
  return path.some((key) => key === 'example' || key === 'examples');
}
