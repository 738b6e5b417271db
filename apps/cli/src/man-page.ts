/** The manual page in the format of man, made from the table of commands. */
import type { portVariables } from './chosen-ports.ts';
import type { Command } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { exitCodes, exitCodeTexts } from './exit-code.ts';

/** Variables that name a port, in their order. */
const variables: Readonly<Record<(typeof portVariables)[number], string>> = {
  WIREBENCH_PORT: 'The port, where neither an argument nor --port or --newest names one.',
  ESPTOOL_PORT: 'The same, without WIREBENCH_PORT: the variable of esptool.',
  ESPPORT: 'The same, without both: the variable of idf.py.',
};

export async function runManPage() {
  process.stdout.write(manPage());
  return exitCodes.ok;
}

/** Escapes a text for roff: backslashes, dashes, dots, and an apostrophe or a full stop that begins a line. */
const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '\\[u2026]')
    .replace(/^(?=[.'])/, '\\&');

function section({ name, summary, details, arguments: given, options, examples }: Command): string[] {
  const forms = given.map(({ form }) => form).join(' ');
  return [
    `.SS ${roff(`wirebench ${name} ${forms}`.trim())}`,
    roff(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...details.map(roff),
    ...options.flatMap(({ flags, text, standard }) => [
      '.TP',
      `.B ${roff(flags)}`,
      roff(standard === undefined ? text : `${text} (default: ${standard})`),
    ]),
    ...examples.flatMap(([line, purpose]) => [
      '.PP',
      roff(`${purpose}:`),
      '.PP',
      '.nf',
      '.RS',
      roff(`wirebench ${line}`),
      '.RE',
      '.fi',
    ]),
  ];
}

function manPage(): string {
  return [
    '.TH WIREBENCH 1',
    '.SH NAME',
    'wirebench \\- serial boards in a shell and in a pipeline',
    '.SH SYNOPSIS',
    '.B wirebench',
    '.I command',
    '[arguments] [options]',
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH EXIT STATUS',
    ...exitCodeTexts.flatMap(([code, text]) => ['.TP', `.B ${code}`, roff(text)]),
    '.SH ENVIRONMENT',
    ...Object.entries(variables).flatMap(([name, text]) => ['.TP', `.B ${name}`, roff(text)]),
    '.TP',
    '.B NO_COLOR',
    'Not empty: no colours.',
    '.TP',
    '.B FORCE_COLOR',
    'Not empty and not 0: colours without a terminal too.',
    '',
  ].join('\n');
}
