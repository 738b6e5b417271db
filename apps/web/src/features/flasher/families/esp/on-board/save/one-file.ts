/** Saves the plan or the whole board as one file, with the lists that flash it. */

import { chipFacts, isNvs, isNvsKeys, type Partition } from '@wirebench/flasher/esp';
import {
  flasherArgs,
  type MergePart,
  mergeHex,
  mergeRaw,
  mergeUf2,
  paddingOf,
  uf2FamilyId,
  webToolsManifest,
} from '@wirebench/flasher/esp/merge';
import type { PortNumber } from '@wirebench/serial';
import { zipSync } from 'fflate';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { saveFile } from '../../../../../../shared/files/save-file.ts';
import { readRange } from '../../../../store/contents-actions.ts';
import { getFlasher } from '../../../../store/flasher-line.ts';

export type OneFileFormat = 'bin' | 'hex' | 'uf2';

const SECTOR = 4_096;

/** Returns what the latest plan writes. */
export async function planParts(port: PortNumber): Promise<MergePart[]> {
  const parts = await getFlasher().call('parts', port);
  return Promise.all(
    parts.map(async ({ name, offset, content }) => ({
      name,
      offset,
      bytes: new Uint8Array(await content.arrayBuffer()),
    })),
  );
}

/** Reads all of the flash. Null: the read was stopped or has failed. */
export async function boardParts(port: PortNumber, size: number): Promise<MergePart[] | null> {
  const bytes = await readRange(port, 'Reading the whole flash', { offset: 0, length: size });
  return bytes === null ? null : [{ name: 'flash', offset: 0, bytes }];
}

/** Returns the partitions with stored settings, which a file with gaps can spare. */
function settingsOf(partitions: readonly Partition[]): Partition[] {
  return partitions.filter((partition) => isNvs(partition) || isNvsKeys(partition));
}

/** Returns the parts without the spared partitions, and without sectors that are erased. */
export function withGaps(parts: readonly MergePart[], spared: readonly Partition[]): MergePart[] {
  const isSpared = (at: number) => spared.some(({ offset, size }) => at >= offset && at < offset + size);
  return parts.flatMap((part) => {
    const kept: { start: number; end: number }[] = [];
    for (let at = 0; at < part.bytes.length; at += SECTOR) {
      const sector = part.bytes.subarray(at, at + SECTOR);
      if (isSpared(part.offset + at) || sector.every((byte) => byte === 0xff)) {
        continue;
      }
      const last = kept.at(-1);
      if (last?.end === at) {
        last.end = at + sector.length;
      } else {
        kept.push({ start: at, end: at + sector.length });
      }
    }
    return kept.map(({ start, end }) => ({
      name: part.name,
      offset: part.offset + start,
      bytes: part.bytes.subarray(start, end),
    }));
  });
}

export interface OneFile {
  readonly board: EspFacts;
  readonly parts: readonly MergePart[];
  readonly format: OneFileFormat;
  /** True: leave out stored settings. Only for formats with gaps. */
  readonly sparesSettings: boolean;
  /** True: in a zip, with `flasher_args.json` and `manifest.json`. */
  readonly withLists: boolean;
  /** Name and version of the program; null if unknown. */
  readonly program: { readonly name: string; readonly version: string } | null;
}

/** Returns the bytes of the file. */
export function oneFile({ board, parts, format, sparesSettings }: OneFile): Uint8Array {
  if (format === 'bin') {
    return mergeRaw(parts);
  }
  const gapped = withGaps(parts, sparesSettings ? settingsOf(board.table?.partitions ?? []) : []);
  return format === 'hex'
    ? new TextEncoder().encode(mergeHex(gapped))
    : mergeUf2(gapped, uf2FamilyId(chipFacts[board.info.chip].label));
}

/** Saves the file to the downloads. @returns its name. */
export function saveOneFile(request: OneFile): string {
  const { board, parts, format, withLists, program, sparesSettings } = request;
  const bytes = oneFile(request);
  const stem = fileStem(board, program);
  const file = `${stem}.${format}`;
  if (!withLists) {
    saveFile(new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }), file);
    return file;
  }
  // Lists name .bin files with an offset each: the merged one, or the parts around the gaps.
  const gapped = withGaps(parts, sparesSettings ? settingsOf(board.table?.partitions ?? []) : []);
  const single = { path: file, offset: 0, bytes };
  const images =
    format === 'bin'
      ? [single]
      : gapped.map((part) => ({ path: `0x${part.offset.toString(16)}.bin`, offset: part.offset, bytes: part.bytes }));
  const list = {
    chip: board.info.chip,
    name: program?.name ?? null,
    version: program?.version ?? null,
    images: images.map(({ path, offset }) => ({ path, offset })),
  };
  const text = new TextEncoder();
  const archive = zipSync({
    [file]: bytes,
    ...Object.fromEntries(images.map((image) => [image.path, image.bytes])),
    'flasher_args.json': text.encode(flasherArgs(list)),
    'manifest.json': text.encode(webToolsManifest(list)),
  });
  saveFile(new Blob([Uint8Array.from(archive)], { type: 'application/zip' }), `${stem}.zip`);
  return `${stem}.zip`;
}

function fileStem({ info, id }: EspFacts, program: OneFile['program']): string {
  const name = program === null ? (id ?? info.chip).replaceAll(':', '') : `${program.name}-${program.version}`;
  return `${name.replaceAll(/[^\w.-]+/g, '-')}-${info.chip}`;
}

/** Returns the partitions that the padding of a .bin erases, and if stored settings are among them. */
export function paddedBy(parts: readonly MergePart[], partitions: readonly Partition[]) {
  const names = parts.length === 0 ? [] : paddingOf(parts, partitions).map(({ name }) => name);
  return { names, settings: settingsOf(partitions).some(({ name }) => names.includes(name)) };
}
