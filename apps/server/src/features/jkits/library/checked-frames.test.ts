import { describe, expect, it } from 'vitest';
import { modbusFrame, nextionInstruction, nmeaSentence, ubxFrame } from './checked-frames.ts';

describe('frames', () => {
  it.each([
    // Published examples of the serial line protocol.
    ['01 03 00 00 00 02', '01 03 00 00 00 02 C4 0B'],
    ['11 03 00 6B 00 03', '11 03 00 6B 00 03 76 87'],
    ['11 06 00 01 00 03', '11 06 00 01 00 03 9A 9B'],
  ])('end with their CRC in Modbus: %s', (body, frame) => {
    expect(modbusFrame(body)).toBe(frame);
  });

  it.each([
    ['0A 04', '', 'B5 62 0A 04 00 00 0E 34'],
    ['01 07', '', 'B5 62 01 07 00 00 08 19'],
    ['06 08', 'C8 00 01 00 01 00', 'B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A'],
  ])('carry length and checksum in UBX: %s %s', (classAndId, payload, frame) => {
    expect(ubxFrame(classAndId, payload)).toBe(frame);
  });

  it.each([
    ['PMTK605', '$PMTK605*31'],
    ['PMTK220,200', '$PMTK220,200*2C'],
    ['PMTK251,115200', '$PMTK251,115200*1F'],
    ['PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0', '$PMTK314,0,1,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0*28'],
  ])('end with their checksum in NMEA: %s', (body, sentence) => {
    expect(nmeaSentence(body)).toBe(sentence);
  });

  it('end with three bytes FF for Nextion displays', () => {
    expect(nextionInstruction('page 0')).toBe('70 61 67 65 20 30 FF FF FF');
  });
});
