/**
 * Returns the address of a board's page as a link may have it; null for text that is no http or https address. The text
 * comes from the board.
 */
export function pageAddress(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? parsed(text) : null;
  return url === null || url.username !== '' || url.password !== '' ? null : url.href;
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}
