/**
 * The choice of the application, as ESP-IDF's bootloader makes it (`bootloader_utility.c`): OTA data, states of rollback,
 * and the other applications if the chosen one is not bootable.
 */
import { viewOf } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import type { ReadFlash } from './image.ts';
import type { Partition } from './partitions.ts';

const sectorSize = 0x1000;
const entrySize = 32;
const emptySequence = 0xffffffff;
/** `esp_ota_img_states_t`. */
const states = { new: 0, pendingVerify: 1, valid: 2, invalid: 3, aborted: 4 } as const;
const maxSlots = 16;
const factoryIndex = -1;

export interface BootFlash {
  readonly read: ReadFlash;
  /** Erases a sector and writes its first bytes. */
  readonly rewrite: (offset: number, bytes: Uint8Array<ArrayBuffer>) => void;
}

/** An application to try. */
export interface Candidate {
  readonly partition: Partition;
  /** Complaint of the bootloader if it does not start. */
  readonly complaint: string;
  /** Notes the slot in empty OTA data once its application is loaded. */
  readonly note: () => void;
}

interface Entry {
  readonly offset: number;
  readonly sequence: number;
  readonly state: number;
  readonly isIntact: boolean;
}

/** Partitions that the bootloader has found in the table (`bootloader_state_t`). */
class BootState {
  readonly slots: (Partition | undefined)[] = [];
  count = 0;
  factory: Partition | undefined;
  test: Partition | undefined;
  otaData: Partition | undefined;

  constructor(partitions: readonly Partition[]) {
    for (const partition of partitions) {
      const { type, subtype } = partition;
      if (type === 0x01 && subtype === 0x00) {
        this.otaData = partition;
      } else if (type === 0x00 && subtype === 0x00) {
        this.factory = partition;
      } else if (type === 0x00 && subtype === 0x20) {
        this.test = partition;
      } else if (type === 0x00 && subtype >> 4 === 1) {
        this.slots[subtype & 0x0f] = partition;
        this.count++;
      }
    }
  }
}

/**
 * Returns the applications in the order in which the bootloader tries them; null if it gives up before. The states of
 * rollback are written to flash.
 */
export function candidates(flash: BootFlash, partitions: readonly Partition[], rollback: boolean): Candidate[] | null {
  const state = new BootState(partitions);
  if (state.otaData !== undefined && state.otaData.size < 2 * sectorSize) {
    return null;
  }
  const { index, isInitial } = chosenIndex(flash, state, rollback);
  const found: Candidate[] = [];
  const add = (number: number) => {
    const partition = number === factoryIndex ? state.factory : number < state.count ? state.slots[number] : undefined;
    if (partition !== undefined) {
      const what = number === factoryIndex ? 'Factory app partition' : `OTA app partition slot ${number}`;
      const note = () => {
        if (isInitial && number !== factoryIndex && state.otaData !== undefined) {
          flash.rewrite(state.otaData.offset, entryOf(number + 1, states.valid));
        }
      };
      found.push({ partition, complaint: `${what} is not bootable`, note });
    }
  };
  for (let number = index; number >= factoryIndex; number--) {
    add(number);
  }
  for (let number = index + 1; number < Math.min(state.count, maxSlots); number++) {
    add(number);
  }
  if (state.test !== undefined) {
    found.push({
      partition: state.test,
      complaint: 'Factory test app partition is not bootable',
      note: () => undefined,
    });
  }
  return found;
}

interface Choice {
  readonly index: number;
  /** True: the OTA data are as the factory leaves them, and the first slot is noted in them. */
  readonly isInitial: boolean;
}

function chosenIndex(flash: BootFlash, { otaData, count, factory }: BootState, rollback: boolean): Choice {
  if (otaData === undefined) {
    return { index: factoryIndex, isInitial: false };
  }
  const entries = [otaData.offset, otaData.offset + sectorSize].map((offset) => {
    const entry = readEntry(flash.read, offset);
    if (!rollback || entry.state !== states.pendingVerify) {
      return entry;
    }
    setState(flash, entry, states.aborted);
    return { ...entry, state: states.aborted };
  });
  const isUnset = ({ sequence, state }: Entry) =>
    sequence === emptySequence || state === states.invalid || state === states.aborted;
  if (count === 0 || entries.every(isUnset)) {
    const isInitial = entries.every(({ sequence, isIntact }) => sequence === emptySequence || !isIntact);
    return factory === undefined ? { index: 0, isInitial } : { index: factoryIndex, isInitial: false };
  }
  let active: Entry | undefined;
  for (const entry of entries) {
    if (!isUnset(entry) && entry.isIntact && (active === undefined || entry.sequence > active.sequence)) {
      active = entry;
    }
  }
  if (active === undefined) {
    return { index: factoryIndex, isInitial: false };
  }
  if (rollback && active.state === states.new) {
    setState(flash, active, states.pendingVerify);
  }
  return { index: ((active.sequence - 1) >>> 0) % count, isInitial: false };
}

function readEntry(read: ReadFlash, offset: number): Entry {
  const bytes = read(offset, entrySize);
  const view = viewOf(bytes);
  return {
    offset,
    sequence: view.getUint32(0, true),
    state: view.getUint32(24, true),
    isIntact: view.getUint32(28, true) === crc32(Uint8Array.from(bytes.subarray(0, 4)), 0xffffffff),
  };
}

function setState({ read, rewrite }: BootFlash, { offset }: Entry, state: number): void {
  const bytes = Uint8Array.from(read(offset, entrySize));
  viewOf(bytes).setUint32(24, state, true);
  rewrite(offset, bytes);
}

function entryOf(sequence: number, state: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(entrySize).fill(0xff);
  const view = viewOf(bytes);
  view.setUint32(0, sequence, true);
  view.setUint32(24, state, true);
  view.setUint32(28, crc32(bytes.slice(0, 4), 0xffffffff), true);
  return bytes;
}
