/** Reports each `error` value that a response's schema allows and no example shows. */
export default function codesHaveExamples({ schema, examples }) {
  const shown = new Set(Object.values(examples ?? {}).map((example) => example.value?.error));
  const missing = [...errorCodes(schema)].filter((code) => !shown.has(code));
  return missing.map((code) => ({ message: `No example shows the error ${code}.` }));
}

function errorCodes(schema) {
  const own = schema?.properties?.error;
  const codes = new Set(own?.enum ?? (own?.const === undefined ? [] : [own.const]));
  for (const part of [...(schema?.allOf ?? []), ...(schema?.oneOf ?? [])]) {
    for (const code of errorCodes(part)) codes.add(code);
  }
  return codes;
}
