/** A simulated board on a virtual clock with a lab on it. It records every frame sent to the board. */
import { createEspPort, EspDevice, type EspDeviceOptions, type EspPort } from '@wirebench/devices';
import { PortRig, type RigWiring } from '@wirebench/flasher/testing';
import { labChip } from '../chips/lab-chips.ts';
import type { Lab, LabStep, LabTraffic, OpenLabOptions } from '../lab.ts';
import { flashCommands, openLab } from '../open-lab.ts';
import { policyOf } from '../policy/policy.ts';
import { unescaped } from './recording.ts';

const WRITE_REG = 0x09;
const READ_REG = 0x0a;

export interface LabRigOptions extends Partial<EspDeviceOptions>, RigWiring {
  readonly chip: 'esp32' | 'esp32c3';
}

/** One parsed frame to the board. */
interface SentFrame {
  readonly op: number;
  /** Data as words. */
  readonly words: readonly number[];
  readonly length: number;
}

export class LabRig extends PortRig<EspPort> {
  readonly chip: 'esp32' | 'esp32c3';
  readonly steps: LabStep[] = [];
  readonly traffic: LabTraffic[] = [];

  constructor({ wire, wireSeed, pace, ...options }: LabRigOptions) {
    const device = new EspDevice({ flash: { content: 'factory' }, ...options });
    super((wiring) => createEspPort(device, wiring), { wire, wireSeed, pace });
    this.chip = options.chip;
  }

  get device(): EspDevice {
    return this.demo.device;
  }

  /** Starts opening without moving the clock. */
  opening(options: Partial<OpenLabOptions> = {}): Promise<Lab> {
    return openLab(this.port, {
      clock: this.clock,
      onStep: (step) => this.steps.push(step),
      onTraffic: (event) => this.traffic.push(event),
      ...options,
    });
  }

  open(options: Partial<OpenLabOptions> = {}): Promise<Lab> {
    return this.run(this.opening(options));
  }

  get sent(): SentFrame[] {
    return this.traffic.flatMap((event) => (event.kind === 'sent' ? framesIn(event.bytes) : []));
  }

  /** Titles of finished and failed macros, in order. */
  get titles(): string[] {
    return this.traffic.flatMap((event) => (event.kind === 'done' || event.kind === 'failed' ? [event.title] : []));
  }

  /** Returns the rule violations of everything sent so far. */
  problems(): string[] {
    return [...this.forbidden(), ...this.overfull()];
  }

  /**
   * Returns the forbidden frames sent since the lab is open. Frames of opening are exempt, because the flasher
   * identifies the chip then.
   */
  private forbidden(): string[] {
    const chip = labChip(this.chip);
    const policy = policyOf(chip);
    const opened = this.traffic.findIndex(
      (event) => event.kind === 'sent' && isWriteTo(event.bytes, chip.resetMark.address),
    );
    const frames = this.traffic.slice(opened < 0 ? this.traffic.length : opened);
    const problems = this.sent.filter(({ op }) => flashCommands.includes(op)).map(({ op }) => `op ${op.toString(16)}`);
    for (const { op, words } of frames.flatMap((event) => (event.kind === 'sent' ? framesIn(event.bytes) : []))) {
      if (op === READ_REG && !isIdentification(words[0] ?? 0)) {
        const refusal = policy.readRefusal(words[0] ?? 0);
        problems.push(...(refusal === null ? [] : [refusal]));
      }
      for (let at = 0; op === WRITE_REG && at + 4 <= words.length; at += 4) {
        const [address = 0, value = 0, mask = 0, delay = 0] = words.slice(at, at + 4);
        const isReset = address === chip.reset.address && value === chip.reset.value;
        const microseconds = Math.floor(delay * Math.min(1, chip.limits.delayUnit));
        const refusal = isReset ? null : policy.writeRefusal({ address, value, mask, delay: microseconds });
        problems.push(...(refusal === null ? [] : [refusal]));
      }
    }
    return problems;
  }

  /** Returns the places at which more was in flight than the ROM's receive ring holds. */
  private overfull(): string[] {
    const { bytesBehind, readsInFlight } = labChip(this.chip).limits;
    const inFlight: SentFrame[] = [];
    const problems: string[] = [];
    for (const event of this.traffic) {
      if (event.kind === 'sent') {
        const [frame] = framesIn(event.bytes);
        if (frame?.op === WRITE_REG || frame?.op === READ_REG) {
          inFlight.push(frame);
          const behind = inFlight.slice(1).reduce((sum, { length }) => sum + length, 0);
          const reads = inFlight.filter(({ op }) => op === READ_REG).length;
          problems.push(...(behind > bytesBehind ? [`${behind} bytes behind`] : []));
          problems.push(...(reads > readsInFlight ? [`${reads} reads in flight`] : []));
        } else {
          inFlight.length = 0;
        }
      } else if (event.kind === 'received') {
        inFlight.shift();
      } else if (event.kind === 'resynchronised' || event.kind === 'failed') {
        inFlight.length = 0;
      }
    }
    return problems;
  }
}

function framesIn(bytes: Uint8Array): SentFrame[] {
  const frame = Buffer.from(unescaped(Buffer.from(bytes).toString('hex')), 'hex');
  if (frame.length < 8) {
    return [];
  }
  const words = Array.from({ length: Math.floor((frame.length - 8) / 4) }, (_, index) =>
    frame.readUInt32LE(8 + 4 * index),
  );
  return [{ op: frame[1] ?? 0, words, length: bytes.length }];
}

function isWriteTo(bytes: Uint8Array, address: number): boolean {
  return framesIn(bytes).some(({ op, words }) => op === WRITE_REG && words[0] === address);
}

/** Returns true for words that the flasher reads after a change of the rate: fuses and the slow clock's calibration. */
function isIdentification(address: number): boolean {
  return address === 0x3ff5_f06c || address === 0x3ff5_a010;
}
