/** Commands on the ports of this machine. */
import { baudRates } from '@wirebench/port';
import {
  awaitedOptions,
  type Command,
  type CommandArgument,
  type CommandOption,
  newestOption,
  portOptions,
} from './command.ts';

const pieces: CommandOption = {
  flags: '--pieces <bytes:ms>',
  text: 'what is sent goes in pieces with pauses, as in 8:10, for boards that lose text which comes at once',
};

export const portSettings: readonly CommandOption[] = [
  { flags: '-b, --baud <rate>', text: 'baud rate', completes: baudRates.map(String), standard: '115200' },
  { flags: '-d, --data-bits <bits>', text: '5, 6, 7 or 8 data bits', completes: ['5', '6', '7', '8'], standard: '8' },
  { flags: '-s, --stop-bits <bits>', text: '1 or 2 stop bits', completes: ['1', '2'], standard: '1' },
  {
    flags: '-p, --parity <parity>',
    text: 'none, even or odd; mark and space on Linux and Windows',
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
    text: 'control lines at opening: keep (as the system leaves them), dtr (DTR on, RTS off) or off',
    completes: ['keep', 'dtr', 'off'],
    standard: 'keep',
  },
  { flags: '--shared', text: 'let other programs open the port too' },
  {
    flags: '--simulate <model>',
    text: "simulated board in place of ports, such as esp32, or demo for the page's demo board",
  },
];

/** Names of ports, for the argument of every command. */
const portNames =
  'path such as /dev/ttyUSB0, its last part, a name of /dev/serial, USB serial number or IDs (10c4:ea60)';

const onlyText = 'without one the only USB port';

/** Argument of commands that may take the only port. */
export const onePort: CommandArgument = { form: '[port]', text: `${portNames}; ${onlyText}`, completes: 'port' };

/** Argument of commands whose other words would be taken for a port. */
export const namedPort: CommandArgument = { form: '[port]', text: portNames, completes: 'port' };

const ports: CommandArgument = {
  form: '[port...]',
  text: `ports, each by its ${portNames}; ${onlyText}; a whole number at the end is the rate`,
  completes: 'port',
};

export const portCommands: readonly Command[] = [
  {
    name: 'ports',
    summary: 'list the serial ports of this machine',
    details: [
      'Shows each port with its adapter, the board if its USB IDs tell, and the programs that have it open.',
      'The name in brackets survives replugging, and so does the serial number: use them in scripts, with any command.',
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
      'One port is shown as it comes, with its own colours. Several ports, --time, --level and --json are shown line by line.',
      'On a terminal, a board has colours, cursor movement and erasing, but no title, clipboard, modes or reports. A pipe gets every byte.',
      'On a terminal, keys go to the board, Ctrl+C too. Ctrl+T opens the menu: Ctrl+T q quits, Ctrl+T ? lists the rest.',
      'Without a terminal, or with --no-tty, nothing is read and Ctrl+C ends the program.',
      'A log that can no longer be written is said once, and the rest goes on: that is no failure of the board.',
      'A board that is unplugged is opened again when it comes back. The board keeps running when the monitor ends.',
      'Opening a port resets no board by itself. Linux raises DTR and RTS at the first opening after the adapter was',
      'plugged in, which resets an Arduino Uno once: they stay as they are when the program ends.',
    ],
    arguments: [ports],
    ports: { place: 'each', advice: 'name one to four ports, or --simulate <model>.' },
    options: [
      ...portOptions('', 'port, in place of the arguments; may be given several times'),
      ...portSettings,
      { flags: '-t, --time', text: 'print lines with their times' },
      {
        flags: '--time-format <format>',
        text: 'clock, elapsed (since the first line), delta (since the line before), iso (UTC) or epoch (ms)',
        completes: ['clock', 'elapsed', 'delta', 'iso', 'epoch'],
        standard: 'clock',
      },
      {
        flags: '--level <level>',
        text: 'print only lines of boards from this level on: info, warning or error',
        completes: ['info', 'warning', 'error'],
      },
      { flags: '-l, --log <file>', text: 'append lines to a file, which Wirebench opens as a log', completes: 'file' },
      {
        flags: '--log-size <size>',
        text: 'begin a new file when the log has this size: 500k, 10M, 1G; run.txt becomes run.txt.1',
      },
      { flags: '--log-count <number>', text: 'older files that are kept with --log-size', standard: '5' },
      {
        flags: '--rules <file>',
        text: 'colour lines by the rules of an exported JKit, and name rules with a note; may be given several times',
        completes: 'file',
        repeats: true,
      },
      {
        flags: '--elf <file>',
        text: 'explain crashes by this ELF file of the firmware, as "wirebench crash" does; may be given several times',
        completes: 'file',
        repeats: true,
      },
      ...awaitedOptions,
      {
        flags: '--timeout <seconds>',
        text: 'end after this time, as in 0.5 or 7200: with 1 if --until did not come, else with 0',
      },
      pieces,
      {
        flags: '--reset',
        text: 'restart the boards once by their control lines; --until and --fail-on look at what comes after it',
      },
      { flags: '--wait', text: 'wait for ports that are not there yet' },
      { flags: '--no-reconnect', text: 'end when a board is unplugged' },
      {
        flags: '--enter <ending>',
        text: 'Enter sends cr, lf or crlf',
        completes: ['cr', 'lf', 'crlf'],
        standard: 'cr',
      },
      {
        flags: '--newline <ending>',
        text: 'CR alone starts a new line on the terminal (cr), or not (lf); auto: while the board has sent no LF',
        completes: ['auto', 'cr', 'lf'],
        standard: 'auto',
      },
      { flags: '--raw', text: 'let a board do everything to the terminal, as a terminal program on it could' },
      { flags: '--no-tty', text: 'read no keys, even on a terminal' },
      {
        flags: '--profile <name>',
        text: 'ports and options of this name in ~/.config/wirebench/profiles.json; what is typed wins',
      },
      { flags: '--json', text: 'print each line as an object: at (ISO 8601), port, kind and text' },
    ],
    examples: [
      ['monitor /dev/ttyUSB0', 'a board at 115200 baud'],
      ['monitor ttyUSB0 ttyACM0 --time --log run.txt', 'two boards on one timeline, kept in a file'],
      ['monitor ttyUSB0 --log run.txt --log-size 10M --no-tty', 'a log of at most 60 MB for weeks'],
      ['monitor ttyUSB0 --until PASS --timeout 30', 'a check in a pipeline: 0 if PASS comes, else 1'],
      ['monitor A50285BI --wait', 'the adapter with this serial number, wherever it is plugged in'],
      [
        "monitor ttyUSB0 --until '/boot in [0-9]+ ms/' --fail-on panic --fail-on abort",
        'the same with an expression, and texts that fail at once',
      ],
      ['monitor --newest 115200', 'the board that was plugged in last, at this rate'],
      ['monitor ttyUSB0 --elf build/app.elf', 'crashes with their functions, files, lines and variables'],
      [
        'monitor --profile lab',
        'with { "lab": { "ports": ["ttyUSB0"], "baud": 921600, "time": true } } in the file of profiles',
      ],
      ['monitor --simulate esp32', 'try it without a board'],
    ],
  },
  {
    name: 'send',
    summary: 'send text, bytes or a file to a port',
    details: [
      'Several texts are joined by blanks. Text gets the line ending, bytes and files do not.',
      'Without a text, standard input is read if it is no terminal, and each of its lines is sent as a text when it has come.',
      'With --until, a line goes when the one before it is answered, a blank one too. A text, --file and - have one answer: that to their last line.',
      'The program ends when the bytes have left the port. With --until, --fail-on or --timeout it prints the answer first.',
      'Input that stays open ends it when nothing more comes for the time of --timeout, which is said.',
    ],
    arguments: [
      namedPort,
      { form: '[text...]', text: 'text to send; - sends the bytes of standard input as they are' },
    ],
    ports: { place: 'first', advice: 'name a port.', isNamed: true },
    options: [
      ...portOptions(),
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
      { flags: '--xmodem', text: 'send --file by XMODEM, to a board that waits for it' },
      { flags: '--xmodem-1k', text: 'the same in blocks of 1,024 bytes' },
      { flags: '--ymodem', text: 'send --file by YMODEM, such as to loady of U-Boot' },
      { flags: '--zmodem', text: 'send --file by ZMODEM, such as to rz' },
      ...awaitedOptions,
      {
        flags: '--timeout <seconds>',
        text: 'print what comes for this time after the last bytes; with --until, each answer has this time; with --until or --fail-on 10 without it',
      },
      pieces,
    ],
    examples: [
      ['send /dev/ttyUSB0 help', 'a command with a line feed'],
      ['send ttyUSB0 --hex 01 03 00 00 00 0A C5 CD', 'a Modbus request'],
      ['send ttyUSB0 version --until OK --timeout 2', 'a command and its answer'],
      ['send ttyUSB0 --until OK --timeout 3 < commands.txt', 'lines of a pipe or a file'],
      ['send --port ttyUSB0 help', 'the same, where the port comes from a script'],
      ['send ttyUSB0 --file script.txt', 'the bytes of a file'],
      ['send ttyUSB0 --ymodem --file kernel.bin --until Total', 'a file for loady of U-Boot, and its answer'],
      ['send ttyUSB0 --file script.txt --pieces 8:10', 'the same, 8 bytes at a time with pauses of 10 ms'],
    ],
  },
  {
    name: 'modbus',
    summary: 'look for the devices on a Modbus RTU line',
    details: [
      'Says first what it sends, how often at most and how long it takes. It only reads: functions 1 to 4 and 43.',
      'The line is heard for 1.5 s first. If another master is on it, nothing is sent and the program ends with 1; --anyway asks beside it.',
      'Each unit that answers is printed with the settings of the line, its identification and the addresses that it let be read.',
      'Ctrl+C stops at once and prints what was found until then. Without a device the program ends with 1.',
    ],
    arguments: [onePort],
    ports: { place: 'only', advice: 'name a port.', isSparedByPlan: true },
    options: [
      ...portOptions(),
      ...portSettings.filter(({ flags }) => !/--(?:data-bits|parity|flow)\b/.test(flags)),
      {
        flags: '-p, --parity <parity>',
        text: 'none, even or odd',
        completes: ['none', 'even', 'odd'],
        standard: 'none',
      },
      {
        flags: '--also-baud <rate>',
        text: 'look at this rate too; may be given several times',
        completes: baudRates.map(String),
        repeats: true,
      },
      {
        flags: '--also-parity <parity>',
        text: 'look with this parity too; may be given several times',
        completes: ['none', 'even', 'odd'],
        repeats: true,
      },
      { flags: '--units <range>', text: 'units that are asked, as in 7 or 1-31', standard: '1-247' },
      { flags: '--answer <ms>', text: 'time for an answer', standard: '200' },
      {
        flags: '--registers <range>',
        text: 'addresses of each table that are read from a device, as in 0-499',
        standard: '0-99',
      },
      { flags: '--no-registers', text: 'look for the units alone' },
      { flags: '--anyway', text: 'ask although something else is heard on the line' },
      { flags: '--plan', text: 'say what would be sent, and send nothing' },
      { flags: '--csv', text: 'print a table' },
      { flags: '--json', text: 'print one object a step' },
    ],
    examples: [
      ['modbus ttyUSB0 --baud 19200 --parity even', 'all units at one setting'],
      [
        'modbus ttyUSB0 --baud 9600 --also-baud 19200 --also-parity even --units 1-31',
        'the first units at four settings',
      ],
      ['modbus ttyUSB0 --units 1-31 --plan', 'what that sends, and for how long'],
      ['modbus --simulate modbus-line --baud 19200 --units 7 --registers 0-15 --anyway', 'try it without a line'],
    ],
  },
  {
    name: 'test',
    summary: 'run JKits as tests on boards',
    details: [
      'A test is a JKit: its messages with their answers, and its rules with "must": "fire" or "not-fire". A JKit that cannot be read whole ends with 2, before anything is sent.',
      'A rule that must not fire is watched for --settle seconds after the last answer, and withdraws the pass.',
      'Exit codes: 0 passed, 1 failed, 3 or 4 if a board or its flash failed. Of several tests the highest counts.',
      'A board that says nothing is reset once, which is said; what passes only then is flaky. Nothing is asked, with or without a terminal.',
      'An existing file is replaced by --junit only if it is such a report, and the report of an earlier run is removed first. A run that cannot start is an error in it.',
    ],
    arguments: [{ form: '[file...]', text: 'JKit as a file, or the link of one on a server', completes: 'file' }],
    ports: { place: 'option', advice: 'name a port with --port.' },
    options: [
      {
        flags: '--port <port>',
        text: `port of the board, ${onlyText}; of several boards 1=<port>, 2=<port>…`,
        completes: 'port',
        repeats: true,
      },
      newestOption,
      {
        flags: '--flash <build>',
        text: 'build to write first, as "wirebench flash" does; of several boards 1=<build>…',
        completes: 'file',
        repeats: true,
      },
      {
        flags: '--file <file>',
        text: 'file for a message that sends one, by the name that it wants, else in order',
        completes: 'file',
        repeats: true,
      },
      { flags: '--reset', text: 'reset the boards before each try, which --flash does too' },
      { flags: '--no-reset', text: 'never reset a board, also not one that says nothing' },
      { flags: '--timeout <seconds>', text: 'longest time of the messages of each test' },
      { flags: '--settle <seconds>', text: 'watch for rules that must not fire after the last answer', standard: '1' },
      {
        flags: '--fail-on <text>',
        text: 'fail when a board has sent this text; escapes and /…/ as in "wirebench monitor --until"',
        repeats: true,
      },
      {
        flags: '--retries <number>',
        text: 'try a failed test again, as often as this; earlier tries are reported',
        standard: '0',
      },
      { flags: '--only-failed <file>', text: 'run only the tests that failed in this JUnit file', completes: 'file' },
      { flags: '--junit <file>', text: 'write a report as JUnit XML; - is standard output', completes: 'file' },
      { flags: '--tap', text: 'print TAP 14' },
      { flags: '--json', text: 'print JSON' },
      {
        flags: '-l, --log <file>',
        text: 'append what passed and the verdict to a file, which Wirebench opens as a log',
        completes: 'file',
      },
      { flags: '-e, --elf <file>', text: 'ELF file of the firmware, for crashes', completes: 'file', repeats: true },
      ...portSettings,
    ],
    examples: [
      ['test smoke.jkit.json --port ttyUSB0', 'one test on one board'],
      ['test smoke.jkit.json --port ttyUSB0 --flash build/ --junit report.xml', 'a step of a pipeline'],
      ['test link.jkit.json --port 1=ttyUSB0 --port 2=ttyUSB1', 'two boards in one test'],
      [
        'test *.jkit.json --port ttyACM0 --retries 2 --log run.txt --tap',
        'several tests, failed ones up to three times',
      ],
      ['test smoke.jkit.json --simulate demo', 'on the demo board of the page'],
      ['test "https://bench.example/app/uart?jkit=Ab-_9" --port ttyUSB0', 'a JKit of a server'],
    ],
  },
];
