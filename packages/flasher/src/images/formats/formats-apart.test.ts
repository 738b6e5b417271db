import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { filler } from '../../esp/testing/esp-images.ts';
import { mcubootImageOf } from '../../nrf/testing/packages.ts';
import {
  buildDfuse,
  buildElf,
  buildIntelHex,
  buildSRecords,
  buildTiTxt,
  buildUf2,
  withDfuSuffix,
} from '../testing/formats.ts';
import { type FormatKind, formatOf, formats } from './formats.ts';

const program = { address: 0x8000, bytes: filler(600) };

/** A file of each format. */
const samples: Readonly<Record<FormatKind, Uint8Array>> = {
  dfuse: buildDfuse([{ elements: [program] }]),
  dfu: withDfuSuffix(program.bytes),
  zip: zipSync({ 'app.bin': program.bytes }),
  elf: buildElf([program]),
  uf2: buildUf2(program),
  'intel-hex': buildIntelHex([program]),
  's-record': buildSRecords([program]),
  'ti-txt': buildTiTxt([program]),
  mcuboot: mcubootImageOf(program.bytes),
};

const kinds = formats.map(({ kind }) => kind);

/** Kinds of the formats that recognise the bytes. */
const recognisers = (bytes: Uint8Array) => formats.filter((one) => one.startsLike(bytes)).map(({ kind }) => kind);

/** A DfuSe file ends with the suffix of a DFU image, so both recognise it. `formatOf` asks DfuSe first. */
const alsoRecognisedBy: Partial<Readonly<Record<FormatKind, readonly FormatKind[]>>> = { dfuse: ['dfu'] };

describe.each(kinds)('a file of format %s', (kind) => {
  const sample = samples[kind];

  it('is recognised by its own format alone', () => {
    expect(recognisers(sample)).toEqual([kind, ...(alsoRecognisedBy[kind] ?? [])]);
    expect(formatOf(sample)?.kind).toBe(kind);
  });

  it('is recognised by its beginning, or by its end', () => {
    const half = Math.floor(sample.length / 2);
    expect(recognisers(kind === 'dfu' ? sample.subarray(half) : sample.subarray(0, half))).toEqual([kind]);
  });
});

describe('formats', () => {
  it('have kinds and names of their own', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(new Set(formats.map(({ name }) => name)).size).toBe(kinds.length);
  });

  it('recognise neither raw data nor text', () => {
    for (const bytes of [new Uint8Array(), program.bytes, strToU8('Flash the board, then press reset.\n')]) {
      expect(recognisers(bytes)).toEqual([]);
    }
  });
});
