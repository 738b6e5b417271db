/**
 * Quectel cellular modems. BG96 AT Commands Manual V2.3 and EC2x&EG9x&EG2x-G&EM05 Series AT Commands Manual V2.0;
 * positions from the GNSS AT Commands Manuals of both, packet data and PING from their TCP/IP AT Commands Manuals.
 */
import type { LibraryJkit } from './library-jkit.ts';

export const quectelModem: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c002',
  name: 'Quectel modem: network, data, GNSS',
  description:
    'BG96, BG95, EC25, EG91 and relatives: SIM and network details, a packet data context, ping, network time, position. Change the access point name in AT+QICSGP to that of your operator.',
  tags: ['AT', 'Quectel', 'BG96', 'BG95', 'EC25', 'LTE', 'NB-IoT', 'modem', 'GNSS'],
  content: {
    settings: { lineEnding: true, ending: 'cr' },
    fields: [
      { content: 'AT', expect: 'OK', timeoutMs: 2_000 },
      { content: 'ATE0', expect: 'OK' },
      { content: 'ATI', expect: 'OK' },
      { content: 'AT+CMEE=2', expect: 'OK' },
      { content: 'AT+QGMR', expect: 'OK' },
      { content: 'AT+GSN', expect: 'OK' },
      { content: 'AT+CPIN?', expect: '+CPIN: READY', timeoutMs: 5_000 },
      { content: 'AT+QCCID', expect: 'OK' },
      { content: 'AT+CREG?', expect: 'OK' },
      { content: 'AT+CEREG?', expect: 'OK' },
      { content: 'AT+COPS?', expect: 'OK', timeoutMs: 180_000 },
      { content: 'AT+CSQ', expect: 'OK' },
      { content: 'AT+QCSQ', expect: 'OK' },
      { content: 'AT+QNWINFO', expect: 'OK' },
      { content: 'AT+QSPN', expect: 'OK' },
      { content: 'AT+QENG="servingcell"', expect: 'OK' },
      { content: 'AT+QCFG="band"', expect: 'OK' },
      { content: 'AT+QICSGP=1,1,"internet","","",0', expect: 'OK' },
      { content: 'AT+QIACT=1', expect: 'OK', timeoutMs: 150_000 },
      { content: 'AT+QIACT?', expect: 'OK', timeoutMs: 150_000 },
      { content: 'AT+QPING=1,"example.com"', expect: '+QPING: 0,4', timeoutMs: 30_000 },
      { content: 'AT+QNTP=1,"pool.ntp.org",123', expect: '+QNTP:', timeoutMs: 125_000 },
      { content: 'AT+QLTS', expect: 'OK' },
      { content: 'AT+QIDEACT=1', expect: 'OK', timeoutMs: 40_000 },
      'AT+QGPS=1',
      'AT+QGPS?',
      'AT+QGPSLOC=2',
      'AT+QGPSEND',
      { content: 'AT+QPOWD=1', expect: 'POWERED DOWN', timeoutMs: 65_000 },
    ],
  },
};
