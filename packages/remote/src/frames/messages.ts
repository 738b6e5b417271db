/**
 * The messages between a host and a guest inside sealed frames. Types, encoder and decoder follow from one table of
 * kinds and fields. A kind's code is its index in that table, so new kinds go to its end.
 */
import { RemoteError } from '../remote-failure.ts';
import { textWithin } from '../text-within.ts';
import {
  ByteReader,
  ByteWriter,
  bytes,
  count,
  type Field,
  type Fields,
  fixed,
  flag,
  list,
  optional,
  record,
  text,
  time,
  u8,
  u32,
  type ValuesOf,
  word,
} from './byte-fields.ts';
import { lanePlaces, lanes, wordsLimit } from './tap-records.ts';

/** Maximum bytes of a port in one message. */
export const pieceLimit = 16_384;
/** Longest name of a person or a port, in bytes of UTF-8. */
const nameLimit = 80;
/** Most steps in one sequence of control lines. */
export const stepLimit = 64;
/** Longest wait of one step, in milliseconds. */
export const stepWaitLimit = 10_000;
/** Longest beginning or end of an awaited frame, in bytes. */
const awaitedLimit = 16;
/** Longest beginning of expected bytes. */
const beginsLimit = 128;
/** Most expected bytes in total. */
export const expectedLimit = 1_024;
/** Longest wait for expected bytes and longest pause behind them, in milliseconds. */
export const expectedTimeLimit = 60_000;
/** Most bytes of tap frames that are sent again in one message. */
export const catchUpLimit = 48_000;

/** Rights of a guest to a port. Each includes those before it. */
export const rights = ['watch', 'type', 'use'] as const;
export type Right = (typeof rights)[number];

const answers = [
  'done',
  'no-right',
  'busy',
  'no-device',
  'permission-denied',
  'bad-settings',
  'open-failed',
  'not-open',
  'failed',
  'aborted',
] as const;
export type Answer = (typeof answers)[number];

/** Line errors after which reading continues with a new stream. */
const lineErrors = ['break', 'framing', 'parity', 'overrun'] as const;
export type LineErrorWord = (typeof lineErrors)[number];

/** Reasons why a port that a guest used is no longer open. */
const portEnds = ['unplugged', 'taken-back', 'failed', 'away'] as const;
export type PortEnd = (typeof portEnds)[number];

/** Reasons why the host ends a guest's visit. */
const visitEnds = ['expelled', 'ended', 'fell-behind', 'wrong-version', 'too-many'] as const;
export type VisitEnd = (typeof visitEnds)[number];

const port: Field<number> = {
  write: u8.write,
  read: (reader) => {
    const value = reader.u8();
    if (value < 1 || value > 4) {
      throw new RemoteError('malformed');
    }
    return value;
  },
};

const settings = record({
  baudRate: u32,
  dataBits: word(['7', '8']),
  stopBits: word(['1', '2']),
  parity: word(['none', 'even', 'odd']),
  flowControl: word(['none', 'hardware']),
});
export type SettingsFields = ReturnType<typeof settings.read>;

const steps = list(record({ dtr: flag, rts: flag, wait: u32 }), stepLimit);
export type StepFields = ReturnType<typeof steps.read>[number];

const sharedPort = record({
  port,
  /** True: a board is plugged in. */
  present: flag,
  /** Number of times that a board was plugged in. A changed number means another `SerialPort`. */
  visit: u32,
  name: text(nameLimit),
  usbVendorId: optional(u32),
  usbProductId: optional(u32),
  /** Null while the port is closed. */
  settings: optional(settings),
  /** Name of the guest that uses the port; null: the host, or no user. */
  user: optional(text(nameLimit)),
  /** True: the receiver of this message uses the port. */
  isYours: flag,
  right: word(rights),
  /** The receiver's pending request for a right; null: none. */
  asked: optional(word(rights)),
});
export type SharedPortFields = ReturnType<typeof sharedPort.read>;

/** Maximum number of guests in one message. Guests that may do more than watch come first. */
export const peopleLimit = 32;

const person = record({
  name: text(nameLimit),
  /** True: this is the receiver of the message. */
  isYou: flag,
  /** Ports to which the guest has more than the right to watch. */
  rights: list(record({ port, right: word(rights) }), 4),
});
export type PersonFields = ReturnType<typeof person.read>;

/** Maximum number of lines from before a guest joined, in one message. */
export const earlierListLimit = 2_000;

/** Maximum number of guests that are named as typing at the same time. */
export const typistLimit = 16;

const typist = record({
  port,
  name: text(nameLimit),
  /** True: this is the receiver of the message. */
  isYou: flag,
});
export type TypistFields = ReturnType<typeof typist.read>;

const earlierLine = record({
  port,
  lane: word(lanes),
  /** Time on the host's clock, in milliseconds since the Unix epoch. */
  time,
  /** True: later bytes continue this line. */
  isOpen: flag,
  bytes: bytes(pieceLimit),
  /** Author of a sent line, as text beside it; null for a line of the host. */
  author: optional(text(wordsLimit)),
});
export type EarlierLineFields = ReturnType<typeof earlierLine.read>;

const messageLayouts = {
  // From both sides.
  ack: { received: u32 },
  ping: { received: u32 },
  bytes: { port, at: count, bytes: bytes(pieceLimit) },
  credit: { port, total: count },
  // From a guest.
  prove: { guest: fixed(16), name: text(nameLimit), received: u32, tapFrame: count },
  ask: { port, right: word(rights) },
  type: { request: u32, port, bytes: bytes(pieceLimit) },
  open: { request: u32, port, settings, window: u32 },
  close: { request: u32, port },
  signals: { request: u32, port, dtr: optional(flag), rts: optional(flag), break: optional(flag) },
  steps: { request: u32, port, steps, release: steps },
  stop: { port },
  inputs: { request: u32, port },
  drain: { request: u32, port },
  discard: { port, upTo: count },
  catchUp: { from: count },
  leave: {},
  // From the host. `endsIn`: milliseconds until sharing ends.
  accept: { isNew: flag, host: text(nameLimit), received: u32, tapFrame: count, lanes: lanePlaces, endsIn: count },
  refuse: { reason: word(visitEnds) },
  answer: { request: u32, answer: word(answers), value: u32 },
  ports: { endsIn: count, ports: list(sharedPort, 4) },
  people: { total: u32, people: list(person, peopleLimit) },
  tapKey: { epoch: u32, key: fixed(32) },
  /** `time`: the host's clock, in milliseconds since the Unix epoch. */
  pong: { received: u32, tapFrame: count, time },
  lineError: { port, error: word(lineErrors), missing: count, at: count },
  lost: { port, end: word(portEnds) },
  caughtUp: { from: count, frames: list(bytes(catchUpLimit), 4_096), head: count },
  // From a guest. `hold`: its bytes from `at` on wait for a frame from the board. `answerTime`: requests the time
  // that the board has had to answer.
  hold: { port, at: count, delimiter: u8, begins: bytes(awaitedLimit), ends: bytes(awaitedLimit) },
  answerTime: { request: u32, port },
  // Between sides that know `knowsMore`, from a guest: its bytes from `at` on wait for exactly these bytes from the
  // board.
  expect: { port, at: count, begins: bytes(beginsLimit), length: u32, pause: u32, limit: u32 },
  // From the host: the sum of its `hostAbilities`, and facts about boards beyond those in `ports`.
  abilities: { bits: u32 },
  boards: { boards: list(record({ port, isSimulated: flag }), 4) },
  // From a guest: the key of its browser, the same on each of its pages.
  person: { key: fixed(16) },
  // From a guest, to a host with the ability `earlier`: requests the lines from before the guest joined.
  wantEarlier: {},
  // From the host: these lines, oldest first. `now`: the host's clock, in milliseconds since the Unix epoch.
  earlier: { now: time, lines: list(earlierLine, earlierListLimit), isLast: flag },
  // From a guest, to a host with the ability `keys`: keys as they are pressed, which leave no line of their own.
  keys: { request: u32, port, bytes: bytes(pieceLimit) },
  // From a guest, to a host with the ability `hidden`: bytes that no log may show, only their number.
  hidden: { request: u32, port, bytes: bytes(pieceLimit) },
  // From a guest, to a host with the ability `typists`: `length` of its bytes for a port that it uses, from `at` on,
  // are keys as they are pressed.
  areKeys: { port, at: count, length: u32 },
  // From a guest, to a host with the ability `typists`: requests `typists`, now and after each change.
  wantTypists: {},
  // From the host: guests that type key by key now.
  typists: { typists: list(typist, typistLimit) },
} as const satisfies Record<string, Fields>;

type MessageKind = keyof typeof messageLayouts;
export type MessageOf<Kind extends MessageKind> = Kind extends MessageKind
  ? { readonly kind: Kind } & ValuesOf<(typeof messageLayouts)[Kind]>
  : never;
export type Message = { [Kind in MessageKind]: MessageOf<Kind> }[MessageKind];

/**
 * Informs the host that a guest understands `abilities` and the kinds after it. It is a request for the right to
 * watch, which every guest has: older hosts ignore it, and older guests never send it.
 */
export const knowsMore: MessageOf<'ask'> = { kind: 'ask', port: 1, right: 'watch' };

/**
 * Bits of the host's abilities that older versions lack. `earlier`: new guests may see lines from before they joined.
 * `keys`: it takes keys as they are pressed. `hidden`: it keeps hidden bytes out of every log. `typists`: it takes
 * `areKeys` and names the guests that type.
 */
export const hostAbilities = { expect: 1, person: 2, earlier: 4, keys: 8, hidden: 16, typists: 32 } as const;

/** Messages without a number. They are sent again with new content when needed, never resent as they were. */
const unnumbered: readonly MessageKind[] = [
  'ack',
  'ping',
  'pong',
  'prove',
  'accept',
  'refuse',
  'ports',
  'people',
  'tapKey',
  'catchUp',
  'caughtUp',
  'boards',
  'typists',
];

export function isNumbered(kind: MessageKind): boolean {
  return !unnumbered.includes(kind);
}

const kinds = Object.keys(messageLayouts) as MessageKind[];
const codecs = kinds.map((kind) => record(messageLayouts[kind] as Fields) as Field<unknown>);

/** A message and its number; 0 for kinds without a number. */
export interface Numbered {
  readonly number: number;
  readonly message: Message;
}

/** Encodes the kind (1 byte), the number (4 bytes, only for numbered kinds) and the fields. */
export function encodeMessage(message: Message, number = 0): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  const code = kinds.indexOf(message.kind);
  writer.u8(code);
  if (isNumbered(message.kind)) {
    writer.u32(number);
  }
  codecs[code]?.write(writer, message);
  return writer.done();
}

/**
 * Decodes a message. Byte fields of the result are views of `plain`.
 *
 * @throws RemoteError with `malformed`.
 */
export function decodeMessage(plain: Uint8Array): Numbered {
  const reader = new ByteReader(plain);
  const code = reader.u8();
  const kind = kinds[code];
  const codec = codecs[code];
  if (kind === undefined || codec === undefined) {
    throw new RemoteError('malformed');
  }
  const number = isNumbered(kind) ? reader.u32() : 0;
  const message = { kind, ...(codec.read(reader) as object) } as Message;
  reader.end();
  return { number, message };
}

/** Cuts a name to the longest allowed length, without half a character at its end. */
export function nameWithin(name: string): string {
  return new TextDecoder().decode(textWithin(name, nameLimit));
}
