import { type Html, html } from '../../pages/html.ts';

/** A passenger's picture if it is a path of this server, else the initial of their name. */
export function portrait(firstName: string, imageUrl: string | null): Html {
  if (imageUrl !== null && /^\/(?!\/)/.test(imageUrl)) {
    return html`<img class="portrait" src="${imageUrl}" alt="" width="56" height="56">`;
  }
  return html`<span class="portrait initial" aria-hidden="true">${[...firstName][0] ?? ''}</span>`;
}
