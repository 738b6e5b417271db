/** The decoders that come with the product, by the name that Find takes. */
import type { DecoderDraft } from '../decoder-content.ts';
import { cobs } from './cobs.ts';
import { dmx } from './dmx.ts';
import { modbus } from './modbus.ts';

export const libraryDecoders = { cobs, dmx, modbus } as const satisfies Readonly<Record<string, DecoderDraft>>;
