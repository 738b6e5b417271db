/**
 * Probes all addresses of an I2C bus in groups, so that pins are still watched and the user's actions run between
 * groups.
 */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab, LabPriority } from '../lab.ts';
import { hexNumber, type Macro } from '../macro.ts';
import { type I2cAnswer, i2cProbe, i2cProbeSetup } from './i2c.ts';

/** Excludes the reserved addresses (UM10204, section 3.1.12). */
const scannedAddresses = { first: 0x08, last: 0x77 } as const;

export interface I2cScan {
  /** Hz, the same as for `i2cUp`. */
  readonly clock: number;
  readonly first?: number;
  readonly last?: number;
  readonly signal?: AbortSignal;
  readonly priority?: LabPriority;
  /** Called for each address that acknowledges, in the order of addresses. */
  readonly onFound?: (address: number) => void;
  /**
   * Called after each group.
   *
   * @param done Addresses probed so far.
   * @param of Addresses to probe in all.
   */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface I2cScanReport {
  readonly found: readonly number[];
  /**
   * Address at which the scan stopped, because the bus was busy or the probe never finished. Null if all addresses
   * were probed.
   */
  readonly stuckAt: number | null;
}

/** Addresses in one macro. At 115,200 baud a macro takes about 0.1 s. */
const GROUP = 14;
/** Maximum probes of an address whose probe does not finish. */
const TRIES = 3;

/**
 * Probes a range of addresses. Needs `i2cUp` before.
 *
 * @throws LabError for the same reasons as `lab.run`.
 */
export async function scan(lab: Lab, options: I2cScan): Promise<I2cScanReport> {
  const { first = scannedAddresses.first, last = scannedAddresses.last, onFound, onProgress } = options;
  const found: number[] = [];
  for (let at = first; at <= last; at += GROUP) {
    const addresses = Array.from({ length: Math.min(GROUP, last + 1 - at) }, (_, index) => at + index);
    for (const [index, answer] of (await askAll(lab, addresses, options)).entries()) {
      const address = at + index;
      if (answer === 'stuck' || answer === 'unfinished') {
        return { found, stuckAt: address };
      }
      if (answer === 'present') {
        found.push(address);
        onFound?.(address);
      }
    }
    onProgress?.(at + addresses.length - first, last + 1 - first);
  }
  return { found, stuckAt: null };
}

async function askAll(lab: Lab, addresses: readonly number[], options: I2cScan): Promise<I2cAnswer[]> {
  const { clock, signal, priority } = options;
  const how = { ...(signal && { signal }), ...(priority && { priority }) };
  const answers = await lab.run(probeAll(lab.chip, addresses, clock), how);
  for (let attempt = 1; attempt < TRIES && answers.includes('unfinished'); attempt++) {
    for (const [index, address] of addresses.entries()) {
      if (answers[index] === 'unfinished') {
        answers.splice(index, 1, ...(await lab.run(probeAll(lab.chip, [address], clock), how)));
      }
    }
  }
  return answers;
}

/**
 * Probes several addresses in one macro together with their set-up. Another caller's transfer in between would
 * overwrite the controller's commands.
 */
function probeAll(chip: LabChip, addresses: readonly number[], clock: number): Macro<I2cAnswer[]> {
  const probes = addresses.map((address) => i2cProbe(chip, address, clock));
  const count = addresses.length === 1 ? '1 address' : `${addresses.length} addresses`;
  return {
    title: `I2C: probe ${count} from ${hexNumber(addresses[0] ?? 0, 2)}`,
    steps: [...i2cProbeSetup(chip).steps, ...probes.flatMap(({ steps }) => steps)],
    repeatable: true,
    value: (words) => probes.map(({ value }, index) => value(words.slice(index, index + 1))),
  };
}
