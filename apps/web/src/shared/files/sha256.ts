/**
 * Returns the SHA-256 in lower-case hexadecimal. Empty if the browser denies `crypto.subtle` to a page over plain
 * http.
 */
export async function sha256Of(bytes: Uint8Array): Promise<string> {
  if (crypto.subtle === undefined) {
    return '';
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
