/** Keys of a Screen as bytes: those that a button sends, and those that Ctrl makes of others. */

/** Keys that the cursor modes change: `ESC [ A`, or `ESC O A` in application mode (VT510 reference, DECCKM). */
const cursorFinals = { up: 'A', down: 'B', right: 'C', left: 'D', home: 'H', end: 'F' } as const;

/** Other keys, as xterm sends them (XTerm Control Sequences, "PC-Style Function Keys"). */
const fixedKeys = {
  escape: '\x1b',
  tab: '\t',
  insert: '\x1b[2~',
  delete: '\x1b[3~',
  pageUp: '\x1b[5~',
  pageDown: '\x1b[6~',
  f1: '\x1bOP',
  f2: '\x1bOQ',
  f3: '\x1bOR',
  f4: '\x1bOS',
  f5: '\x1b[15~',
  f6: '\x1b[17~',
  f7: '\x1b[18~',
  f8: '\x1b[19~',
  f9: '\x1b[20~',
  f10: '\x1b[21~',
  f11: '\x1b[23~',
  f12: '\x1b[24~',
} as const;

export type NamedKey = keyof typeof cursorFinals | keyof typeof fixedKeys;

/** @param isApplication True: the program switched the cursor keys to application mode. */
export function keySequence(key: NamedKey, isApplication: boolean): string {
  return key in cursorFinals
    ? `\x1b${isApplication ? 'O' : '['}${cursorFinals[key as keyof typeof cursorFinals]}`
    : fixedKeys[key as keyof typeof fixedKeys];
}

/** Returns the control character of a typed character: `c` is 0x03. Others stay as they are. */
export function withControl(typed: string): string {
  const code = typed.toUpperCase().charCodeAt(0);
  if (typed.length !== 1) {
    return typed;
  }
  if (code >= 0x40 && code <= 0x5f) {
    return String.fromCharCode(code & 0x1f);
  }
  return { ' ': '\0', '?': '\x7f', '/': '\x1f', '-': '\x1f', '2': '\0', '6': '\x1e' }[typed] ?? typed;
}
