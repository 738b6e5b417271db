/** The interface between a bootloader and the board: the decision at a reset, and the processing of messages. */
import type { NrfStep } from './faults.ts';

/**
 * Reason of a start. `power`: plug-in. `pin`: reset button, or DTR if wired to it. `button`: reset with the boot
 * button held. `double`: reset button pressed twice. `touch`: request to the application at 1200 baud. `soft`: the
 * chip restarts itself. `jump`: no reset; the bootloader continues with the application.
 */
export type ResetReason = 'power' | 'pin' | 'button' | 'double' | 'touch' | 'soft' | 'jump';

/** The program to run after a reset. */
export interface BootDecision {
  /** `serial-only` is a bootloader that offers its port without a disk. */
  readonly start: 'bootloader' | 'serial-only' | 'application';
  /** Milliseconds that the bootloader needs before that, for example to copy an image. */
  readonly takes: number;
  /** Behaviour of a bootloader that receives no messages. */
  readonly idle?: IdleRule;
}

export interface IdleRule {
  /** Milliseconds without a message. */
  readonly after: number;
  readonly next: 'application' | 'reset';
  /** True: only the time before the first message counts. */
  readonly once: boolean;
}

/** Outcome of one message. Times are the clock's, in milliseconds. */
export interface Outcome {
  /** Answers with framing, ready for the wire. */
  readonly answers: readonly Uint8Array[];
  readonly answerAt: number;
  /** Time from which the next message is processed. */
  readonly freeAt: number;
  /** End of the bootloader: by a reset, or by a jump to the application. */
  readonly end?: { readonly at: number; readonly by: 'reset' | 'jump' };
}

/** A running bootloader, from its start to the next reset. */
export interface BootSession {
  /** True: input is lost while the bootloader is busy, because no flow control holds the host back. */
  readonly deafWhileBusy: boolean;
  /** Returns the messages that end in `bytes`. */
  receive(bytes: Uint8Array): readonly Uint8Array[];
  /** Returns null for messages at which no fault can occur. */
  stepOf(message: Uint8Array): NrfStep | null;
  process(message: Uint8Array, now: number): Outcome;
  /** Returns an error answer without executing the message. */
  refuse(message: Uint8Array, now: number): Outcome;
}

/** The bootloader's data in flash, and its actions at a reset. */
export interface Bootcode {
  /** Decides the program to run, and makes the preceding changes to the flash at once. */
  reset(reason: ResetReason, now: number): BootDecision;
  open(): BootSession;
  /** Returns the text that the application prints at its start; null without a valid application. */
  bootText(): string | null;
}
