/** Bounds of memory and time of a shared bench, in bytes and milliseconds. */

export const limits = {
  /** Shortest time between two frames of the tap. */
  tapInterval: 20,
  /** Bytes of the tap that are kept for retransmission, for all guests together. */
  tapKept: 4 * 1024 * 1024,
  /** Waiting bytes in the host's connection above which no tap is sent. */
  linkBuffered: 1024 * 1024,
  /** Bytes that a port may send to a guest, or a guest to a port, before the other side has accepted them. */
  window: 256 * 1024,
  /** Bytes held per used port for a guest that does not read or is away. Later bytes are counted and reported. */
  held: 1024 * 1024,
  /** Maximum number of a guest's writes to a port that wait for answers of the board. */
  waits: 1_024,
  /** Held bytes at which hardware flow control stops the board, so that nothing is lost. */
  heldFlow: 64 * 1024,
  /** Bytes of messages that wait for the other side's receipt. */
  unacknowledged: 4 * 1024 * 1024,
  /** Frames of one connection that wait to be opened. */
  inbox: 2_048,
  /** Maximum number of lines from before a guest joined, per port, and their maximum size. */
  earlierLines: 500,
  earlierBytes: 64 * 1024,
  /** Beyond this number of guests, the size of the earlier lines shrinks in proportion. */
  earlierGuests: 32,
  /** Time that a guest waits for lines from before it joined. */
  earlierWait: 5_000,
  /** Maximum number of guests of a host. */
  guests: 1_000,
  /** Shortest time between two pieces of a port's bytes to its guest. */
  pieceInterval: 2,
  /** Delay of a receipt, so that it covers several messages. */
  ackDelay: 25,
  /** Time without a receipt after which the other side is probed. */
  probe: 1_000,
  /** Interval at which a guest pings the host. */
  ping: 5_000,
  /** Time without a frame after which a guest reconnects, and after which the host counts a guest as away. */
  silence: 12_000,
  /** Time after which a lost guest is shown as away on the host's page. */
  missed: 2_000,
  /** Time after a refusal before the host sees the same guest's next request for the same port. */
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
