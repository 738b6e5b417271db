/**
 * Words of a shell for sentences that name a control of the page. Refusals, warnings and failures are written once, with
 * the controls of the page; a program without a page says which of its options does the same.
 */

/** Phrases of sentences with their words in a shell. The first phrase that fits a place wins. */
const shellPhrases: readonly (readonly [page: string, shell: string])[] = [
  // Settings of a write.
  ['Choose "Encrypt on the board" in the settings.', 'Add --encrypt.'],
  ['write it alone with "Encrypt on the board" off', 'write it alone, without --encrypt'],
  ['or choose not to keep the settings stored on the board', 'or let it replace what is stored with --no-keep-nvs'],
  ['Erase only what is needed, or give up the settings.', 'Leave --erase-all or --keep-nvs out.'],
  ['Choose to keep NVS if you need them.', 'Add --keep-nvs if you need them.'],
  ['Erase only what is needed', 'Leave --erase-all out'],
  ['Erase only what is written', 'Leave --erase-all out'],
  ['choose to erase only what is written', 'leave --erase-all out'],
  [
    'Choose other settings, or set mode, frequency and size to "keep"',
    'Choose other values, or leave --flash-mode, --flash-freq and --flash-size out',
  ],
  ['Leave mode, frequency and size at "keep"', 'Leave --flash-mode, --flash-freq and --flash-size out'],
  ['Choose another one, or "keep".', 'Choose another one, or leave --flash-freq and --flash-size out.'],
  ['Set the flash size to what the board has', 'Add --flash-size detect'],
  ['Set mode, frequency and size in the settings', 'Set --flash-mode, --flash-freq and --flash-size'],
  // Connections.
  ['connect without the stub', 'add --no-stub'],
  ['Connect again with the stub', 'Leave --no-stub out'],
  ['Connect with the stub', 'Leave --no-stub out'],
  ['Choose a lower baud rate', 'Give a lower --baud'],
  ['at a lower baud rate', 'with a lower --baud'],
  ['Pick the board again.', 'Name its new port: "wirebench ports" lists the ports that are there.'],
  ['Choose the demo board', 'Use --simulate'],
  [
    'Remove the read protection first. That erases everything on the board.',
    'Remove the read protection first with "wirebench erase". That erases everything on the board.',
  ],
  ['that this page knows', 'that is known here'],
  // Ports and boards.
  ['Close other programs and tabs that use it', 'Close other programs that use it'],
  ['The browser does not let this page use the port.', 'This account may not use the port.'],
  ['Pick the port again and allow it.', 'Give it the right to use the port.'],
  ['Plug it in and pick its port again.', 'Plug it in, and name its port again.'],
  ['Pick the firmware for this board', 'Choose the firmware for this board'],
  ['Pick the port of the board itself.', 'Name the port of the board itself.'],
  ['and pick the device that calls itself', 'and name the device that calls itself'],
  ['does not let the browser use', 'does not let this program use'],
  ['save them with Board files in the terminal', 'save them with "wirebench files PORT get / FOLDER --in python"'],
  // Changes of flash.
  [
    'Undo the change, read the contents again, and make the change again.',
    'Run the command again: it reads them first.',
  ],
  ['Undo the change', 'Leave the change out'],
  ['undo the change', 'leave the change out'],
  ['Undo one of them', 'Leave one of them out'],
  ['Reload the page.', 'Update this program.'],
  // Files.
  ['set the offset of the file by hand', 'give the file its offset, as in 0x10000=app.bin'],
  [
    'Drop the .bin files and set their offsets by hand',
    'Name the .bin files with their offsets, as in 0x10000=app.bin',
  ],
  ['or drop the .bin files alone', 'or name the .bin files alone, with their offsets'],
  ['Drop the whole folder of the build, or add the file.', 'Name the whole folder of the build, or add the file.'],
  ['and drop the files', 'and name the files'],
  ['and drop only the files', 'and name only the files'],
  ['Remove all, and choose the output folder', 'Name the output folder'],
  ['Download the build, and choose its folder here.', 'Download the build, and name its folder.'],
  [' A browser extension or a Content-Security-Policy of this page can block it, too.', ''],
  ['Open the flasher for Espressif chips', 'Use --family esp'],
  ['Open the flasher for STM32 or for Nordic', 'Use --family stm or --family nrf'],
  ['Open the flasher for STM32', 'Use --family stm'],
];

const phrase = new RegExp(
  shellPhrases.map(([page]) => page.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'),
  'g',
);
const shellWords = new Map(shellPhrases);

/** Returns a sentence with the options of `wirebench` in place of the controls of the page. */
export const shellText = (text: string): string => text.replaceAll(phrase, (page) => shellWords.get(page) ?? page);
