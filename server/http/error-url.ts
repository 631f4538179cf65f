/** Where the documentation explains an error code: its heading in the tag Errors. */
export function errorUrl(serverUrl: string, code: string): string {
  return `${serverUrl}/docs#tag/Errors/${code}`;
}
