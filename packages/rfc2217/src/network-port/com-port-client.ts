/** The client's half of RFC 2217 without a socket: negotiation, commands with their answers, and notifications. */
import { type Deferred, deferred } from '@wirebench/port';
import { type CommandName, encodeCommand, lineState, modemInputsOf, readAnswer } from '../com-port-commands.ts';
import { escaped, TelnetReader, telnet } from '../telnet.ts';
import { clientOptions, TelnetOptions, options as telnetOptions } from '../telnet-options.ts';

export type LineErrorKind = 'break' | 'framing' | 'parity' | 'overrun';

interface ComPortClientEvents {
  /** Sends bytes to the access server as they are. */
  readonly send: (bytes: Uint8Array) => void;
  readonly data: (bytes: Uint8Array) => void;
  readonly lineError: (kind: LineErrorKind) => void;
}

export class ComPortClient {
  readonly #events: ComPortClientEvents;
  readonly #reader: TelnetReader;
  readonly #negotiated: TelnetOptions;
  readonly #agreed = deferred<boolean>();
  readonly #asked = new Map<CommandName, Deferred<number>[]>();
  #inputs: SerialInputSignals | null = null;

  constructor(events: ComPortClientEvents) {
    this.#events = events;
    this.#negotiated = new TelnetOptions(clientOptions, events.send);
    this.#reader = new TelnetReader({
      data: events.data,
      command: () => undefined,
      negotiate: (verb, option) => {
        this.#negotiated.receive(verb, option);
        // pySerial's server offers the option for its own side first.
        if (option === telnetOptions.comPort && (verb === telnet.do || verb === telnet.dont)) {
          this.#agreed.resolve(this.#negotiated.isOn('ours', telnetOptions.comPort));
        }
      },
      sub: (bytes) => this.#answered(bytes),
    });
    // A client of RFC 2217 gets bytes as they are, whatever was negotiated (section "Compatibility").
    this.#reader.isBinary = true;
    this.#negotiated.offer();
  }

  /** Resolves with true when the server takes the Com Port option, and with false when it refuses it. */
  get agreed(): Promise<boolean> {
    return this.#agreed.promise;
  }

  /** Modem lines as notified last; null before the first notification. */
  get inputs(): SerialInputSignals | null {
    return this.#inputs;
  }

  receive(bytes: Uint8Array): void {
    this.#reader.receive(bytes);
  }

  /** Returns bytes of the port as they are sent. */
  encode(bytes: Uint8Array): Uint8Array {
    return escaped(bytes);
  }

  /** Sends commands together, and expects no answer. */
  tell(...commands: readonly (readonly [name: CommandName, value: number])[]): void {
    const encoded = commands.map(([name, value]) => encodeCommand(name, value));
    const bytes = new Uint8Array(encoded.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const command of encoded) {
      bytes.set(command, at);
      at += command.length;
    }
    this.#events.send(bytes);
  }

  /** Sends a command and resolves with the value of its answer. Never rejects. */
  ask(name: CommandName, value: number): Promise<number> {
    const answer = deferred<number>();
    this.#asked.set(name, [...(this.#asked.get(name) ?? []), answer]);
    this.tell([name, value]);
    return answer.promise;
  }

  #answered(bytes: Uint8Array): void {
    const answer = readAnswer(bytes);
    if (answer === null) {
      return;
    }
    const { name, value } = answer;
    this.#agreed.resolve(true);
    if (name === 'modemState') {
      this.#inputs = modemInputsOf(value);
    } else if (name === 'lineState') {
      for (const kind of Object.keys(lineState) as LineErrorKind[]) {
        if ((value & lineState[kind]) !== 0) {
          this.#events.lineError(kind);
        }
      }
    }
    this.#asked.get(name)?.shift()?.resolve(value);
  }
}
