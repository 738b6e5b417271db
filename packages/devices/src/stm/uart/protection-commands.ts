/** Write Protect, Write Unprotect, Readout Protect and Readout Unprotect: AN3155, sections 3.9 to 3.12. */
import type { StmChip, Work } from '../chip/stm-chip.ts';
import { answer, type Dialogue, hasSum, type Leaving, type ProgramContext, receive } from './dialogue.ts';

/** Section 3.9. Neither the number of sectors nor their codes are checked. */
export function* writeProtect({ chip, now }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('protect-command', chip.protection === 0))) {
    return null;
  }
  const first = yield* receive(1);
  const count = (first.bytes[0] ?? 0) + 1;
  const rest = yield* receive(count + 1);
  const work = atOnce(now, () => chip.protectWriting(Array.from(rest.bytes.subarray(0, count))));
  return (yield* answer('protect', hasSum(first, rest), { work })) ? optionsChanged(chip) : null;
}

/** Section 3.10. */
export function* writeUnprotect({ chip, now }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('protect-command', chip.protection === 0))) {
    return null;
  }
  const work = atOnce(now, () => chip.protectWriting([]));
  return (yield* answer('protect', true, { work })) ? optionsChanged(chip) : null;
}

/** Section 3.11. */
export function* readoutProtect({ chip, now }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('protect-command', chip.protection === 0))) {
    return null;
  }
  const work = atOnce(now, () => chip.protectReading());
  return (yield* answer('protect', true, { work })) ? optionsChanged(chip) : null;
}

/** Section 3.12. The only command here that works under read protection. */
export function* readoutUnprotect({ chip, now }: ProgramContext): Dialogue<Leaving | null> {
  if (!(yield* answer('protect-command', true))) {
    return null;
  }
  const work = () => chip.removeProtection(now());
  return (yield* answer('protect', true, { work })) ? optionsChanged(chip) : null;
}

/**
 * Applies changed option bytes. Returns the restart that a part needs for them, or null if they take effect at once.
 */
export function optionsChanged(chip: StmChip): Leaving | null {
  return chip.optionsChanged() ? { kind: 'options' } : null;
}

function atOnce(now: () => number, change: () => void): () => Work {
  return () => {
    change();
    return { end: now(), ok: true };
  };
}
