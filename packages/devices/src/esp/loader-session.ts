/**
 * Runs a loader on its line. Frames are processed one after the other, each takes its time and is answered, and
 * faults are injected. It begins with the ROM's loader and continues with the stub once one is started.
 */

import { joined } from '../byte-fields.ts';
import type { Random } from '../random.ts';
import { SlipReceiver, slipFrame } from '../slip.ts';
import { AnswerSender } from '../wire/answer-sender.ts';
import type { DeviceLine } from '../wire/device.ts';
import { type FaultInjector, lateness } from '../wire/step-faults.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { EspFault, EspStep } from './faults.ts';
import type { Loader, LoaderContext, Next, Outcome } from './loader/loader.ts';
import { op } from './loader/request.ts';
import { RomLoader } from './loader/rom-loader.ts';
import { StubLoader } from './loader/stub-loader.ts';

export interface SessionSurroundings {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly injector: FaultInjector<EspFault>;
  readonly random: Random;
  readonly firstSyncLost: boolean;
  /** True: the stub delays its greeting until the ROM's last answer has left the UART. */
  readonly slowStart: boolean;
  /** Called for each received command. */
  count(opcode: number): void;
  setRate(baudRate: number): void;
  stubStarted(): void;
  /** Starts a program other than a stub. Returns false if the chip cannot run it. */
  startProgram(entry: number): boolean;
  /** Leaves the loader for the application in flash. */
  leave(): void;
  /** Called when the loader becomes silent. */
  crash(): void;
  /** Called when the processor takes an exception. */
  panic(): void;
  unplug(replugAfter: number | null): void;
  brownOut(): void;
}

/** Milliseconds until the stub sends its greeting (esp-flasher-stub, `stub_transport_init`). */
const stubStart = 10;
/** "Serial Protocol", section "Low Level Protocol". Bytes outside frames are dropped. */
const slipRules = { opens: 'end-each', strict: true } as const;
const slipEnd = 0xc0;

const stepsByOp: ReadonlyMap<number, EspStep> = new Map([
  [op.sync, 'sync'],
  [op.securityInfo, 'security-info'],
  [op.readReg, 'read-reg'],
  [op.writeReg, 'write-reg'],
  [op.memBegin, 'mem-begin'],
  [op.memData, 'mem-data'],
  [op.memEnd, 'mem-end'],
  [op.changeBaud, 'change-baud'],
  [op.spiAttach, 'spi-attach'],
  [op.spiSetParams, 'spi-set-params'],
  [op.flashBegin, 'flash-begin'],
  [op.deflateBegin, 'flash-begin'],
  [op.flashData, 'flash-data'],
  [op.deflateData, 'flash-data'],
  [op.encryptedData, 'flash-data'],
  [op.flashEnd, 'flash-end'],
  [op.deflateEnd, 'flash-end'],
  [op.md5, 'md5'],
  [op.readFlash, 'read-flash'],
  [op.readFlashSlow, 'read-flash'],
  [op.eraseRegion, 'erase-region'],
  [op.eraseFlash, 'erase-flash'],
]);

/** Returns the step of a command at which a fault can occur; null for other commands. */
function stepOf(opcode: number): EspStep | null {
  return stepsByOp.get(opcode) ?? null;
}

/**
 * True if `program` is a flasher stub, which contains the greeting `OHAI` ("Serial Protocol", section
 * "Initialization"). The greeting may be bytes, or on RISC-V the upper part of that word in a LUI instruction.
 */
function isStub(program: Uint8Array): boolean {
  return program.some((byte, at) => {
    const [second = 0, third, last] = program.subarray(at + 1, at + 4);
    const begins = (byte === 0x4f && second === 0x48) || ((byte & 0x7f) === 0x37 && second >> 4 === 5);
    return begins && third === 0x41 && last === 0x49;
  });
}

export class LoaderSession {
  readonly #context: LoaderContext;
  readonly #around: SessionSurroundings;
  #loader: Loader;
  #receiver: SlipReceiver;
  #waiting: Uint8Array[] = [];
  /** Buffer for raw bytes that arrive while a command is processed. Null for a loader that queues frames instead. */
  #ring: ByteRing | null;
  #busy = false;
  /** End of the last command's processing, in the clock's milliseconds. */
  #freeAt = Number.NEGATIVE_INFINITY;
  #over = false;
  /** True until the first frame arrives: the ROM measures the rate of the received bytes. */
  #listens = true;
  #loseFirstSync: boolean;
  readonly #sender: AnswerSender;

  constructor(context: LoaderContext, around: SessionSurroundings) {
    this.#context = context;
    this.#around = around;
    this.#sender = new AnswerSender(around);
    this.#loader = new RomLoader(context);
    this.#ring = ringOf(this.#loader);
    this.#loseFirstSync = around.firstSyncLost;
    this.#receiver = this.#newReceiver();
  }

  /** True while the ROM does not know the host's rate. */
  get listens(): boolean {
    return this.#listens;
  }

  receive(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#busy && this.#ring !== null) {
        this.#ring.push(bytes.subarray(at));
        return;
      }
      // One frame at a time: bytes after a frame that keeps the loader busy have to wait.
      const found = bytes.indexOf(slipEnd, at);
      const end = found === -1 ? bytes.length : found + 1;
      for (const frame of this.#receiver.receive(bytes.subarray(at, end))) {
        this.#arrive(frame);
      }
      at = end;
    }
  }

  /** Stops the loader, because the chip no longer runs it. Nothing more is sent. */
  stop(): void {
    this.#over = true;
  }

  #newReceiver(): SlipReceiver {
    const { frameCapacity, cutsFrames } = this.#loader;
    return new SlipReceiver(frameCapacity, { ...slipRules, ...(cutsFrames && { overlong: 'cut' }) });
  }

  #arrive(frame: Uint8Array): void {
    this.#listens = false;
    if (this.#over) {
      return;
    }
    if (this.#loseFirstSync && frame[1] === op.sync) {
      this.#loseFirstSync = false;
    } else if (!this.#busy) {
      this.#deal(frame);
    } else if ('frames' in this.#loader.waiting && this.#waiting.length < this.#loader.waiting.frames) {
      this.#waiting.push(frame);
    }
  }

  #deal(frame: Uint8Array): void {
    const { line, injector } = this.#around;
    // A timer may fire a fraction of a millisecond early. Its command counts as complete.
    const now = Math.max(line.clock.now(), this.#freeAt);
    this.#context.flash.settle(now);
    this.#context.memory.reach(this.#context.memoryTime(now));
    // Acknowledgements of READ_FLASH have no header.
    const opcode = frame.length >= 8 ? frame[1] : undefined;
    const step = opcode === undefined ? null : stepOf(opcode);
    if (opcode !== undefined) {
      this.#around.count(opcode);
    }
    const fault = step === null ? null : injector.reach(step);
    if (fault?.kind === 'drop-command') {
      return;
    }
    if (fault?.kind === 'hang') {
      this.#over = true;
      this.#around.crash();
      return;
    }
    const outcome = fault?.kind === 'error-answer' ? this.#loader.refuse(frame, now) : this.#loader.process(frame, now);
    this.#busy = true;
    this.#freeAt = outcome.freeAt;
    if (fault?.kind === 'unplug' || fault?.kind === 'brown-out') {
      this.#strike(fault, now, outcome);
      return;
    }
    this.#finish(outcome, fault);
  }

  /** Sends the answer at its time. A command that waits in between continues first. */
  #finish(outcome: Outcome, fault: EspFault | null): void {
    const { timers } = this.#around;
    const { resume, answerAt } = outcome;
    // A register write may have reset the chip.
    if (this.#over) {
      return;
    }
    this.#freeAt = outcome.freeAt;
    if (resume === undefined) {
      timers.at(answerAt + lateness(fault), () => this.#answer(outcome, fault));
    } else {
      timers.at(answerAt, () => this.#finish(resume(answerAt), fault));
    }
  }

  /** Applies the fault in the middle of the command, or at once if the command takes no time. */
  #strike({ kind, replugAfter }: EspFault, now: number, { answerAt, freeAt }: Outcome): void {
    const end = Math.max(answerAt, freeAt);
    this.#around.timers.at(now + (end - now) / 2, () => {
      this.#over = true;
      if (kind === 'brown-out') {
        this.#around.brownOut();
      } else {
        this.#around.unplug(replugAfter ?? null);
      }
    });
  }

  /**
   * Sends the answer, and continues with the next frame. A loader that is free with its answer continues in the same call:
   * its timer may have fired early, and a host that does not wait for the line sends its next block at once.
   */
  #answer({ answers, answerAt, freeAt, next }: Outcome, fault: EspFault | null): void {
    // An answer that changes the rate or ends the loader cannot be joined: this loader sends nothing after it.
    const kind = fault?.kind === 'join-answer' && next !== undefined ? null : fault;
    const sent = this.#sender.send(joined(...answers.map(slipFrame)), kind);
    this.#around.timers.at(sent, () => {
      if (next !== undefined) {
        this.#follow(next, fault);
      }
      if (next?.kind !== 'start') {
        this.#around.timers.at(freeAt > answerAt ? freeAt : sent, () => this.#next());
      }
    });
  }

  #follow(next: Next, fault: EspFault | null): void {
    const { setRate, leave, panic, timers } = this.#around;
    switch (next.kind) {
      case 'rate':
        if (fault?.kind !== 'ignore-baud') {
          setRate(next.baudRate);
        }
        break;
      case 'start':
        this.#over = !this.#context.memory.isUploaded(next.entry);
        if (this.#over) {
          panic();
        } else if (!isStub(this.#context.memory.uploaded) && this.#around.startProgram(next.entry)) {
          this.#over = true;
        } else {
          timers.after(this.#around.slowStart ? stubStart : 0, () => this.#startStub());
        }
        break;
      case 'leave':
        this.#over = true;
        leave();
        break;
      default:
        this.#over = true;
        panic();
    }
  }

  #startStub(): void {
    const stub = new StubLoader(this.#context);
    this.#loader = stub;
    this.#ring = ringOf(stub);
    this.#receiver = this.#newReceiver();
    this.#waiting = [];
    this.#around.stubStarted();
    const fault = this.#around.injector.reach('stub-start');
    if (fault?.kind === 'hang') {
      this.#over = true;
      this.#around.crash();
    } else if (fault?.kind === 'unplug' || fault?.kind === 'brown-out') {
      this.#strike(fault, this.#around.line.clock.now(), { answers: [], answerAt: 0, freeAt: 0 });
    } else {
      const silent = fault?.kind === 'drop-command' || fault?.kind === 'error-answer';
      this.#around.timers.at(this.#around.line.clock.now() + lateness(fault), () => {
        const sent = this.#sender.send(silent ? new Uint8Array() : slipFrame(stub.greeting), fault);
        this.#around.timers.at(sent, () => this.#next());
      });
    }
  }

  #next(): void {
    if (this.#over) {
      return;
    }
    this.#busy = false;
    this.receive(this.#ring?.take() ?? new Uint8Array());
    const frame = this.#waiting.shift();
    if (frame !== undefined) {
      this.#deal(frame);
    }
  }
}

function ringOf({ waiting }: Loader): ByteRing | null {
  return 'ring' in waiting ? new ByteRing(waiting.ring) : null;
}

/**
 * The receive buffer of the ROM's UART. The ROM does not detect when the writer laps the reader. All bytes in it are
 * then lost, and the reader gets those that came after.
 */
class ByteRing {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #read = 0;
  #write = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#bytes[this.#write] = byte;
      this.#write = (this.#write + 1) % this.#bytes.length;
    }
  }

  take(): Uint8Array<ArrayBuffer> {
    const [read, write] = [this.#read, this.#write];
    this.#read = write;
    return read <= write
      ? this.#bytes.slice(read, write)
      : joined(this.#bytes.slice(read), this.#bytes.slice(0, write));
  }
}
