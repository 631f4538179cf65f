import { type Html, html, NOTHING } from '../../pages/page.ts';
import { described, type Labeled, labeled } from '../../sign-in/views/form.ts';

type Facts = readonly (readonly [name: string, value: Html])[];

export function facts(entries: Facts, className = 'facts'): Html {
  return html`<dl class="${className}">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Values to copy now: no page shows them again. */
export function secretFacts(entries: Facts): Html {
  return html`${facts(entries, 'facts secrets')}
      <p class="quiet">Click or tap a value to select it.</p>`;
}

/** An ID, a token or a URL. */
export function literal(text: string): Html {
  return html`<code>${text}</code>`;
}

/** Turns off the browser's corrections for IDs, URLs and names. */
const AS_TYPED = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;

export function textField(
  field: Labeled & { readonly value: string; readonly isOptional?: boolean; readonly isUrl?: boolean },
): Html {
  const { name, value, isOptional = false, isUrl = false } = field;
  return labeled(
    field,
    html`<input id="${name}" name="${name}" type="text" value="${value}"${isUrl ? html` inputmode="url"` : NOTHING} ${AS_TYPED}
          ${isOptional ? NOTHING : html`required`} ${described(field)}>`,
  );
}

export function linesField(field: Labeled & { readonly value: string; readonly rows: number }): Html {
  const { name, value, rows } = field;
  // browsers drop a leading empty line
  return labeled(
    field,
    html`<textarea id="${name}" name="${name}" rows="${rows}" ${AS_TYPED} required ${described(field)}>
${value}</textarea>`,
  );
}

/** @param field.choices the label of each value */
export function choiceField(
  field: Labeled & { readonly choices: Readonly<Record<string, string>>; readonly value: string },
): Html {
  const options = Object.entries(field.choices).map(
    ([value, label]) =>
      html`<option value="${value}"${value === field.value ? html` selected` : NOTHING}>${label}</option>`,
  );
  return labeled(field, html`<select id="${field.name}" name="${field.name}" ${described(field)}>${options}</select>`);
}

/** A text as it was sent, which opens on demand. Shows nothing for an empty one. */
export function textView(id: string, title: string, text: string, isOpen = false): Html {
  if (text === '') return NOTHING;
  return html`<details${isOpen ? html` open` : NOTHING}>
        <summary id="${id}">${title}</summary>
        <pre aria-labelledby="${id}"><code>${text}</code></pre>
      </details>`;
}

export function button(words: string, kind: 'primary' | 'danger' | 'plain' = 'primary'): Html {
  const shown = kind === 'plain' ? html`<button>${words}</button>` : html`<button class="${kind}">${words}</button>`;
  return html`<div class="buttons">${shown}</div>`;
}
