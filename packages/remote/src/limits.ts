/** Bounds of memory and time of a shared bench, in bytes and milliseconds. */

export const limits = {
  /** Shortest time between two frames of the tap. */
  tapInterval: 20,
  /** Bytes of the tap that are kept to be sent again, for all guests together. */
  tapKept: 4 * 1024 * 1024,
  /** Bytes waiting in the host's connection above which no tap is sent. */
  linkBuffered: 1024 * 1024,
  /** Bytes that a port may send to a guest, or a guest to a port, before the other side has taken them. */
  window: 256 * 1024,
  /** Bytes held per used port for a guest that does not read or is away. Later bytes are counted and reported. */
  held: 1024 * 1024,
  /** Most waits of one guest's writes to a port for answers of the board. */
  waits: 1_024,
  /** Held bytes at which hardware flow control stops the board, so that nothing is lost. */
  heldFlow: 64 * 1024,
  /** Bytes of messages that wait for the other side's receipt. */
  unacknowledged: 4 * 1024 * 1024,
  /** Frames of one connection that wait to be opened. */
  inbox: 2_048,
  /** Most lines from before a guest came, for each port, and most bytes of them. */
  earlierLines: 500,
  earlierBytes: 64 * 1024,
  /** With more guests, the bytes from before they came are fewer in proportion. */
  earlierGuests: 32,
  /** A guest waits this long for lines from before it came, in milliseconds. */
  earlierWait: 5_000,
  /** Most guests of a host. */
  guests: 1_000,
  /** Shortest time between two pieces of a port's bytes to its guest. */
  pieceInterval: 2,
  /** Time that a receipt waits for others. */
  ackDelay: 25,
  /** Time without a receipt after which the other side is asked what it has. */
  probe: 1_000,
  /** Interval at which a guest pings the host. */
  ping: 5_000,
  /** Time without a frame after which a guest reconnects, and after which the host counts a guest as away. */
  silence: 12_000,
  /** Time after which a lost guest is shown as away on the host's page. */
  missed: 2_000,
  /** Time after a refusal before the next request of the same guest for the same port is shown to the host. */
  askAgain: 3_000,
  /** Longest time from `hello` to being accepted, and from dialling to the relay's welcome. */
  greeting: 10_000,
  /** First and longest pause before a retry. `retry` is also the shortest time between two answered hellos. */
  retry: 250,
  retryMost: 10_000,
  /** Time after which an absent guest loses its ports, and the host closes them. */
  away: 60_000,
  /**
   * Time until the host's own session gets back a port that a guest has closed. A flasher reopens it at another baud
   * rate.
   */
  reopen: 2_000,
  /** Time for a guest that was lost in the middle of a reset to come back before the host plays the release. */
  release: 1_000,
  /** Time after which sharing ends by itself, and time without any guest after which it ends. */
  room: 8 * 3_600_000,
  empty: 30 * 60_000,
} as const;

export type Limits = { readonly [Name in keyof typeof limits]: number };
