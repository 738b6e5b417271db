/** Tests on boards for an agent: JKits of the allowed folders, on ports that the agent lends. */
import { SETTLE } from '@wirebench/runs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { readForbidden } from '../awaited-text.ts';
import { paintFor } from '../colours.ts';
import { openFiles } from '../crash.ts';
import { readSettings } from '../port-options.ts';
import { readTests } from '../test/given-test.ts';
import { screenText } from '../test/reports.ts';
import { isFlaky, reportedCases, type TestResult, verdictOf } from '../test/test-result.ts';
import { type Boards, lackingBoard, TestRun } from '../test/test-run.ts';
import type { AgentPort, AgentPorts } from './agent-ports.ts';
import { endedBy, presentDevice, type WorkProgress, type WorkReport } from './agent-work.ts';
import { type Allowance, allowedPath, checkAllowed, RequestRefused } from './allowance.ts';

export interface TestRequest {
  readonly jkits: readonly string[];
  readonly baud: number;
  /** True: the boards are restarted before each test. False: none is. Null: one that says nothing is, where it is allowed. */
  readonly reset: boolean | null;
  /** Files for messages that send one. */
  readonly files: readonly string[];
  readonly failOn: readonly string[];
  /** Longest time of the messages of each test; null for that of the JKit. */
  readonly seconds: number | null;
  readonly elf: readonly string[];
}

export class AgentTests {
  readonly #ports: AgentPorts;
  readonly #allowance: Allowance;

  constructor(ports: AgentPorts, allowance: Allowance) {
    this.#ports = ports;
    this.#allowance = allowance;
  }

  /**
   * Runs the tests one after the other.
   *
   * @param ports Port of each board, from board 1 on.
   * @throws RequestRefused for what is not allowed, and for a board without a port.
   */
  async run(
    ports: readonly AgentPort[],
    request: TestRequest,
    progress: WorkProgress,
    signal: AbortSignal,
  ): Promise<WorkReport> {
    checkAllowed(this.#allowance, 'send');
    if (request.reset === true) {
      checkAllowed(this.#allowance, 'reset');
    }
    if (new Set(ports).size < ports.length) {
      throw new RequestRefused('A port is named twice: each board has a port of its own.');
    }
    const paths = await Promise.all(request.jkits.map((path) => this.#jkit(path)));
    const sent = await Promise.all(request.files.map((path) => allowedPath(this.#allowance, path)));
    const elf = await openFiles(await Promise.all(request.elf.map((path) => allowedPath(this.#allowance, path))));
    const settings = readSettings({ baud: String(request.baud), lines: 'keep' });
    const parts = {
      options: {},
      settings,
      settle: SETTLE,
      limit: request.seconds === null ? null : request.seconds * 1_000,
      retries: 0,
      reset: request.reset === true,
      resetsSilent: request.reset !== false && this.#allowance.actions.has('reset'),
      forbidden: readForbidden([...request.failOn]),
      builds: new Map(),
      elf,
    };
    const tests = await readTests(paths, sent, signal);
    const numbers = new Map(ports.map((port, index): [PortNumber, AgentPort] => [portNumbers[index] ?? 1, port]));
    const lacking = lackingBoard(tests, numbers);
    if (lacking !== null) {
      throw new RequestRefused(`A test needs board ${lacking.board}: name its port in "ports".`);
    }
    return this.#ports.lend(ports, async () => {
      const boards: Boards = new Map(
        await Promise.all(
          Array.from(numbers, async ([number, port]) => {
            const device = await presentDevice(port, settings.native);
            const { given, serial, isDemo } = port;
            return [number, { given, port: device, serial, isDemo, family: port.family(device) }] as const;
          }),
        ),
      );
      const results: TestResult[] = [];
      for (const [index, test] of tests.entries()) {
        progress(`test ${index + 1} of ${tests.length}`, index, tests.length);
        results.push(await new TestRun(test, boards, parts, endedBy(signal)).run());
        signal.throwIfAborted();
      }
      return reportOf(results);
    });
  }

  /** A link would let an agent, or a text that it has read, choose the messages. */
  #jkit(path: string): Promise<string> {
    if (/^[a-z]+:\/\//i.test(path)) {
      throw new RequestRefused('An agent runs JKits of this machine, and no links. "wirebench test" takes a link.');
    }
    return allowedPath(this.#allowance, path);
  }
}

const verdicts = { passed: 'Passed', failed: 'Failed', error: 'Undecided: a board or its port failed' } as const;

function reportOf(results: readonly TestResult[]): WorkReport {
  const states = results.map(verdictOf);
  const verdict = states.includes('error') ? 'error' : states.includes('failed') ? 'failed' : 'passed';
  const cases = results.flatMap(reportedCases);
  const passed = cases.filter(({ state }) => state === 'passed').length;
  const flaky = cases.filter(isFlaky).length;
  const plain = paintFor({ isTTY: false });
  return {
    outcome: verdict === 'error' ? 'failed' : 'done',
    said: `${verdicts[verdict]}: ${passed} of ${cases.length} checks passed${flaky > 0 ? `, ${flaky} of them flaky: only after an earlier try failed` : ''}.`,
    hash: null,
    lines: results.flatMap((result) => [screenText(result, plain), result.tries.at(-1)?.transcript ?? '']),
  };
}
