/** The decoders that come with the product, by the name that Find takes. */
import type { DecoderDraft } from '../decoder-content.ts';
import { at } from './at.ts';
import { cobs } from './cobs.ts';
import { dmx } from './dmx.ts';
import { mavlink } from './mavlink.ts';
import { modbus } from './modbus.ts';
import { nmea } from './nmea.ts';
import { slcan } from './slcan.ts';
import { ubx } from './ubx.ts';

export { completeDecoder } from '../complete-decoder.ts';

export const libraryDecoders = { at, cobs, dmx, mavlink, modbus, nmea, slcan, ubx } as const satisfies Readonly<
  Record<string, DecoderDraft>
>;
