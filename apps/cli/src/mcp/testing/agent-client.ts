/** A client of an agent, by the protocol's own library, and `wirebench mcp` as its process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { programFile } from '../../testing/monitored-port.ts';

/** An answer: the words outside of its fence, and the text in it; null without a fence. */
export interface ReadAnswer {
  readonly text: string;
  readonly said: string;
  readonly data: string | null;
  readonly isError: boolean;
}

export interface AgentClient {
  readonly client: Client;
  call(name: string, given?: Record<string, unknown>, signal?: AbortSignal): Promise<ReadAnswer>;
  /** Returns the entries of the log of acts. */
  acts(): readonly Record<string, unknown>[];
  close(): Promise<void>;
}

/** Starts `wirebench mcp` and begins a session. */
export async function agentClient(...args: readonly string[]): Promise<AgentClient> {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-agent-'));
  const log = join(folder, 'acts.jsonl');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programFile, 'mcp', '--act-log', log, ...args],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}, signal) => {
      const result = await client.callTool({ name, arguments: given }, undefined, { ...(signal && { signal }) });
      return readAnswer(result as ToolResult);
    },
    acts: () =>
      readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    close: async () => {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface ToolResult {
  readonly content: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

/** Splits an answer by the mark of its own first line, as the instructions of the server say. */
export function readAnswer({ content, isError = false }: ToolResult): ReadAnswer {
  const text = content.map(({ text: part = '' }) => part).join('\n');
  const [whole, mark = ''] = /^Data from .*, between the two lines with ([\da-f]{32})\. .*$/m.exec(text) ?? [];
  if (whole === undefined) {
    return { text, said: text, data: null, isError };
  }
  const [before = '', after = '', ...others] = text.split(`\n--- ${mark} begins ---\n`);
  const [data = '', behind, ...more] = after.split(`\n--- ${mark} ends ---`);
  if (behind !== '' || others.length + more.length > 0) {
    throw new Error(`This is not one fence at the end: ${text.slice(0, 2_000)}`);
  }
  return { text, said: before.replace(whole, '').trim(), data, isError };
}
