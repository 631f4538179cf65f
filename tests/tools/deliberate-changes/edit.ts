/**
 * An edit that replaces every `from` with `to` in the block that starts at a line. The block is everything indented
 * deeper. If the line is inside an object (an operationId), the block includes the lines below it too.
 */
export function within(head: string, from: string, to: string): (text: string) => string {
  return (text) => {
    const lines = text.split('\n');
    const [at, ...others] = lines.flatMap((line, index) => (line.startsWith(head) ? [index] : []));
    if (at === undefined || others.length > 0) throw new Error(`"${head.trim()}" must start exactly one block.`);
    const isEntry = /[:{ ]$/.test(head);
    const depth = indentOf(head);
    const after = lines.findIndex(
      (line, index) => index > at && line.trim() !== '' && (isEntry ? indentOf(line) <= depth : indentOf(line) < depth),
    );
    const end = after < 0 ? lines.length : after;
    const part = lines.slice(at, end).join('\n');
    if (!part.includes(from)) throw new Error(`The block "${head.trim()}" does not contain "${from}".`);
    return [...lines.slice(0, at), part.replaceAll(from, to), ...lines.slice(end)].join('\n');
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
