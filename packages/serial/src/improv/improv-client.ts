/**
 * The client of Improv over a serial port: asks a board, waits for answers, and repeats what got lost. Answers are
 * recognised by their command. An error of the board has no command, so it is taken for the answer to the last one.
 *
 * Source: improv-wifi.com, "Improv via Serial".
 */
import type { Clock } from '@wirebench/clock';
import { ImprovError, type ImprovFailure } from './improv-error.ts';
import {
  boardError,
  command,
  commandPacket,
  type DeviceInformation,
  endsNetworks,
  type ImprovState,
  type Message,
  mergedNetworks,
  type NetworkSettings,
  readDeviceInformation,
  readNetworks,
  readPacket,
  settingsPacket,
  textOf,
  type WifiNetwork,
} from './messages.ts';
import { encodePacket, type Packet, PacketStream } from './packet.ts';

/** Time for an idle board to answer, in milliseconds. */
const ANSWER_TIME = 2_000;
/** Time for the first network of a scan, in milliseconds: an ESP32 needs 2 to 6 s for all channels. */
const SCAN_TIME = 12_000;
/** Silence after which a list of networks counts as cut off, in milliseconds. */
const SCAN_GAP = 3_000;
/** Silence while the board connects after which its state is requested, in milliseconds. */
const CONNECT_GAP = 4_000;
/** Time for the error or the address that belongs to a new state, in milliseconds. */
const SEQUEL_TIME = 1_000;
/** Longest time to connect, in milliseconds. Boards give up after about 30 s, and some restart in between. */
const CONNECT_TIME = 90_000;
/** Number of times that a command is sent. */
const ATTEMPTS = 3;
const SCAN_ATTEMPTS = 2;
/** Number of times that settings are sent. Each makes the board connect. */
const SETTINGS_ATTEMPTS = 3;
/** Requests for the state without any answer after which a connecting board counts as gone: about 40 s. */
const MAX_SILENT_REQUESTS = 10;
/** Most networks of a scan that are kept. */
const MAX_NETWORKS = 256;
/** Most messages that wait to be read. */
const MAX_INBOX = 512;

const failures: Readonly<Record<number, ImprovFailure>> = {
  [boardError.invalidPacket]: 'not-understood',
  [boardError.unknownCommand]: 'unknown-command',
  [boardError.unableToConnect]: 'unable-to-connect',
  [boardError.notAuthorized]: 'not-authorized',
  [boardError.badHostname]: 'bad-hostname',
};

export interface ImprovClientParts {
  readonly clock: Clock;
  /** Resolves when the port has taken the bytes. Rejects when it is closed. */
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** Ends every wait with an `ImprovError`. */
  readonly signal: AbortSignal;
  /** Receives each state that the board reports. */
  readonly onState?: (state: ImprovState) => void;
}

/** @property address First string of the board's answer: the address of its page; empty without one. */
export interface CurrentState {
  readonly state: ImprovState;
  readonly address: string;
}

/** @property isWhole False: the end of the list did not come, so networks may be missing. */
export interface NetworkList {
  readonly networks: readonly WifiNetwork[];
  readonly isWhole: boolean;
}

type Result = Message & { readonly kind: 'result' };

export class ImprovClient {
  readonly #parts: ImprovClientParts;
  readonly #stream = new PacketStream();
  readonly #inbox: Message[] = [];
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: ImprovClientParts) {
    this.#parts = parts;
  }

  /** True: bytes are held back that may begin a packet. */
  get isWaiting(): boolean {
    return this.#stream.isWaiting;
  }

  /** Takes received bytes, cut in any way. Returns those that belong to no packet. */
  received(bytes: Uint8Array): Uint8Array {
    return this.#read(this.#stream.take(bytes));
  }

  /** Gives up a packet whose rest does not come. Returns its bytes. Call it after a pause of the board. */
  rest(): Uint8Array {
    return this.#read(this.#stream.rest());
  }

  /** Ends every wait: the port is closed. */
  closed(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /**
   * Requests what the board says about itself.
   *
   * @param attempts Number of requests without an answer. Default: 3.
   * @throws ImprovError
   */
  async deviceInformation(attempts: number = ATTEMPTS): Promise<DeviceInformation> {
    const { strings } = await this.#ask(commandPacket(command.deviceInformation), attempts);
    const information = readDeviceInformation(strings);
    if (information === null) {
      throw new ImprovError('not-understood');
    }
    return information;
  }

  /**
   * Requests the state, and the address of the board's page if it is connected.
   *
   * @throws ImprovError
   */
  async currentState(): Promise<CurrentState> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.#send(commandPacket(command.state));
      const state = await this.#nextState(ANSWER_TIME);
      if (state !== null) {
        return { state, address: state === 'connected' ? await this.#address() : '' };
      }
    }
    throw new ImprovError('no-answer');
  }

  /**
   * Lets the board look for networks. Answers come one by one, up to an empty one.
   *
   * @param onFound Receives what was found so far, after each answer.
   * @throws ImprovError
   */
  async networks(onFound?: (networks: readonly WifiNetwork[]) => void): Promise<NetworkList> {
    const found: WifiNetwork[] = [];
    for (let attempt = 0; attempt < SCAN_ATTEMPTS; attempt++) {
      await this.#send(commandPacket(command.networks));
      for (let limit = SCAN_TIME; ; limit = SCAN_GAP) {
        const answer = await this.#nextResult([command.networks], limit);
        if (answer === 'lost') {
          break;
        }
        if (endsNetworks(answer.strings)) {
          return { networks: mergedNetworks(found), isWhole: true };
        }
        if (found.length < MAX_NETWORKS) {
          found.push(...readNetworks(answer.strings));
          onFound?.(mergedNetworks(found));
        }
      }
      if (found.length > 0) {
        return { networks: mergedNetworks(found), isWhole: false };
      }
    }
    throw new ImprovError('no-answer');
  }

  /** Requests the board's name in the network. @throws ImprovError */
  hostname(): Promise<string> {
    return this.#name(command.hostname, '');
  }

  /** Sets the board's name in the network and returns it as the board reports it. @throws ImprovError */
  setHostname(name: string): Promise<string> {
    return this.#name(command.hostname, name);
  }

  /** Requests the name of the device. @throws ImprovError */
  deviceName(): Promise<string> {
    return this.#name(command.deviceName, '');
  }

  /** Sets the name of the device and returns it as the board reports it. @throws ImprovError */
  setDeviceName(name: string): Promise<string> {
    return this.#name(command.deviceName, name);
  }

  /**
   * Sends the network's settings and waits until the board is connected. Settings whose arrival nothing shows are sent
   * again, and a silent board is asked for its state.
   *
   * @returns Address of the board's page; empty if it did not send one.
   * @throws ImprovError
   * @throws RangeError for a name or a password of a length that no network has.
   */
  async connect(settings: NetworkSettings): Promise<string> {
    const packet = settingsPacket(settings);
    const end = this.#parts.clock.now() + CONNECT_TIME;
    const wasConnected = (await this.currentState()).state === 'connected';
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === SETTINGS_ATTEMPTS;
      await this.#send(packet);
      const outcome = await this.#connected(end, wasConnected, isLast);
      if (outcome !== 'again') {
        return outcome;
      }
      if (isLast) {
        throw new ImprovError('gave-up');
      }
    }
  }

  /**
   * Waits for the end of an attempt to connect.
   *
   * @returns The address; `again` if the settings, or the reason of a failure, seem to be lost.
   */
  async #connected(end: number, wasConnected: boolean, isLast: boolean): Promise<string | 'again'> {
    let hasBegun = false;
    let isAsked = false;
    let silent = 0;
    for (;;) {
      const left = end - this.#parts.clock.now();
      if (left <= 0) {
        throw new ImprovError('too-slow');
      }
      const message = await this.#next(Math.min(left, CONNECT_GAP));
      if (message === null) {
        if (silent++ === MAX_SILENT_REQUESTS) {
          throw new ImprovError('no-answer');
        }
        isAsked = true;
        await this.#sendOnly(commandPacket(command.state));
        continue;
      }
      silent = 0;
      if (message.kind === 'error') {
        if (message.code === boardError.invalidPacket && !isLast) {
          return 'again';
        }
        this.#check(message);
      } else if (message.kind === 'result') {
        const isOwn = message.command === command.settings;
        if (isOwn || (message.command === command.state && !wasConnected)) {
          return addressIn(message);
        }
      } else if (message.state === 'connecting') {
        hasBegun = true;
      } else if (message.state === 'connected') {
        if (!wasConnected) {
          return this.#address();
        }
        if (hasBegun || isAsked) {
          // The board may have returned to its old network. Only the result of the settings tells.
          const result = await this.#nextResult([command.settings], SEQUEL_TIME);
          return result === 'lost' ? 'again' : addressIn(result);
        }
      } else if (hasBegun || isAsked) {
        // The reason of the failure may follow.
        const sequel = await this.#next(SEQUEL_TIME);
        if (sequel?.kind === 'error') {
          this.#check(sequel);
        }
        return 'again';
      }
    }
  }

  /** Sends a command and returns its result. @throws ImprovError */
  async #ask(packet: Packet, attempts: number): Promise<Result> {
    const number = packet.data[0] ?? 0;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      await this.#send(packet);
      const answer = await this.#nextResult([number], ANSWER_TIME, attempt < attempts);
      if (answer !== 'lost') {
        return answer;
      }
    }
    throw new ImprovError('no-answer');
  }

  async #name(number: typeof command.hostname | typeof command.deviceName, name: string): Promise<string> {
    const { strings } = await this.#ask(commandPacket(number, new TextEncoder().encode(name)), ATTEMPTS);
    return textOf(strings[0] ?? new Uint8Array());
  }

  /**
   * Waits for the result of one of the commands.
   *
   * @param isRepeated True: a packet that the board did not understand counts as lost.
   * @throws ImprovError for an error of the board.
   */
  async #nextResult(commands: readonly number[], limit: number, isRepeated = true): Promise<Result | 'lost'> {
    const end = this.#parts.clock.now() + limit;
    for (;;) {
      const message = await this.#next(end - this.#parts.clock.now());
      if (message === null) {
        return 'lost';
      }
      if (message.kind === 'error') {
        if (message.code === boardError.invalidPacket && isRepeated) {
          return 'lost';
        }
        this.#check(message);
      }
      if (message.kind === 'result' && commands.includes(message.command)) {
        return message;
      }
    }
  }

  async #nextState(limit: number): Promise<ImprovState | null> {
    const end = this.#parts.clock.now() + limit;
    for (;;) {
      const message = await this.#next(end - this.#parts.clock.now());
      if (message === null || (message.kind === 'error' && message.code === boardError.invalidPacket)) {
        return null;
      }
      if (message.kind === 'error') {
        this.#check(message);
      }
      if (message.kind === 'state') {
        return message.state;
      }
    }
  }

  /** Returns the address that a connected board sends after its state. Asks once for one that got lost. */
  async #address(): Promise<string> {
    const answers = [command.settings, command.state];
    const first = await this.#nextResult(answers, SEQUEL_TIME);
    if (first !== 'lost') {
      return addressIn(first);
    }
    await this.#sendOnly(commandPacket(command.state));
    const second = await this.#nextResult(answers, SEQUEL_TIME);
    return second === 'lost' ? '' : addressIn(second);
  }

  /** @throws ImprovError for an error that the board reports. */
  #check({ code }: Message & { readonly kind: 'error' }): void {
    if (code !== boardError.none) {
      throw new ImprovError(failures[code] ?? 'board-error');
    }
  }

  /** Sends a command. Messages that came before are no answers to it. */
  async #send(packet: Packet): Promise<void> {
    this.#inbox.length = 0;
    await this.#sendOnly(packet);
  }

  async #sendOnly(packet: Packet): Promise<void> {
    this.#checkOpen();
    try {
      await this.#parts.send(encodePacket(packet));
    } catch (error) {
      throw new ImprovError('closed', { cause: error });
    }
  }

  /** Returns the next message; null after `limit` milliseconds without one. */
  async #next(limit: number): Promise<Message | null> {
    const { clock, signal } = this.#parts;
    this.#checkOpen();
    if (this.#inbox.length === 0 && limit > 0) {
      await new Promise<void>((resolve) => {
        const done = () => {
          endWait();
          signal.removeEventListener('abort', done);
          this.#wake = null;
          resolve();
        };
        const endWait = clock.schedule(limit, done);
        signal.addEventListener('abort', done, { once: true });
        this.#wake = done;
      });
      this.#checkOpen();
    }
    return this.#inbox.shift() ?? null;
  }

  #checkOpen(): void {
    if (this.#parts.signal.aborted) {
      throw new ImprovError('cancelled');
    }
    if (this.#isClosed) {
      throw new ImprovError('closed');
    }
  }

  #read({ text, packets }: ReturnType<PacketStream['take']>): Uint8Array {
    const messages = packets.map(readPacket).filter((message) => message !== null);
    for (const message of messages) {
      if (message.kind === 'state') {
        this.#parts.onState?.(message.state);
      }
    }
    if (messages.length > 0) {
      this.#inbox.push(...messages.slice(0, MAX_INBOX - this.#inbox.length));
      this.#wake?.();
    }
    return text;
  }
}

function addressIn({ strings }: Result): string {
  return textOf(strings[0] ?? new Uint8Array()).trim();
}
