/** `wirebench info`: what firmware files are and what would stop their write, or what a board is. No file is changed. */
import { basename } from 'node:path';
import { type FamilyId, families } from '@wirebench/boards';
import { loadFamily, shellText } from '@wirebench/flasher/callers';
import { addressText, sizeText } from '@wirebench/flasher/core';
import { formatPartitionCsv, type ImageSignature, imagePartOf, readSignatures } from '@wirebench/flasher/esp';
import type { ChosenFiles, GivenFile } from '@wirebench/flasher/given-files';
import { type Wholeness, wholenessOf } from '@wirebench/flasher/images';
import { onBoard, runOnBoard, showRestart } from '../board/board-run.ts';
import { familyOf } from '../board/named-range.ts';
import { looksLikePort } from '../chosen-ports.ts';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { type FileChoice, fileLoads, readChoices, reasonsOf } from '../flash/given-build.ts';
import { placedFile } from '../placed-file.ts';
import { printable } from '../printable.ts';

export async function runInfo(given: readonly string[], options: OptionValues): Promise<ExitCode> {
  const [first, ...others] = given;
  if (typeof options['simulate'] === 'string') {
    return boardInfo('', options);
  }
  if (first === undefined) {
    throw new CommandError(exitCodes.usage, 'name files, a folder or an archive, or a port.');
  }
  if (others.length === 0 && (await looksLikePort(first, []))) {
    return boardInfo(first, options);
  }
  return filesInfo(given, options);
}

/** Connects the board, prints what it is, and starts its program again. */
function boardInfo(port: string, options: OptionValues): Promise<ExitCode> {
  return runOnBoard(port, options, async (run) => {
    const family = await loadFamily(familyOf(options, run.target.family));
    showRestart(run, await onBoard(run, family, async () => undefined));
    return exitCodes.ok;
  });
}

type FileFacts = ChosenFiles['files'][number];

/** A file with what its bytes say beyond `FileFacts`. */
interface DescribedFile extends FileFacts {
  readonly wholeness: Wholeness;
  /** Secure Boot V2 signatures. Missing: the file is no program of an Espressif chip. */
  readonly signatures?: readonly ImageSignature[];
  /** A partition table in the form of ESP-IDF. */
  readonly partitions?: string;
}

const wholenessText = {
  whole: null,
  unproven: null,
  torn: 'Damaged: a part is missing or changed.',
  stale: 'It is made from another ELF file than the one beside it.',
} satisfies Record<Wholeness, string | null>;

async function filesInfo(named: readonly string[], options: OptionValues): Promise<ExitCode> {
  const isJson = options['json'] === true;
  const { found, likely, given } = await readChoices(named, options);
  if (likely.length === 0) {
    const why = reasonsOf(found).slice(0, 8).join(' ');
    throw new CommandError(exitCodes.failed, `this is no firmware that a board here takes. ${printable(why)}`.trim());
  }
  const described = await Promise.all(likely.map(async (choice) => ({ choice, files: await describe(choice, given) })));
  const isTwofold = likely.length > 1;
  const isLeftOut = named.some((text) => described.some(({ choice }) => leavesOut(choice, text)));
  const isStopped = described.some(
    ({ choice: { chosen }, files }) =>
      chosen.conflicts.some(({ stops }) => stops) || files.some(({ wholeness }) => wholeness === 'torn'),
  );
  const facts = described.map(({ choice: { family, chosen }, files }) => ({
    family,
    files: files.map(({ id: _, ...file }) => file),
    leftOut: chosen.leftOut,
    findings: chosen.conflicts,
    ...(chosen.builds !== undefined && { builds: chosen.builds.options }),
  }));
  const text = isJson
    ? JSON.stringify(facts, null, 2)
    : described
        .map(({ choice, files }) => textOf(choice, files))
        .concat(isTwofold ? [twofoldText(likely.map(({ family }) => family))] : [])
        .join('\n\n');
  process.stdout.write(`${text}\n`);
  return isStopped || isTwofold || isLeftOut ? exitCodes.failed : exitCodes.ok;
}

/** Returns true for a file that is named by itself, and is not written. */
const leavesOut = ({ chosen: { leftOut } }: FileChoice, text: string): boolean =>
  leftOut.some(({ name }) => name === basename(placedFile(text).path));

const twofoldText = (ids: readonly FamilyId[]): string =>
  `Nothing in the files tells which of these boards they are for: ${ids.map((id) => `--family ${id}`).join(' or ')} decides.`;

/**
 * Facts of a file beyond its kind, by the bytes of the plan. Espressif's plan has those of each file: the parts of a merged
 * file and of an archive are files of their own. Null: the given file is all that is known.
 */
const describers = { esp: espFacts, stm: null, nrf: null, avr: null, rp: null } satisfies Record<
  FamilyId,
  ((bytes: Uint8Array) => Promise<Pick<DescribedFile, 'signatures' | 'partitions'>>) | null
>;

async function describe(
  { family, chosen, forPlan }: FileChoice,
  given: readonly GivenFile[],
): Promise<DescribedFile[]> {
  const files = await fileLoads[family]();
  const judge = 'wholenessOf' in files && files.wholenessOf !== undefined ? files.wholenessOf : wholenessOf;
  const describer = describers[family];
  const parts = describer === null ? [] : (forPlan() as readonly { readonly bytes: Uint8Array }[]);
  return Promise.all(
    chosen.files.map(async (file, index) => {
      const part = parts[index];
      const source = given.find(({ name }) => name === (file.from ?? file.name));
      const bytes = part?.bytes ?? new Uint8Array((await source?.content.arrayBuffer()) ?? new ArrayBuffer(0));
      const wholeness = await judge(file.name, bytes, null);
      return { ...file, wholeness, ...(part !== undefined && (await describer?.(part.bytes))) };
    }),
  );
}

async function espFacts(bytes: Uint8Array): Promise<Pick<DescribedFile, 'signatures' | 'partitions'>> {
  const part = imagePartOf(bytes);
  if (part.kind === 'partition-table') {
    return { partitions: formatPartitionCsv(part.table.partitions) };
  }
  return part.kind === 'app' ? { signatures: await readSignatures(bytes, part.image) } : {};
}

function textOf({ family, chosen }: FileChoice, files: readonly DescribedFile[]): string {
  const lines = [
    `For boards of ${families[family].name}:`,
    ...files.flatMap(fileLines),
    ...(chosen.builds === undefined
      ? []
      : [`Builds to choose from with --build: ${chosen.builds.options.map(({ name }) => name).join(', ')}.`]),
    ...chosen.leftOut.map(({ name, why }) => `Left out: ${name}. ${shellText(why)}`),
    ...chosen.conflicts.map(
      ({ what, remedy, stops }) => `${stops === true ? 'Refused' : 'Warning'}: ${shellText(what)} ${shellText(remedy)}`,
    ),
  ];
  return lines.map((line) => line.split('\n').map(printable).join('\n').trimEnd()).join('\n');
}

const signatureText = {
  valid: 'it fits',
  invalid: 'it does not fit the file',
  unchecked: 'it was not checked',
} as const;

function fileLines(file: DescribedFile): readonly string[] {
  const { name, offset, places, size, what, application, about = [], sha256, signatures, partitions } = file;
  const places_ = places?.map((range) => `${addressText(range.offset)}+${addressText(range.length)}`).join(', ');
  const place = places_ ?? (offset === null ? 'no place known' : addressText(offset));
  const damage = wholenessText[file.wholeness];
  return [
    `  ${name} (${place}, ${sizeText(size)}): ${what}`,
    ...(application === null ? [] : [`    Program: ${application}`]),
    ...(sha256 === '' ? [] : [`    SHA-256: ${sha256}`]),
    ...(signatures ?? []).map(
      ({ scheme, keyDigest, state }) => `    Signature: ${scheme} with the key ${keyDigest}, ${signatureText[state]}`,
    ),
    ...(signatures?.length === 0 ? ['    Signature: none'] : []),
    ...(damage === null ? [] : [`    ${damage}`]),
    ...(partitions === undefined
      ? []
      : partitions
          .trimEnd()
          .split('\n')
          .map((line) => `    ${line}`)),
    ...about.flatMap(({ title, fields }) => [
      `    ${title}`,
      ...fields.map(({ key, values }) => `      ${key}: ${values.join(', ')}`),
    ]),
  ];
}
