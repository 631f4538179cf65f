const TEXTS = ['means', 'retry', 'do'];

/** Reports error codes without texts in `x-errors`, texts that aren't sentences, and texts for unknown codes. */
// Spectral needs a default export, and finds it by the file's name.
export default function codesHaveTexts(document) {
  const catalogue = document['x-errors'] ?? {};
  const codes = codesOf(document);
  const missing = [...codes].filter((code) => catalogue[code] === undefined);
  const unused = Object.keys(catalogue).filter((code) => !codes.has(code));
  const incomplete = Object.entries(catalogue).flatMap(([code, texts]) =>
    TEXTS.filter((name) => !/^[A-Z`].*\.$/.test(texts?.[name] ?? '')).map((name) => ({ code, name })),
  );
  return [
    ...missing.map((code) => ({ message: `The error ${code} has no texts in x-errors.`, path: ['x-errors'] })),
    ...unused.map((code) => ({ message: `No operation returns the error ${code}.`, path: ['x-errors', code] })),
    ...incomplete.map(({ code, name }) => ({
      message: `The error ${code} needs a sentence in ${name}.`,
      path: ['x-errors', code, name],
    })),
  ];
}

/** Collects the codes of bodies, the `error` header, redirects, and requests outside the contract. */
function codesOf({ info, paths, components }) {
  const operations = Object.values(paths ?? {}).flatMap((item) => Object.values(item));
  const responses = [
    ...Object.values(components?.responses ?? {}),
    ...operations.flatMap((operation) => Object.values(operation?.responses ?? {})),
  ];
  const declared = responses.flatMap((response) => [
    ...Object.values(response?.content ?? {}).flatMap(({ schema }) => codesIn(schema)),
    ...valuesOf(response?.headers?.error?.schema),
    ...(response?.['x-errors'] ?? []),
  ]);
  return new Set([...declared, ...Object.keys(info?.['x-failures'] ?? {})]);
}

function codesIn(schema) {
  const parts = [...(schema?.allOf ?? []), ...(schema?.oneOf ?? []), ...(schema?.anyOf ?? [])];
  return [...valuesOf(schema?.properties?.error), ...parts.flatMap(codesIn)];
}

function valuesOf(schema) {
  return schema?.enum ?? (schema?.const === undefined ? [] : [schema.const]);
}
