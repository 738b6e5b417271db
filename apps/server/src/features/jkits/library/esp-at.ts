/**
 * Espressif's AT firmware for ESP32 and ESP8266: ESP-AT User Guide, "AT Command Set" (Basic, Wi-Fi and TCP/IP
 * commands).
 */
import type { LibraryJkit } from './library-jkit.ts';

export const espAt: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c003',
  name: 'ESP-AT: Wi-Fi and TCP',
  description:
    "Espressif's AT firmware on ESP32 and ESP8266 modules, 115200 baud: version, memory, networks around, joining one, addresses, ping, network time, a TCP connection. Put your network's name and password into AT+CWJAP.",
  tags: ['AT', 'ESP-AT', 'ESP32', 'ESP8266', 'Espressif', 'Wi-Fi', 'TCP'],
  content: {
    settings: { lineEnding: true },
    fields: [
      { content: 'AT', expect: 'OK' },
      { content: 'ATE0', expect: 'OK' },
      { content: 'AT+GMR', expect: 'OK' },
      { content: 'AT+SYSRAM?', expect: 'OK' },
      { content: 'AT+UART_CUR?', expect: 'OK' },
      { content: 'AT+CWMODE?', expect: 'OK' },
      { content: 'AT+CWMODE=1', expect: 'OK' },
      { content: 'AT+CWLAP', expect: 'OK', timeoutMs: 15_000 },
      { content: 'AT+CWJAP="network","password"', expect: 'OK', timeoutMs: 20_000 },
      { content: 'AT+CWJAP?', expect: 'OK' },
      { content: 'AT+CWSTATE?', expect: 'OK' },
      { content: 'AT+CIFSR', expect: 'OK' },
      { content: 'AT+CIPSTAMAC?', expect: 'OK' },
      { content: 'AT+PING="example.com"', expect: 'OK', timeoutMs: 10_000 },
      { content: 'AT+CIPSNTPCFG=1,0,"pool.ntp.org"', expect: 'OK' },
      { content: 'AT+CIPSNTPTIME?', expect: 'OK' },
      { content: 'AT+CIPSTART="TCP","example.com",80', expect: 'OK', timeoutMs: 20_000 },
      { content: 'AT+CIPSTATE?', expect: 'OK' },
      { content: 'AT+CIPCLOSE', expect: 'OK' },
      { content: 'AT+CWQAP', expect: 'OK' },
      { content: 'AT+SYSLOG=1', expect: 'OK' },
      { content: 'AT+RST', expect: 'ready', timeoutMs: 5_000 },
    ],
  },
};
