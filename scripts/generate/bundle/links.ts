/** Makes links within the documentation absolute, because other tools have no place with that name. */
export function withAbsoluteLinks<T extends object>(document: T, serverUrl: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll('](#', `](${docsUrl(serverUrl)}#`));
}

/** Takes them back to links within the page, for the documentation itself. */
export function withLocalLinks<T extends object>(document: T, serverUrl: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll(`](${docsUrl(serverUrl)}#`, '](#'));
}

function docsUrl(serverUrl: string): string {
  return `${serverUrl}/docs`;
}
