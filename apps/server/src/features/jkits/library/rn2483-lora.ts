/** Microchip RN2483 and RN2903: RN2483 LoRa Technology Module Command Reference User's Guide (DS40001784G). */
import type { LibraryJkit } from './library-jkit.ts';

export const rn2483Lora: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00a',
  name: 'RN2483 LoRaWAN: identity, join, send',
  description:
    'Microchip RN2483 (and RN2903), 57600 baud: version, supply, identifiers, radio settings, joining over the air, sending four bytes. Put your keys in with mac set appeui and mac set appkey before joining; mac save keeps them.',
  tags: ['LoRa', 'LoRaWAN', 'RN2483', 'RN2903', 'Microchip', 'radio', 'OTAA'],
  content: {
    settings: { lineEnding: true },
    fields: [
      { content: 'sys get ver', expect: 'RN2' },
      'sys get vdd',
      'sys get hweui',
      { content: 'sys reset', expect: 'RN2', timeoutMs: 3_000 },
      'mac get deveui',
      'mac get appeui',
      'mac get devaddr',
      'mac get dr',
      'mac get pwridx',
      'mac get status',
      'mac get upctr',
      'mac get dnctr',
      'radio get mod',
      'radio get freq',
      'radio get sf',
      'radio get bw',
      'radio get cr',
      'radio get pwr',
      'radio get snr',
      { content: 'mac set appeui 0000000000000000', expect: 'ok' },
      { content: 'mac set appkey 00000000000000000000000000000000', expect: 'ok' },
      { content: 'mac set adr on', expect: 'ok' },
      { content: 'mac save', expect: 'ok', timeoutMs: 5_000 },
      { content: 'mac join otaa', expect: 'accepted', timeoutMs: 15_000 },
      { content: 'mac tx uncnf 1 01020304', expect: 'mac_tx_ok', timeoutMs: 15_000 },
      { content: 'mac tx cnf 1 01020304', expect: 'mac_tx_ok', timeoutMs: 60_000 },
    ],
  },
};
