/**
 * Tracks the Telnet options in use on either side (RFC 854, "the principle of negotiated options"; RFC 1143). RFC
 * 1143's queue is not needed: no option is requested twice.
 */
import { encodeNegotiation, telnet } from './telnet.ts';

/** Option numbers of RFC 856, 857, 858 and 2217. */
export const options = { binary: 0, echo: 1, suppressGoAhead: 3, comPort: 44 } as const;

type Side = 'ours' | 'theirs';

/** Options that one end of a connection accepts on either side, and those of them that it does not request itself. */
interface OptionRules {
  readonly accepted: Readonly<Record<Side, readonly number[]>>;
  readonly waitedFor: Readonly<Record<Side, readonly number[]>>;
}

/**
 * An access server. Offering echo keeps a terminal from echoing locally: echoing is up to the board. pySerial's client
 * uses binary transmission only when it is asked to. RFC 2217 requires the client to offer the Com Port option (section
 * "Negotiation of the Com Port Control Option Protocol").
 */
export const serverOptions: OptionRules = {
  accepted: {
    ours: [options.binary, options.suppressGoAhead, options.echo, options.comPort],
    theirs: [options.binary, options.suppressGoAhead, options.comPort],
  },
  waitedFor: { ours: [options.comPort], theirs: [] },
};

/** A client. It offers the Com Port option, and lets the server echo, which sends what the board echoes. */
export const clientOptions: OptionRules = {
  accepted: {
    ours: [options.binary, options.suppressGoAhead, options.comPort],
    theirs: [options.binary, options.suppressGoAhead, options.echo, options.comPort],
  },
  waitedFor: { ours: [], theirs: [options.echo, options.comPort] },
};

export class TelnetOptions {
  readonly #rules: OptionRules;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #states: Readonly<Record<Side, Map<number, 'asked' | 'on'>>> = { ours: new Map(), theirs: new Map() };

  constructor(rules: OptionRules, send: (bytes: Uint8Array) => void) {
    this.#rules = rules;
    this.#send = send;
  }

  isOn(side: Side, option: number): boolean {
    return this.#states[side].get(option) === 'on';
  }

  /** Sends this side's requests at the start of the session. */
  offer(): void {
    for (const side of ['theirs', 'ours'] as const) {
      const { accepted, waitedFor } = this.#rules;
      for (const option of accepted[side].filter((one) => !waitedFor[side].includes(one))) {
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
      const isKnown = this.#rules.accepted[side].includes(option);
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
