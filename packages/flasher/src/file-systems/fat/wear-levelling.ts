/**
 * Wear levelling of ESP-IDF, below FAT (ESP-IDF API guide, "Wear Levelling API"; layout: `WL_State.h`, `WL_Config.h`,
 * `WL_Flash.cpp`). The data come first and hold one unused sector, the dummy, which moves through them. Two copies of
 * the state follow, then the configuration. Numbers are little endian.
 */
import { isErased, viewOf } from '../../core/bytes.ts';
import { sectorSize } from '../../core/region.ts';
import { crc32 } from '../../images/crc32.ts';

/** Bytes of the state with its CRC. Records of the dummy's moves follow. */
const stateLength = 64;
const stateCrcAt = 60;
const oldCrcAt = 28;
const recordLength = 16;
const configLength = 48;
const configCrcAt = 32;
const currentVersion = 2;
const usualUpdateRate = 16;
const tempBufferLength = 32;
/** `WL_CFG_CRC_CONST`: what the CRC of the preceding bytes is taken to be. */
const crcStart = 0xffff_ffff;
/** Identifies an image that was made here. ESP-IDF takes a random number. */
const ownDeviceId = 0x5742_4653;

/** Position of the data in a partition. */
export interface WearLevelling {
  /** Bytes of data. */
  readonly size: number;
  /** Bytes of the partition for which it was made, which may be others than those of the partition that it is in. */
  readonly length: number;
  /** Sector of the dummy. */
  readonly dummyAt: number;
  /** Sectors by which the data are rotated. */
  readonly moveCount: number;
  /**
   * `half`: one of both copies of the state is damaged. `lost`: none is there, so that the firmware begins a new state. The
   * configuration does not count: the library writes it and never reads it.
   */
  readonly state: 'sound' | 'half' | 'lost';
}

interface Layout {
  readonly size: number;
  readonly states: readonly [number, number];
  readonly stateSize: number;
  readonly configAt: number;
}

/** Returns null for a partition that is too small. */
function layoutOf(length: number): Layout | null {
  const sectors = Math.floor(length / sectorSize);
  const stateSize = Math.ceil((stateLength + sectors * recordLength) / sectorSize) * sectorSize;
  const configAt = sectors * sectorSize - sectorSize;
  const first = configAt - 2 * stateSize;
  const size = first - sectorSize;
  return size <= 0 ? null : { size, states: [first, first + stateSize], stateSize, configAt };
}

/**
 * Returns the lengths of partitions whose first copy of the state is at `first`. There can be two, because the length of a
 * copy depends on that of the partition.
 */
function lengthsWithState(first: number): number[] {
  return Array.from({ length: maxStateSectors }, (_, index) => first + (2 * (index + 1) + 1) * sectorSize).filter(
    (length) => layoutOf(length)?.states[0] === first,
  );
}

/** Sectors of a copy in a partition of 256 MiB. */
const maxStateSectors = 260;

/**
 * Finds wear levelling by the CRC of its state: where the length of the partition puts it, or else where its own length
 * puts it. An image may be shorter or longer than its partition.
 *
 * @returns Null without a copy of the state.
 */
export function findWearLevelling(image: Uint8Array): WearLevelling | null {
  const placed = levellingOf(image, image.length);
  if (placed !== null || isConfig(image, layoutOf(image.length)?.configAt ?? image.length)) {
    return placed;
  }
  for (let at = Math.floor(image.length / sectorSize) * sectorSize - sectorSize; at > 0; at -= sectorSize) {
    if (isState(image.subarray(at, at + stateLength))) {
      // The state counts the sectors in front of its first copy.
      const found = lengthsWithState(viewOf(image).getUint32(at + 4, true) * sectorSize).flatMap((length) => {
        const levelling = layoutOf(length)?.states.includes(at) === true ? levellingOf(image, length) : null;
        return levelling === null ? [] : [levelling];
      });
      const [first] = found;
      if (first !== undefined) {
        const isOwn = ({ length }: WearLevelling) => isConfig(image, layoutOf(length)?.configAt ?? image.length);
        return found.find(({ state }) => state === 'sound') ?? found.find(isOwn) ?? first;
      }
    }
  }
  return null;
}

/** Reads the state that belongs to a partition of `length` bytes. Of two sound copies the first one counts. */
function levellingOf(image: Uint8Array, length: number): WearLevelling | null {
  const layout = layoutOf(length);
  if (layout === null) {
    return null;
  }
  const sound = layout.states.filter((at) => isState(image.subarray(at, at + stateLength)));
  const [at] = sound;
  if (at === undefined) {
    return null;
  }
  const view = viewOf(image);
  const word = (index: number) => view.getUint32(at + 4 * index, true);
  const moveCount = word(2);
  const device = word(7);
  const sectors = layout.size / sectorSize;
  if (word(1) !== sectors + 1 || moveCount > sectors || word(5) !== sectorSize || word(6) !== currentVersion) {
    return null;
  }
  let dummyAt = 0;
  while (dummyAt < sectors && isRecord(image, at + stateLength + dummyAt * recordLength, device, dummyAt)) {
    dummyAt++;
  }
  return { size: layout.size, length, dummyAt, moveCount, state: sound.length < 2 ? 'half' : 'sound' };
}

/** Returns the levelling that the library begins in a partition without a state: nothing has moved. */
export function newLevelling(length: number): WearLevelling | null {
  const layout = layoutOf(length);
  return layout === null ? null : { size: layout.size, length, dummyAt: 0, moveCount: 0, state: 'lost' };
}

/** Returns true if a partition has a state that cannot be read: damaged, or of version 1 (ESP-IDF before 3.0). */
export function hasLostLevelling(image: Uint8Array): boolean {
  const layout = layoutOf(image.length);
  return (
    (layout?.states.some((at) => isOldState(image.subarray(at, at + stateLength))) ?? false) ||
    Array.from({ length: Math.floor(image.length / sectorSize) }, (_, sector) => sector * sectorSize).some((at) =>
      isConfig(image, at),
    )
  );
}

/** Returns true for the configuration of a partition that ends with this sector. */
function isConfig(image: Uint8Array, at: number): boolean {
  const config = image.subarray(at, at + configLength);
  if (config.length < configLength) {
    return false;
  }
  const view = viewOf(config);
  return (
    view.getUint32(4, true) === at + sectorSize &&
    view.getUint32(12, true) === sectorSize &&
    crc32(config.subarray(0, configCrcAt), crcStart) === view.getUint32(configCrcAt, true)
  );
}

/** Version 1 has the CRC in the place of the device number (`WL_Flash::updateV1_V2`). */
function isOldState(state: Uint8Array): boolean {
  const view = viewOf(state);
  return (
    state.length === stateLength &&
    view.getUint32(24, true) === 1 &&
    crc32(state.subarray(0, oldCrcAt), crcStart) === view.getUint32(oldCrcAt, true)
  );
}

function isState(state: Uint8Array): boolean {
  return (
    state.length === stateLength &&
    crc32(state.subarray(0, stateCrcAt), crcStart) === viewOf(state).getUint32(stateCrcAt, true)
  );
}

/** A record is written when the dummy leaves position `index`: four CRCs of numbers that follow the device's. */
function isRecord(image: Uint8Array, at: number, device: number, index: number): boolean {
  if (isErased(image.subarray(at, at + recordLength))) {
    return false;
  }
  const number = new Uint8Array(4);
  return [0, 1, 2, 3].every((part) => {
    viewOf(number).setUint32(0, device + index * 4 + part, true);
    return viewOf(image).getUint32(at + part * 4, true) === crc32(number, crcStart);
  });
}

/** Returns the offset in the partition of a sector of the data (`WL_Flash::calcAddr`). */
export function physicalOffset({ size, dummyAt, moveCount }: WearLevelling, offset: number): number {
  const rotated = (size - moveCount * sectorSize + offset) % size;
  return rotated < dummyAt * sectorSize ? rotated : rotated + sectorSize;
}

/** Returns a copy of the data in their order. Missing bytes count as erased. */
export function readLevelled(image: Uint8Array, levelling: WearLevelling): Uint8Array {
  const data = new Uint8Array(levelling.size).fill(0xff);
  for (let offset = 0; offset < data.length; offset += sectorSize) {
    const at = physicalOffset(levelling, offset);
    data.set(image.subarray(at, at + sectorSize), offset);
  }
  return data;
}

/** Sectors that the safe mode keeps behind the volume: the state of a write, and a copy of the sector that it changes. */
export const safeModeLength = 2 * sectorSize;
/** Mark of a write that the firmware has to complete (`WL_Ext_Safe.cpp`, `WL_EXT_SAFE_OK`). */
const unfinishedMark = 0x1234_5678;

/**
 * Returns true if the power failed while the safe mode changed a sector: that sector may be erased, and the firmware
 * restores it from the copy when it mounts.
 *
 * @param data In their order. @param volumeSize Bytes that the volume says it has.
 */
export function isUnfinishedSafeWrite(data: Uint8Array, volumeSize: number): boolean {
  const at = data.length - safeModeLength;
  return at > 0 && volumeSize <= at && viewOf(data).getUint32(at, true) === unfinishedMark;
}

/** Returns the size of the data that fit into a partition with wear levelling; 0 if it is too small. */
export function levelledSize(length: number): number {
  return layoutOf(length)?.size ?? 0;
}

/**
 * Returns a partition with these data and a new state.
 *
 * @param data As long as `levelledSize` of `length`.
 */
export function levelImage(data: Uint8Array, length: number): Uint8Array {
  const image = new Uint8Array(length).fill(0xff);
  const layout = layoutOf(length);
  if (layout === null || layout.size !== data.length) {
    throw new RangeError('The data must fill the partition.');
  }
  image.set(data, sectorSize);
  const state = new Uint8Array(stateLength);
  const stateView = viewOf(state);
  const words = [0, data.length / sectorSize + 1, 0, 0, usualUpdateRate, sectorSize, currentVersion, ownDeviceId];
  words.forEach((word, index) => {
    stateView.setUint32(index * 4, word, true);
  });
  stateView.setUint32(stateCrcAt, crc32(state.subarray(0, stateCrcAt), crcStart), true);
  for (const at of layout.states) {
    image.set(state, at);
  }
  const config = new Uint8Array(configLength);
  const configView = viewOf(config);
  const settings = [0, length, sectorSize, sectorSize, usualUpdateRate, recordLength, currentVersion, tempBufferLength];
  settings.forEach((word, index) => {
    configView.setUint32(index * 4, word, true);
  });
  configView.setUint32(configCrcAt, crc32(config.subarray(0, configCrcAt), crcStart), true);
  image.set(config, layout.configAt);
  return image;
}
