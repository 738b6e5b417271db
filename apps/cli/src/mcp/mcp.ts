/** `wirebench mcp`: tools for agents, on standard input and output or over HTTP. */
import { randomBytes } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '@wirebench/clock';
import { readSetting } from '@wirebench/contract/setting-text';
import { whenAborted } from '@wirebench/port';
import { portNumbers } from '@wirebench/serial';
import { listOf, type OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { interruption } from '../interruption.ts';
import { wholeNumber } from '../port-options.ts';
import { ActLog, standardActLog } from './act-log.ts';
import { AgentHttp } from './agent-http.ts';
import { AgentPorts } from './agent-ports.ts';
import { AgentTools } from './agent-tools.ts';
import { readAllowance } from './allowance.ts';

/** Variable with the token of `--http`. */
const TOKEN_VARIABLE = 'WIREBENCH_MCP_TOKEN';
/** Time for calls that have come before the end of the input, in milliseconds. */
const LAST_ANSWERS = 700;
/** Time from the end of the input after which the program ends although a port does not close, in milliseconds. */
const LONGEST_END = 1_800;

const say = (text: string) => void process.stderr.write(`wirebench: ${text}\n`);

/** @param version Version of the program, as its clients see it. */
export async function runMcp(_given: readonly string[], options: OptionValues, version: string): Promise<ExitCode> {
  const allowance = await readAllowance(options['allow'], listOf(options['port']));
  const simulate = typeof options['simulate'] === 'string' ? options['simulate'] : null;
  const http = wholeNumber(options['http'], '--http', 0, 65_535);
  if (allowance.ports.length + (simulate === null ? 0 : 1) > portNumbers.length) {
    throw new CommandError(exitCodes.usage, `an agent has up to ${portNumbers.length} ports.`);
  }
  const given = http === null ? '' : tokenOfEnvironment();
  const path = typeof options['actLog'] === 'string' ? options['actLog'] : standardActLog();
  const ended = interruption();
  const ports = await AgentPorts.create({ clock: systemClock, ports: allowance.ports, simulate });
  const log = await ActLog.open(path, systemClock);
  say(`the acts of the agent are logged in ${path}`);
  const stop = new AbortController();
  const tools = new AgentTools({ clock: systemClock, version, ports, allowance, log, ended: stop.signal });
  let code: ExitCode = exitCodes.ok;
  let close: () => Promise<void> = async () => undefined;
  try {
    if (http === null) {
      code = await serveInput(tools, ended);
    } else {
      const token = given === '' ? randomBytes(24).toString('base64url') : given;
      const server = await AgentHttp.listen({ port: http, token, server: () => tools.server() });
      close = () => server.close();
      say(`agents are served at ${server.address}`);
      if (given === '') {
        say(`they send the header Authorization: Bearer ${token}`);
      }
      await whenAborted(ended.signal);
      code = ended.exitCode();
    }
    return code;
  } finally {
    setTimeout(() => process.exit(code), LONGEST_END - LAST_ANSWERS);
    stop.abort();
    await close();
    await tools.settled();
    await ports.dispose();
    await log.close();
  }
}

/** Returns the token of the environment; empty if there is none. @throws CommandError that does not contain it. */
function tokenOfEnvironment(): string {
  const { value, fault } = readSetting(TOKEN_VARIABLE, process.env[TOKEN_VARIABLE] ?? '', { isSecret: true });
  if (fault !== null) {
    throw new CommandError(exitCodes.usage, fault);
  }
  return value;
}

/** Serves one client on standard input and output. The library does not notice the end of its input. */
async function serveInput(tools: AgentTools, { signal, exitCode }: ReturnType<typeof interruption>): Promise<ExitCode> {
  const over = new AbortController();
  for (const event of ['end', 'close', 'error'] as const) {
    process.stdin.once(event, () => over.abort());
  }
  if (process.stdin.isTTY) {
    say('the client of an agent starts this program and writes to its input. Ctrl+D ends it.');
  }
  await tools.server().connect(new StdioServerTransport());
  await whenAborted(AbortSignal.any([over.signal, signal]));
  if (signal.aborted) {
    return exitCode();
  }
  await systemClock.sleep(0);
  await Promise.race([tools.answered(), systemClock.sleep(LAST_ANSWERS)]);
  return exitCodes.ok;
}
