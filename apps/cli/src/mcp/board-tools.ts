/** Tools of an agent for tests on boards and for files of boards. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { argumentsOf } from './agent-arguments.ts';
import type { AgentCalls, AgentToolsOptions } from './agent-calls.ts';
import { AgentFiles, MAX_FILE_TEXT } from './agent-files.ts';
import { AgentTests } from './agent-tests.ts';

export const portName = z.string().describe('name of the port, as list_ports gives it');

/** Arguments of every tool for files. */
const place = {
  port: portName,
  in: z
    .enum(['flash', 'python'])
    .describe('flash: a LittleFS, SPIFFS or FAT partition of an Espressif board; python: MicroPython or CircuitPython'),
  partition: z.string().optional().describe('name of the partition, if the board has several with files'),
  by_hand: z.boolean().default(false).describe('a person has started the bootloader of the board'),
};
const boardPath = z.string().min(1).describe('path on the board, from its root');
const shown = z.string().optional().describe('hash that the same call without it has given');

export function addBoardTools(server: McpServer, options: AgentToolsOptions, calls: AgentCalls): void {
  const { ports, allowance } = options;
  const tests = new AgentTests(ports, allowance);
  const files = new AgentFiles(ports, allowance);
  server.registerTool(
    'run_test',
    {
      description:
        'Runs JKits as tests on boards, as "wirebench test" does: messages, awaited answers, rules. Flash the board before with plan_flash and flash. The ports are closed meanwhile and opened again afterwards.',
      inputSchema: argumentsOf({
        jkits: z.array(z.string()).min(1).describe('paths of .jkit.json files'),
        ports: z.array(portName).min(1).max(4).describe('ports of board 1, 2, 3 and 4, in this order'),
        baud: z.number().int().min(1).default(115_200),
        reset: z
          .boolean()
          .optional()
          .describe(
            'true: restart the boards before each test; false: restart none. Without it, a board that says nothing is restarted once, where reset is allowed; what passes only then is flaky',
          ),
        fail_on: z.array(z.string()).default([]).describe('texts or /expressions/ that no board may send'),
        timeout_s: z.number().positive().max(3_600).optional().describe('longest time of the messages of each test'),
        files: z.array(z.string()).default([]).describe('paths of files for messages that send one'),
        elf: z.array(z.string()).default([]).describe('paths of ELF files of the firmware, for crashes'),
      }),
      annotations: { destructiveHint: true },
    },
    (given, extra) =>
      calls.answer('run_test', given, extra, async (signal) => {
        const named = given.ports.map((name) => ports.named(name));
        const { jkits, baud, reset, files: sent, elf, fail_on: failOn, timeout_s: seconds = null } = given;
        const work = { work: 'run_test', key: JSON.stringify(given) };
        return calls.work(named, work, extra, signal, (progress, stop) =>
          tests.run(named, { jkits, baud, reset: reset ?? null, files: sent, failOn, seconds, elf }, progress, stop),
        );
      }),
  );
  server.registerTool(
    'list_files',
    {
      description:
        'Lists the files of a board with their sizes. The program of the board is stopped meanwhile and started again.',
      inputSchema: argumentsOf({ ...place, path: boardPath.default('/') }),
    },
    (given, extra) =>
      calls.answer('list_files', given, extra, async (signal) => {
        const port = ports.named(given.port);
        return calls.work([port], workOf('list_files', given), extra, signal, (progress, signal) =>
          files.list(port, placeOf(given), given.path, { progress, signal }),
        );
      }),
  );
  server.registerTool(
    'read_file',
    {
      description:
        'Returns the contents of a file of a board, long ones by beginning and end. The program of the board is stopped meanwhile and started again.',
      inputSchema: argumentsOf({ ...place, path: boardPath }),
    },
    (given, extra) =>
      calls.answer('read_file', given, extra, async (signal) => {
        const port = ports.named(given.port);
        return calls.work([port], workOf('read_file', given), extra, signal, (progress, signal) =>
          files.read(port, placeOf(given), given.path, { progress, signal }),
        );
      }),
  );
  server.registerTool(
    'write_file',
    {
      description:
        'Writes a file of a board, in two calls. The first changes nothing: it shows the change and gives its hash. The second has the same arguments and the hash as plan.',
      inputSchema: argumentsOf({
        ...place,
        path: boardPath,
        text: z.string().max(MAX_FILE_TEXT).optional().describe('contents, in UTF-8'),
        from: z.string().optional().describe('path of a file of this computer, in place of the text'),
        plan: shown,
      }),
      annotations: { destructiveHint: true },
    },
    (given, extra) =>
      calls.answer('write_file', given, extra, async (signal) => {
        const port = ports.named(given.port);
        const content = await files.contentOf(given);
        return calls.work([port], workOf('write_file', given), extra, signal, (progress, signal) =>
          files.write(
            port,
            placeOf(given),
            { path: given.path, content, plan: given.plan ?? null },
            { progress, signal },
          ),
        );
      }),
  );
  server.registerTool(
    'delete_files',
    {
      description:
        'Deletes files and folders of a board, in two calls. The first changes nothing: it shows what goes and gives a hash. The second has the same arguments and the hash as plan.',
      inputSchema: argumentsOf({ ...place, paths: z.array(boardPath).min(1), plan: shown }),
      annotations: { destructiveHint: true },
    },
    (given, extra) =>
      calls.answer('delete_files', given, extra, async (signal) => {
        const port = ports.named(given.port);
        return calls.work([port], workOf('delete_files', given), extra, signal, (progress, signal) =>
          files.remove(port, placeOf(given), { paths: given.paths, plan: given.plan ?? null }, { progress, signal }),
        );
      }),
  );
}

const workOf = (work: string, given: object) => ({ work, key: `${work} ${JSON.stringify(given)}` });

interface GivenPlace {
  readonly in: 'flash' | 'python';
  readonly partition?: string | undefined;
  readonly by_hand: boolean;
}

const placeOf = ({ in: way, partition, by_hand: byHand }: GivenPlace) => ({ way, partition, byHand });
