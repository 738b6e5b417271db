/**
 * Runs a bootloader on its line. Messages are processed one after the other, each takes its time and is answered, and
 * faults are injected.
 */

import { joined } from '../byte-fields.ts';
import type { Random } from '../random.ts';
import { AnswerSender } from '../wire/answer-sender.ts';
import type { DeviceLine } from '../wire/device.ts';
import { type FaultInjector, lateness } from '../wire/step-faults.ts';
import type { TimerGroup } from '../wire/timer-group.ts';
import type { BootSession, Outcome } from './boot-session.ts';
import type { NrfFault } from './faults.ts';
import type { Nvm } from './nvm.ts';

export interface ConversationSurroundings {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly injector: FaultInjector<NrfFault>;
  readonly random: Random;
  readonly nvm: Nvm;
  /** Called for each message. */
  received(): void;
  end(by: 'reset' | 'jump'): void;
  crash(): void;
  unplug(replugAfter: number | null): void;
}

export class Conversation {
  readonly #session: BootSession;
  readonly #around: ConversationSurroundings;
  readonly #sender: AnswerSender;
  #waiting: Uint8Array[] = [];
  #busy = false;
  /** End of the last message's processing, in the clock's milliseconds. */
  #freeAt = Number.NEGATIVE_INFINITY;
  #over = false;
  /**
   * Ends the processing of the current message if its time has passed. On a busy machine bytes may arrive before the
   * late timer fires.
   */
  #endTurn: () => void = () => undefined;

  constructor(session: BootSession, around: ConversationSurroundings) {
    this.#session = session;
    this.#around = around;
    this.#sender = new AnswerSender(around);
  }

  receive(bytes: Uint8Array): void {
    this.#endTurn();
    if (this.#over || (this.#busy && this.#session.deafWhileBusy)) {
      return;
    }
    for (const message of this.#session.receive(bytes)) {
      if (this.#over) {
        return;
      }
      if (!this.#busy) {
        this.#deal(message);
      } else if (!this.#session.deafWhileBusy) {
        this.#waiting.push(message);
      }
    }
  }

  #deal(message: Uint8Array): void {
    const { line, injector, nvm } = this.#around;
    // A timer may fire a fraction of a millisecond early. Its message counts as complete.
    const now = Math.max(line.clock.now(), this.#freeAt);
    nvm.settle(now);
    this.#around.received();
    const step = this.#session.stepOf(message);
    const fault = step === null ? null : injector.reach(step);
    if (fault?.kind === 'drop-command') {
      return;
    }
    if (fault?.kind === 'hang') {
      this.#over = true;
      this.#around.crash();
      return;
    }
    const outcome =
      fault?.kind === 'error-answer' ? this.#session.refuse(message, now) : this.#session.process(message, now);
    this.#busy = true;
    this.#freeAt = outcome.freeAt;
    if (fault?.kind === 'unplug') {
      this.#strike(fault, now, outcome);
      return;
    }
    this.#around.timers.at(outcome.answerAt + lateness(fault), () => this.#answer(outcome, fault));
  }

  /** Applies the fault in the middle of the message's execution, or at once if that takes no time. */
  #strike({ replugAfter }: NrfFault, now: number, { answerAt, freeAt }: Outcome): void {
    this.#around.timers.at(now + (Math.max(answerAt, freeAt) - now) / 2, () => {
      this.#over = true;
      this.#around.unplug(replugAfter ?? null);
    });
  }

  #answer({ answers, freeAt, end }: Outcome, fault: NrfFault | null): void {
    const sent = this.#send(answers, fault);
    if (end !== undefined) {
      this.#over = true;
      this.#around.timers.at(Math.max(sent, end.at), () => this.#leave(end.by));
      return;
    }
    const { clock } = this.#around.line;
    const free = Math.max(sent, freeAt);
    if (free <= clock.now()) {
      this.#next();
      return;
    }
    const goOn = () => {
      cancel();
      this.#endTurn = () => undefined;
      this.#next();
    };
    const cancel = this.#around.timers.after(free - clock.now(), goOn);
    this.#endTurn = () => (clock.now() >= free ? goOn() : undefined);
  }

  /** Ends the bootloader once its answer has been sent. On a busy machine that is later than planned. */
  #leave(by: 'reset' | 'jump'): void {
    const { line, timers, end } = this.#around;
    if (line.pending > 0) {
      timers.after(1, () => this.#leave(by));
    } else {
      end(by);
    }
  }

  #next(): void {
    this.#busy = false;
    for (let message = this.#take(); message !== undefined; message = this.#take()) {
      this.#deal(message);
    }
  }

  /** Takes the next waiting message, unless one is being processed. */
  #take(): Uint8Array | undefined {
    return this.#busy || this.#over ? undefined : this.#waiting.shift();
  }

  /** Returns the time at which all answers have been handed to the line. */
  #send(answers: readonly Uint8Array[], fault: NrfFault | null): number {
    const bytes = joined(...answers);
    return bytes.length === 0 ? this.#around.line.clock.now() : this.#sender.send(bytes, fault);
  }
}
