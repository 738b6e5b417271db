/** Start of a board's program, judged by its output. Each family parses its own output. */
export type BootVerdict =
  /** The board printed nothing. */
  | { readonly kind: 'silence' }
  /** The board printed at another baud rate. */
  | { readonly kind: 'unreadable' }
  /** The ROM or bootloader has printed, the application has not yet. */
  | { readonly kind: 'starting' }
  /** The chip is in its bootloader and waits for new firmware. */
  | { readonly kind: 'download' }
  /** The application has printed. Null if it did not print its name or version. */
  | { readonly kind: 'app'; readonly project: string | null; readonly version: string | null }
  /** The ROM found no bootloader. `word` is the value that it read instead; `empty` is true if that is erased flash. */
  | { readonly kind: 'invalid-header'; readonly word: number; readonly empty: boolean }
  /** The bootloader found no valid partition table. */
  | { readonly kind: 'no-partition-table' }
  /** The bootloader found no application that it can start. */
  | { readonly kind: 'no-app' }
  /** The ROM or bootloader refused an image as damaged or unsigned. `line` is its message. */
  | { readonly kind: 'bad-image'; readonly line: string }
  /** The application crashed. `line` is the first line that reports it. */
  | { readonly kind: 'panic'; readonly line: string }
  | { readonly kind: 'brown-out' }
  /** The chip resets repeatedly. `reason` is the ROM's name for the last reset, such as `RTCWDT_RTC_RESET`. */
  | { readonly kind: 'boot-loop'; readonly resets: number; readonly reason: string | null };
