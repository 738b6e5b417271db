/** One job on a board that speaks Improv, and what the log says about it. Loaded with the first job. */
import type { NoticeLevel } from '@wirebench/serial';
import { type ImprovClient, ImprovError, type ImprovFailure, type WifiNetwork } from '@wirebench/serial/improv';
import type { ImprovAnswer, ImprovJob } from '../../../protocol/bench/improv-part.ts';

export { ImprovClient } from '@wirebench/serial/improv';

interface Notice {
  readonly level: NoticeLevel;
  readonly text: string;
}

const noAnswer: ImprovAnswer = {
  information: null,
  state: null,
  address: '',
  networks: [],
  isWhole: true,
  failure: null,
};

/** Failures that do not show that the board speaks Improv. */
const silent: ReadonlySet<ImprovFailure> = new Set(['no-answer', 'closed', 'cancelled']);

/** Does the job. A failure of the board is part of the answer. */
export async function doImprovJob(
  client: ImprovClient,
  job: ImprovJob,
  onFound: (networks: readonly WifiNetwork[]) => void,
): Promise<ImprovAnswer> {
  try {
    switch (job.kind) {
      case 'probe':
        return await ask(client, 1);
      case 'ask':
        return await ask(client);
      case 'scan':
        return { ...noAnswer, ...(await client.networks(onFound)) };
      case 'connect': {
        const { name, password } = job;
        return { ...noAnswer, state: 'connected', address: await client.connect({ name, password }) };
      }
    }
  } catch (error) {
    if (!(error instanceof ImprovError)) {
      throw error;
    }
    return { ...noAnswer, failure: { code: error.code, message: error.message } };
  }
}

/** True: the answer shows that the board speaks Improv. */
export function isHeard({ failure }: ImprovAnswer): boolean {
  return failure === null || !silent.has(failure.code);
}

export function startNotice(job: ImprovJob): Notice {
  const texts = {
    probe: () => 'device information requested',
    ask: () => 'device information requested',
    scan: () => 'list of networks requested',
    connect: () => `network settings sent (SSID ${networkName(job)})`,
  } satisfies Record<ImprovJob['kind'], () => string>;
  return { level: 'info', text: `Improv: ${texts[job.kind]()}` };
}

/** Null: the request was for boards that may not know Improv, and this one does not. */
export function endNotice(job: ImprovJob, answer: ImprovAnswer): Notice | null {
  const { failure, information, networks, address } = answer;
  if (failure !== null) {
    return job.kind === 'probe' && !isHeard(answer)
      ? null
      : { level: failure.code === 'cancelled' ? 'warning' : 'error', text: `Improv: ${failure.message}` };
  }
  switch (job.kind) {
    case 'probe':
    case 'ask': {
      const facts = information === null ? ['the board answers'] : Object.values(information);
      return {
        level: 'info',
        text: `Improv: ${facts
          .filter((fact) => fact !== '')
          .map(printable)
          .join(', ')}`,
      };
    }
    case 'scan':
      return {
        level: 'info',
        text: `Improv: the board sees ${networks.length} ${networks.length === 1 ? 'network' : 'networks'}`,
      };
    case 'connect': {
      const at = address === '' ? '' : `, ${printable(address)}`;
      return { level: 'success', text: `Improv: the board is on ${networkName(job)}${at}` };
    }
  }
}

async function ask(client: ImprovClient, attempts?: number): Promise<ImprovAnswer> {
  let information: ImprovAnswer['information'] = null;
  try {
    information = await client.deviceInformation(attempts);
  } catch (error) {
    // A board without device information may set up its network nevertheless.
    if (!(error instanceof ImprovError && error.code === 'unknown-command')) {
      throw error;
    }
  }
  return { ...noAnswer, information, ...(await client.currentState()) };
}

function networkName(job: ImprovJob): string {
  return job.kind === 'connect' ? printable(new TextDecoder().decode(job.name)) : '';
}

/** Replaces control characters, which would change the look of the log. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
