import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import {
  enterProgramming,
  getParameter,
  getSync,
  leaveProgramming,
  loadAddress,
  loadExtendedAddress,
  parameters,
  programPage,
  readPage,
  readSignature,
} from './v1-driver.ts';

describe('a request of STK500 v1', () => {
  // AVR061, section "Commands in detail": code, parameters, Sync_CRC_EOP (0x20).
  it.each([
    ['Get Synchronization', getSync(), '3020'],
    ['Get Parameter Value', getParameter(parameters.softwareMajor), '418120'],
    ['Enter Program Mode', enterProgramming(), '5020'],
    ['Leave Program Mode', leaveProgramming(), '5120'],
    ['Load Address, low byte first', loadAddress(0x1f40), '55401f20'],
    ['Universal, with Load Extended Address', loadExtendedAddress(1), '564d00010020'],
    [
      'Program Page, with the high byte of the length first',
      programPage(Uint8Array.of(0xaa, 0xbb), 'F'),
      '64000246aabb20',
    ],
    ['Read Page of flash', readPage(256, 'F'), '7401004620'],
    ['Read Page of EEPROM', readPage(32, 'E'), '7400204520'],
    ['Read Signature', readSignature(), '7520'],
  ] as const)('%s', (_name, request, expected) => {
    expect(hexOf(request)).toBe(expected);
  });
});
