/**
 * Which Telnet options are in use on either side (RFC 854, "the principle of negotiated options"; RFC 1143, without its queue: nothing is
 * asked for twice here). Knows no option's content.
 */
import { encodeNegotiation, telnet } from './telnet.ts';

/** RFC 856, 857, 858 and 2217. */
export const options = { binary: 0, echo: 1, suppressGoAhead: 3, comPort: 44 } as const;

type Side = 'ours' | 'theirs';

/**
 * Echo is offered so that a terminal echoes nothing by itself: the board does, or does not. pySerial's client uses binary transmission only
 * when it is asked to.
 */
const offered: Readonly<Record<Side, readonly number[]>> = {
  ours: [options.binary, options.suppressGoAhead, options.echo, options.comPort],
  theirs: [options.binary, options.suppressGoAhead, options.comPort],
};

/** RFC 2217 has the client offer its option (section "Negotiation of the Com Port Control Option Protocol"): only that is waited for. */
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

  /** Says first what is wanted. */
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
      // The answer to what was asked for is none to be answered.
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
   * The other side uses an option that it was asked for, which says that it has it. pySerial's client that is asked before it has offered the
   * option takes the question for the answer, and never offers it (`rfc2217.py`, `TelnetOption.process_incoming`).
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
