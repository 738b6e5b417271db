/**
 * Runs a bootloader on its line. Bytes come in, the bootloader's program runs, answers go out at their time, and faults
 * are injected. While the bootloader is busy, its UART keeps three bytes and loses the others.
 */

import type { Random } from '../random.ts';
import { AnswerSender } from '../wire/answer-sender.ts';
import type { DeviceLine } from '../wire/device.ts';
import { type FaultInjector, lateness } from '../wire/step-faults.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { Bootcode, BootProgram, Exchange, Leaving } from './bootloaders/boot-program.ts';
import type { AvrFault } from './faults.ts';
import type { AvrMemories } from './memories.ts';

export interface SessionSurroundings {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly injector: FaultInjector<AvrFault>;
  readonly random: Random;
  readonly memories: AvrMemories;
  /** Largest number of bytes that wait. */
  readonly capacity: number;
  /** Size in bytes of the packets in which input comes. */
  readonly packetSize: number;
  /** Factor of the time for which the bootloader waits for a byte. */
  readonly patience: number;
  leave(how: Leaving): void;
  crash(): void;
  unplug(replugAfter: number | null): void;
}

/** Two bytes in the receive buffer and one in the shift register (ATmega328P data sheet, section 19.7). */
export const uartCapacity = 3;

interface ReceivedByte {
  readonly byte: number;
  /** Number of its packet. */
  readonly packet: number;
}

export class BootSession {
  readonly #around: SessionSurroundings;
  readonly #sender: AnswerSender;
  readonly #program: BootProgram;
  #waiting: ReceivedByte[] = [];
  /** True while the program waits for a byte. */
  #listens = false;
  /** True while received bytes are processed. */
  #inTurn = false;
  #over = false;
  /** Number of the last packet that came, and of the one with the last processed byte. */
  #packet = 0;
  #lastPacket = 0;
  #cancelPatience: () => void = () => undefined;

  constructor(bootcode: Bootcode, around: SessionSurroundings) {
    this.#around = around;
    this.#sender = new AnswerSender(around);
    this.#program = bootcode.run({ memories: around.memories, now: () => this.#now });
    around.timers.after(bootcode.deafTime, () => this.#turn(() => this.#resume(0)));
  }

  receive(bytes: Uint8Array): void {
    const { packetSize } = this.#around;
    for (let at = 0; at < bytes.length && !this.#over; at += packetSize) {
      this.#packet++;
      for (const byte of bytes.subarray(at, at + packetSize)) {
        this.#keep({ byte, packet: this.#packet });
      }
      this.#turn(() => undefined);
    }
  }

  /** Adds a byte to the receive buffer. If that is full, the byte replaces the one in the shift register. */
  #keep(received: ReceivedByte): void {
    const { capacity } = this.#around;
    this.#waiting[Math.min(this.#waiting.length, capacity - 1)] = received;
  }

  get #now(): number {
    return this.#around.line.clock.now();
  }

  /** Executes `work`, then processes the received bytes. */
  #turn(work: () => void): void {
    const outermost = !this.#inTurn;
    this.#inTurn = true;
    work();
    if (!outermost) {
      return;
    }
    while (this.#listens && !this.#over) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        break;
      }
      this.#listens = false;
      this.#cancelPatience();
      this.#lastPacket = next.packet;
      this.#resume(next.byte);
    }
    this.#inTurn = false;
  }

  #resume(value: number): void {
    this.#around.memories.settle(this.#now);
    const step = this.#program.next(value);
    if (step.done) {
      this.#leave(step.value);
      return;
    }
    switch (step.value.kind) {
      case 'receive':
        this.#listens = true;
        this.#wait(step.value.patience, step.value.otherwise);
        break;
      case 'end-packet':
        this.#waiting = this.#waiting.filter(({ packet }) => packet !== this.#lastPacket);
        this.#resume(0);
        break;
      default: {
        const exchange = step.value;
        this.#exchange(exchange, exchange.step === null ? null : this.#around.injector.reach(exchange.step));
      }
    }
  }

  #wait(patience: number, otherwise: () => Leaving | null): void {
    this.#cancelPatience();
    if (patience === Number.POSITIVE_INFINITY) {
      return;
    }
    this.#cancelPatience = this.#around.timers.after(patience * this.#around.patience, () => {
      this.#around.memories.settle(this.#now);
      const leaving = otherwise();
      if (leaving === null) {
        this.#wait(patience, otherwise);
      } else {
        this.#leave(leaving);
      }
    });
  }

  #exchange({ early = [], work, answer, refusal }: Exchange, fault: AvrFault | null): void {
    const { line, timers, memories } = this.#around;
    if (fault?.kind === 'drop-command') {
      this.#resume(0);
      return;
    }
    if (fault?.kind === 'hang') {
      this.#over = true;
      this.#around.crash();
      return;
    }
    const begun = this.#now;
    const refused = fault?.kind === 'error-answer';
    if (!refused) {
      work?.();
    }
    const end = Math.max(begun, memories.busyUntil);
    if (fault?.kind === 'unplug') {
      timers.at(begun + (end - begun) / 2, () => {
        this.#over = true;
        this.#around.unplug(fault.replugAfter ?? null);
      });
      return;
    }
    // The faults of answers apply to the whole answer.
    if (fault === null && early.length > 0) {
      line.write(Uint8Array.from(early));
    }
    const head = fault === null ? [] : early;
    this.#at(end + lateness(fault), () => {
      memories.settle(Math.max(end, this.#now));
      const whole = refused ? refusal : [...head, ...answer()];
      const sent = this.#sender.send(Uint8Array.from(whole), fault);
      this.#at(sent, () => this.#resume(0));
    });
  }

  /** Executes `work` at `time`, or at once if that time has passed, as a turn. */
  #at(time: number, work: () => void): void {
    this.#around.timers.at(time, () => this.#turn(work));
  }

  #leave(how: Leaving): void {
    this.#over = true;
    this.#cancelPatience();
    this.#around.leave(how);
  }
}
