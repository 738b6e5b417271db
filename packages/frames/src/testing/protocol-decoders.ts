/** Decoders as data of the protocols whose golden frames are in `golden/protocols`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { DecoderDraft } from '@wirebench/contract/decoders';

const folder = new URL('protocols/', import.meta.url);

/** By the name of their golden file. */
export const protocolDecoders: ReadonlyMap<string, DecoderDraft> = new Map(
  readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DecoderDraft,
  ]),
);
