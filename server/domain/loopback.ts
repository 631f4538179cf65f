const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether a name or address always refers to the visitor's own machine (RFC 6761, section 6.3). Lower case only. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
