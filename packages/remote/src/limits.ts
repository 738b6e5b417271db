/** The bounds of memory and time of a shared bench. Bytes and milliseconds. */

export const limits = {
  /** At most one frame of the tap in this time. */
  tapInterval: 20,
  /** What of the tap is kept to be sent again, for all guests together. */
  tapKept: 4 * 1024 * 1024,
  /** While more than this waits to leave the host's connection, no tap is sent. */
  linkBuffered: 1024 * 1024,
  /** What a port may send to a guest, or a guest to a port, before the other side has taken it. */
  window: 256 * 1024,
  /** What is held for a guest that does not read, or is away, for each port that it uses. What comes then is counted and told. */
  held: 1024 * 1024,
  /** Writes of one guest to a port that wait there for what the board sends. */
  waits: 1_024,
  /** With hardware flow control the board is stopped when this much is held, and nothing is lost. */
  heldFlow: 64 * 1024,
  /** Messages that wait for the other side's receipt. */
  unacknowledged: 4 * 1024 * 1024,
  /** Frames of one guest that wait to be opened. */
  inbox: 2_048,
  /** Most lines from before a guest came, for each port, and most bytes of them. */
  earlierLines: 500,
  earlierBytes: 64 * 1024,
  /** With more guests, the bytes from before they came are fewer in proportion. */
  earlierGuests: 32,
  /** A guest waits this long for lines from before it came, in milliseconds. */
  earlierWait: 5_000,
  /** Guests that a host serves. */
  guests: 1_000,
  /** A guest's bytes to a port go over at most once in this time, after the first. */
  pieceInterval: 2,
  /** A receipt waits this long for others. */
  ackDelay: 25,
  /** Without a receipt for this long, the other side is asked what it has. */
  probe: 1_000,
  /** A guest asks this often whether the host is there, and the host whether the guest is. */
  ping: 5_000,
  /** Without a frame for this long, the connection is given up and made again. */
  silence: 12_000,
  /** A guest whose connection is back sooner was never away, as far as the host's page says. */
  missed: 2_000,
  /** After a refusal, the next request of the same guest for the same port is shown to whoever shares only then. */
  askAgain: 3_000,
  /** From `hello` to being accepted. */
  greeting: 10_000,
  /** First and longest pause before another try, and the shortest between two hellos. */
  retry: 250,
  retryMost: 10_000,
  /** A guest that is away for so long has no port any more; the host closes what it used. */
  away: 60_000,
  /** After a guest closed a port, the host's own session gets it back: a flasher opens it again with another baud rate. */
  reopen: 2_000,
  /** A guest that went away in the middle of a reset has this long to come back before the host plays the release. */
  release: 1_000,
  /** Sharing ends by itself after this time, and when the last guest has been gone for that. */
  room: 8 * 3_600_000,
  empty: 30 * 60_000,
} as const;

export type Limits = { readonly [Name in keyof typeof limits]: number };
