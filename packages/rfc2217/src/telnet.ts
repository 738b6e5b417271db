/**
 * Splits a Telnet byte stream into data, commands, negotiation and subnegotiation (RFC 854, RFC 855), and encodes
 * them.
 */

/** "Interpret as command" (RFC 854, "TELNET COMMAND STRUCTURE"). The other codes come from the same section. */
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

/** Longest subnegotiation that is kept, in bytes. The known ones hold at most a line of text. */
const longestSub = 1_024;

interface TelnetEvents {
  data(bytes: Uint8Array): void;
  /** A command without an option. */
  command(code: number): void;
  /** Called for WILL, WONT, DO and DONT. */
  negotiate(verb: number, option: number): void;
  /** Receives the bytes between IAC SB and IAC SE. The first byte is the option. */
  sub(bytes: Uint8Array): void;
}

export class TelnetReader {
  /**
   * True: every byte is data (RFC 856). False: a NUL after a CR is dropped (RFC 854, "THE NETWORK VIRTUAL TERMINAL").
   */
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

  /**
   * Handles the byte after an IAC within a subnegotiation. It is a second IAC or SE (RFC 855). Any other byte is a
   * new command, and the end of the subnegotiation was lost.
   */
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

/** Doubles each 255 of the data, as the stream requires (RFC 854). Returns `bytes` itself if it contains none. */
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

/** @param content The option and its parameters, not escaped. */
export function encodeSub(content: Uint8Array): Uint8Array {
  return Uint8Array.of(IAC, telnet.subBegin, ...escaped(content), IAC, telnet.subEnd);
}
