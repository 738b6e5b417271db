/** Asking all addresses of an I2C bus, some at a time, so that pins are still watched and a person's action comes in between. */
import type { LabChip } from '../chips/lab-chip.ts';
import type { Lab, LabPriority } from '../lab.ts';
import { hexNumber, type Macro } from '../macro.ts';
import { type I2cAnswer, i2cProbe, i2cProbeSetup } from './i2c.ts';

/** All but the reserved addresses (UM10204, section 3.1.12). */
const scannedAddresses = { first: 0x08, last: 0x77 } as const;

export interface I2cScan {
  /** Hz, that of `i2cUp`. */
  readonly clock: number;
  readonly first?: number;
  readonly last?: number;
  readonly signal?: AbortSignal;
  readonly priority?: LabPriority;
  /** Called for each address that acknowledges, in the order of addresses. */
  readonly onFound?: (address: number) => void;
  /** Called now and then: how many of how many addresses were asked. */
  readonly onProgress?: (done: number, of: number) => void;
}

export interface I2cScanReport {
  readonly found: readonly number[];
  /** The bus was not free at this address, or the probe never came to an end, and the scan ended there; null when all were asked. */
  readonly stuckAt: number | null;
}

/** Addresses in one macro: at 115,200 baud a macro takes about 0.1 s. */
const GROUP = 14;
/** Times that an address is asked when neither an acknowledge nor its absence was seen. */
const TRIES = 3;

/** Needs `i2cUp` before. @throws LabError as `lab.run` does. */
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

/** Probes in one go, with what they need before them: a transfer of somebody else in between would take their commands away. */
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
