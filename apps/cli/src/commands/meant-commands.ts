/**
 * Commands of other programs that people type here, with those of this program that are meant: esptool, espefuse, idf.py,
 * espflash, PlatformIO, arduino-cli, picotool, mpremote, tio and miniterm.
 */

/** An example without the name of the program. Its first word is the command. */
type Example = string;

const flash = 'flash ttyUSB0 build/';
const flashFile = 'flash ttyUSB0 0x10000=app.bin';
const flashPico = 'flash /media/me/RPI-RP2 firmware.uf2';
const monitor = 'monitor ttyUSB0';
const restart = 'monitor ttyUSB0 --reset';
const boardInfo = 'info ttyUSB0 --family esp';
const imageInfo = 'info app.bin';
const efuses = 'efuses ttyUSB0';
const erase = 'erase ttyUSB0 --family esp';
const read = 'read ttyUSB0 flash.bin --family esp';
const files = 'files ttyACM0 ls / --in python';
const ports = 'ports';

/** Examples by words, which have dashes in place of underscores. Two words come before the first of them alone. */
const examples: Readonly<Record<string, Example>> = {
  // esptool 4 and 5, espefuse, espflash
  'write-flash': flashFile,
  'write-bin': flashFile,
  'merge-bin': 'merge merged.bin 0x1000=bootloader.bin 0x8000=partitions.bin 0x10000=app.bin',
  'image-info': imageInfo,
  'erase-flash': erase,
  'erase-region': 'erase ttyUSB0 --range 0x9000+0x6000 --family esp',
  'erase-parts': 'erase ttyUSB0 --range nvs --family esp',
  'read-flash': read,
  'read-mac': boardInfo,
  'chip-id': boardInfo,
  'flash-id': boardInfo,
  'get-security-info': efuses,
  'board-info': boardInfo,
  summary: 'efuses ttyUSB0 --all',
  'list-ports': ports,
  // idf.py
  'app-flash': flash,
  'bootloader-flash': flash,
  'partition-table-flash': flash,
  'encrypted-flash': 'flash ttyUSB0 build/ --encrypt',
  'erase-otadata': 'erase ttyUSB0 --range otadata --family esp',
  'read-otadata': 'read ttyUSB0 otadata.bin --range otadata --family esp',
  'efuse-summary': 'efuses ttyUSB0 --all',
  'coredump-info': 'crash run.txt --elf build/app.elf',
  // PlatformIO, arduino-cli, probe-rs
  upload: flash,
  download: flash,
  program: flash,
  write: flash,
  device: ports,
  'device list': ports,
  'device monitor': monitor,
  board: ports,
  'board list': ports,
  // picotool
  load: flashPico,
  // mpremote
  cp: 'files ttyACM0 put main.py --in python',
  put: 'files ttyACM0 put main.py --in python',
  get: 'files ttyACM0 get /main.py --in python',
  cat: 'files ttyACM0 get /main.py - --in python',
  ls: files,
  rm: 'files ttyACM0 rm /main.py --in python',
  mkdir: 'files ttyACM0 mkdir /lib --in python',
  fs: files,
  devs: ports,
  repl: 'monitor ttyACM0',
  connect: monitor,
  'connect list': ports,
  // tio, miniterm and others
  list: ports,
  devices: ports,
  terminal: monitor,
  console: monitor,
  miniterm: monitor,
  log: monitor,
  logs: monitor,
  reset: restart,
  reboot: restart,
  restart,
  wipe: erase,
  'erase-all': erase,
  dump: read,
  mbpoll: 'modbus ttyUSB0 --baud 19200 --parity even',
  addr2line: 'crash run.txt --elf build/app.elf',
  coredump: 'crash run.txt --elf build/app.elf',
};

/** Returns the lines that the sentences offer. */
export const meantLines: readonly string[] = Object.values(examples);

/** Returns a sentence about the command that is meant by words which are no command here; null if none is known. */
export function meantText([first = '', second = '']: readonly string[]): string | null {
  const [one, two] = [first, `${first} ${second}`].map((words) => words.toLowerCase().replaceAll('_', '-'));
  const [typed, example] = [[`${first} ${second}`, own(two)] as const, [first, own(one)] as const].find(
    ([, found]) => found !== null,
  ) ?? [first, null];
  if (example === null) {
    return null;
  }
  const [command] = example.split(' ');
  return `there is no command ${typed}. "wirebench ${command}" is meant, as in "wirebench ${example}".`;
}

const own = (words = ''): Example | null => (Object.hasOwn(examples, words) ? (examples[words] ?? null) : null);
