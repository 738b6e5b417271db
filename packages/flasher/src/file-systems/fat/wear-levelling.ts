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
  /** Sector of the dummy. */
  readonly dummyAt: number;
  /** Sectors by which the data are rotated. */
  readonly moveCount: number;
  /** True: one of both copies of the state is damaged. The firmware repairs it when it mounts. */
  readonly isHalfDamaged: boolean;
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

/** Recognises wear levelling by the CRC of its state. Returns null without it. */
export function findWearLevelling(image: Uint8Array): WearLevelling | null {
  const layout = layoutOf(image.length);
  if (layout === null) {
    return null;
  }
  const sound = layout.states.filter((at) => isState(image.subarray(at, at + stateLength)));
  const [at] = sound;
  if (at === undefined) {
    return null;
  }
  const view = viewOf(image);
  const positions = view.getUint32(at + 4, true);
  const moveCount = view.getUint32(at + 8, true);
  const device = view.getUint32(at + 28, true);
  const sectors = layout.size / sectorSize;
  if (positions !== sectors + 1 || moveCount > sectors) {
    return null;
  }
  let dummyAt = 0;
  while (dummyAt < sectors && isRecord(image, at + stateLength + dummyAt * recordLength, device, dummyAt)) {
    dummyAt++;
  }
  return { size: layout.size, dummyAt, moveCount, isHalfDamaged: sound.length < 2 };
}

function isState(state: Uint8Array): boolean {
  return crc32(state.subarray(0, stateCrcAt), crcStart) === viewOf(state).getUint32(stateCrcAt, true);
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

/** Returns a copy of the data in their order. */
export function readLevelled(image: Uint8Array, levelling: WearLevelling): Uint8Array {
  const data = new Uint8Array(levelling.size);
  for (let offset = 0; offset < data.length; offset += sectorSize) {
    const at = physicalOffset(levelling, offset);
    data.set(image.subarray(at, at + sectorSize), offset);
  }
  return data;
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
