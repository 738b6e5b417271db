/** Reads `true`, `"true"`, `1`, `on`, `yes` and their opposites, in any case. Null for anything else. */
export function readSwitch(value: unknown): boolean | null {
  const text = typeof value === 'object' ? '' : String(value).trim();
  return /^(?:true|on|yes|1)$/i.test(text) ? true : /^(?:false|off|no|0)$/i.test(text) ? false : null;
}
