/** Reads the images on a board with MCUboot from its image state and slot info. */
import { hexOf } from '../../core/bytes.ts';
import type { NordicSlot } from '../nordic-board.ts';
import { bytesIn, mapsIn, numberIn, type SmpAnswer, textIn } from './smp.ts';

/** Flags of an image ("State of images"). */
const flags = ['active', 'confirmed', 'pending', 'permanent'] as const;

export interface McubootSlot {
  readonly imageNumber: number;
  /** 0 is the slot that starts. */
  readonly slot: number;
  readonly version: string;
  /** Lower-case hexadecimal; null if the bootloader was built without hashes. */
  readonly hash: string | null;
  /** The same hash as bytes; empty without one. */
  readonly hashBytes: Uint8Array;
  readonly state: readonly string[];
}

/** Reads the list of images, which contains valid ones only. */
export function readSlots({ data }: SmpAnswer): McubootSlot[] {
  return mapsIn(data, 'images').map((entry) => {
    const hash = bytesIn(entry, 'hash');
    return {
      imageNumber: numberIn(entry, 'image') ?? 0,
      slot: numberIn(entry, 'slot') ?? 0,
      version: textIn(entry, 'version') ?? '',
      hash: hash === null ? null : hexOf(hash),
      hashBytes: hash ?? new Uint8Array(),
      state: flags.filter((flag) => entry.get(flag) === true),
    };
  });
}

export function describeSlots(slots: readonly McubootSlot[]): NordicSlot[] {
  const isMulti = slots.some(({ imageNumber }) => imageNumber > 0);
  return slots.map(({ imageNumber, slot, version, hash, state }) => ({
    name: isMulti ? `image ${imageNumber}, slot ${slot}` : `slot ${slot}`,
    version,
    hash,
    state,
    imageNumber,
    address: null,
    length: null,
  }));
}

export interface SlotRoom {
  readonly imageNumber: number;
  /** Bytes of the first slot, or the largest image if the board reports it. */
  readonly room: number | null;
  /** Upload number of the first slot; null if uploads are numbered by image ("Slot info", `upload_image_id`). */
  readonly uploadNumber: number | null;
}

export function readRooms({ data }: SmpAnswer): SlotRoom[] {
  return mapsIn(data, 'images').map((image) => {
    const first = mapsIn(image, 'slots').find((slot) => numberIn(slot, 'slot') === 0);
    return {
      imageNumber: numberIn(image, 'image') ?? 0,
      room: numberIn(image, 'max_image_size') ?? (first === undefined ? null : numberIn(first, 'size')),
      uploadNumber: first === undefined ? null : numberIn(first, 'upload_image_id'),
    };
  });
}
