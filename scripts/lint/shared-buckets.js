/** Reports each operation whose bucket has another limit or window in an earlier operation. */
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
        message: `The bucket ${declared.bucket} allows ${before} elsewhere, and ${terms} here.`,
        path: [...root, path, method, 'x-rate-limit'],
      });
    }
  }
  return problems;
}
