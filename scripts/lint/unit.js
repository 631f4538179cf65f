/** Reports a number if neither its own description nor its parameter's or header's description names a unit. */
export default function unit(schema, { units }, { path, document }) {
  const types = [schema.type].flat();
  if (!types.includes('number') && !types.includes('integer')) return;
  if (path.some((key) => key === 'example' || key === 'examples')) return;
  const described = [schema, parentOf(document.data, path)].map((one) => one?.description ?? '').join(' ');
  if (new RegExp(`\\b(${units.join('|')})\\b`, 'i').test(described)) return;
  return [{ message: `The description of a number names its unit, one of: ${units.join(', ')}.` }];
}

function parentOf(document, path) {
  if (path.at(-1) !== 'schema') return undefined;
  return path.slice(0, -1).reduce((found, key) => found?.[key], document);
}
