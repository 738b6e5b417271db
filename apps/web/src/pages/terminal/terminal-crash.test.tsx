/** Tests crashes in the log: they are recognised, marked, explained, and decoded with a dropped ELF file. */
import { createHash } from 'node:crypto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { bareXtensaCore, printed } from '@wirebench/symbols/testing';
import { expect, it } from 'vitest';
import { says } from '../../workbench/testing/reading.ts';
import { withWholePages } from '../../workbench/testing/whole-page.tsx';
import { stubClipboard } from './testing/console-steps.ts';
import { drop, dumpView, fixture, headingOf } from './testing/crash-steps.ts';
import { enter, openTool, pressOn, rows } from './testing/log-steps.ts';
import { choose, startDemo, type, wide } from './testing/terminal-steps.ts';

withWholePages(wide);

const elf = fixture('bare-xtensa.elf');
const hash = createHash('sha256').update(elf).digest('hex');
const answers = new TextDecoder().decode(fixture('bare-xtensa.answers.txt')).split(/^(?=0x)/m);

/**
 * Returns the recorded frames of `llvm-addr2line -a -f -i` for an address, innermost first: `square /src/calls.h:2`.
 */
function addr2line(address: string): string[] {
  const [, ...lines] =
    answers
      .find((answer) => answer.startsWith(`${address}\n`))
      ?.trimEnd()
      .split('\n') ?? [];
  return Array.from({ length: lines.length / 2 }, (_, frame) => `${lines[2 * frame]} ${lines[2 * frame + 1]}`);
}

const address = (index: number) => () =>
  within(screen.getByRole('list', { name: 'Addresses' })).getAllByRole('listitem')[index];
const menu = () => screen.getByRole('button', { name: 'More about this crash' });
const strip = () => screen.queryByRole('group', { name: 'What to do about port 1' });
const crash = () => screen.getByRole('article', { name: 'Crash' });
const thisBuild = 'This is the build that ran';

const addFiles = (...files: readonly File[]) =>
  fireEvent.change(screen.getByLabelText(/^ELF files of the firmware/), { target: { files } });

/** Makes the demo device print a backtrace, by typing it: the device echoes its input. */
const printBacktrace = (...pcs: readonly string[]) =>
  type(`Backtrace: ${pcs.map((pc) => `${pc}:0x3ffb4e10`).join(' ')}`);

const crashIsSeen = () => waitFor(() => expect(strip()).not.toBeNull());

/** Waits for a text that begins with one of `words`. */
const reads = (...words: readonly string[]) => screen.findByText((text) => words.some((word) => text.startsWith(word)));

it('a crash is marked in the log, announced above it, and explained', async () => {
  await startDemo();
  await type('crash');
  await says(strip, 'The board on Port 1 crashed.');
  await says(strip, 'The program read from an address that it may not read');
  await enter('View the crash');
  await waitFor(() => expect(strip()).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('tab', { name: /^Crashes/ })));
  await says(crash, 'EXCVADDR is 0x00000000: a null pointer was used.');
  await says(crash, /rst:0xc \(SW_CPU_RESET\)/);
  await says(crash, 'Drop the ELF file of this firmware on the page');
  await says(address(0), '0x400D5B3E');
  await choose(menu(), 'Show in the log');
  await says(() => rows('[data-crash="fault"]')[0], 'Guru Meditation Error');
});

it('an intended restart is not a crash, and shows its reason', async () => {
  await startDemo();
  expect(strip()).toBeNull();
  const { showTool } = await import('../../features/terminal/tools/open-tool.ts');
  act(() => showTool('crashes'));
  // The code of the tool is fetched when it is first opened.
  await waitFor(crash, { timeout: 10_000 });
  await says(crash, 'The chip started because power was applied or its reset pin was used.');
});

it('with the ELF file each address is a function, a file and a line, as addr2line says', async () => {
  await startDemo();
  const copied = stubClipboard();
  await type(`ELF file SHA256: ${hash.slice(0, 16)}`);
  const pcs = ['0x4020000c', '0x40200031', '0x40200048'];
  await printBacktrace(...pcs);
  await crashIsSeen();
  drop('bare-xtensa.elf', elf);
  await reads(thisBuild);
  for (const [index, pc] of pcs.entries()) {
    await says(address(index), `0x${pc.slice(2).toUpperCase()}`);
    expect(addr2line(pc)).not.toHaveLength(0);
    for (const frame of addr2line(pc)) {
      await waitFor(() => expect(address(index)()?.textContent).toContain(frame));
    }
  }
  await enter('Copy 0x4020000C');
  const [inner = '', ...outer] = addr2line('0x4020000c').map((frame) => frame.replace(' ', ' at '));
  const decoded = [`0x4020000c: ${inner}`, ...outer.map((frame) => ` (inlined by) ${frame}`)];
  await waitFor(() => expect(copied()).toBe(decoded.join('\n')));
  await choose(menu(), 'Copy as text');
  await waitFor(() => expect(copied()).toContain(`ELF file SHA256: ${hash.slice(0, 16)}`));
});

it('with the ELF file addresses in ordinary lines are functions, files and lines as well', async () => {
  await startDemo();
  await type('callback at 0x4020000c');
  drop('bare-xtensa.elf', elf);
  await says(crash, 'Lines of the log have addresses of code');
  await says(address(0), '0x4020000C');
  await waitFor(() => expect(address(0)()?.textContent).toContain(addr2line('0x4020000c')[0]));
});

it('a fault of a Cortex-M is announced with its cause', async () => {
  await startDemo();
  await type('[00:00:05.979,000] <err> os: ***** BUS FAULT *****');
  await type('[00:00:05.979,000] <err> os:   Precise data bus error');
  await type('[00:00:05.979,000] <err> os: Faulting instruction address (r15/pc): 0x4020000c');
  await says(strip, 'The program used an address at which nothing answers');
  await openTool('Crashes');
  await says(address(0), '0x4020000C');
});

it('the one of several ELF files that ran resolves addresses, and the others the rest', async () => {
  await startDemo();
  await type(`ELF file SHA256: ${hash.slice(0, 16)}`);
  await printBacktrace('0x4020000c', '0x42000008');
  await crashIsSeen();
  await openTool('Crashes');
  addFiles(new File([fixture('bare-riscv32.elf')], 'bootloader.elf'), new File([elf], 'firmware.elf'));
  await reads(thisBuild);
  await says(address(0), 'in firmware.elf');
  await says(address(1), 'in bootloader.elf');
  await choose(screen.getByRole('button', { name: 'Tools' }), /^Remove firmware.elf/);
  await waitFor(() => expect(document.body.textContent).not.toContain(thisBuild));
});

it('a wrong ELF file and a file of another format are reported as such', async () => {
  await startDemo();
  await type('crash');
  await crashIsSeen();
  await openTool('Crashes');
  addFiles(new File([elf], 'old.elf'));
  await reads('This is not the build that ran');
  await enter('Remove old.elf');
  addFiles(new File([fixture('bare-riscv32.elf')], 'other.elf'));
  await reads('This ELF file is for a different processor');
  drop('firmware.bin', Uint8Array.of(0xe9, 2, 2, 0x20));
  await waitFor(() =>
    expect(
      screen.getAllByRole('alert').some(({ textContent }) => textContent.includes('This is not an ELF file.')),
    ).toBe(true),
  );
});

const coreFile = Uint8Array.from(bareXtensaCore(hash));

it('an ELF core file is a core dump, also when it is named as programs are', async () => {
  await startDemo();
  drop('core.elf', coreFile);
  await says(dumpView, 'core.elf');
  await waitFor(headingOf(dumpView));
});

it('a core dump that lost lines on the way says so, and can be closed', async () => {
  await startDemo();
  drop('monitor.log', new TextEncoder().encode(printed(coreFile).slice(0, 400)));
  await says(dumpView, 'This core dump ends too early.');
  await pressOn(await within(dumpView()).findByRole('button', { name: 'Remove this crash' }), '{Enter}');
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Core dump' })).toBeNull());
});
