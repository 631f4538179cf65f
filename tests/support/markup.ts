// Reads our own pages only: attributes are in double quotes, and contain no >.

export interface Form {
  readonly action: URL;
  readonly method: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** The type of an input, 'submit' for a button, 'textarea' or 'select'. */
  readonly type: string;
  readonly value: string;
  readonly isChecked: boolean;
}

/** The visible text of a page: no tags, decoded entities, single spaces. */
export function textOf(markup: string): string {
  const body = markup.slice(Math.max(0, markup.indexOf('<body')));
  // an inline tag leaves no gap, such as </strong> before a full stop
  const inline = body.replace(/<\/?(a|b|code|em|span|strong)\b[^>]*>/g, '');
  return decoded(inline.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

export function titleOf(markup: string): string {
  return decoded(/<title>(.*?)<\/title>/s.exec(markup)?.[1] ?? '');
}

export function linksOf(markup: string): { readonly href: string; readonly text: string }[] {
  const links = [...markup.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)];
  return links.map(([, head = '', inner = '']) => ({ href: attributesOf(head).href ?? '', text: textOf(inner) }));
}

export function formsOf(markup: string, url: URL): Form[] {
  return [...markup.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inner = '']) => {
    const { action = '', method = 'get' } = attributesOf(head);
    const fields = [...inner.matchAll(FIELD)].map(([, tag, head = '', block, blockHead = '', content = '']): Field => {
      const { name = '', value = '', type = 'text', checked } = attributesOf(block === undefined ? head : blockHead);
      // a browser ignores an empty first line
      if (block === 'textarea')
        return { name, type: block, value: decoded(content.replace(/^\r?\n/, '')), isChecked: false };
      if (block === 'select') return { name, type: block, value: chosenIn(content), isChecked: false };
      return { name, type: tag === 'button' ? 'submit' : type, value, isChecked: checked !== undefined };
    });
    return { action: new URL(action, url), method: method.toLowerCase(), fields };
  });
}

const FIELD = /<(input|button)\b([^>]*)>|<(textarea|select)\b([^>]*)>(.*?)<\/\3>/gs;

/** The value of the chosen option, or of the first one. */
function chosenIn(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes));
  return (all.find(({ selected }) => selected !== undefined) ?? all[0])?.value ?? '';
}

/** The attributes of a start tag. */
export function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(pairs.map(([, name, value = '']) => [name, decoded(value)]));
}

/** A text with its entities decoded. Knows the entities of our pages only. */
export function decoded(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!);
}
