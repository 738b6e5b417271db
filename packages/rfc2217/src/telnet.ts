/**
 * Telnet as a stream of bytes (RFC 854, RFC 855): data, commands, negotiation and subnegotiation told apart. Knows no option.
 */

/** "Interpret as command" (RFC 854, "TELNET COMMAND STRUCTURE"), with the other codes of that section. */
const IAC = 255;
export const telnet = {
  subEnd: 240,
  break: 243,
  areYouThere: 246,
  subBegin: 250,
  will: 251,
  wont: 252,
  do: 253,
  dont: 254,
} as const;

const CR = 13;
const NUL = 0;

/** A subnegotiation longer than this is not kept: none that is known has more than a line of text. */
const longestSub = 1_024;

interface TelnetEvents {
  data(bytes: Uint8Array): void;
  /** A command that stands for itself. */
  command(code: number): void;
  /** WILL, WONT, DO or DONT. */
  negotiate(verb: number, option: number): void;
  /** What is between IAC SB and IAC SE, the option first. */
  sub(bytes: Uint8Array): void;
}

export class TelnetReader {
  /** Off: a CR comes with a NUL that is not data (RFC 854, "THE NETWORK VIRTUAL TERMINAL"; RFC 856 lifts that). */
  isBinary = false;
  readonly #events: TelnetEvents;
  #state: 'data' | 'command' | 'option' | 'sub' | 'sub-command' = 'data';
  #verb = 0;
  #sub: number[] = [];
  #isAfterReturn = false;

  constructor(events: TelnetEvents) {
    this.#events = events;
  }

  receive(bytes: Uint8Array): void {
    const data = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      const isData = this.#state === 'data' ? byte !== IAC : this.#state === 'command' && byte === IAC;
      if (!isData) {
        if (length > 0) {
          this.#events.data(data.slice(0, length));
          length = 0;
        }
        this.#step(byte);
        continue;
      }
      this.#state = 'data';
      const isFiller = byte === NUL && this.#isAfterReturn && !this.isBinary;
      this.#isAfterReturn = byte === CR;
      if (!isFiller) {
        data[length++] = byte;
      }
    }
    if (length > 0) {
      this.#events.data(data.slice(0, length));
    }
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'data':
        this.#state = 'command';
        break;
      case 'command':
        this.#command(byte);
        break;
      case 'option':
        this.#state = 'data';
        this.#events.negotiate(this.#verb, byte);
        break;
      case 'sub':
        if (byte === IAC) {
          this.#state = 'sub-command';
        } else {
          this.#keep(byte);
        }
        break;
      case 'sub-command':
        this.#inSub(byte);
        break;
    }
  }

  #command(code: number): void {
    if (code === telnet.subBegin) {
      this.#sub = [];
      this.#state = 'sub';
    } else if (code >= telnet.will) {
      this.#verb = code;
      this.#state = 'option';
    } else {
      this.#state = 'data';
      this.#events.command(code);
    }
  }

  /** An IAC within a subnegotiation is doubled or followed by SE (RFC 855); anything else is a command, and its end was lost. */
  #inSub(byte: number): void {
    if (byte === IAC) {
      this.#state = 'sub';
      this.#keep(byte);
    } else if (byte === telnet.subEnd) {
      this.#state = 'data';
      if (this.#sub.length <= longestSub) {
        this.#events.sub(Uint8Array.from(this.#sub));
      }
      this.#sub = [];
    } else {
      this.#sub = [];
      this.#command(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#sub.length <= longestSub) {
      this.#sub.push(byte);
    }
  }
}

/** Data as it has to be in the stream: each 255 twice (RFC 854). Gives `bytes` itself when there is none. */
export function escaped(bytes: Uint8Array): Uint8Array {
  const count = bytes.reduce((sum, byte) => sum + (byte === IAC ? 1 : 0), 0);
  if (count === 0) {
    return bytes;
  }
  const doubled = new Uint8Array(bytes.length + count);
  let at = 0;
  for (const byte of bytes) {
    doubled[at++] = byte;
    if (byte === IAC) {
      doubled[at++] = byte;
    }
  }
  return doubled;
}

export function encodeNegotiation(verb: number, option: number): Uint8Array {
  return Uint8Array.of(IAC, verb, option);
}

/** @param content the option and what belongs to it. */
export function encodeSub(content: Uint8Array): Uint8Array {
  return Uint8Array.of(IAC, telnet.subBegin, ...escaped(content), IAC, telnet.subEnd);
}
