/**
 * Serves one client of a serial port: the access server's half of RFC 2217. Commands and data take effect in the
 * order of arrival; changes of control lines are played as one sequence (line-changes.ts). A client that does not
 * read delays reading from the port.
 */
import { espPortKind, type LinkEnd, OpenError, type PortSettings, within } from '@wirebench/port';
import { ClientCommands } from './client-commands.ts';
import { ClientOutput } from './client-output.ts';
import { readCommand } from './com-port-commands.ts';
import { ComPortDevice, type ComPortDeviceOptions } from './com-port-device.ts';
import { type LineChange, stepsOf } from './line-changes.ts';
import { TelnetReader, telnet } from './telnet.ts';
import { serverOptions, TelnetOptions, options as telnetOptions } from './telnet-options.ts';
import { type WorkItem, type WorkItemOf, WorkQueue } from './work-queue.ts';

/**
 * A sequence of line changes ends after this time without another change, in milliseconds: three calls of the slowest
 * client.
 */
const SEQUENCE_END = 300;
/** Most steps that a remote port takes in one message. No reset needs as many. */
const LONGEST_SEQUENCE = 60;
/** Interval between two reads of the modem lines, in milliseconds. Web Serial has no event for them. */
const MODEM_POLL = 500;
/** Length of a Telnet BRK, in milliseconds, as in pySerial's `send_break`. */
const BREAK_TIME = 250;
/**
 * Longest time for a departed client's last bytes to reach the wire, in milliseconds. Linux gives a closed port the
 * same time (`closing_wait`).
 */
const CLOSING_WAIT = 30_000;

/** Reason why the session cannot continue. */
export type ComPortEnd = 'port-gone' | 'port-busy' | 'not-allowed' | 'port-failed' | 'flooded';

const openEnds: Readonly<Record<OpenError['code'], ComPortEnd>> = {
  busy: 'port-busy',
  'permission-denied': 'not-allowed',
  'device-gone': 'port-gone',
  'bad-settings': 'port-failed',
  'open-failed': 'port-failed',
};

export interface ComPortSessionOptions extends ComPortDeviceOptions {
  /** True: bytes as they are, and a port that opens at once. Default: RFC 2217. */
  readonly isRaw?: boolean;
  /** Sends bytes to the client. */
  readonly send: (bytes: Uint8Array) => void;
  /** Resolves when the client has read enough; null if there is room now. */
  readonly room: () => Promise<void> | null;
  /** True: the client may send more. False: enough of its bytes and commands wait. */
  readonly ready: (isReady: boolean) => void;
  /** Called at most once, and never after `close`. The session must still be closed afterwards. */
  readonly ended: (end: ComPortEnd) => void;
}

export class ComPortSession {
  readonly #options: ComPortSessionOptions;
  readonly #device: ComPortDevice;
  readonly #reader: TelnetReader;
  readonly #negotiated: TelnetOptions;
  readonly #output: ClientOutput;
  readonly #commands: ClientCommands;
  readonly #queue: WorkQueue;
  readonly #working: Promise<void>;
  #cancelPoll: (() => void) | null = null;
  #isClosing = false;
  #isOver = false;

  constructor(options: ComPortSessionOptions) {
    const { clock, send, room, ready, isRaw = false } = options;
    this.#options = options;
    const isComPort = () => this.#isOn(telnetOptions.comPort);
    const output = new ClientOutput({ send, room, isRaw, isComPort, flooded: () => this.#end('flooded') });
    this.#output = output;
    this.#queue = new WorkQueue(clock, ready);
    this.#device = new ComPortDevice(options, {
      bytes: (bytes) => output.data(bytes),
      room: () => output.room(),
      lineError: (kind) => output.lineError(kind),
      ended: ({ reason }: LinkEnd) => this.#end(reason === 'lost' ? 'port-gone' : 'port-failed'),
    });
    this.#commands = new ClientCommands({ clock, queue: this.#queue, output, settings: () => this.#device.settings });
    this.#negotiated = new TelnetOptions(serverOptions, (bytes) => output.answer(bytes));
    this.#reader = new TelnetReader({
      data: (bytes) => {
        this.#commands.interrupted();
        this.#queue.add({ kind: 'data', bytes });
      },
      command: (code) => this.#telnetCommand(code),
      negotiate: (verb, option) => {
        this.#negotiated.receive(verb, option);
        this.#chooseBinary();
      },
      sub: (bytes) => {
        const command = readCommand(bytes);
        if (command !== null && !this.#isOver) {
          this.#negotiated.used('theirs', telnetOptions.comPort);
          this.#chooseBinary();
          this.#commands.obey(command);
        }
      },
    });
    if (isRaw) {
      this.#queue.add({ kind: 'settings', change: {}, answer: () => undefined });
    } else {
      this.#negotiated.offer();
    }
    this.#working = this.#work();
  }

  /** Takes bytes from the client. */
  receive(bytes: Uint8Array): void {
    if (this.#isClosing || this.#isOver) {
      return;
    }
    if (this.#options.isRaw === true) {
      this.#queue.add({ kind: 'data', bytes: Uint8Array.from(bytes) });
    } else {
      this.#reader.receive(bytes);
    }
  }

  /**
   * Ends the session after the client has left. Its commands and bytes still take effect, then the port is closed.
   * Bounded in time; never rejects.
   *
   * @param limit Time for the client's last bytes and commands, in milliseconds.
   */
  async close(limit = CLOSING_WAIT): Promise<void> {
    this.#isClosing = true;
    this.#output.close();
    this.#queue.wake();
    await within(this.#options.clock, limit, this.#working);
    this.#stop();
    await this.#device.close();
  }

  #isOn(option: number): boolean {
    return this.#negotiated.isOn('theirs', option);
  }

  /**
   * Reads the client's bytes as binary once either option is on. A client of RFC 2217 sends bytes as they are even if
   * it has not negotiated binary transmission.
   */
  #chooseBinary(): void {
    this.#reader.isBinary = this.#isOn(telnetOptions.binary) || this.#isOn(telnetOptions.comPort);
  }

  #telnetCommand(code: number): void {
    if (code === telnet.break) {
      this.#queue.add({ kind: 'pulse' });
    } else if (code === telnet.areYouThere) {
      this.#output.answer(new TextEncoder().encode('[Yes]\r\n'));
    }
  }

  #stop(): void {
    this.#isOver = true;
    this.#cancelPoll?.();
    this.#output.close();
    this.#commands.close();
    this.#device.abort();
    this.#queue.clear();
  }

  #end(end: ComPortEnd): void {
    if (!this.#isOver) {
      this.#stop();
      if (!this.#isClosing) {
        this.#options.ended(end);
      }
    }
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const item = this.#queue.take();
      if (item !== null) {
        await this.#do(item);
      } else if (this.#isClosing) {
        return;
      } else {
        await this.#queue.more();
      }
    }
  }

  async #do(item: WorkItem): Promise<void> {
    if (item.kind === 'settings') {
      await this.#configureTogether(item);
      return;
    }
    if (item.kind === 'mark' || !(await this.#opened())) {
      return;
    }
    switch (item.kind) {
      case 'data':
        await this.#device.write(item.bytes);
        break;
      case 'line':
        await this.#play(item.change);
        break;
      case 'break':
        await this.#device.setBreak(item.on);
        break;
      case 'pulse':
        await this.#device.setBreak(true);
        await this.#options.clock.sleep(BREAK_TIME);
        await this.#device.setBreak(this.#commands.isBreakOn);
        break;
      case 'modem':
        this.#output.modemState(await this.#device.inputs(), true);
        break;
    }
  }

  async #opened(): Promise<boolean> {
    if (!this.#device.isOpen) {
      await this.#configure({}, []);
    }
    return this.#device.isOpen && !this.#isOver;
  }

  /** Applies settings that came together in one reopen: each change closes and opens the port. */
  async #configureTogether(first: WorkItemOf<'settings'>): Promise<void> {
    let { change } = first;
    const answers = [first.answer];
    for (let item = this.#queue.takeIf('settings'); item !== null; item = this.#queue.takeIf('settings')) {
      change = { ...change, ...item.change };
      answers.push(item.answer);
    }
    await this.#configure(change, answers);
  }

  async #configure(change: Partial<PortSettings>, answers: readonly (() => void)[]): Promise<void> {
    const wasOpen = this.#device.isOpen;
    try {
      await this.#device.configure(change);
    } catch (error) {
      this.#end(error instanceof OpenError ? openEnds[error.code] : 'port-failed');
      return;
    }
    for (const answer of answers) {
      answer();
    }
    if (!wasOpen && !this.#isOver) {
      // pySerial treats the modem lines as unknown until their first report.
      this.#output.modemState(await this.#device.inputs(), this.#output.modemStateMask !== 0);
      this.#poll();
    }
  }

  /** Waits for the other changes of the same sequence, and plays them together. */
  async #play(first: LineChange): Promise<void> {
    const changes = [first];
    for (;;) {
      for (let item = this.#queue.takeIf('line'); item !== null; item = this.#queue.takeIf('line')) {
        changes.push(item.change);
      }
      const left = (changes.at(-1)?.at ?? 0) + SEQUENCE_END - this.#options.clock.now();
      const isLong = changes.length >= LONGEST_SEQUENCE;
      if (!this.#queue.isEmpty || isLong || this.#isClosing || this.#isOver || left <= 0) {
        break;
      }
      await this.#queue.more(left);
    }
    const isJoint = espPortKind(this.#device.info) === 'uart';
    const steps = stepsOf(this.#device.lines, changes, this.#commands.callTime, isJoint);
    for (let from = 0; from < steps.length; from += LONGEST_SEQUENCE) {
      await this.#device.play(steps.slice(from, from + LONGEST_SEQUENCE));
    }
  }

  #poll(): void {
    if (this.#isOver || this.#isClosing) {
      return;
    }
    this.#cancelPoll = this.#options.clock.schedule(MODEM_POLL, () => {
      const asking = this.#output.modemStateMask === 0 ? Promise.resolve(null) : this.#device.inputs();
      void asking.then((inputs) => {
        if (!this.#isOver) {
          this.#output.modemState(inputs, false);
          this.#poll();
        }
      });
    });
  }
}
