/** Every jkit that comes with the product. */
import { arduinoFirmata } from './arduino-firmata.ts';
import { demoBoard } from './demo-board.ts';
import { espAt } from './esp-at.ts';
import { grbl } from './grbl.ts';
import { hc05 } from './hc05.ts';
import type { LibraryJkit } from './library-jkit.ts';
import { marlin } from './marlin.ts';
import { micropython } from './micropython.ts';
import { modbusRtu } from './modbus-rtu.ts';
import { nextionDisplay } from './nextion-display.ts';
import { pmtkGps } from './pmtk-gps.ts';
import { quectelModem } from './quectel-modem.ts';
import { rn2483Lora } from './rn2483-lora.ts';
import { scpiInstrument } from './scpi-instrument.ts';
import { simcomModem } from './simcom-modem.ts';
import { ubloxPolls } from './ublox-polls.ts';

/**
 * In the order of insertion into an empty database. Of two equally good matches, a search shows the later one first.
 */
export const allJkits: readonly LibraryJkit[] = [
  scpiInstrument,
  modbusRtu,
  nextionDisplay,
  rn2483Lora,
  hc05,
  ubloxPolls,
  pmtkGps,
  quectelModem,
  simcomModem,
  marlin,
  grbl,
  micropython,
  espAt,
  arduinoFirmata,
  demoBoard,
];
