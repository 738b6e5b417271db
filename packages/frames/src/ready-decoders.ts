/** Names of the decoders that come with the product. Apart from the decoders, which are loaded when one is chosen. */

/** In the order in which they are offered. */
export const readyDecoders = [
  { name: 'modbus', title: 'Modbus RTU' },
  { name: 'nmea', title: 'NMEA 0183' },
  { name: 'ubx', title: 'UBX and NMEA' },
  { name: 'slcan', title: 'SLCAN' },
  { name: 'mavlink', title: 'MAVLink' },
  { name: 'dmx', title: 'DMX512' },
  { name: 'at', title: 'AT commands' },
  { name: 'cobs', title: 'COBS' },
] as const;
export type ReadyDecoder = (typeof readyDecoders)[number]['name'];

/** Returns the name of a ready decoder; null if `value` names none. */
export function readyDecoderNamed(value: unknown): ReadyDecoder | null {
  return readyDecoders.find(({ name }) => name === value)?.name ?? null;
}
