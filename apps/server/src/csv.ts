/**
 * CSV as RFC 4180 has it: commas, CRLF, quotes doubled. Text that a spreadsheet would take for a formula is made harmless,
 * since what people wrote ends up in an administrator's spreadsheet.
 */

/** What starts a formula somewhere (OWASP, CSV injection), the wide forms of East Asian keyboards included. */
const STARTS_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** One record, line end included. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** `text`, with an apostrophe before it when a spreadsheet would calculate it. */
export function harmlessCell(text: string): string {
  return STARTS_FORMULA.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  const harmless = harmlessCell(text);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
