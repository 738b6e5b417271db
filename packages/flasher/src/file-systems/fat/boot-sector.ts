/** First sector of a FAT volume (Microsoft, "FAT: General Overview of On-Disk Format", 1.03). Little endian. */
import { asciiBytes, viewOf } from '../../core/bytes.ts';

type FatBits = 12 | 16 | 32;

/** Shape of a volume. Sizes in bytes, positions from its start. */
export interface FatLayout {
  readonly bits: FatBits;
  readonly sectorSize: number;
  readonly clusterSize: number;
  /** Data clusters. They are numbered from 2. */
  readonly clusterCount: number;
  readonly tableAt: number;
  readonly tableSize: number;
  readonly tableCount: number;
  /** Only this copy of the table is used; null: all are equal. */
  readonly activeTable: number | null;
  /** Root folder of FAT12 and FAT16; null for FAT32. */
  readonly root: { readonly at: number; readonly size: number } | null;
  /** First cluster of the root folder of FAT32; 0 otherwise. */
  readonly rootCluster: number;
  /** Sector with the counts of free clusters; null without one. */
  readonly infoAt: number | null;
  readonly dataAt: number;
  /** Kind of medium, which the first entry of the table repeats. */
  readonly mediaType: number;
  /** Whole size. */
  readonly size: number;
}

/** Last two bytes of the first 512. FatFs mounts no volume without it. */
const signature = 0xaa55;

/** Bytes of a folder's entry. */
export const slotLength = 32;

/** Cluster counts as FatFs takes them, which differ by one from Microsoft's document: `MAX_FAT12`, `MAX_FAT16`. */
const maxClusters12 = 0xff5;
const maxClusters16 = 0xfff5;
const maxClusters32 = 0x0fff_fff5;

/** Returns null for a sector that starts no FAT volume. */
export function readBootSector(bytes: Uint8Array): FatLayout | null {
  if (
    bytes.length < 512 ||
    viewOf(bytes).getUint16(510, true) !== signature ||
    (bytes[0] !== 0xeb && bytes[0] !== 0xe9 && bytes[0] !== 0xe8)
  ) {
    return null;
  }
  const view = viewOf(bytes);
  const word = (at: number) => view.getUint16(at, true);
  const long = (at: number) => view.getUint32(at, true);
  const sectorSize = word(11);
  const sectorsPerCluster = view.getUint8(13);
  const reserved = word(14);
  const tableCount = view.getUint8(16);
  const rootEntries = word(17);
  const isPower = (value: number) => value !== 0 && (value & (value - 1)) === 0;
  const sectors = word(19) || long(32);
  const tableSectors = word(22) || long(36);
  const isPossible =
    isPower(sectorSize) && sectorSize >= 512 && sectorSize <= 4_096 && isPower(sectorsPerCluster) && reserved > 0;
  if (!isPossible || tableCount < 1 || tableCount > 2 || tableSectors === 0 || sectors === 0) {
    return null;
  }
  const rootSectors = Math.ceil((rootEntries * slotLength) / sectorSize);
  const dataSector = reserved + tableCount * tableSectors + rootSectors;
  const clusterCount = Math.floor((sectors - dataSector) / sectorsPerCluster);
  const bits: FatBits = clusterCount <= maxClusters12 ? 12 : clusterCount <= maxClusters16 ? 16 : 32;
  const is32 = bits === 32;
  const hasRoom = tableSectors * sectorSize * 8 >= (clusterCount + 2) * bits;
  if (clusterCount < 1 || clusterCount > maxClusters32 || !hasRoom || is32 !== (rootEntries === 0)) {
    return null;
  }
  const info = is32 ? word(48) : 0;
  const flags = is32 ? word(40) : 0;
  return {
    bits,
    sectorSize,
    clusterSize: sectorsPerCluster * sectorSize,
    clusterCount,
    tableAt: reserved * sectorSize,
    tableSize: tableSectors * sectorSize,
    tableCount,
    activeTable: (flags & 0x80) === 0 ? null : flags & 0x0f,
    root: is32 ? null : { at: (reserved + tableCount * tableSectors) * sectorSize, size: rootSectors * sectorSize },
    rootCluster: is32 ? long(44) : 0,
    infoAt: info > 0 && info < reserved ? info * sectorSize : null,
    dataAt: dataSector * sectorSize,
    mediaType: view.getUint8(21),
    size: sectors * sectorSize,
  };
}

/** Sectors up to which ESP-IDF makes a small root folder (`vfs_fat_spiflash.c`, `MIN_REQ_SEC`). */
const smallVolume = 128;
const mediaType = 0xf8;

/**
 * Returns an empty volume as ESP-IDF formats it: one sector a cluster, two copies of the table.
 *
 * @param sectorSize 512 or 4,096.
 * @returns Null for a size that is too small or too large.
 */
export function makeVolume(size: number, sectorSize: 512 | 4_096): Uint8Array | null {
  const sectors = Math.floor(size / sectorSize);
  const slots = sectorSize / slotLength;
  const rootEntries = sectors <= smallVolume ? slots : 512;
  let sectorsPerCluster = 1;
  while (sectors / sectorsPerCluster > maxClusters16 && sectorsPerCluster < 64) {
    sectorsPerCluster *= 2;
  }
  const most = Math.floor(sectors / sectorsPerCluster);
  const bits = most > maxClusters12 ? 16 : 12;
  const tableSectors = Math.ceil(((most + 2) * bits) / 8 / sectorSize);
  const volume = new Uint8Array(sectors * sectorSize).fill(0xff);
  const dataAt = (1 + 2 * tableSectors) * sectorSize + rootEntries * slotLength;
  if (dataAt + sectorsPerCluster * sectorSize > volume.length) {
    return null;
  }
  volume.fill(0, 0, dataAt);
  const view = viewOf(volume);
  volume.set([0xeb, 0xfe, 0x90]);
  volume.set(asciiBytes('MSDOS5.0'), 3);
  view.setUint16(11, sectorSize, true);
  view.setUint8(13, sectorsPerCluster);
  view.setUint16(14, 1, true);
  view.setUint8(16, 2);
  view.setUint16(17, rootEntries, true);
  view.setUint16(19, sectors < 0x1_0000 ? sectors : 0, true);
  view.setUint8(21, mediaType);
  view.setUint16(22, tableSectors, true);
  view.setUint16(24, 63, true);
  view.setUint16(26, 255, true);
  view.setUint32(32, sectors < 0x1_0000 ? 0 : sectors, true);
  view.setUint8(36, 0x80);
  view.setUint8(38, 0x29);
  view.setUint32(39, sectors, true);
  volume.set(asciiBytes('NO NAME    FAT     '), 43);
  view.setUint16(510, signature, true);
  for (let copy = 0; copy < 2; copy++) {
    const at = (1 + copy * tableSectors) * sectorSize;
    volume.fill(0xff, at, at + (bits * 2) / 8);
    volume[at] = mediaType;
  }
  return readBootSector(volume)?.bits === bits ? volume : null;
}
