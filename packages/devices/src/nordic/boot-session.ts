/** What a bootloader is to the board: what it decides at a reset, and what it does with what it receives. */
import type { NordicStep } from './faults.ts';

/**
 * `power`: it was plugged in. `pin`: the reset button, or DTR where that is wired to it; `button`: with the board's boot button
 * held. `double`: the reset button twice. `touch`: the application was asked to at 1200 baud. `soft`: the chip restarts itself.
 * `jump`: no reset at all, the bootloader has done its work.
 */
export type ResetReason = 'power' | 'pin' | 'button' | 'double' | 'touch' | 'soft' | 'jump';

/** What runs after a reset. */
export interface BootDecision {
  /** `serial-only` is a bootloader that shows no disk beside its port. */
  readonly start: 'bootloader' | 'serial-only' | 'application';
  /** Milliseconds that the bootloader needs before, for copying and the like. */
  readonly takes: number;
  /** What a bootloader does that nobody talks to. */
  readonly idle?: IdleRule;
}

export interface IdleRule {
  /** Milliseconds without a message. */
  readonly after: number;
  readonly next: 'application' | 'reset';
  /** The time counts until the first message only. */
  readonly once: boolean;
}

/** What comes of one message. Times are the clock's. */
export interface Outcome {
  /** Framed, ready for the wire. */
  readonly answers: readonly Uint8Array[];
  readonly answerAt: number;
  /** When the next message is looked at. */
  readonly freeAt: number;
  /** The bootloader ends at this time: by a reset, or because it has done its work and goes on to the application. */
  readonly end?: { readonly at: number; readonly by: 'reset' | 'jump' };
}

/** A bootloader at work, from its start to the next reset. */
export interface BootSession {
  /** What comes while it is busy is lost, because nothing holds the host back. */
  readonly deafWhileBusy: boolean;
  /** Messages that end in `bytes`. */
  receive(bytes: Uint8Array): readonly Uint8Array[];
  /** Null for messages at which no fault can be placed. */
  stepOf(message: Uint8Array): NordicStep | null;
  process(message: Uint8Array, now: number): Outcome;
  /** As `process`, but nothing is done and the answer is an error. */
  refuse(message: Uint8Array, now: number): Outcome;
}

/** What a bootloader keeps in flash, and what it does with it. */
export interface Bootcode {
  /** Decides what runs, and does at once what it does to the flash before that. */
  reset(reason: ResetReason, now: number): BootDecision;
  open(): BootSession;
  /** What the application says when it runs; null when there is none that could. */
  bootText(): string | null;
}
