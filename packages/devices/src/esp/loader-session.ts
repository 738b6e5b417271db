/**
 * A loader at work on its line: frames come in one by one, are dealt with in their turn and time, and answered; faults strike
 * between. Begins with the ROM's loader and goes on with the stub once one is started.
 */

import { joined } from '../byte-fields.ts';
import type { Random } from '../random.ts';
import { SlipReceiver, slipFrame } from '../slip.ts';
import { AnswerSender } from '../wire/answer-sender.ts';
import type { DeviceLine } from '../wire/device.ts';
import { type FaultInjector, lateness } from '../wire/step-faults.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { EspFault } from './faults.ts';
import type { Loader, LoaderContext, Next, Outcome } from './loader/loader.ts';
import { op } from './loader/request.ts';
import { RomLoader } from './loader/rom-loader.ts';
import { StubLoader } from './loader/stub-loader.ts';
import { stepOf } from './steps.ts';

export interface SessionSurroundings {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly injector: FaultInjector<EspFault>;
  readonly random: Random;
  readonly firstSyncLost: boolean;
  /** The stub waits before it greets, until the ROM's last answer has left its UART. */
  readonly slowStart: boolean;
  /** A command came. */
  count(opcode: number): void;
  setRate(baudRate: number): void;
  stubStarted(): void;
  /** Another program than a stub was started; false where such a chip cannot run it. */
  startProgram(entry: number): boolean;
  /** The loader is left for what is in flash. */
  leave(): void;
  /** The loader falls silent. */
  crash(): void;
  /** The processor takes an exception. */
  panic(): void;
  unplug(replugAfter: number | null): void;
  brownOut(): void;
}

/** Milliseconds until the stub greets (esp-flasher-stub, `stub_transport_init`). */
const stubStart = 10;
/** "Serial Protocol", section "Low Level Protocol". What is outside of frames is not received. */
const slipRules = { opens: 'end-each', strict: true } as const;
const slipEnd = 0xc0;

/**
 * Whether `program` is a flasher stub: it carries the greeting `OHAI` ("Serial Protocol", section "Initialization"), as bytes, or on
 * RISC-V as the upper half of that word in a LUI instruction.
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
  /** Where the loader keeps raw bytes meanwhile, in place of frames. */
  #ring: ByteRing | null;
  #busy = false;
  /** Until when the command dealt with last takes. */
  #freeAt = Number.NEGATIVE_INFINITY;
  #over = false;
  /** No frame has come yet: the ROM measures the rate of what it receives. */
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

  /** The rate of the host is not known yet. */
  get listens(): boolean {
    return this.#listens;
  }

  receive(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#busy && this.#ring !== null) {
        this.#ring.push(bytes.subarray(at));
        return;
      }
      // A frame at a time: what comes behind one that keeps the loader busy has to wait.
      const found = bytes.indexOf(slipEnd, at);
      const end = found === -1 ? bytes.length : found + 1;
      for (const frame of this.#receiver.receive(bytes.subarray(at, end))) {
        this.#arrive(frame);
      }
      at = end;
    }
  }

  /** The chip does not run this loader any more: nothing more is said. */
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
    // A timer may fire a fraction of a millisecond early; what it waited for has happened all the same.
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

  /** Answers when it is time; a command that waits in between goes on first. */
  #finish(outcome: Outcome, fault: EspFault | null): void {
    const { timers } = this.#around;
    const { resume, answerAt } = outcome;
    // A register may have reset the chip.
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

  /** In the middle of what the command does, or right away when it takes no time. */
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

  #answer({ answers, freeAt, next }: Outcome, fault: EspFault | null): void {
    // What changes the rate or ends the loader cannot be held back: nothing of this loader comes after it.
    const kind = fault?.kind === 'join-answer' && next !== undefined ? null : fault;
    const sent = this.#sender.send(joined(...answers.map(slipFrame)), kind);
    this.#around.timers.at(sent, () => {
      if (next !== undefined) {
        this.#follow(next, fault);
      }
      if (next?.kind !== 'start') {
        this.#around.timers.at(freeAt, () => this.#next());
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
 * What the ROM's UART keeps bytes in. Nobody looks whether the writer laps the reader: all that was in it is lost then, and what is
 * read are the bytes that came after.
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
