/**
 * Examples of the guide *Programs*, of the README and of the table of commands, run by a shell as they are written, on a machine with
 * simulated boards at its ports.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { canCall, socatCall } from '../../../packages/devices/src/testing/pseudo-terminal.ts';
import { longFlag, shortFlag } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { exitCodeTexts } from './exit-code.ts';
import { actionTexts } from './mcp/allowance.ts';
import { benchFor } from './testing/simulated-bench.ts';
import type { Answer, RunLine } from './testing/simulated-machine.ts';

const guideFolder = fileURLToPath(new URL('../../web/src/pages/docs/programs', import.meta.url));
const chapters = readdirSync(guideFolder).filter((name) => name.endsWith('.md') && name !== 'guide.md');
const textOf = (chapter: string) => readFileSync(join(guideFolder, chapter), 'utf8');

/** A block of code. */
interface Block {
  readonly language: string;
  readonly name: string;
  readonly text: string;
}

const blocksOf = (markdown: string): readonly Block[] =>
  Array.from(markdown.matchAll(/^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm), ([, language = '', name = '', text = '']) => ({
    language,
    name,
    text,
  }));

/** Lines that run in one shell, one after the other, and what the documentation says they print. */
interface Example {
  readonly name: string;
  readonly lines: readonly string[];
  /** Each is a line of the output, in their order; `…` stands for any text. */
  readonly printed: readonly string[];
  /** Files of the chapter, by their names. */
  readonly files?: ReadonlyMap<string, string>;
}

/** Lines of a script: continued ones are joined. */
const linesOf = (script: string): readonly string[] =>
  script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** The lines of `run:` and `script:` in the steps of a pipeline. */
function stepsOf(yaml: string): readonly string[] {
  const lines = yaml.split('\n');
  return lines.flatMap((line, at) => {
    const [, indent = '', key = '', value = ''] = /^( *)(?:- )?(run|script): *(.*)$/.exec(line) ?? [];
    if (key === '') {
      return [];
    }
    if (value !== '' && value !== '|') {
      return [value];
    }
    const end = lines.findIndex((next, place) => place > at && next.trim() !== '' && !next.startsWith(`${indent}  `));
    const inside = lines.slice(at + 1, end === -1 ? undefined : end);
    return linesOf(inside.map((next) => next.trim().replace(/^- /, '')).join('\n'));
  });
}

/** Settings by which a client of an agent starts its servers. */
interface ClientSettings {
  readonly mcpServers?: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
  readonly servers?: ClientSettings['mcpServers'];
}

const isOfClient = (text: string) => /"(?:mcpServers|servers)"/.test(text);

/** Returns the line by which a client starts a server, lists its tools, and calls one. */
function sessionWith(server: string): string {
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'client', version: '1' } };
  const messages = [
    { id: 1, method: 'initialize', params: client },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'list_ports', arguments: {} } },
  ];
  const sent = messages.map((message) => `'${JSON.stringify({ jsonrpc: '2.0', ...message })}'`);
  return `printf '%s\\n' ${sent.join(' ')} | ${server}`;
}

/** Blocks of the guide that nothing runs. */
const strangers: string[] = [];

function examplesOf(chapter: string): readonly Example[] {
  const blocks = blocksOf(textOf(chapter));
  const files = new Map(
    blocks.flatMap(({ language, name, text }) => (language === 'json' && !isOfClient(text) ? [[name, text]] : [])),
  );
  return blocks.flatMap(({ language, name, text }, at): readonly Example[] => {
    const next = blocks[at + 1];
    const printed = next?.language === 'text' ? next.text.trimEnd().split('\n') : [];
    if (language === 'json' && isOfClient(text)) {
      const { mcpServers, servers = mcpServers } = JSON.parse(text) as ClientSettings;
      const lines = Object.values(servers ?? {}).map(({ command, args }) => sessionWith([command, ...args].join(' ')));
      return [{ name: `${chapter}: ${name}`, lines, printed: ['…"serverInfo":{"name":"wirebench",…', '…list_ports…'] }];
    }
    const lines = language === 'sh' ? linesOf(text) : language === 'yml' ? stepsOf(text) : [];
    if (lines.length > 0) {
      return [{ name: `${chapter}: ${name}`, lines, printed, files }];
    }
    const isNamed = files.has(name) && blocks.some((block) => block.language === 'sh' && block.text.includes(name));
    if (!isNamed && (language !== 'text' || blocks[at - 1]?.language !== 'sh')) {
      strangers.push(`${chapter}: ${name} (${language})`);
    }
    return [];
  });
}

const guideExamples = chapters.flatMap(examplesOf);
const readmeExamples = blocksOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).map(
  ({ text }): Example => ({
    name: 'README.md',
    lines: linesOf(text.replaceAll(/(^|\| )npx /gm, '$1').replaceAll(/ +#.*$/gm, '')),
    printed: [],
  }),
);
const helpExamples = commands.map(
  ({ name, examples }): Example => ({
    name: `wirebench help ${name}`,
    lines: examples.map(([line]) => `wirebench ${line}`.replaceAll('| wirebench', '|')),
    printed: [],
  }),
);

/**
 * Lines for what the machine lacks, which other tests run: a server (`serve`, `publish`, links, the ways to install), a program that
 * receives files by a protocol, a board with files or of another family, a Modbus line, one port alone, and files of the reader.
 */
const needsMore = [
  /^wirebench (?:serve|publish) (?!--help)|\{\{server\}\}|https:/,
  /^npm install -g|^echo '\{\{|\$(?:RUNNER_TEMP|CI_BUILDS_DIR)/,
  /--[xyz]modem|\*\.|^wirebench (?:files|backup|restore) (?!.*--family esp)/,
  /^wirebench modbus (?!.*--(?:simulate|plan))/,
  /^wirebench (?:monitor|flash build\/)$/,
];
const runs = (line: string) => !needsMore.some((pattern) => pattern.test(line));

const endsBySignal = (line: string) =>
  /--(?:watch|http)\b/.test(line) ||
  (/monitor .*--(?:no-tty|json)\b/.test(line) && !/--(?:until|timeout)\b/.test(line));

const isInteractive = (line: string) =>
  /^wirebench monitor\b/.test(line) && !/--(?:until|timeout|no-tty|json)\b/.test(line);

/** Keys of a person: yes to each question, and Ctrl+T q when the board has printed. */
const answersTo = (line = ''): readonly Answer[] =>
  isInteractive(line)
    ? [{ to: /Ctrl\+T q quits[\s\S]*(?:PASS|factory firmware)/, type: '\x14q' }]
    : [{ to: /\[y\/N\] /, type: 'y\n' }];

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A line as it is run: one that ends by a signal only gets one, a backup is made before it is restored, an agent's input
 * ends, and one for the checkout runs there.
 */
function asRun(line: string): string {
  if (endsBySignal(line)) {
    return `timeout --signal INT 3 ${line}; [ $? -eq 124 ]`;
  }
  const [, backup = ''] = /^wirebench restore \S+ (\S+)/.exec(line) ?? [];
  if (backup !== '') {
    return `[ -e ${backup} ] || wirebench backup ttyUSB0 ${backup} --family esp; ${line}`;
  }
  if (line.includes('--from -')) {
    return `printf word | ${line} --yes`;
  }
  if (line.includes('agent-acts.jsonl')) {
    return `${sessionWith('wirebench mcp')} > acts.txt 2>&1; ${line}`;
  }
  if (/^\w+ mcp add .* -- wirebench|^wirebench mcp/.test(line)) {
    return `${line.replace(/^\w+ mcp add .* -- /, '')} < /dev/null`;
  }
  return line.startsWith('npx wirebench') ? `(cd '${checkout}' && ${line})` : line;
}

/** Expects each line to end with 0, unless the next one shows its code, and the output to be as documented. */
function expectDocumented(ran: readonly RunLine[], printed: readonly string[]): void {
  for (const [index, { line, code, text }] of ran.entries()) {
    if (!ran[index + 1]?.line.startsWith('echo $?')) {
      expect(code, `${line}\n${text}`).toBe(0);
    }
  }
  const output = ran.flatMap(({ text }) => text.split('\n'));
  let from = 0;
  for (const line of printed) {
    const at = output.findIndex((other, place) => place >= from && isLike(other, line));
    expect(at, `not printed: ${line}\n${output.join('\n')}`).not.toBe(-1);
    from = at + 1;
  }
}

/** @param documented Times of day and `…` stand for any. */
function isLike(line: string, documented: string): boolean {
  const parts = documented.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = parts.join('.*').replaceAll(/\d\d:\d\d:\d\d\\\.\d{3}/g, '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}');
  return new RegExp(`^${pattern}$`).test(line.trimEnd());
}

/** Flags that the line gives to commands of this program, and that these do not have. */
function unknownFlags(line: string): readonly string[] {
  return Array.from(line.matchAll(/\bwirebench ([a-z]+)([^|>;&]*)/g)).flatMap(([, name, rest = '']) => {
    const command = commands.find((one) => one.name === name);
    const known = command?.options.flatMap((option) => [longFlag(option), shortFlag(option)]) ?? [];
    const used = rest.split(' ').filter((word) => /^--?[a-z]/.test(word) && word !== '--help');
    return command === undefined && name !== 'help' && name !== 'tgz'
      ? [`${name}`]
      : used.filter((flag) => !known.includes(flag)).map((flag) => `${name} ${flag}`);
  });
}

describe('examples', () => {
  it('use commands and options that there are', () => {
    const examples = [...guideExamples, ...readmeExamples, ...helpExamples];
    expect(examples.flatMap(({ lines }) => lines.flatMap(unknownFlags))).toEqual([]);
  });

  it('explain each word that allows an agent something', () => {
    const rows = textOf('agents.md').matchAll(/^\| ([a-z]+) \| (.*) \|$/gm);
    expect(Array.from(rows, ([, word, text]) => [word, text])).toEqual(Object.entries(actionTexts));
  });

  it('explain each exit code', () => {
    const rows = textOf('pipeline.md').matchAll(/^\| (\d+) \| /gm);
    expect(Array.from(rows, ([, code]) => Number(code))).toEqual(exitCodeTexts.map(([code]) => code));
  });

  it('are all of a kind that can be run', () => {
    expect(strangers).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux' && canCall(socatCall))('an example', () => {
  const all = [...guideExamples, ...readmeExamples, ...helpExamples].filter(({ lines }) => lines.some(runs));
  const shown = chapters.flatMap((chapter) =>
    firstUnlessLong(all.filter(({ name, printed }) => name.startsWith(chapter) && printed.length > 0)),
  );
  const chosen = isLong ? all : shown;
  it.concurrent.each(chosen)('$name', async ({ name, lines, printed, files = [] }) => {
    const own = lines.filter(runs).map(asRun);
    await using machine = await benchFor(own);
    for (const [file, text] of files) {
      machine.save(file, text);
    }
    const hasTerminal = !/^(?:pipeline|board-tests|agents)/.test(name);
    expectDocumented(
      await machine.run(own, { answers: hasTerminal ? (index) => answersTo(own[index]) : null }),
      printed,
    );
  });
});
