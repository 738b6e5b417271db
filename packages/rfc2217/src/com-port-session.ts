/**
 * One client at a serial port: the access server's half of RFC 2217. Bytes in, bytes out. Commands and data take effect in the order in which
 * they came, line changes as one sequence (line-changes.ts); what a client does not read holds the port back. Knows no sockets.
 */
import { espressifPortOf, type LinkEnd, OpenError, type PortSettings, within } from '@wirebench/serial/port';
import { ClientCommands } from './client-commands.ts';
import { ClientOutput } from './client-output.ts';
import { readCommand } from './com-port-commands.ts';
import { ComPortDevice, type ComPortDeviceOptions } from './com-port-device.ts';
import { type LineChange, stepsOf } from './line-changes.ts';
import { TelnetReader, telnet } from './telnet.ts';
import { TelnetOptions, options as telnetOptions } from './telnet-options.ts';
import { type WorkItem, type WorkItemOf, WorkQueue } from './work-queue.ts';

/** A sequence of line changes is over when none has come for so long, in milliseconds: three calls of the slowest client. */
const SEQUENCE_END = 300;
/** What a remote port takes in one message, and more than any reset has. */
const LONGEST_SEQUENCE = 60;
/** Modem lines have no events in Web Serial: they are asked for this often, in milliseconds. */
const MODEM_POLL = 500;
/** Of a BRK, in milliseconds: as long as pySerial's `send_break`. */
const BREAK_TIME = 250;
/** How long what a client sent before it went may take to the wire, in milliseconds: Linux gives a closed port as long (`closing_wait`). */
const CLOSING_WAIT = 30_000;

/** Why there is nothing to serve any more. */
export type ComPortEnd = 'port-gone' | 'port-busy' | 'not-allowed' | 'port-failed' | 'flooded';

const openEnds: Readonly<Record<OpenError['code'], ComPortEnd>> = {
  busy: 'port-busy',
  'permission-denied': 'not-allowed',
  'device-gone': 'port-gone',
  'bad-settings': 'port-failed',
  'open-failed': 'port-failed',
};

export interface ComPortSessionOptions extends ComPortDeviceOptions {
  /** Bytes for the client. */
  readonly send: (bytes: Uint8Array) => void;
  /** Waits until the client has read enough; null when it has. */
  readonly room: () => Promise<void> | null;
  /** Whether more may come from the client: false while enough waits. */
  readonly ready: (isReady: boolean) => void;
  /** Called once at most, not after `close`. The session still has to be closed. */
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
    const { clock, send, room, ready } = options;
    this.#options = options;
    const isComPort = () => this.#isOn(telnetOptions.comPort);
    const output = new ClientOutput({ send, room, isComPort, flooded: () => this.#end('flooded') });
    this.#output = output;
    this.#queue = new WorkQueue(clock, ready);
    this.#device = new ComPortDevice(options, {
      bytes: (bytes) => output.data(bytes),
      room: () => output.room(),
      lineError: (kind) => output.lineError(kind),
      ended: ({ reason }: LinkEnd) => this.#end(reason === 'lost' ? 'port-gone' : 'port-failed'),
    });
    this.#commands = new ClientCommands({ clock, queue: this.#queue, output, settings: () => this.#device.settings });
    this.#negotiated = new TelnetOptions((bytes) => output.answer(bytes));
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
    this.#negotiated.offer();
    this.#working = this.#work();
  }

  /** Bytes of the client. */
  receive(bytes: Uint8Array): void {
    if (!this.#isClosing && !this.#isOver) {
      this.#reader.receive(bytes);
    }
  }

  /**
   * The client is gone: what it sent takes effect, and the port is closed. Bounded in time; never rejects.
   * @param limit milliseconds for what it sent.
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

  /** A client of RFC 2217 sends bytes as they are, whether it has said so or not. */
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

  /** Settings that came together are set together: each change closes and opens the port. */
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
      // pySerial takes the lines for unknown until it is told of them once.
      this.#output.modemState(await this.#device.inputs(), this.#output.modemStateMask !== 0);
      this.#poll();
    }
  }

  /** Waits for what belongs to the same sequence, and plays it. */
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
    const isJoint = espressifPortOf(this.#device.info) === 'uart';
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
