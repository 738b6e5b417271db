/** How a board's program started, as far as what it printed tells. Each family reads its own texts. */
export type BootVerdict =
  /** Nothing was printed. */
  | { readonly kind: 'silence' }
  /** Something was printed, but at another baud rate. */
  | { readonly kind: 'unreadable' }
  /** ROM or bootloader were heard, the application was not yet. */
  | { readonly kind: 'starting' }
  /** The chip waits in its bootloader for new firmware. */
  | { readonly kind: 'download' }
  /** The application was heard. Null where it did not say its name or version. */
  | { readonly kind: 'app'; readonly project: string | null; readonly version: string | null }
  /** The ROM finds no bootloader. `word` is what it found instead; `empty` when that is erased flash. */
  | { readonly kind: 'invalid-header'; readonly word: number; readonly empty: boolean }
  /** The bootloader finds no valid partition table. */
  | { readonly kind: 'no-partition-table' }
  /** The bootloader finds no application that it can start. */
  | { readonly kind: 'no-app' }
  /** ROM or bootloader refuse an image as damaged or not signed; `line` is their own. */
  | { readonly kind: 'bad-image'; readonly line: string }
  /** The application crashed; `line` is the first that says so. */
  | { readonly kind: 'panic'; readonly line: string }
  | { readonly kind: 'brown-out' }
  /** The chip resets itself; `reason` as the ROM names the last reset, such as `RTCWDT_RTC_RESET`. */
  | { readonly kind: 'boot-loop'; readonly resets: number; readonly reason: string | null };
