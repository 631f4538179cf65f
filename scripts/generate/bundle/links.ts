/** Makes links within the documentation absolute, because their anchors don't exist in other tools. */
export function withAbsoluteLinks<T extends object>(document: T, serverUrl: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll('](#', `](${docsUrl(serverUrl)}#`));
}

/** Reverts `withAbsoluteLinks`, for the documentation itself. */
export function withLocalLinks<T extends object>(document: T, serverUrl: string): T {
  return JSON.parse(JSON.stringify(document).replaceAll(`](${docsUrl(serverUrl)}#`, '](#'));
}

function docsUrl(serverUrl: string): string {
  return `${serverUrl}/docs`;
}
