/** Keyboard shortcuts of the terminal. Handlers, display and documentation use this list. */

export interface Shortcut {
  /** Keys in the notation of `tinykeys`. */
  readonly keys: string;
  /** Short name for the status line. */
  readonly short: string;
  readonly what: string;
}

export const shortcuts = {
  hex: { keys: 'Shift+H', short: 'hex', what: 'switch between text and hex' },
  follow: { keys: 'Shift+A', short: 'follow', what: 'follow the newest lines' },
  clear: { keys: 'Shift+C', short: 'clear', what: 'clear the log' },
  export: { keys: 'Shift+X', short: 'save', what: 'save the log as text' },
  nextMark: { keys: 'Shift+N', short: 'next mark', what: 'go to the next line that a rule marks' },
  previousMark: { keys: 'Shift+P', short: 'previous mark', what: 'go to the previous line that a rule marks' },
  find: { keys: '/', short: 'find', what: 'find in the console' },
  guide: { keys: '?', short: 'guide', what: 'open or close the quick guide' },
} as const satisfies Record<string, Shortcut>;

/** Formats keys as on a key cap: `⇧H`. */
export const keyCap = (keys: string): string => keys.replace('Shift+', '⇧');
