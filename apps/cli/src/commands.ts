/**
 * The table of commands. Parsing, help, completion and the manual page are made from it, so that none of them can lack
 * a command or an option.
 */
import { familyIds } from '@wirebench/boards';
import { baudRates } from '@wirebench/port';
import { linkVariable, standardListen } from './serve/arguments.ts';

/** Values of options by their long names in camel case. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** A list: an option that may be given several times. */
export type OptionValue = string | boolean | readonly string[] | undefined;

/** Completion of a value. `port`: the ports of the system. `file`: files. */
export type Completion = 'port' | 'file' | readonly string[];

export interface CommandOption {
  /** Flags in the notation of commander: `-b, --baud <rate>`. */
  readonly flags: string;
  readonly text: string;
  readonly completes?: Completion;
  /** Value without the option, for the help. */
  readonly standard?: string;
  /** True: the option may be given several times, and its value is a list. */
  readonly repeats?: true;
}

export interface CommandArgument {
  /** `<port...>`: one or more. `[text...]`: any number. */
  readonly form: string;
  readonly text: string;
  readonly completes?: Completion;
}

export type CommandName =
  | 'ports'
  | 'monitor'
  | 'flash'
  | 'read'
  | 'erase'
  | 'send'
  | 'crash'
  | 'serve'
  | 'publish'
  | 'completion'
  | 'man';

export interface Command {
  readonly name: CommandName;
  /** One line, without a full stop. */
  readonly summary: string;
  readonly details: readonly string[];
  readonly arguments: readonly CommandArgument[];
  readonly options: readonly CommandOption[];
  /** Command lines without the name of the program, and their purpose. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
}

const pieces: CommandOption = {
  flags: '--pieces <bytes:ms>',
  text: 'what is sent goes in pieces with pauses, as in 8:10, for boards that lose text which comes at once',
};

const portSettings: readonly CommandOption[] = [
  { flags: '-b, --baud <rate>', text: 'baud rate', completes: baudRates.map(String), standard: '115200' },
  { flags: '-d, --data-bits <bits>', text: '5, 6, 7 or 8 data bits', completes: ['5', '6', '7', '8'], standard: '8' },
  { flags: '-s, --stop-bits <bits>', text: '1 or 2 stop bits', completes: ['1', '2'], standard: '1' },
  {
    flags: '-p, --parity <parity>',
    text: 'none, even or odd; mark and space on Windows',
    completes: ['none', 'even', 'odd', 'mark', 'space'],
    standard: 'none',
  },
  {
    flags: '-f, --flow <flow>',
    text: 'none, hardware (RTS and CTS) or software (XON and XOFF)',
    completes: ['none', 'hardware', 'software'],
    standard: 'none',
  },
  {
    flags: '--lines <lines>',
    text: 'control lines at opening: dtr (DTR on, RTS off), off, or keep',
    completes: ['dtr', 'off', 'keep'],
    standard: 'dtr',
  },
  { flags: '--shared', text: 'let other programs open the port too' },
  { flags: '--simulate <model>', text: 'simulated board in place of ports, such as esp32 or chatty' },
];

const ports: CommandArgument = {
  form: '[port...]',
  text: 'ports: paths such as /dev/ttyUSB0, or their last parts',
  completes: 'port',
};

/** Options of every command that connects a board's bootloader. */
const boardOptions: readonly CommandOption[] = [
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
  { flags: '--no-tty', text: 'ask nothing, even on a terminal' },
  { flags: '--json', text: 'print each step as a JSON object' },
  { flags: '--simulate <model>', text: 'simulated board in place of a port, such as esp32' },
];

const rangeOption: CommandOption = {
  flags: '-r, --range <range>',
  text: 'start and length, as 0x10000+0x1000, or the name of an area',
};

const boardPort: CommandArgument = {
  form: '[port]',
  text: 'path such as /dev/ttyUSB0, or its last part',
  completes: 'port',
};

export const commands: readonly Command[] = [
  {
    name: 'ports',
    summary: 'list the serial ports of this machine',
    details: [
      'Shows each port with its adapter, the board if its USB IDs tell, and the programs that have it open.',
      'The name in brackets survives replugging: use it in scripts.',
    ],
    arguments: [],
    options: [
      { flags: '--json', text: 'print JSON' },
      { flags: '--watch', text: 'go on and print what comes and goes; with --json one object a line' },
    ],
    examples: [
      ['ports', 'list the ports'],
      ["ports --json | jq -r '.[].path'", 'paths for a script'],
      ['ports --watch', 'see which port a board is while you plug it in'],
    ],
  },
  {
    name: 'monitor',
    summary: 'show what up to four ports send, on one timeline',
    details: [
      'One port is shown as it comes, with its own colours. Several ports, and --time, are shown line by line.',
      'On a terminal, keys go to the board, Ctrl+C too. Ctrl+T opens the menu: Ctrl+T q quits, Ctrl+T ? lists the rest.',
      'Without a terminal, or with --no-tty, nothing is read and Ctrl+C ends the program.',
      'A board that is unplugged is opened again when it comes back. The board keeps running when the monitor ends.',
    ],
    arguments: [ports],
    options: [
      ...portSettings,
      { flags: '-t, --time', text: 'print lines with their times' },
      { flags: '-l, --log <file>', text: 'append lines to a file, which Wirebench opens as a log', completes: 'file' },
      { flags: '-u, --until <text>', text: 'end when a port has sent this text; \\n, \\t and \\xNN are escapes' },
      { flags: '--timeout <seconds>', text: 'end after this time; a failure if --until did not come' },
      pieces,
      { flags: '--wait', text: 'wait for ports that are not there yet' },
      { flags: '--no-reconnect', text: 'end when a board is unplugged' },
      { flags: '--no-tty', text: 'read no keys, even on a terminal' },
      { flags: '--json', text: 'print each line as a JSON object' },
    ],
    examples: [
      ['monitor /dev/ttyUSB0', 'a board at 115200 baud'],
      ['monitor ttyUSB0 ttyACM0 --time --log run.txt', 'two boards on one timeline, kept in a file'],
      ['monitor ttyUSB0 --until PASS --timeout 30', 'a check in a pipeline: 0 if PASS comes, else 1'],
      ['monitor --simulate esp32', 'try it without a board'],
    ],
  },
  {
    name: 'flash',
    summary: 'write a build to a board, verify it and start it',
    details: [
      'A build is a folder (ESP-IDF, PlatformIO, Arduino, Zephyr), a zip, firmware files, the link of a release, or a manifest.',
      'A raw binary whose place nothing tells has its offset in front: 0x10000=app.bin.',
      'The plan is printed and confirmed first. Without a terminal nothing is asked: --yes confirms, other questions end with 4.',
      'What is on the board already is not written again, so that an interrupted write goes on with the same command.',
      'An output that is closed does not stop a write. Ctrl+C does, and says what is half done.',
    ],
    arguments: [
      boardPort,
      {
        form: '[build...]',
        text: 'folder, archive, files, offset=file, link of a release, or manifest',
        completes: 'file',
      },
    ],
    options: [
      { flags: '-y, --yes', text: 'write what the plan allows without a question; refusals stay' },
      { flags: '--plan', text: 'print the plan, write nothing; 4 if it is refused' },
      { flags: '--override <codes>', text: 'write in spite of refusals that a person may override, by their codes' },
      { flags: '--erase-all', text: 'erase the whole flash first' },
      { flags: '--build <name>', text: 'one of several builds' },
      { flags: '-u, --until <text>', text: 'then show the log until the program has printed this text' },
      { flags: '--timeout <seconds>', text: 'longest wait for --until', standard: '30' },
      {
        flags: '--log-baud <rate>',
        text: 'rate of the log; 115200, for Arduino boards 9600',
        completes: baudRates.map(String),
      },
      ...boardOptions,
    ],
    examples: [
      ['flash /dev/ttyUSB0 build/', 'the output folder of a build'],
      ['flash ttyUSB0 0x0=bootloader.bin 0x8000=partitions.bin 0x10000=app.bin', 'files at their offsets'],
      ['flash ttyACM0 firmware.hex --plan', 'see what would be written'],
      ['flash ttyUSB0 build/ --yes --until PASS --timeout 60', 'a check in a pipeline'],
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
    ],
    arguments: [boardPort, { form: '[file]', text: 'file to write', completes: 'file' }],
    options: [rangeOption, ...boardOptions],
    examples: [
      ['read ttyUSB0', 'all of the flash, to a file with the name of the board'],
      ['read ttyUSB0 nvs.bin --range nvs', 'a partition'],
      ['read ttyACM0 out.bin --range 0x08000000+0x4000 --family stm', 'a range'],
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
    arguments: [boardPort],
    options: [
      rangeOption,
      { flags: '-y, --yes', text: 'erase without a question; refusals stay' },
      { flags: '--plan', text: 'say what would be erased, erase nothing; 4 if it is refused' },
      ...boardOptions,
    ],
    examples: [
      ['erase ttyUSB0 --range nvs', 'the settings of an ESP32'],
      ['erase ttyUSB0', 'all of the flash'],
      ['erase ttyUSB0 --yes --no-tty', 'the same in a script'],
    ],
  },
  {
    name: 'send',
    summary: 'send text, bytes or a file to a port',
    details: [
      'Several texts are joined by blanks. Text gets the line ending, bytes and files do not.',
      'The program ends when the bytes have left the port.',
    ],
    arguments: [
      { form: '<port>', text: 'path such as /dev/ttyUSB0, or its last part', completes: 'port' },
      { form: '[text...]', text: 'text to send; - reads standard input' },
    ],
    options: [
      ...portSettings.filter(({ flags }) => !flags.includes('--simulate')),
      {
        flags: '-e, --ending <ending>',
        text: 'line ending of a text: none, lf, cr or crlf',
        completes: ['none', 'lf', 'cr', 'crlf'],
        standard: 'lf',
      },
      { flags: '-x, --hex', text: 'the text is bytes in hex: "55 AA 01"' },
      { flags: '--escapes', text: 'the text has escapes: \\n \\r \\t \\0 \\\\ \\xNN \\u{…}' },
      { flags: '--file <file>', text: 'send the bytes of a file', completes: 'file' },
      { flags: '-u, --until <text>', text: 'then wait until the port has sent this text' },
      { flags: '--timeout <seconds>', text: 'longest wait for --until', standard: '10' },
      pieces,
    ],
    examples: [
      ['send /dev/ttyUSB0 help', 'a command with a line feed'],
      ['send ttyUSB0 --hex 01 03 00 00 00 0A C5 CD', 'a Modbus request'],
      ['send ttyUSB0 version --until OK --timeout 2', 'a command and its answer'],
      ['send ttyUSB0 --file script.txt', 'the bytes of a file'],
      ['send ttyUSB0 --file script.txt --pieces 8:10', 'the same, 8 bytes at a time with pauses of 10 ms'],
    ],
  },
  {
    name: 'crash',
    summary: 'explain the crashes of a log, with functions, files, lines and variables',
    details: [
      'The log is text of any tool with a panic or a core dump in it, the content of a coredump partition, or an ELF core file.',
      'ELF files give functions, files and lines, and for core dumps tasks and variables. An ELF file of another build is said to be one.',
      'Restarts alone are no crash. The end is 1 without a crash, and if no ELF file is of the firmware that crashed.',
    ],
    arguments: [{ form: '<log>', text: 'file; - reads standard input', completes: 'file' }],
    options: [
      {
        flags: '-e, --elf <file>',
        text: 'ELF file of the firmware; may be given several times',
        completes: 'file',
        repeats: true,
      },
      { flags: '--json', text: 'print JSON' },
    ],
    examples: [
      ['crash run.txt --elf build/app.elf', 'a log that "wirebench monitor --log" has written'],
      ['crash - --elf build/app.elf --elf build/bootloader/bootloader.elf < panic.txt', 'several ELF files'],
      ["crash run.txt --elf app.elf --json | jq -r '.crashes[].title'", 'titles for a script'],
    ],
  },
  {
    name: 'serve',
    summary: 'make a port of a shared bench a serial port for programs on this computer',
    details: [
      'Serves the port by RFC 2217 on 127.0.0.1, to one program at a time: esptool, PlatformIO, IDF monitor, PuTTY.',
      'It joins as a guest, asks for the right to use the port, and waits until the host allows it.',
      'The link is a secret: whoever has it can watch the bench, and other people on this computer can see command lines.',
      `It may also be in the variable ${linkVariable}, or be read from standard input when there is none.`,
      'Ctrl+C ends it: the port is closed there and its control lines are released.',
    ],
    arguments: [{ form: '[link]', text: 'link of the shared bench' }],
    options: [
      {
        flags: '--port <number>',
        text: 'port of the bench, 1 to 4; without it, the only one that is shared',
        completes: ['1', '2', '3', '4'],
      },
      {
        flags: '--listen <port>',
        text: 'TCP port on 127.0.0.1; 0 picks a free one',
        standard: String(standardListen),
      },
      { flags: '--name <name>', text: 'who you are, as the host sees it; without it, your user name' },
    ],
    examples: [
      ["serve 'https://bench.example/live.html?id=…#…'", 'the only port that is shared'],
      ['serve --port 2 --listen 0', 'port 2 at a free TCP port; it asks for the link'],
    ],
  },
  {
    name: 'publish',
    summary: 'publish a version of a firmware project and print the link that flashes it',
    details: [
      'The token is made in the release manager, under Tokens. Give it as WIREBENCH_TOKEN: process lists do not show that.',
      'The link is the only line on standard output. The same command again goes on after a failure and uploads nothing twice.',
      'A --build is a folder with the list of its files, or has a chip or an Arduino board in front: esp32s3=build/s3,',
      'nrf52840=zephyr.hex, esp32=0x0=merged.bin, uno=build/arduino.avr.uno. One of several is for the chip of the project.',
    ],
    arguments: [],
    options: [
      { flags: '--server <address>', text: 'such as https://wirebench.example' },
      { flags: '--project <name>', text: 'name or id of one of your projects' },
      { flags: '--version <number>', text: 'such as 1.4.0; must be new in the project' },
      {
        flags: '--build <build>',
        text: 'build of the version, or of one chip; may be given several times',
        completes: 'file',
        repeats: true,
      },
      {
        flags: '--guard <conditions>',
        text: 'conditions on the boards of the --build before it: flash=8MB, psram=yes or no, revision=3.1, connection=usb or uart',
        repeats: true,
      },
      {
        flags: '--file <place>',
        text: 'a file and its flash address: 0x1000=bootloader.bin; may be given several times',
        completes: 'file',
        repeats: true,
      },
      { flags: '--elf <file>', text: 'ELF file of the program, which only you can read', completes: 'file' },
      { flags: '--with-elf', text: 'the same with the ELF file that each --build names' },
      { flags: '--description <text>', text: 'what is new, in Markdown' },
      { flags: '--accept-damaged <file>', text: 'publish a file although it is damaged, by its name', repeats: true },
      { flags: '--channel <name>', text: 'stable or beta', completes: ['stable', 'beta'], standard: 'stable' },
      { flags: '--private', text: 'keep the version private' },
      { flags: '--replace-oldest', text: 'delete the oldest version of a full project; the token has to allow it' },
      { flags: '--token <token>', text: 'publishing token' },
    ],
    examples: [
      [
        'publish --server https://wirebench.example --project weather-node --version 1.4.0 --build build',
        'a build of ESP-IDF',
      ],
      [
        'publish --server https://wirebench.example --project weather-node --version 1.4.0 --build esp32=build/esp32 --build esp32s3=build/s3 --guard psram=yes',
        'builds for two chips',
      ],
    ],
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    details: ['Load it from the start file of the shell.'],
    arguments: [{ form: '<shell>', text: 'bash, zsh or fish', completes: ['bash', 'zsh', 'fish'] }],
    options: [],
    examples: [
      ['completion bash >> ~/.bashrc', 'for bash'],
      ['completion fish > ~/.config/fish/completions/wirebench.fish', 'for fish'],
    ],
  },
  {
    name: 'man',
    summary: 'print the manual page',
    details: ['The page is in the format of man.'],
    arguments: [],
    options: [],
    examples: [['man | man -l -', 'read it']],
  },
];

/** Returns the long name of an option: `--data-bits`. */
export const longFlag = ({ flags }: CommandOption): string => /--[a-z-]+/.exec(flags)?.[0] ?? flags;

/** Returns the short name of an option; null without one. */
export const shortFlag = ({ flags }: CommandOption): string | null => /^-[a-z]\b/.exec(flags)?.[0] ?? null;

export const takesValue = ({ flags }: CommandOption): boolean => flags.includes('<');
