/** Commands on what a board stores beside its program. */
import { boardOptions } from './board-commands.ts';
import { type Command, type CommandOption, portOptions } from './command.ts';
import { onePort } from './port-commands.ts';

/** Options of commands for Espressif chips alone, whose family needs no name. */
const espOptions: readonly CommandOption[] = boardOptions.filter(({ flags }) => !flags.startsWith('--family'));

/** Options of commands that change what is stored. */
const changeOptions: readonly CommandOption[] = [
  { flags: '-y, --yes', text: 'write without a question; refusals stay' },
  { flags: '--plan', text: 'say what would change, write nothing; 4 if it is refused' },
];

export const contentCommands: readonly Command[] = [
  {
    name: 'nvs',
    summary: 'show and change the NVS keys of an Espressif board',
    details: [
      'list (without an action), get NAMESPACE KEY, set NAMESPACE KEY VALUE, delete NAMESPACE [KEY], export [FILE], import FILE...',
      'A file is CSV of nvs_partition_gen.py, with the files that its rows name behind it; import also takes the image of a partition or of the whole flash, or a backup.',
      'Passwords and keys are hidden in lists and left out of an export unless --secrets is given; get prints the value that it names.',
      'A new key needs its --type. A blob is text, or bytes with --hex.',
      'What changes is shown and confirmed, then written by whole sectors and verified. An interruption waits for the end of the write; if the board is lost, the old contents are in a file that is named.',
    ],
    arguments: [
      onePort,
      {
        form: '[action]',
        text: 'list, get, set, delete, export or import',
        completes: ['list', 'get', 'set', 'delete', 'export', 'import'],
      },
      { form: '[words...]', text: 'namespace, key and value, or files', completes: 'file' },
    ],
    ports: { place: 'first', advice: 'name a port.' },
    options: [
      ...portOptions(),
      { flags: '-p, --partition <name>', text: 'one of several NVS partitions; "nvs" if there is one of that name' },
      { flags: '-t, --type <type>', text: 'str, blob, u8, i8, u16, i16, u32, i32, u64 or i64' },
      { flags: '--hex', text: 'the value is bytes in hex, such as "0A FF"' },
      { flags: '--from <file>', text: 'set: take the value from a file, - for standard input, in place of VALUE' },
      { flags: '--secrets', text: 'list and export: show passwords and keys too' },
      { flags: '-f, --force', text: 'export: replace a file that is there already' },
      { flags: '--all', text: 'import: take calibration and pairings of libraries too' },
      { flags: '--whole', text: 'import: the image of a partition replaces all that it holds' },
      { flags: '--rebuild', text: 'build a damaged partition again from its readable keys' },
      ...changeOptions,
      ...espOptions,
    ],
    examples: [
      ['nvs ttyUSB0', 'namespaces, keys, types and values'],
      ['nvs ttyUSB0 get wifi ssid', 'a value in a script'],
      ['nvs ttyUSB0 set app interval_s 300', 'a value, with its type on the board'],
      ['nvs ttyUSB0 set wifi password --type str --from -', 'a password from standard input'],
      ['nvs ttyUSB0 delete app old_token --yes', 'a key, without a question'],
      ['nvs ttyUSB0 export keys.csv', 'CSV without passwords'],
      ['nvs ttyUSB0 import keys.csv cert.pem --plan', 'see what a CSV would change'],
    ],
  },
  {
    name: 'files',
    summary: 'list and copy the files of a board: in flash, or over MicroPython',
    details: [
      'ls [PATH] (without an action), get PATH [LOCAL], put LOCAL [PATH], rm PATH..., mkdir PATH, mv FROM TO, format littlefs|spiffs|fat',
      '--in flash: a LittleFS, SPIFFS or FAT partition of an Espressif board, also with --partition. --in python: a board with MicroPython or CircuitPython at its prompt.',
      'Folders are copied with all they hold. "put www/ /" copies the contents of a folder, "put www /" the folder itself; a path with a slash at its end is the folder that gets it.',
      'In flash, what changes is one plan: shown, confirmed, written and verified. Over the prompt, each file is written under another name, verified and renamed; files that are equal are skipped.',
      'Files of this computer with other contents are replaced with --force only, and no name leads out of the target folder. A program that runs is interrupted with consent or --yes, and started again.',
    ],
    arguments: [
      onePort,
      {
        form: '[action]',
        text: 'ls, get, put, rm, mkdir, mv or format',
        completes: ['ls', 'get', 'put', 'rm', 'mkdir', 'mv', 'format'],
      },
      { form: '[paths...]', text: 'paths on the board and on this computer', completes: 'file' },
    ],
    ports: { place: 'first', advice: 'name a port.' },
    options: [
      ...portOptions(),
      { flags: '--in <place>', text: 'flash or python', completes: ['flash', 'python'] },
      { flags: '-p, --partition <name>', text: 'partition with the file system, if there are several' },
      { flags: '-f, --force', text: 'get: replace files that have other contents' },
      ...changeOptions,
      ...boardOptions,
    ],
    examples: [
      ['files ttyUSB0 --in flash', 'everything in the file system of an ESP32'],
      ['files ttyACM0 ls /lib --in python', 'a folder of a MicroPython board'],
      ['files ttyACM0 put main.py --in python', 'a program, as /main.py'],
      ['files ttyUSB0 put www/ /www --in flash --yes', 'the contents of a folder'],
      ['files ttyUSB0 get / backup --partition storage', 'all files, into the folder backup'],
      ['files ttyACM0 get /log.txt - --in python | tail', 'a file to standard output'],
    ],
  },
  {
    name: 'efuses',
    summary: 'show the eFuses of an Espressif chip and what the board allows',
    details: [
      'Says who can read and replace the firmware, which signatures and keys the chip asks for, and its identity. It only reads: no eFuse is ever burnt.',
      '--all adds every field in the form of "espefuse summary"; --json has both.',
    ],
    arguments: [onePort],
    ports: { place: 'only', advice: 'name a port.' },
    options: [...portOptions('-p, '), { flags: '-a, --all', text: 'print every eFuse field too' }, ...espOptions],
    examples: [
      ['efuses ttyUSB0', 'what the board allows'],
      ['efuses ttyUSB0 --all', 'with every field'],
      [
        `efuses ttyUSB0 --json | jq -r 'select(.event == "efuses").fields[] | select(.name == "MAC").value'`,
        'one field in a script',
      ],
    ],
  },
];
