/** Spellings of yes and no in settings, claims and JSON of other programs. */
const switches: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  '1': true,
  false: false,
  off: false,
  no: false,
  '0': false,
};

/** Reads `true`, `"true"`, `1`, `on`, `yes` and their opposites, in any case. Null for anything else. */
export function readSwitch(value: unknown): boolean | null {
  const text = ['boolean', 'number', 'string'].includes(typeof value) ? String(value).trim().toLowerCase() : '';
  return Object.hasOwn(switches, text) ? (switches[text] ?? null) : null;
}
