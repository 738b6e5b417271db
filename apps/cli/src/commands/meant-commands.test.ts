import { describe, expect, it } from 'vitest';
import { ran } from '../testing/monitored-port.ts';
import { longFlag, shortFlag } from './command.ts';
import { commands } from './commands.ts';
import { meantLines, meantText } from './meant-commands.ts';

describe('commands of other programs', () => {
  it.each([
    ['write_flash', 'flash ttyUSB0 0x10000=app.bin'],
    ['write-flash', 'flash ttyUSB0 0x10000=app.bin'],
    ['erase_flash', 'erase ttyUSB0 --family esp'],
    ['merge-bin', 'merge merged.bin 0x1000=bootloader.bin 0x8000=partitions.bin 0x10000=app.bin'],
    ['upload', 'flash ttyUSB0 build/'],
    ['load', 'flash /media/me/RPI-RP2 firmware.uf2'],
    ['cp', 'files ttyACM0 put main.py --in python'],
    ['list', 'ports'],
  ])('%s is answered with the command that is meant', (word, line) => {
    const [command] = line.split(' ');
    expect(meantText([word])).toBe(
      `there is no command ${word}. "wirebench ${command}" is meant, as in "wirebench ${line}".`,
    );
  });

  it('reads two words before the first of them alone', () => {
    expect(meantText(['device', 'monitor'])).toContain(
      'there is no command device monitor. "wirebench monitor" is meant',
    );
    expect(meantText(['device', '--help'])).toContain('there is no command device. "wirebench ports" is meant');
    expect(meantText(['toString'])).toBeNull();
    expect(meantText([])).toBeNull();
  });

  it.each([
    [['write_flash', '0x1000', 'app.bin'], 'there is no command write_flash. "wirebench flash" is meant'],
    [['help', 'erase_flash'], 'there is no command erase_flash. "wirebench erase" is meant'],
    [['upload', '--help'], 'there is no command upload. "wirebench flash" is meant'],
  ])('end with 2: %j', async (args, sentence) => {
    const { code, text } = await ran(...args);
    expect([code, text]).toEqual([2, expect.stringContaining(`wirebench: ${sentence}`)]);
  });

  it('offer lines with commands and options that there are', () => {
    const unknown = meantLines.filter((line) => {
      const [name, ...words] = line.split(' ');
      const options = commands.find((command) => command.name === name)?.options;
      const known = options?.flatMap((option) => [longFlag(option), shortFlag(option)]);
      return words.some((word) => /^--?[a-z]/.test(word) && known?.includes(word) !== true) || options === undefined;
    });
    expect(unknown).toEqual([]);
  });

  it('have words that are no commands of this program', () => {
    for (const { name } of commands) {
      expect(meantText([name])).toBeNull();
    }
  });
});
