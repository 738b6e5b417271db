#!/usr/bin/env node
/** The program `wirebench`: reads the command line, runs the command and sets the exit code. */
import '@wirebench/port/older-node';
import { CommanderError, Help, Command as Parser } from 'commander';
import type { TypedCall } from './chosen-ports.ts';
import type { Command, CommandName, OptionValues } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { CommandError, type ExitCode, exitCodes, exitCodeTexts } from './exit-code.ts';

const VERSION = '0.1.0';
/** Oldest major version of Node that the commands run on. */
const LEAST_NODE = 20;

type Run = (given: readonly string[], options: OptionValues) => Promise<ExitCode>;

/** Loads a command when it is used: each other one stays out of the start. */
const loads: Readonly<Record<CommandName, () => Promise<Run>>> = {
  ports: async () => (await import('./ports.ts')).runPorts,
  monitor: async () => (await import('./monitor/monitor.ts')).runMonitor,
  flash: async () => (await import('./flash/flash.ts')).runFlash,
  read: async () => (await import('./board/read.ts')).runRead,
  erase: async () => (await import('./board/erase.ts')).runErase,
  backup: async () => (await import('./board/backup.ts')).runBackup,
  restore: async () => (await import('./board/backup.ts')).runRestore,
  nvs: async () => (await import('./content/nvs.ts')).runNvs,
  files: async () => (await import('./content/files.ts')).runFiles,
  efuses: async () => (await import('./content/efuses.ts')).runEfuses,
  modbus: async () => (await import('./modbus.ts')).runModbus,
  send: async () => (await import('./send.ts')).runSend,
  test: async () => (await import('./test/test.ts')).runTest,
  info: async () => (await import('./firmware/info.ts')).runInfo,
  merge: async () => (await import('./firmware/merge.ts')).runMerge,
  crash: async () => (await import('./crash.ts')).runCrash,
  decode: async () => (await import('./decode/decode.ts')).runDecode,
  serve: async () => (await import('./serve/serve.ts')).runServe,
  mcp: async () => {
    const { runMcp } = await import('./mcp/mcp.ts');
    return (given, options) => runMcp(given, options, VERSION);
  },
  publish: async () => (await import('./publish/publish-command.ts')).runPublish,
  pull: async () => (await import('./pull/pull.ts')).runPull,
  completion: async () => (await import('./completion.ts')).runCompletion,
  man: async () => (await import('./man-page.ts')).runManPage,
};

/** Returns the text behind the options of a command's help. */
function examplesText({ details, examples }: Command): string {
  const lines = examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  wirebench ${line}`]);
  return ['', ...details, '', 'Examples:', ...lines].join('\n');
}

function parserOf(command: Command, ended: (code: ExitCode) => void): Parser {
  const parser = new Parser(command.name).summary(command.summary).description(capital(command.summary));
  for (const { form, text } of command.arguments) {
    parser.argument(form, text);
  }
  for (const { flags, text, standard, repeats } of command.options) {
    const told = standard === undefined ? text : `${text} (default: ${standard})`;
    if (repeats === true) {
      parser.option(flags, told, (value, before?: readonly string[]) => [...(before ?? []), value]);
    } else {
      parser.option(flags, told);
    }
  }
  return parser
    .addHelpText('after', examplesText(command))
    .configureHelp({ helpWidth: 100 })
    .action(async () => {
      checkNode(process.versions.node);
      const { given, options } = await callOf(command, { given: parser.args, options: parser.opts() });
      const run = await loads[command.name]();
      ended(await run(given, options));
    });
}

/** Returns the arguments and options, with the ports of a command that opens some. */
async function callOf(command: Command, typed: TypedCall): Promise<TypedCall> {
  if (command.ports === undefined) {
    return typed;
  }
  const { withPorts } = await import('./chosen-ports.ts');
  return withPorts(command, typed).catch(async (error: unknown) => {
    if (command.name === 'test' && error instanceof CommandError) {
      await reportMisuse(error.message);
    }
    throw error;
  });
}

/** Reports a run of `wirebench test` that does not begin. */
async function reportMisuse(message: string): Promise<void> {
  const report = await import('./test/report-file.ts');
  await report
    .reportMisuse(process.argv.slice(3), message)
    .catch((fault: Error) => process.stderr.write(`wirebench: ${fault.message}\n`));
}

/** @throws CommandError for an older version, such as that of Debian 12. */
function checkNode(version: string): void {
  if (Number.parseInt(version, 10) < LEAST_NODE) {
    throw new CommandError(
      exitCodes.usage,
      `it needs Node ${LEAST_NODE} or newer, and this is ${version}. nodejs.org has newer ones for each system.`,
    );
  }
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/**
 * Returns the words to read. Of a command that is not there, its name alone is left: commander would print the general help
 * for "wirebench nosuch --help" and "wirebench help nosuch", and end with 0.
 *
 * @throws CommandError for a command of another program that has a counterpart here.
 */
async function knownWords(args: readonly string[]): Promise<readonly string[]> {
  const words = args[0] === 'help' ? args.slice(1) : args;
  const [name] = words;
  if (name === undefined || name.startsWith('-') || name === 'help' || commands.some((one) => one.name === name)) {
    return args;
  }
  const { meantText } = await import('./commands/meant-commands.ts');
  const meant = meantText(words);
  if (meant !== null) {
    throw new CommandError(exitCodes.usage, meant);
  }
  return [name];
}

async function main(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok;
  const program = new Parser('wirebench')
    .description('Serial boards in a shell and in a pipeline.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help; "wirebench help <command>" has examples')
    .configureHelp({
      helpWidth: 100,
      subcommandTerm: (command) => new Help().subcommandTerm(command).split(' ')[0] ?? '',
    })
    .addHelpText('after', ['', 'Exit codes:', ...exitCodeTexts.map(([code, text]) => `  ${code}  ${text}`)].join('\n'))
    .showSuggestionAfterError()
    // `publish` has a --version of its own.
    .enablePositionalOptions()
    .exitOverride();
  for (const command of commands) {
    program.addCommand(
      parserOf(command, (code) => {
        exitCode = code;
      }).copyInheritedSettings(program),
    );
  }
  try {
    await program.parseAsync(await knownWords(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has written the help or the fault.
      if (error.exitCode !== 0 && args[0] === 'test') {
        await reportMisuse(error.message);
      }
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    }
    if (error instanceof CommandError) {
      process.stderr.write(`wirebench: ${error.message}\n`);
      return error.exitCode;
    }
    throw error;
  }
}

const exitCode = await main(process.argv.slice(2));
// Simulated boards have timers. What was printed has to leave first; a reader that has gone takes nothing more.
process.exitCode = exitCode;
if (process.stdout.destroyed || process.stdout.writableLength === 0) {
  process.exit();
} else {
  process.stdout.end(() => process.exit());
}
