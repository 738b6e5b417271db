/**
 * Runs the UART bootloader on its line. Bytes come in, the bootloader's program runs, answers go out at their time,
 * and faults are injected. While the bootloader works on its flash or sends, it does not receive: its UART keeps one
 * byte and loses the others.
 */

import type { Random } from '../../random.ts';
import { AnswerSender } from '../../wire/answer-sender.ts';
import type { DeviceLine } from '../../wire/device.ts';
import { type FaultInjector, lateness } from '../../wire/step-faults.ts';
import type { TimerGroup } from '../../wire/timer-group.ts';
import type { StmFault } from '../faults.ts';
import type { Answer, Leaving, Packet, ProgramContext, Reply } from './dialogue.ts';
import { bootloaderProgram, synchronised } from './program.ts';

export interface SessionSurroundings {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly injector: FaultInjector<StmFault>;
  readonly random: Random;
  leave(how: Leaving): void;
  crash(): void;
  unplug(replugAfter: number | null): void;
  brownOut(): void;
}

interface ReceivedByte {
  readonly byte: number;
  readonly intact: boolean;
}

export class BootloaderSession {
  readonly #context: ProgramContext;
  readonly #around: SessionSurroundings;
  readonly #program: ReturnType<typeof bootloaderProgram>;
  #waiting: ReceivedByte[] = [];
  #packet: ReceivedByte[] = [];
  /** Number of bytes that the program waits for; 0 if it waits for none. */
  #wanted = 0;
  /** True during a turn. Bytes that arrive during it are processed at its end. */
  #inTurn = false;
  #over = false;
  readonly #sender: AnswerSender;

  constructor(context: ProgramContext, around: SessionSurroundings) {
    this.#context = context;
    this.#around = around;
    this.#sender = new AnswerSender(around);
    this.#program = bootloaderProgram(context);
  }

  /**
   * Starts after the host's first byte has been measured.
   * @param fault Fault that is due at this step.
   */
  start(fault: StmFault | null): void {
    this.#turn(() => this.#answer(synchronised, fault));
  }

  receive(byte: number, intact: boolean): void {
    const listens = this.#wanted > 0 || this.#inTurn;
    const ignores = !listens || this.#around.line.pending > 1;
    if (!this.#over && !(ignores && this.#waiting.length > 0)) {
      this.#waiting.push({ byte, intact });
      this.#turn(() => undefined);
    }
  }

  /** Executes `work`, then processes the received bytes. */
  #turn(work: () => void): void {
    const outermost = !this.#inTurn;
    this.#inTurn = true;
    work();
    if (!outermost) {
      return;
    }
    while (this.#wanted > 0 && this.#waiting.length > 0 && !this.#over) {
      this.#packet.push(...this.#waiting.splice(0, this.#wanted - this.#packet.length));
      if (this.#packet.length === this.#wanted) {
        const packet = packetOf(this.#packet);
        this.#packet = [];
        this.#wanted = 0;
        this.#resume(packet);
      }
    }
    this.#inTurn = false;
  }

  #turnAt(time: number, work: () => void): void {
    this.#around.timers.at(time, () => this.#turn(work));
  }

  #resume(reply: Reply | null): void {
    const step = reply === null ? this.#program.next() : this.#program.next(reply);
    if (step.done) {
      this.#over = true;
      this.#around.leave(step.value);
    } else if (step.value.kind === 'receive') {
      this.#wanted = step.value.count;
    } else {
      const wish = step.value;
      this.#answer(wish, wish.step === null ? null : this.#around.injector.reach(wish.step));
    }
  }

  #answer(answer: Answer, fault: StmFault | null): void {
    // The program has not begun at the synchronisation, so it takes no reply to it.
    const resume = (good: boolean) => this.#resume(answer === synchronised ? null : good);
    if (fault?.kind === 'drop-command') {
      resume(false);
      return;
    }
    if (fault?.kind === 'hang') {
      this.#over = true;
      this.#around.crash();
      return;
    }
    const begun = this.#context.now();
    const valid = answer.valid && fault?.kind !== 'error-answer';
    const { end, ok } = (valid ? answer.work?.() : undefined) ?? { end: begun, ok: true };
    if (fault?.kind === 'unplug' || fault?.kind === 'brown-out') {
      this.#around.timers.at(begun + (end - begun) / 2, () => this.#strike(fault));
      return;
    }
    const answered = () => {
      this.#context.chip.settle(Math.max(end, this.#context.now()));
      const good = valid && ok;
      const sent = this.#sender.send(Uint8Array.from(good ? answer.good() : answer.bad), fault);
      this.#turnAt(sent, () => resume(good));
    };
    this.#turnAt(end + lateness(fault), answered);
  }

  #strike({ kind, replugAfter }: StmFault): void {
    this.#over = true;
    if (kind === 'brown-out') {
      this.#around.brownOut();
    } else {
      this.#around.unplug(replugAfter ?? null);
    }
  }
}

function packetOf(received: readonly ReceivedByte[]): Packet {
  return { bytes: Uint8Array.from(received, ({ byte }) => byte), intact: received.every(({ intact }) => intact) };
}
