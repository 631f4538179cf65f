import { html } from './html.ts';

/** The logo on every page. */
export const ICON = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#5b5bd6"/>
  <path d="M9 22 V19 Q9 13 16 13 H19" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
  <circle cx="9" cy="23" r="3.5" fill="#fff"/>
  <path d="M18 7 L26 13 L18 19Z" fill="#fff" stroke="#fff" stroke-linejoin="round"/>
</svg>`;
