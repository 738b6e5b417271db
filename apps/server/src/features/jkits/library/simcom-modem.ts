/**
 * SIMCom cellular modems. SIM800 Series AT Command Manual V1.12 and SIM7500_SIM7600 Series AT Command Manual V3.00.
 * Commands common to all modems are from 3GPP TS 27.007 (general, network) and 27.005 (messages).
 */
import type { LibraryJkit } from './library-jkit.ts';

export const simcomModem: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c001',
  name: 'SIMCom modem: first steps',
  description:
    'SIM800, SIM7600, A7670 and relatives: modem check, SIM and network, signal strength, messages. Network searches take up to three minutes. Power off is AT+CPOWD=1 on SIM800 and AT+CPOF on SIM7600.',
  tags: ['AT', 'SIMCom', 'SIM800', 'SIM7600', 'A7670', 'GSM', 'LTE', 'modem', 'SMS'],
  content: {
    settings: { lineEnding: true, ending: 'cr' },
    fields: [
      { content: 'AT', expect: 'OK', timeoutMs: 2_000 },
      { content: 'ATE0', expect: 'OK' },
      { content: 'ATI', expect: 'OK' },
      { content: 'AT+CMEE=2', expect: 'OK' },
      { content: 'AT+CGMM', expect: 'OK' },
      { content: 'AT+CGMR', expect: 'OK' },
      { content: 'AT+CGSN', expect: 'OK' },
      { content: 'AT+CPIN?', expect: '+CPIN: READY', timeoutMs: 5_000 },
      { content: 'AT+CIMI', expect: 'OK', timeoutMs: 20_000 },
      { content: 'AT+CSQ', expect: 'OK' },
      { content: 'AT+CREG?', expect: 'OK' },
      { content: 'AT+CGREG?', expect: 'OK' },
      { content: 'AT+COPS?', expect: 'OK', timeoutMs: 120_000 },
      { content: 'AT+CBC', expect: 'OK' },
      { content: 'AT+CCLK?', expect: 'OK' },
      { content: 'AT+CGATT?', expect: 'OK', timeoutMs: 75_000 },
      { content: 'AT+CGDCONT?', expect: 'OK' },
      { content: 'AT+CMGF=1', expect: 'OK' },
      { content: 'AT+CPMS?', expect: 'OK', timeoutMs: 5_000 },
      { content: 'AT+CMGL="ALL"', expect: 'OK', timeoutMs: 20_000 },
      'AT+CCID',
      'AT+CICCID',
      'AT+CPSI?',
      { content: 'AT+COPS=?', expect: 'OK', timeoutMs: 180_000 },
      'AT+CPOWD=1',
      'AT+CPOF',
    ],
  },
};
