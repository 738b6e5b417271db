/**
 * Tracks the Telnet options in use on either side (RFC 854, "the principle of negotiated options"; RFC 1143). RFC
 * 1143's queue is not needed: no option is requested twice.
 */
import { encodeNegotiation, telnet } from './telnet.ts';

/** Option numbers of RFC 856, 857, 858 and 2217. */
export const options = { binary: 0, echo: 1, suppressGoAhead: 3, comPort: 44 } as const;

type Side = 'ours' | 'theirs';

/**
 * Options that this side accepts. Offering echo keeps a terminal from echoing locally: echoing is up to the board.
 * pySerial's client uses binary transmission only when it is asked to.
 */
const offered: Readonly<Record<Side, readonly number[]>> = {
  ours: [options.binary, options.suppressGoAhead, options.echo, options.comPort],
  theirs: [options.binary, options.suppressGoAhead, options.comPort],
};

/**
 * Options that the other side must offer first. RFC 2217 requires the client to offer the Com Port option (section
 * "Negotiation of the Com Port Control Option Protocol").
 */
const waitedFor: Readonly<Record<Side, readonly number[]>> = { ours: [options.comPort], theirs: [] };

export class TelnetOptions {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #states: Readonly<Record<Side, Map<number, 'asked' | 'on'>>> = { ours: new Map(), theirs: new Map() };

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send;
  }

  isOn(side: Side, option: number): boolean {
    return this.#states[side].get(option) === 'on';
  }

  /** Sends this side's requests at the start of the session. */
  offer(): void {
    for (const side of ['theirs', 'ours'] as const) {
      for (const option of offered[side].filter((one) => !waitedFor[side].includes(one))) {
        this.#states[side].set(option, 'asked');
        this.#say(side, option, true);
      }
    }
  }

  receive(verb: number, option: number): void {
    const side: Side = verb === telnet.do || verb === telnet.dont ? 'ours' : 'theirs';
    const isWanted = verb === telnet.do || verb === telnet.will;
    const states = this.#states[side];
    const state = states.get(option);
    if (isWanted && state !== 'on') {
      const isKnown = offered[side].includes(option);
      if (isKnown) {
        states.set(option, 'on');
      }
      // An answer to this side's own request must not be answered again.
      if (state !== 'asked') {
        this.#say(side, option, isKnown);
      }
    } else if (!isWanted && state !== undefined) {
      states.delete(option);
      if (state === 'on') {
        this.#say(side, option, false);
      }
    }
  }

  /**
   * Marks an option as on because the other side uses it after a request for it. If pySerial's client is asked before
   * it has offered the option, it takes the request for the answer and never offers it (`rfc2217.py`,
   * `TelnetOption.process_incoming`).
   */
  used(side: Side, option: number): void {
    if (this.#states[side].get(option) === 'asked') {
      this.#states[side].set(option, 'on');
    }
  }

  #say(side: Side, option: number, yes: boolean): void {
    const verb = side === 'ours' ? (yes ? telnet.will : telnet.wont) : yes ? telnet.do : telnet.dont;
    this.#send(encodeNegotiation(verb, option));
  }
}
