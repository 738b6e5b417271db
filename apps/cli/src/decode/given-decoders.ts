/** The decoders that options name: a ready one, one in a file, and files that give names to what they read. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { checkDecoder, type DecoderContent, decoderLimits } from '@wirebench/contract/decoders';
import { DecoderError, importRegisters } from '@wirebench/frames';
import { readDecoderFile } from '@wirebench/frames/decoder-file';
import { readyDecoderNamed, readyDecoders } from '@wirebench/frames/ready-decoders';
import { type PreparedReader, readerOf, readyContents } from '@wirebench/frames/ready-reader';
import { givenText } from '@wirebench/port/given-text';
import { listOf, type OptionValues } from '../commands/command.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import { readGiven } from '../given-file.ts';
import { printable } from '../printable.ts';

export interface GivenReader extends PreparedReader {
  /** Names of the decoders for people. */
  readonly title: string;
  /** Sentences about parts of files that were left out. */
  readonly warnings: readonly string[];
}

/** Most decoders of one line. Each looks at every byte. */
const MAX_DECODERS = 16;

const usage = (message: string) => new CommandError(exitCodes.usage, printable(message));

/** @throws CommandError for a decoder or a file that cannot serve, before the log is opened. */
export async function readerFor(options: OptionValues): Promise<GivenReader> {
  const { as, decoder, file } = options;
  let decoders = [...(await ownOnes(listOf(decoder))), ...(as === undefined ? [] : readyOnes(String(as)))];
  if (decoders.length === 0) {
    const names = readyDecoders.map(({ name }) => name).join(', ');
    throw usage(`--as says how the log is read: ${names}. A decoder of your own is given with --decoder.`);
  }
  const contents = new Map<string, Uint8Array>();
  const warnings: string[] = [];
  // Later ones come behind earlier ones.
  for (const path of listOf(file).toReversed()) {
    const bytes = await readGiven(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    contents.set(sha256, bytes);
    if (decoders.some(({ files }) => files.some((one) => one.sha256 === sha256))) {
      warnings.push(...faultsIn(path, bytes));
    } else {
      decoders = withFile(decoders, { path, bytes, sha256, given: contents }, warnings);
    }
  }
  try {
    return { ...(await readerOf(decoders, contents)), title: titleOf(decoders), warnings };
  } catch (error) {
    throw error instanceof DecoderError ? usage(withOption(error.message)) : error;
  }
}

const titleOf = (decoders: readonly DecoderContent[]) => decoders.map(({ title }) => title).join(' and ');

/** The remedy of the package is one of the page: here files are added by an option. */
const withOption = (message: string) =>
  message
    .replace(/ Add it to the decoder\.$/, ' Name it with --file.')
    .replace(/ Add an XML file, /, ' Name one with --file, ');

function readyOnes(given: string): readonly DecoderContent[] {
  const name = readyDecoderNamed(given);
  if (name === null) {
    const names = readyDecoders.map((one) => one.name).join(', ');
    throw usage(`there is no decoder ${given}. --as takes one of ${names}; --decoder takes a file of your own.`);
  }
  return readyContents(name);
}

/**
 * Reads decoders that share a line, in their order.
 *
 * @throws CommandError if two have the same name: Find and answers could not tell them apart.
 */
async function ownOnes(paths: readonly string[]): Promise<readonly DecoderContent[]> {
  if (paths.length > MAX_DECODERS) {
    throw usage(`--decoder names ${paths.length} decoders, and ${MAX_DECODERS} are the most on one line.`);
  }
  const decoders = await Promise.all(paths.map(decoderIn));
  for (const [index, { name }] of decoders.entries()) {
    const other = decoders.findIndex((one) => one.name === name);
    if (other < index) {
      throw usage(`${paths[other]} and ${paths[index]} are both named ${name}: give one of them another name.`);
    }
  }
  return decoders;
}

async function decoderIn(path: string): Promise<DecoderContent> {
  const { content, faults } = checkDecoder(givenText(await readGiven(path)));
  if (content === null) {
    throw usage(`${path} is no decoder that can be used: ${faults.join('. ')}.`);
  }
  return content;
}

interface DecoderFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Contents of the files that options name, by their SHA-256. */
  readonly given: ReadonlyMap<string, Uint8Array>;
}

/** Gives a file to the decoder that reads such files. */
function withFile(decoders: readonly DecoderContent[], file: DecoderFile, warnings: string[]): DecoderContent[] {
  const { path, bytes } = file;
  const taking = decoders.find(({ steps }) =>
    steps.some((step) => step === 'slcan' || step === 'mavlink' || step === 'modbus'),
  );
  if (taking === undefined) {
    throw usage(
      `${titleOf(decoders)} takes no file: --file is a DBC file for slcan, message definitions in XML for mavlink, or a table of registers for modbus.`,
    );
  }
  const isTable = taking.steps.includes('modbus');
  if (!isTable) {
    warnings.push(...faultsIn(path, bytes));
  }
  const changed = isTable ? withRegisters(taking, path, givenText(bytes), warnings) : withNamedFile(taking, file);
  return decoders.map((one) => (one === taking ? changed : one));
}

function withRegisters(decoder: DecoderContent, path: string, text: string, warnings: string[]): DecoderContent {
  const { registers, faults } = importRegisters(text);
  if (registers.length === 0) {
    throw usage(`${path} has no registers: ${faults.join(' ') || 'it is empty.'}`);
  }
  const all = [...registers, ...decoder.registers];
  if (all.length > decoderLimits.registers) {
    throw usage(`the tables have ${all.length} registers, and ${decoderLimits.registers} are the most.`);
  }
  warnings.push(...faults.map((fault) => `${path}: ${fault}`));
  return { ...decoder, registers: all };
}

/** Returns sentences about the parts of a file that are left out. A file that cannot be read is refused with all others. */
function faultsIn(path: string, bytes: Uint8Array): readonly string[] {
  const name = basename(path);
  try {
    // Faults of message definitions begin with the name of their file.
    return readDecoderFile(name, bytes).warnings.map((fault) =>
      fault.startsWith(`${name}, `) ? fault : `${path}: ${fault}`,
    );
  } catch (error) {
    if (error instanceof DecoderError) {
      return [];
    }
    throw error;
  }
}

/**
 * Puts a file before those of the decoder: the first one of MAVLink includes the others. It replaces the decoder's own of its
 * name. Another one that was given stays, unless files include each other by name.
 */
function withNamedFile(decoder: DecoderContent, { path, sha256, given }: DecoderFile): DecoderContent {
  const name = basename(path);
  const use = decoder.steps.includes('slcan') ? 'dbc' : 'mavlink';
  const others = decoder.files.filter((one) => one.name !== name || given.has(one.sha256));
  if (use === 'mavlink' && others.some((one) => one.name === name)) {
    throw usage(`--file names two files ${name}, and definitions include each other by name: name one of them.`);
  }
  const files = [{ use, name, sha256 } as const, ...others];
  if (files.length > decoderLimits.files) {
    throw usage(`${decoder.title} has ${files.length} files, and ${decoderLimits.files} are the most.`);
  }
  return { ...decoder, files };
}
