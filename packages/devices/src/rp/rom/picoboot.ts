/**
 * PICOBOOT (RP2040 datasheet, section 2.8.5; RP2350 datasheet, section 5.6): commands of 32 bytes, their data, their acknowledgement and
 * the two control requests. The order of transfers on both endpoints comes from the published ROM source, because it
 * decides what is lost, halted or late.
 */
import { type Endpoint, Transfer } from './endpoint.ts';
import { Stream } from './stream.ts';
import type { Task, TaskSteps } from './tasks.ts';
import { status, type Work, type Worker } from './worker.ts';

const magic = 0x431f_d10b;
const commandSize = 32;
/** Bytes of a chunk: one page of flash. */
const chunkSize = 256;

export const request = { reset: 0x41, status: 0x42 } as const;

/** Fields of a command. */
interface Command {
  readonly token: number;
  readonly id: number;
  readonly size: number;
  readonly transferLength: number;
  readonly args: DataView;
}

export interface CommandRule {
  /** bCmdSize. */
  readonly size: number;
  /** Returns the dTransferLength that the ROM expects. Default: 0. */
  readonly length?: (args: DataView, asked: number) => number;
  readonly steps: (args: DataView) => TaskSteps;
}

/** The differences between the chips' ROMs. */
export interface Dialect {
  /** Commands by number, without the direction bit. */
  readonly rules: Readonly<Record<number, CommandRule>>;
  /** The command that restarts: its number, its bCmdSize, and whether it succeeds. */
  readonly reboot: { readonly id: number; readonly size: number; run(args: DataView): boolean };
  /**
   * False: only data reports errors, and halts its endpoint alone, as on the RP2040. True: each command reports its
   * status, and an error halts both endpoints.
   */
  readonly reportsAll: boolean;
}

/** The second argument: dSize of READ and WRITE. */
const rangeLength = (args: DataView) => args.getUint32(4, true);

/** Commands that both chips have. */
export const commonRules: Readonly<Record<number, CommandRule>> = {
  1: { size: 1, steps: (args) => ({ exclusive: args.getUint8(0) }) },
  3: { size: 8, steps: (args) => ({ erase: { address: args.getUint32(0, true), size: args.getUint32(4, true) } }) },
  4: { size: 8, length: rangeLength, steps: () => ({ read: true }) },
  5: { size: 8, length: rangeLength, steps: () => ({ write: true }) },
  6: { size: 0, steps: () => ({ exitXip: true }) },
  // ENTER_CMD_XIP: the ROM does it only inside a read or write, which this command is not.
  7: { size: 0, steps: () => ({}) },
};

interface PicobootContext {
  readonly out: Endpoint;
  readonly in: Endpoint;
  readonly worker: Worker;
  readonly dialect: Dialect;
  run(task: Task): Work;
  /** Makes the ROM stop waiting for the flash. */
  abortFlash(): void;
}

export class Picoboot {
  readonly #context: PicobootContext;
  readonly #buffer = new Uint8Array(chunkSize);
  #token = 0;
  #code: number = status.ok;
  #id = 0;
  #isInProgress = false;
  #stream: Stream | null = null;
  /** Token of the task that runs or ran last. A reset does not forget it. */
  #taskToken = 0;
  #address = 0;
  #steps: TaskSteps = {};
  #checksSource = false;

  constructor(context: PicobootContext) {
    this.#context = context;
    context.out.startDefault = () => new Transfer(1, (endpoint) => this.#onCommand(endpoint), null);
  }

  get isInProgress(): boolean {
    return this.#isInProgress;
  }

  /** Answers GET_COMMAND_STATUS. */
  status(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(16);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, this.#token, true);
    view.setUint32(4, this.#code, true);
    view.setUint8(8, this.#id);
    view.setUint8(9, this.#isInProgress ? 1 : 0);
    return bytes;
  }

  /** INTERFACE_RESET, and a new configuration. A running erase is stopped half way. */
  reset(): void {
    const { out, in: into, worker, abortFlash } = this.#context;
    out.reset(false);
    into.reset(false);
    if (this.#isInProgress) {
      abortFlash();
    }
    this.#token = 0;
    this.#code = status.ok;
    this.#id = 0;
    this.#isInProgress = false;
    worker.reset('drive');
    worker.reset('picoboot');
  }

  #onCommand(endpoint: Endpoint): void {
    const command = parse(endpoint.packet);
    if (command === null || !this.#accept(command)) {
      this.#context.in.halt();
      this.#context.out.halt();
    }
    endpoint.packetDone();
  }

  /** @returns False: both endpoints halt. */
  #accept({ token, id, size, transferLength, args }: Command): boolean {
    this.#taskToken = token;
    this.#token = token;
    this.#id = id;
    this.#isInProgress = false;
    this.#code = status.unknownCommand;
    const { rules, reboot } = this.#context.dialect;
    const number = id & 0x7f;
    const rule = rules[number];
    const isReboot = number === reboot.id;
    if (rule === undefined && !isReboot) {
      return false;
    }
    if (size !== (rule?.size ?? reboot.size)) {
      this.#code = status.invalidCommandLength;
      return false;
    }
    this.#code = status.ok;
    if (id === reboot.id) {
      if (!reboot.run(args)) {
        this.#code = status.notPermitted;
        return false;
      }
      this.#acknowledge();
      return true;
    }
    if (rule === undefined || transferLength !== (rule.length?.(args, transferLength) ?? 0)) {
      this.#code = status.invalidTransferLength;
      return false;
    }
    this.#address = args.getUint32(0, true);
    this.#steps = rule.steps(args);
    this.#checksSource = false;
    this.#isInProgress = true;
    if (transferLength > 0) {
      this.#startData(transferLength);
    } else {
      this.#queue(0, new Uint8Array(), (result) => {
        if (!this.#hasFailed(result)) {
          this.#acknowledge();
        }
      });
    }
    return true;
  }

  #startData(length: number): void {
    const { out, in: into } = this.#context;
    const isWrite = this.#steps.write === true || this.#steps.other?.what === 'otp-write';
    this.#stream = new Stream(isWrite ? out : into, {
      chunk: this.#buffer,
      length,
      onChunk: (bytes) => this.#onChunk(bytes),
      onDone: () => this.#acknowledge(),
    });
    if (isWrite) {
      out.chain(this.#stream.transfer);
    } else {
      into.start(this.#stream.transfer);
    }
  }

  #onChunk(length: number): boolean {
    this.#queue(length, this.#buffer, (result) => {
      this.#code = result;
      if (!this.#hasFailed(result) && result !== status.ok) {
        this.#stream?.endpoint.halt();
        this.#isInProgress = false;
      }
      this.#address = (this.#address + length) >>> 0;
      this.#stream?.chunkDone();
    });
    this.#checksSource = true;
    return true;
  }

  /** Reports an error where the chip does, and halts both endpoints. */
  #hasFailed(result: number): boolean {
    const { dialect, out, in: into } = this.#context;
    if (!dialect.reportsAll) {
      return false;
    }
    this.#code = result;
    if (result === status.ok) {
      return false;
    }
    out.halt();
    into.halt();
    this.#isInProgress = false;
    return true;
  }

  /** Queues a task. Its end is ignored if a command with another token has come since. */
  #queue(length: number, data: Uint8Array, done: (result: number) => void): void {
    const { worker, run } = this.#context;
    const token = this.#taskToken;
    const task: Task = {
      steps: this.#steps,
      source: 'picoboot',
      address: this.#address,
      data,
      length,
      checksSource: this.#checksSource,
    };
    worker.queue('picoboot', {
      start: () => run(task),
      done: (result) => {
        if (token === this.#taskToken) {
          done(result);
        }
      },
    });
  }

  /** Sends or awaits the empty packet that ends a command, whatever came of it. */
  #acknowledge(): void {
    const { out, in: into } = this.#context;
    this.#isInProgress = false;
    const endpoint = (this.#id & 0x80) === 0 ? into : out;
    endpoint.startEmpty(() => out.startDefaultIfIdle());
  }
}

function parse(packet: Uint8Array): Command | null {
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  if (packet.length !== commandSize || view.getUint32(0, true) !== magic) {
    return null;
  }
  return {
    token: view.getUint32(4, true),
    id: view.getUint8(8),
    size: view.getUint8(9),
    transferLength: view.getUint32(12, true),
    args: new DataView(packet.slice(16).buffer),
  };
}
