/** Commands on the flash of a board. */
import { familyIds } from '@wirebench/boards';
import { baudRates } from '@wirebench/port';
import { ownSettingOptions } from '../flash/own-settings.ts';
import { awaitedOptions, type Command, type CommandOption, forceOption, portOptions } from './command.ts';
import { namedPort, onePort } from './port-commands.ts';

const noSaveOption: CommandOption = {
  flags: '--no-save-files',
  text: 'save no data of the board that the write takes or puts back',
};

/** Options of every command that connects a board's bootloader. */
export const boardOptions: readonly CommandOption[] = [
  {
    flags: '--family <family>',
    text: 'family of the board, if nothing else tells',
    completes: familyIds,
  },
  {
    flags: '-b, --baud <rate>',
    text: 'rate of the bootloader; the family has a default',
    completes: baudRates.map(String),
  },
  { flags: '--by-hand', text: 'the bootloader was started by hand: leave the control lines alone' },
  ...ownSettingOptions(true),
  { flags: '--no-stub', text: 'Espressif: use the ROM of the chip alone, without the program that speeds it up' },
  { flags: '--no-tty', text: 'ask nothing, even on a terminal' },
  { flags: '--json', text: 'print each step as a JSON object' },
  { flags: '--simulate <model>', text: 'simulated board in place of a port, such as esp32 or rp2040' },
];

const overrideOption: CommandOption = {
  flags: '--override <codes>',
  text: 'go on in spite of refusals that a person may override, by their codes',
};

const rangeOption: CommandOption = {
  flags: '-r, --range <range>',
  text: 'start and length, as 0x10000+0x1000, or the name of an area',
};

const partOption: CommandOption = {
  flags: '-p, --part <name>',
  text: 'only this partition of an Espressif board; may be given several times',
  repeats: true,
};

export const boardCommands: readonly Command[] = [
  {
    name: 'flash',
    summary: 'write a build to a board, verify it and start it',
    details: [
      'A build is a folder (ESP-IDF, PlatformIO, Arduino, Zephyr), a zip, firmware files, the link of a release, or a manifest.',
      'A raw binary whose place nothing tells has its offset in front: 0x10000=app.bin.',
      'The plan is printed and confirmed first. Without a terminal nothing is asked: --yes confirms, other questions end with 4.',
      'What is on the board already is not written again, so that an interrupted write goes on with the same command.',
      'With --until, --fail-on or --timeout the program is started again and its log is shown.',
      'A Pico (RP2040, RP2350) is written through its drive: name the folder at which RPI-RP2 or RP2350 is mounted in place of a port. Given the port of its program, the program is left by a touch or its prompt, and the drive that is mounted then is taken. The drive verifies nothing. USB (PICOBOOT) works in the page and with --simulate only.',
      'An output that is closed does not stop a write. Ctrl+C does, and says what is half done.',
    ],
    arguments: [
      onePort,
      {
        form: '[build...]',
        text: 'folder, archive, files, offset=file, link of a release, or manifest',
        completes: 'file',
      },
    ],
    ports: {
      place: 'first',
      advice: 'name a port and a build: a folder, an archive, files or a release link.',
      needsMore: true,
    },
    options: [
      ...portOptions('-p, '),
      { flags: '-y, --yes', text: 'write what the plan allows without a question; refusals stay' },
      { flags: '--plan', text: 'print the plan, write nothing; 4 if it is refused' },
      overrideOption,
      { flags: '--erase-all', text: 'erase the whole flash first' },
      ...ownSettingOptions(false),
      noSaveOption,
      { flags: '--build <name>', text: 'one of several builds' },
      ...awaitedOptions,
      { flags: '--timeout <seconds>', text: 'show the log for this time; with --until or --fail-on 30 without it' },
      {
        flags: '--log-baud <rate>',
        text: 'rate of the log; 115200, for Arduino boards 9600',
        completes: baudRates.map(String),
      },
      ...boardOptions,
    ],
    examples: [
      ['flash build/', 'the output folder of a build, to the only board'],
      ['flash /dev/ttyUSB0 build/', 'the same, to the board at this port'],
      ['flash ttyUSB0 0x0=bootloader.bin 0x8000=partitions.bin 0x10000=app.bin', 'files at their offsets'],
      ['flash /media/me/RPI-RP2 firmware.uf2', 'a Pico in BOOTSEL, through its drive'],
      ['flash ttyACM0 firmware.hex --plan', 'see what would be written'],
      ['flash ttyUSB0 build/ --yes --until PASS --timeout 60', 'a check in a pipeline'],
      ['flash ttyUSB0 build/ --encrypt', 'plain files to an ESP32 with flash encryption in development mode'],
      ['flash ttyUSB0 0x9000=nvs.bin --no-keep-nvs', 'settings in place of those on the board'],
      ['flash ttyUSB0 "https://bench.example/release.html?type=project&id=Ab-_9"', 'a release of a server'],
    ],
  },
  {
    name: 'read',
    summary: 'read the flash of a board to a file',
    details: [
      'A range is a start and a length, 0x10000+0x1000, or the name of an area of the board, such as a partition. Without one, all of the flash is read.',
      'Without a file, the name has the chip, the id of the board and the offset, by which "wirebench flash" and the flasher put it back.',
      'What was read is checked by a hash of the board where its bootloader can calculate one. The program is started again.',
      'A file that is there already is replaced with --force only.',
    ],
    arguments: [namedPort, { form: '[file]', text: 'file to write; - is standard output', completes: 'file' }],
    ports: { place: 'first', advice: 'name a port and at most one file.', isNamed: true },
    options: [...portOptions('-p, '), rangeOption, forceOption, ...boardOptions],
    examples: [
      ['read ttyACM0', 'all of the flash, to a file with the name of the board'],
      ['read ttyUSB0 nvs.bin --range nvs --family esp', 'a partition'],
      ['read ttyUSB0 out.bin --range 0x8000+0x1000 --family esp', 'a range'],
    ],
  },
  {
    name: 'erase',
    summary: 'erase the flash of a board, or a range of it',
    details: [
      'A range is a start and a length, 0x10000+0x1000, or the name of an area of the board, such as a partition. Without one, all of the flash is erased.',
      'It is extended to the sectors of the chip, and what is erased is said and confirmed first. An Arduino board keeps its bootloader.',
      '"wirebench read" makes a backup first.',
    ],
    arguments: [onePort],
    ports: { place: 'only', advice: 'name a port.', erases: true },
    options: [
      ...portOptions('-p, '),
      rangeOption,
      { flags: '-y, --yes', text: 'erase without a question; refusals stay' },
      { flags: '--plan', text: 'say what would be erased, erase nothing; 4 if it is refused' },
      overrideOption,
      ...boardOptions,
    ],
    examples: [
      ['erase ttyUSB0 --range nvs --family esp', 'the settings of an ESP32'],
      ['erase ttyACM0', 'all of the flash of a board that the port tells'],
      ['erase ttyUSB0 --family esp --yes --no-tty', 'the same in a script'],
    ],
  },
  {
    name: 'backup',
    summary: 'save the flash of a board to a file that "wirebench restore" puts back',
    details: [
      'For an Espressif board it is the backup set of the page: one zip with the contents, the chip, the MAC, the partition table and a SHA-256 of each part.',
      'For an STM32 it is a plain file with the address in its name, for an Arduino board the sketch and the EEPROM as Intel HEX. Nordic bootloaders cannot be read.',
      'What was read is checked by a hash of the board where its bootloader can calculate one. A backup replaces no file without --force, and holds passwords if the board does.',
    ],
    arguments: [
      onePort,
      { form: '[file]', text: 'file to write; its name has the board and the time', completes: 'file' },
    ],
    ports: { place: 'first', advice: 'name a port and at most one file.' },
    options: [...portOptions(), partOption, forceOption, ...boardOptions],
    examples: [
      ['backup ttyUSB0 --family esp', 'all of the flash'],
      ['backup ttyUSB0 settings.zip --part nvs --part phy_init --family esp', 'some partitions'],
      ['backup ttyACM0 --family stm', 'an STM32'],
    ],
  },
  {
    name: 'restore',
    summary: 'put a backup back on a board, and verify it',
    details: [
      'Takes a backup set of this program or of the page, or a plain file of the whole flash. A set of another chip, one that does not fit, and one whose hashes do not match is refused.',
      'Only what differs is written, so that an interrupted restore goes on with the same command.',
      'On another board than that of the backup, its settings and radio calibration stay: nvs, its keys and phy_init.',
    ],
    arguments: [onePort, { form: '[file...]', text: 'backup; an Arduino board may have two files', completes: 'file' }],
    ports: { place: 'first', advice: 'name a port and a backup.', erases: true, needsMore: true },
    options: [
      ...portOptions(),
      partOption,
      { flags: '--keep-nvs', text: 'leave settings and radio calibration of this board as they are' },
      { flags: '--no-keep-nvs', text: 'take them from the backup, of another board too' },
      noSaveOption,
      { flags: '-y, --yes', text: 'write without a question; refusals stay' },
      { flags: '--plan', text: 'print the plan, write nothing; 4 if it is refused' },
      overrideOption,
      ...boardOptions,
    ],
    examples: [
      ['restore ttyUSB0 esp32-240ac4000110-backup-2026-11-27-1431.zip --family esp', 'all of a backup'],
      ['restore ttyUSB0 backup.zip --part nvs --family esp', 'one partition of it'],
      ['restore ttyUSB0 backup.zip --family esp --yes --no-tty', 'in a script'],
    ],
  },
];
