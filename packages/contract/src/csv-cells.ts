/**
 * Cells of CSV files (RFC 4180). Text that a spreadsheet would evaluate as a formula is escaped, because it comes
 * from other people. Quotes alone do not help: a spreadsheet that separates at `;` or tabs does not see them at the
 * start of its cell.
 */

/**
 * Start of a formula in some spreadsheet (OWASP, CSV injection), including the full-width forms of East Asian
 * keyboards.
 */
const FORMULA = /(^|[;\t\r\n])( *)([=+\-@＝＋－＠])/g;

/**
 * Returns `text` with an apostrophe before each character that would start a formula, at the beginning or after a
 * separator.
 */
export function harmlessCell(text: string): string {
  const harmless = text.replaceAll(FORMULA, "$1$2'$3");
  return /^[\t\r\n]/.test(harmless) ? `'${harmless}` : harmless;
}

/** Returns one record with its line ending. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map((text) => quoted(harmlessCell(text))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
