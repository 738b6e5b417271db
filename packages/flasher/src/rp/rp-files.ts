/** Rules for the files of an RP2040 or RP2350, which are programs at addresses. */
import type { FlashRange } from '../core/region.ts';
import type { FileSection } from '../given-files/chosen-files.ts';
import { memoryFiles, oneFormat } from '../given-files/memory-files.ts';
import { flashStart, type RpFirmware, type RpProgram, readRpFirmware } from './files/index.ts';
import { inspectRpFile, type RpFileInfo } from './files/inspect-rp-file.ts';
import { rpPlanFile } from './plan/plan-file.ts';
import type { RpPlanFile } from './plan/rp-plan-types.ts';

/** Formats of one program, the one that says most about it first. */
const formatOrder: readonly string[] = ['uf2', 'elf', 'hex', 'bin'];

/** Second stages that the SDK builds beside a program, which has its own copy (pico-sdk, `boot_stage2`). */
const secondStage = /(?:^|[/\\])bs2_\w+\.\w+$/i;

export const rpFiles = memoryFiles<RpFirmware, RpPlanFile>({
  family: 'rp',
  start: flashStart,
  otherNameText: 'Only .uf2, .elf, .hex and .bin files are written.',
  oneFormat: (opened, leftOut) => oneFormat(opened, formatOrder, leftOut, secondStage),
  read: readRpFirmware,
  placesOf: ({ programs }) => placesOf(programs),
  rangesOf: ({ name, places }) => (secondStage.test(name) ? [] : places),
  async describe({ name, bytes, contents: { programs } }, address) {
    const info = await inspectRpFile(name, bytes, address);
    const chips = [...new Set(programs.flatMap((one) => one.chips))];
    const [chip] = chips;
    const python = pythonOf(info);
    const about = aboutOf(info);
    const prints = printsOverUsb(about) ?? python;
    return {
      what: whatIs(info, programs),
      ...(info.format === 'bin' && { size: bytes.length }),
      application: applicationOf(info),
      ...(chip !== undefined && chips.length === 1 && { chip }),
      ...(python !== null && { python }),
      ...(about.length > 0 && { about }),
      ...(prints !== null && { prints }),
    };
  },
  planFile: ({ name, bytes }, offset) => rpPlanFile(name, bytes, offset),
});

/** Returns the ranges of all programs, in the order of addresses. Programs for several chips go to the same addresses. */
function placesOf(programs: readonly RpProgram[]): FlashRange[] {
  const inFlash = programs.flatMap(({ flash }) => flash);
  const data = inFlash.length > 0 ? inFlash : programs.flatMap(({ ram }) => ram);
  const sorted = data
    .map(({ address, bytes }) => ({ offset: address, length: bytes.length }))
    .toSorted((one, other) => one.offset - other.offset);
  const joined: FlashRange[] = [];
  for (const { offset, length } of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && offset <= last.offset + last.length) {
      const end = Math.max(last.offset + last.length, offset + length);
      joined[joined.length - 1] = { offset: last.offset, length: end - last.offset };
    } else {
      joined.push({ offset, length });
    }
  }
  return joined;
}

/**
 * Feature of programs that open a USB port for their output (pico-sdk, `bi_decl_if_func_used(LIB_PICO_STDIO_USB …)` in
 * `pico_stdio_usb`).
 */
const USB_OUTPUT = 'USB stdin / stdout';

function printsOverUsb(sections: readonly FileSection[]): string | null {
  const features = sections.flatMap(({ fields }) => fields.filter(({ key }) => key === 'features'));
  return features.some(({ values }) => values.includes(USB_OUTPUT)) ? `“${USB_OUTPUT}”` : null;
}

/** Returns all sections; those of several programs are named after their families. */
function aboutOf({ programs }: RpFileInfo): readonly FileSection[] {
  return programs.flatMap(({ family, sections, notes }) => {
    const whose = programs.length > 1 && family !== null ? ` (${family})` : '';
    const told = sections.map(({ title, fields }) => ({ title: `${title}${whose}`, fields }));
    return notes.length === 0
      ? told
      : [...told, { title: `Faults${whose}`, fields: [{ key: 'found', values: notes }] }];
  });
}

/** Returns a value that the binary info of the first program states; null without one. */
function stated({ programs }: RpFileInfo, key: string): string | null {
  const sections = programs.flatMap((program) => program.sections);
  const fields = sections.flatMap(({ title, fields: own }) => (title === 'Program Information' ? own : []));
  return fields.find((field) => field.key === key)?.values[0] ?? null;
}

function applicationOf(info: RpFileInfo): string | null {
  const [name, version] = [stated(info, 'name'), stated(info, 'version')];
  // A partition table has a version without a name.
  return name === null || version === null ? name : `${name} ${version}`;
}

/** Names in binary info of firmware with an interpreter (`program_name` in `ports/rp2` and `ports/raspberrypi`). */
const pythons: Readonly<Record<string, 'MicroPython' | 'CircuitPython'>> = {
  micropython: 'MicroPython',
  circuitpython: 'CircuitPython',
};

const pythonOf = (info: RpFileInfo) => pythons[stated(info, 'name')?.toLowerCase() ?? ''] ?? null;

/** Describes a file: `UF2, program for RP2040`, `UF2, programs for RP2040 and RP2350`, `Intel HEX, data`. */
function whatIs({ formatName }: RpFileInfo, programs: readonly RpProgram[]): string {
  const named = [...new Set(programs.flatMap((one) => (one.chips.length === 0 ? [] : [one.chips.join(' or ')])))];
  const isProgram = programs.some(({ image, ram }) => image !== null || ram.length > 0) || named.length > 0;
  const what = !isProgram ? 'data' : programs.length > 1 ? 'programs' : 'program';
  const inRam = programs.every(({ flash }) => flash.length === 0) ? ' that runs in RAM' : '';
  return `${formatName}, ${what}${named.length === 0 ? '' : ` for ${named.join(' and ')}`}${inRam}`;
}
