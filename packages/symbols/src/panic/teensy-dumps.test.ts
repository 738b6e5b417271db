/** Recognises `CrashReport` of Teensy 4. */
import { describe, expect, it } from 'vitest';
import { addressesOf, addressRows, incidentText, titleOf } from '../incident/crash-text.ts';
import { explainedLines } from '../incident/explained-lines.ts';
import { crashesOfLog } from '../incident/log-crashes.ts';
import { decodeIn, openProgramFile } from '../incident/program-files.ts';
import { bytesSource } from '../testing/bytes-source.ts';
import { fixture } from '../testing/fixtures.ts';
import { PanicRecogniser } from './panic-recogniser.ts';
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

/** Report of pedvide/ADC issue 92, with a breadcrumb. */
const nullPointer = `CrashReport:
  A problem occurred at (system time) 13:35:3
  Code was executing from address 0x10E7A
  CFSR: 82
\t(DACCVIOL) Data Access Violation
\t(MMARVALID) Accessed Address: 0x0 (nullptr)
\t  Check code at 0x10E7A - very likely a bug!
\t  Run "addr2line -e mysketch.ino.elf 0x10E7A" for filename & line number.
  Temperature inside the chip was 49.71 °C
  Startup CPU clock speed is 600MHz
  Reboot was caused by auto reboot after fault or bad interrupt detected
  Breadcrumb #1 was 42 (0x2A)`;

const source = 'PaulStoffregen/cores, teensy4/CrashReport.cpp';
const dumps: readonly Dump[] = [
  {
    name: 'a null pointer on Teensy 4',
    source,
    text: nullPointer,
    says: [
      'crashed before it started',
      'memory protection forbids',
      'MMFAR is 0x00000000: a null pointer',
      '49.71 °C',
      'recorded 42 (0x2A) as breadcrumb 1',
    ],
    addresses: ['PC exact 10e7a'],
  },
  {
    name: 'an overflowed stack on Teensy 4',
    source,
    text: `CrashReport:
  A problem occurred at (system time) 0:0:5
  Code was executing from address 0x1B4
  CFSR: 82
\t(DACCVIOL) Data Access Violation
\t(MMARVALID) Accessed Address: 0x20001F44 (Stack problem)
\t  Check for stack overflows, array bounds, etc.
  HTSR: 40000000
\t(FORCED) Forced Hard Fault
  Reboot was caused by watchdog 3`,
    says: ['memory protection forbids', 'at the end of the stack', 'Watchdog 3 restarted the board'],
    addresses: ['PC exact 1b4'],
  },
  {
    name: 'a bus fault on Teensy 4',
    source,
    text: `CrashReport:
  Code was executing from address 0x6000246E
  CFSR: 8200
\t(PRECISERR) Data bus error (address in BFAR)
\t(BFARVALID) Accessed Address: 0x401BC000
  Reboot was caused by cosmic rays`,
    says: ['nothing answers', 'BFAR is 0x401BC000', 'restarted by cosmic rays, which is not in the list'],
    addresses: ['PC exact 6000246e'],
  },
];

checkDumps(dumps);

describe('a CrashReport', () => {
  it('has cause, function, file and line', async () => {
    const [crash, ...others] = crashesOfLog(`Teensy starts\n${nullPointer}\nloop 1`, 0).crashes;
    const incident = crash?.incident;
    if (incident === null || incident === undefined) {
      throw new Error('No crash was found');
    }
    expect(others).toEqual([]);
    expect(titleOf(incident)).toContain('memory protection forbids');
    const file = await openProgramFile(bytesSource(fixture('bare-arm')));
    const addresses = addressesOf(incident);
    const { places } = decodeIn([{ id: 0, file }], addresses, null);
    expect(incidentText(incident, addressRows(addresses, places).rows)).toContain('0x00010e7a: fail at /src/bare.c:17');
    const said = explainedLines(incident).map(({ sentence }) => sentence);
    expect(new Set(said).size).toBe(said.length);
  });

  it('without data has no crash, but a watchdog', () => {
    const read = (text: string) => text.split('\n').flatMap((line) => new PanicRecogniser().line(line) ?? []);
    const empty = "No Crash Data To Report\n  Hopefully all is well, but certain types of crashes can't be reported:";
    expect(read(`${empty}\n  Reboot was caused by JTAG debug\n  Reboot was caused by power on/off button`)).toEqual([]);
    expect(read(`${empty}\n  Reboot was caused by watchdog 1 or 2`)).toMatchObject([
      { kind: 'watchdog', severity: 'fault' },
    ]);
    expect(read('  Reboot was caused by temperature sensor\nPanic Temp Exceeded Shutting Down')).toHaveLength(2);
  });
});
