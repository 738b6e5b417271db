/** User actions on a device through its JKit. Each sends lists of transfers to the host, and decodes the answers. */
import type { ChipContent, ChipRegister } from '@wirebench/contract/chips';
import { type ChipJob, type ChipTransfer, describedChip } from '@wirebench/lab/chip-jkit';
import type { DeviceCycle } from '../../../protocol/bus-transfers.ts';
import type { ReadWord } from '../registers/read-word.ts';
import { getLab } from '../store/lab-line.ts';
import { addReadings, changeDevice, onCycles, openDeviceAt, setDevice } from './device-store.ts';
import { fits, toBus } from './identify.ts';
import type { KnownChip } from './known-chip.ts';

/** Opens a JKit for a device, and closes the one that was open there. Sends nothing to the device. */
export async function openDevice(address: number, chip: KnownChip): Promise<void> {
  await closeDevice(address);
  setDevice(address, {
    chip,
    isUnlikely: false,
    needsSetUp: false,
    initialisedAt: null,
    interval: null,
    failure: null,
    results: [],
    readAt: null,
    registers: new Map(),
    registersReadAt: null,
    flips: new Map(),
    selected: null,
    isFitting: undefined,
    hasPicture: false,
  });
}

/** Checks whether the registers of the device hold the values that its JKit expects. */
export async function checkDevice(address: number): Promise<void> {
  const chip = chipAt(address);
  const isFitting = await fits(chip, address);
  if (openDeviceAt(address)?.chip === chip) {
    changeDevice(address, { isUnlikely: isFitting === false, isFitting });
  }
}

export async function closeDevice(address: number): Promise<void> {
  const device = openDeviceAt(address);
  setDevice(address, null);
  if (device?.interval != null) {
    await getLab().call('endRepeat', address);
  }
}

/** Returns the bytes that `initialise` will write. */
export function initialWrites(content: ChipContent, address: number) {
  return describedChip(content, address).initialise.map(({ write }, index) => {
    const { description, register } = content.init[index] ?? {};
    return { bytes: write, text: description ?? register ?? '' };
  });
}

export async function initialise(address: number): Promise<void> {
  const device = describedChip(chipAt(address).content, address);
  await transferAll(device.initialise);
  // Earlier readings were made before the set-up, so they are discarded.
  changeDevice(address, { initialisedAt: Date.now(), needsSetUp: false, failure: null, results: [], readAt: null });
}

/** Returns true if the device has been set up, here or before. Asks the device only if it was not set up here. */
async function isReady(address: number): Promise<boolean> {
  const { chip, initialisedAt } = openDeviceAt(address) ?? { chip: chipAt(address), initialisedAt: null };
  if (initialisedAt !== null) {
    return true;
  }
  const isInitialised = await jobDone(describedChip(chip.content, address).isInitialised);
  changeDevice(address, { needsSetUp: isInitialised !== true });
  return isInitialised === true;
}

/**
 * Reads once. A device that has not been set up is not read, because its values after a reset are not measurements. A
 * failure clears the earlier values.
 */
export async function readOnce(address: number): Promise<void> {
  if (!(await isReady(address))) {
    return;
  }
  try {
    const { job } = await cycleOf(address);
    addReadings(address, Date.now(), job.value(await transferAll(job.transfers)));
  } catch (error) {
    changeDevice(address, { results: [] });
    throw error;
  }
}

/**
 * Reads repeatedly, under the same condition as `readOnce`.
 * @param interval In milliseconds.
 */
export async function startReading(address: number, interval: number): Promise<void> {
  if (!(await isReady(address))) {
    return;
  }
  const { chip, job } = await cycleOf(address);
  onCycles(address, (cycle) => evaluate(chip, job, cycle));
  await getLab().call('repeat', { address, transfers: toBus(job.transfers), interval });
  changeDevice(address, { interval, failure: null });
}

/**
 * Opens the JKit of a device that a register identified, sets the device up if it does not hold the set-up, and reads
 * it repeatedly. The writes are those of the product's own description, so it asks no question. The log has each byte.
 */
export async function readIdentified(address: number, chip: KnownChip): Promise<void> {
  await openDevice(address, chip);
  if (!(await isReady(address))) {
    await initialise(address);
  }
  await startReading(address, chip.content.interval);
}

export async function stopReading(address: number): Promise<void> {
  changeDevice(address, { interval: null });
  await getLab().call('endRepeat', address);
}

type Cycle = ReturnType<ReturnType<typeof describedChip>['cycle']>;

function evaluate(chip: KnownChip, job: Cycle, { address, at, answers, failure, ended }: DeviceCycle): void {
  if (openDeviceAt(address)?.chip !== chip) {
    return;
  }
  if (answers === null) {
    // A device that stays away may have lost its supply, and its set-up with it. The next reading checks the set-up.
    changeDevice(address, {
      failure,
      results: [],
      ...(ended && { interval: null, initialisedAt: null, readAt: null }),
    });
    return;
  }
  addReadings(address, at, job.value(answers));
}

async function cycleOf(address: number): Promise<{ readonly chip: KnownChip; readonly job: Cycle }> {
  const chip = chipAt(address);
  const device = describedChip(chip.content, address);
  const calibration = await jobDone(device.calibrate);
  return { chip, job: device.cycle(calibration) };
}

/**
 * Reads registers of an open device, and stores the values beside the earlier ones.
 * @throws CallError if the host refuses, or if the device does not acknowledge.
 */
export async function readRegisters(address: number, names: readonly string[]): Promise<void> {
  const chip = chipAt(address);
  const values = await jobDone(describedChip(chip.content, address).read(names));
  const before = openDeviceAt(address);
  if (before?.chip !== chip) {
    return;
  }
  const registers = new Map<string, ReadWord>(before.registers);
  for (const register of chip.content.registers) {
    const value = values.get(register.name);
    if (value !== undefined) {
      const now = Number(BigInt.asUintN(register.width, value));
      registers.set(register.name, { now, before: before.registers.get(register.name)?.now ?? null });
    }
  }
  changeDevice(address, { registers, registersReadAt: Date.now() });
}

/** Returns the bytes that `writeRegister` will send. */
export function writtenBytes(address: number, name: string, value: number): Uint8Array {
  return describedChip(chipAt(address).content, address).write(name, BigInt(value)).write;
}

/** Writes a register. A register that can be read is read afterwards. */
export async function writeRegister(address: number, { name, access }: ChipRegister, value: number): Promise<void> {
  await transferAll([describedChip(chipAt(address).content, address).write(name, BigInt(value))]);
  if (access === 'rw') {
    await readRegisters(address, [name]);
  }
}

async function jobDone<Result>({ transfers, value }: ChipJob<Result>): Promise<Result> {
  return value(transfers.length === 0 ? [] : await transferAll(transfers));
}

/** @param what Text for the log in place of the transfers. Left out: each transfer is logged. */
export const transferAll = (transfers: readonly ChipTransfer[], what?: string) =>
  getLab().call('transferAll', toBus(transfers), what);

function chipAt(address: number): KnownChip {
  const device = openDeviceAt(address);
  if (device === undefined) {
    throw new Error('This JKit was closed.');
  }
  return device.chip;
}
