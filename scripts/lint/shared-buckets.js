/** Reports each operation that gives its bucket a different limit or window than an earlier operation. */
export default function sharedBuckets(paths, _options, { path: root }) {
  const first = new Map();
  const problems = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const declared = operation?.['x-rate-limit'];
      if (!declared) continue;
      const terms = `${declared.limit} in ${declared.window_seconds} seconds`;
      const before = first.get(declared.bucket) ?? terms;
      first.set(declared.bucket, before);
      if (terms === before) continue;
      problems.push({
        message: `The bucket ${declared.bucket} allows ${before} elsewhere, but ${terms} here.`,
        path: [...root, path, method, 'x-rate-limit'],
      });
    }
  }
  return problems;
}
