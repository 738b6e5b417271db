/**
 * Cells of CSV files (RFC 4180). Text that a spreadsheet would take for a formula is made harmless: what people wrote ends up in
 * the spreadsheet of somebody else. Quotes alone do not help, since a spreadsheet that separates at `;` or tabs does not see
 * them where they are meant.
 */

/** What starts a formula somewhere (OWASP, CSV injection), the wide forms of East Asian keyboards included. */
const FORMULA = /(^|[;\t\r\n])( *)([=+\-@＝＋－＠])/g;

/** `text` with an apostrophe before whatever a spreadsheet would calculate, at its beginning or after a separator inside of it. */
export function harmlessCell(text: string): string {
  const harmless = text.replaceAll(FORMULA, "$1$2'$3");
  return /^[\t\r\n]/.test(harmless) ? `'${harmless}` : harmless;
}

/** One record, line end included. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map((text) => quoted(harmlessCell(text))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
