/** Commands that open no port of this machine. */

import { chipNames } from '@wirebench/flasher/esp/chips';
import { readyDecoders } from '@wirebench/frames/ready-decoders';
import { linkVariable, standardListen } from '../serve/arguments.ts';
import { boardOptions } from './board-commands.ts';
import { type Command, forceOption } from './command.ts';
import { portSettings } from './port-commands.ts';

const readyNames = readyDecoders.map(({ name }) => name);

export const portlessCommands: readonly Command[] = [
  {
    name: 'info',
    summary: 'say what firmware files are, or what a board is',
    details: [
      'Of files, folders and archives: chip, kind, place, size and hash of each, program and version, partitions, signatures, and what would stop a write.',
      'The end is 1 for what is no firmware, a damaged file, a named file that is not written, a build that would be refused, and files for boards of several families.',
      'Of a board: chip, MAC or id, and size of its flash. Its program is started again.',
    ],
    arguments: [
      {
        form: '[file...]',
        text: 'files, folder or archive; offset=file for a raw binary; or a port',
        completes: 'file',
      },
    ],
    options: [{ flags: '--build <name>', text: 'one of several builds' }, ...boardOptions],
    examples: [
      ['info build/', 'the output folder of a build'],
      ["info app.bin --json | jq -r '.[].files[].application'", 'program and version for a script'],
      ['info ttyUSB0 --family esp', 'the board at this port'],
      ['info --simulate esp32', 'try it without a board'],
    ],
  },
  {
    name: 'merge',
    summary: 'make one file of an Espressif build',
    details: [
      'The file is that of "esptool merge-bin", byte for byte: raw with 0xFF between the parts, Intel HEX, or UF2.',
      'A raw file clears what lies between its parts when it is written, which is said; HEX and UF2 leave gaps out.',
    ],
    arguments: [
      { form: '<out>', text: 'file to write: merged.bin, merged.hex or merged.uf2', completes: 'file' },
      { form: '<build...>', text: 'folder, archive, files, or offset=file', completes: 'file' },
    ],
    options: [
      {
        flags: '--format <format>',
        text: 'bin, hex or uf2; else as the file is named',
        completes: ['bin', 'hex', 'uf2'],
      },
      { flags: '--chip <chip>', text: 'chip that a UF2 file names, if the files do not tell it', completes: chipNames },
      { flags: '--build <name>', text: 'one of several builds' },
      forceOption,
    ],
    examples: [
      ['merge merged.bin build/', 'the output folder of a build'],
      [
        'merge merged.uf2 0x0=bootloader.bin 0x8000=partitions.bin 0x10000=app.bin --chip esp32s3',
        'files at their offsets',
      ],
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
    name: 'decode',
    summary: 'show the frames of a log, with their names and values',
    details: [
      'The log is any that the page opens: text of a serial program with its times, raw bytes, or lines of hex digits.',
      'Each frame is a row: time, direction, who, words, and the time since its question. Bytes that are no frame are rows too.',
      'A decoder of your own is a JSON file. Several share the line in their order, and come before that of --as.',
      'The end is 1 if the log has no whole frame, or none that --find finds.',
    ],
    arguments: [{ form: '<log>', text: 'file; - reads standard input', completes: 'file' }],
    options: [
      { flags: '-a, --as <decoder>', text: readyNames.join(', '), completes: readyNames },
      {
        flags: '--decoder <file>',
        text: 'decoder of your own; may be given several times',
        completes: 'file',
        repeats: true,
      },
      {
        flags: '--file <file>',
        text: 'DBC file for slcan, message definitions in XML for mavlink, table of registers in CSV for modbus; may be given several times',
        completes: 'file',
        repeats: true,
      },
      { flags: '--find <words>', text: "print only what the page's find would: unit:7, speed>1400, dir:tx" },
      { flags: '--json', text: 'print each frame as a JSON object, with its fields' },
      { flags: '--csv', text: 'print the table that the page exports' },
      { flags: '--pcapng <file>', text: 'write a capture for Wireshark; - is standard output', completes: 'file' },
      forceOption,
    ],
    examples: [
      ['decode bus.log --as modbus', 'a log with times, of any serial program'],
      ["decode bus.log --as modbus --find 'unit:7' --json | jq -r '.text'", 'one device, for a script'],
      ['decode bus.log --as modbus --pcapng bus.pcapng', 'a capture for Wireshark'],
    ],
  },
  {
    name: 'serve',
    summary: 'make a port, also of a shared bench, a serial port for other programs',
    details: [
      'Serves the port by RFC 2217 on 127.0.0.1, to one program at a time: esptool, PlatformIO, IDF monitor, PuTTY.',
      'A port of this computer can be served to other machines by their network, a container or WSL: --listen 0.0.0.0:4000. RFC 2217 has neither a password',
      'nor encryption: whoever reaches that address can write to the board, unless --clients names who may. Resets are played here, with the pauses that were meant.',
      'With the link of a shared bench it joins as a guest, asks for the right to use the port, and waits until the host allows it.',
      'The link is a secret: whoever has it can watch the bench, and other people on this computer can see command lines.',
      `It may also be in the variable ${linkVariable}, or be read from standard input when there is none.`,
      'Ctrl+C ends it: the port is closed there and its control lines are released.',
    ],
    arguments: [{ form: '[port]', text: 'port of this computer, or link of a shared bench', completes: 'port' }],
    options: [
      {
        flags: '--port <port>',
        text: 'port of the bench, 1 to 4; without it, the only one that is shared; any other name is a port of this computer',
        completes: ['1', '2', '3', '4'],
      },
      {
        flags: '--listen <port>',
        text: 'TCP port on 127.0.0.1, or an address of this computer and a port, as in 0.0.0.0:4000; 0 picks a free one',
        standard: String(standardListen),
      },
      {
        flags: '--clients <list>',
        text: 'addresses that may use a port of this computer, separated by commas: 192.168.1.7,10.0.0.0/8',
      },
      { flags: '--raw-tcp', text: 'serve plain bytes of a port of this computer, without its rate and control lines' },
      { flags: '--name <name>', text: 'who you are, as the host of a bench sees it; without it, your user name' },
      ...portSettings.filter(({ flags }) => !/--(?:shared|lines)/.test(flags)),
    ],
    examples: [
      ['serve ttyUSB0', 'a port of this computer, for a container or WSL'],
      ['serve ttyUSB0 --listen 0.0.0.0:4000 --clients 192.168.1.0/24', 'for the machines of a network'],
      ['serve ttyUSB0 --raw-tcp --listen 0 --baud 9600', 'plain bytes'],
      ["serve 'https://bench.example/live.html?id=…#…'", 'the only port that is shared'],
      ['serve --port 2 --listen 0', 'port 2 at a free TCP port; it asks for the link'],
    ],
  },
  {
    name: 'mcp',
    summary: 'give a coding assistant tools for boards, by the Model Context Protocol',
    details: [
      'The client of the assistant starts it and speaks with it on standard input and output; with --http it is served on 127.0.0.1.',
      'Only what --allow names is used: port=NAME, up to four; send; reset; flash; files; erase; folder=PATH for builds, tests, ELF files and logs.',
      'What a board says is fenced in each answer, and said to be no instruction. A plan of a flash or of a change of files is shown first, and is carried out by its hash.',
      'Each call is in the log of acts: --act-log, or agent-acts.jsonl in the folder wirebench of your state folder.',
      'HTTP needs a token: WIREBENCH_MCP_TOKEN, or one that is printed. The program ends with its input.',
    ],
    arguments: [],
    options: [
      {
        flags: '-a, --allow <list>',
        text: 'ports, actions and folders, separated by commas; repeatable',
        repeats: true,
      },
      {
        flags: '-p, --port <port>',
        text: 'the same as --allow port=<port>; may be given several times',
        completes: 'port',
        repeats: true,
      },
      { flags: '--act-log <file>', text: 'append each call and its outcome to this file', completes: 'file' },
      { flags: '--http <port>', text: 'serve HTTP on this TCP port of 127.0.0.1; 0 picks a free one' },
      { flags: '--simulate <model>', text: 'a simulated board as one more port, such as esp32' },
    ],
    examples: [
      ['mcp --allow port=ttyUSB0', 'read a board'],
      ['mcp --allow port=ttyUSB0,send,reset,flash,folder=build', 'write builds of a folder to it, too'],
      ['mcp --simulate esp32 --allow send,flash,folder=.', 'try it without a board'],
      ['mcp --allow port=ttyACM0 --http 7777', 'over HTTP'],
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
    name: 'pull',
    summary: 'load the files of a release into a folder that flash takes',
    details: [
      'A release is named by its link or the address of a manifest. With --project it is one of your own, also a private one: the publishing token is in WIREBENCH_TOKEN.',
      'Each file is compared with its hash. The same command again loads what is missing or has changed at the server; a file that was changed in the folder is refused.',
      'Without a folder, the name has the release and its version.',
    ],
    arguments: [
      { form: '[link]', text: 'link of a release, or address of a manifest' },
      { form: '[folder]', text: 'folder for the files', completes: 'file' },
    ],
    options: [
      { flags: '--server <address>', text: 'server of the project, such as https://wirebench.example' },
      { flags: '--project <name>', text: 'name or id of one of your projects, in place of a link' },
      { flags: '--version <number>', text: 'another version than the newest' },
      { flags: '--force', text: 'replace files that were changed in the folder' },
      { flags: '--token <token>', text: 'publishing token' },
      { flags: '--json', text: 'print each step as a JSON object' },
    ],
    examples: [
      ['pull "https://wirebench.example/release.html?type=project&id=Ab-_9" lamp', 'the newest version of a link'],
      ['flash ttyUSB0 lamp', 'write it to a board'],
      ['pull --server https://wirebench.example --project lamp --version 1.4.0', 'a private version, with a token'],
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
