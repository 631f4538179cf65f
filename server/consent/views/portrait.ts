import { type Html, html } from '../../pages/html.ts';

/** The passenger's picture if it's a path on this server, otherwise their initial. */
export function portrait(firstName: string, imageUrl: string | null): Html {
  if (imageUrl !== null && /^\/(?!\/)/.test(imageUrl)) {
    return html`<img class="portrait" src="${imageUrl}" alt="" width="56" height="56">`;
  }
  return html`<span class="portrait initial" aria-hidden="true">${[...firstName][0] ?? ''}</span>`;
}
