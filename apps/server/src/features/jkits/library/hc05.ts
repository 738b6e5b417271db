/** HC-05 Bluetooth modules: "HC-03/05 Embedded Bluetooth Serial Communication Module AT command set" (April 2011). */
import type { LibraryJkit } from './library-jkit.ts';

export const hc05: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c009',
  name: 'HC-05 Bluetooth: set-up',
  description:
    'Hold the button (PIO11 high) while you power up the module: it then listens at 38400 baud. The first eleven messages only ask: version, address, name, role, PIN, serial speed, state. The others change something: send them one at a time. AT+RESET returns to normal operation.',
  tags: ['AT', 'Bluetooth', 'HC-05', 'HC-03', 'SPP', 'module'],
  content: {
    settings: { lineEnding: true },
    fields: [
      { content: 'AT', expect: 'OK' },
      { content: 'AT+VERSION?', expect: 'OK' },
      { content: 'AT+ADDR?', expect: 'OK' },
      { content: 'AT+NAME?', expect: 'OK', timeoutMs: 2_000 },
      { content: 'AT+ROLE?', expect: 'OK' },
      { content: 'AT+PSWD?', expect: 'OK' },
      { content: 'AT+UART?', expect: 'OK' },
      { content: 'AT+CMODE?', expect: 'OK' },
      { content: 'AT+STATE?', expect: 'OK' },
      { content: 'AT+ADCN?', expect: 'OK' },
      { content: 'AT+MRAD?', expect: 'OK' },
      { content: 'AT+NAME=Workbench', expect: 'OK' },
      { content: 'AT+UART=115200,0,0', expect: 'OK' },
      { content: 'AT+UART=9600,0,0', expect: 'OK' },
      { content: 'AT+ROLE=0', expect: 'OK' },
      { content: 'AT+ROLE=1', expect: 'OK' },
      { content: 'AT+INQM=1,9,48', expect: 'OK' },
      'AT+INIT',
      { content: 'AT+INQ', expect: 'OK', timeoutMs: 65_000 },
      { content: 'AT+RESET', expect: 'OK' },
    ],
  },
};
