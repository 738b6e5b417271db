/**
 * People who write to a server all the time and remember what it said yes to: whatever happens to the server, that has to be
 * there afterwards. Knows the API from outside, no process and no database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { apiPaths, type FeedbackList, firmwarePaths, type Jkit, type JkitList, jkitPaths } from '@wirebench/contract';
import { signIn } from './sign-in.ts';

/** Milliseconds that a call may take before it counts as lost. */
const PATIENCE = 30_000;
/** Calls of each kind that are on their way at a time. */
const AT_ONCE = 3;

export interface WritesSummary {
  /** Writes that were answered with success, of all kinds. */
  readonly acknowledged: number;
  /** Calls that were answered with 503. */
  readonly refused: number;
  /** Answers that were neither a success nor 503, as status and body. */
  readonly unexpected: readonly string[];
}

/** One kind of write, with what it remembers. */
interface Writer {
  /** True when it was acknowledged, false when it was refused or nobody answered. */
  write(call: Call): Promise<boolean>;
  /** What was acknowledged and is not as it should be, in words. */
  findMissing(call: Call): Promise<readonly string[]>;
}

type Call = (path: string, options?: RequestInit) => Promise<Response | null>;

export class AcknowledgedWrites {
  readonly #writers: readonly Writer[];
  #acknowledged = 0;
  #refused = 0;
  readonly #unexpected: string[] = [];

  constructor() {
    this.#writers = [feedbackWriter(), jkitWriter(), versionWriter()];
  }

  get summary(): WritesSummary {
    return { acknowledged: this.#acknowledged, refused: this.#refused, unexpected: this.#unexpected };
  }

  /** Writes to the server at `address` until `until` aborts. `onAcknowledged` hears of every success, with their number so far. */
  async writeTo(
    address: string,
    until: AbortSignal,
    onAcknowledged: (count: number) => void = () => undefined,
  ): Promise<void> {
    const call = await this.#caller(address);
    let count = 0;
    const writeOn = async (writer: Writer) => {
      while (!until.aborted) {
        if (await writer.write(call)) {
          this.#acknowledged++;
          onAcknowledged(++count);
        }
      }
    };
    await Promise.all(this.#writers.flatMap((writer) => Array.from({ length: AT_ONCE }, () => writeOn(writer))));
  }

  /** What the server at `address` has lost, or has by half. */
  async findMissing(address: string): Promise<readonly string[]> {
    const call = await this.#caller(address);
    return (await Promise.all(this.#writers.map((writer) => writer.findMissing(call)))).flat();
  }

  async #caller(address: string): Promise<Call> {
    const { access_token } = await signIn(address, 'admin');
    return async (path, { headers, ...options } = {}) => {
      const answer = await fetch(`${address}${path}`, {
        ...options,
        headers: { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${access_token}` },
        signal: AbortSignal.timeout(PATIENCE),
      }).catch(() => null);
      if (answer?.status === 503) {
        this.#refused++;
      } else if (answer !== null && !answer.ok) {
        this.#unexpected.push(`${options.method ?? 'GET'} ${path}: ${answer.status} ${await answer.clone().text()}`);
      }
      return answer;
    };
  }
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The body of an answer; null when its end never came, which counts as no answer. */
async function bodyOf(answer: Response | null): Promise<unknown> {
  return answer?.ok ? answer.json().catch(() => null) : null;
}

/** Throws when there is no answer, which a server that is well never does. */
async function read(call: Call, path: string): Promise<unknown> {
  const answer = await call(path);
  if (!answer?.ok) {
    throw new Error(`${path} answered ${answer?.status ?? 'nothing'}`);
  }
  return answer.json();
}

function feedbackWriter(): Writer {
  const acknowledged = new Set<string>();
  let number = 0;
  return {
    async write(call) {
      const message = `Acknowledged message number ${number++}`;
      const stored = await bodyOf(await call(apiPaths.feedback, json({ email: 'x', message })));
      if (stored !== null) {
        acknowledged.add(message);
      }
      return stored !== null;
    },
    async findMissing(call) {
      const present = new Set<string>();
      for (let page = 1, pages = 1; page <= pages; page++) {
        const list = (await read(call, `${apiPaths.feedback}?limit=100&page=${page}`)) as FeedbackList;
        pages = list.pagination.pages;
        for (const { message } of list.data) {
          present.add(message);
        }
      }
      return [...acknowledged].filter((message) => !present.has(message));
    },
  };
}

/** Saves jkits and changes them again; of a change that nobody answered either state is right. */
function jkitWriter(): Writer {
  const contents = new Map<string, readonly string[]>();
  /** Being changed: of two changes at a time nobody could say which was the last. */
  const busy = new Set<string>();
  let number = 0;
  const contentOf = (turn: number) => JSON.stringify({ fields: [`field of turn ${turn}`] });
  return {
    async write(call) {
      const turn = number++;
      const content = contentOf(turn);
      const known = turn % 2 === 1 ? [...contents.keys()].findLast((id) => !busy.has(id)) : undefined;
      if (known === undefined) {
        const body = { name: `Jkit ${turn}`, type: 'uart', content, shared: turn % 3 === 0 };
        const saved = (await bodyOf(await call(jkitPaths.jkits, json(body)))) as { data: Jkit } | null;
        if (saved !== null) {
          contents.set(saved.data._id, [content]);
        }
        return saved !== null;
      }
      busy.add(known);
      contents.set(known, [...(contents.get(known) ?? []), content]);
      const changed = await bodyOf(await call(jkitPaths.jkit(known), { ...json({ content }), method: 'PUT' }));
      if (changed !== null) {
        contents.set(known, [content]);
      }
      busy.delete(known);
      return changed !== null;
    },
    async findMissing(call) {
      const present = new Map<string, string>();
      for (let skip = 0, total = 1; skip < total; skip += 100) {
        const list = (await read(call, `${jkitPaths.jkits}?limit=100&skip=${skip}`)) as JkitList;
        total = list.pagination.total;
        for (const { _id, content } of list.data) {
          present.set(_id, content);
        }
      }
      return [...contents]
        .filter(([id, right]) => !right.includes(present.get(id) ?? ''))
        .map(([id]) => `jkit ${id} is missing or has another content`);
    },
  };
}

interface VersionOfList {
  readonly _id: string;
  readonly version: string;
  readonly files: readonly { readonly _id: string; readonly sha256: string; readonly size: number }[];
}

/** Uploads versions, some of them with bytes that another has too, and deletes every third. */
function versionWriter(): Writer {
  const present = new Map<string, readonly string[]>();
  const deleted = new Set<string>();
  /** Deletions that nobody answered: either way is right. */
  const undecided = new Set<string>();
  let project: Promise<string | null> | null = null;
  let number = 0;

  const projectOf = async (call: Call): Promise<string | null> => {
    project ??= createProject(call);
    const id = await project;
    if (id === null) {
      project = null;
    }
    return id;
  };

  return {
    async write(call) {
      const projectId = await projectOf(call);
      if (projectId === null) {
        return false;
      }
      const turn = number++;
      const oldest = turn % 3 === 2 ? [...present.keys()][0] : undefined;
      if (oldest !== undefined) {
        present.delete(oldest);
        const gone = (await call(firmwarePaths.version(oldest), { method: 'DELETE' }))?.status === 204;
        (gone ? deleted : undecided).add(oldest);
        return gone;
      }
      const files = turn % 4 === 0 ? [commonBytes, randomBytes(20_000)] : [randomBytes(1 + ((turn * 7_919) % 60_000))];
      const body = (await bodyOf(
        await call(firmwarePaths.newVersion, versionForm(projectId, `1.0.${turn}`, files)),
      )) as {
        version: VersionOfList;
      } | null;
      if (body !== null) {
        present.set(body.version._id, files.map(sha256));
      }
      return body !== null;
    },

    async findMissing(call) {
      const projectId = await project;
      if (projectId === null || projectId === undefined) {
        return [];
      }
      const { versions } = (await read(call, firmwarePaths.versions(projectId))) as {
        versions: readonly VersionOfList[];
      };
      const byId = new Map(versions.map((version) => [version._id, version]));
      const problems = [...present]
        .filter(
          ([id, hashes]) =>
            byId
              .get(id)
              ?.files.map((file) => file.sha256)
              .sort()
              .join() !== [...hashes].sort().join(),
        )
        .map(([id]) => `version ${id} is missing or has other files`);
      problems.push(...[...deleted].filter((id) => byId.has(id)).map((id) => `version ${id} is back`));
      for (const version of versions) {
        problems.push(...(await findWrongBytes(call, version)));
      }
      return problems;
    },
  };
}

const commonBytes = Buffer.alloc(30_000, 'the same bytes in many versions');

async function createProject(call: Call): Promise<string | null> {
  const name = `Project ${randomBytes(4).toString('hex')}`;
  const body = { name, description: '', deviceFamily: 'esp', deviceModel: 'esp32' };
  const created = (await bodyOf(await call(firmwarePaths.newProject, json(body)))) as {
    project: { _id: string };
  } | null;
  return created?.project._id ?? null;
}

function versionForm(projectId: string, version: string, files: readonly Buffer[]): RequestInit {
  const form = new FormData();
  form.set('projectId', projectId);
  form.set('version', version);
  form.set('description', 'Written while the server was killed');
  form.set('offsets', JSON.stringify(files.map((_file, index) => `0x${(index * 0x100000).toString(16)}`)));
  for (const [index, bytes] of files.entries()) {
    form.append('files', new Blob([new Uint8Array(bytes)]), `part-${index}.bin`);
  }
  return { method: 'POST', body: form };
}

async function findWrongBytes(call: Call, { _id, files }: VersionOfList): Promise<readonly string[]> {
  const problems = files.length === 0 ? [`version ${_id} has no files`] : [];
  for (const file of files) {
    const answer = await call(firmwarePaths.versionFile(_id, file._id));
    const bytes = answer?.ok ? Buffer.from(await answer.arrayBuffer()) : null;
    if (bytes === null || bytes.length !== file.size || sha256(bytes) !== file.sha256) {
      problems.push(`version ${_id} lacks bytes: ${answer?.status ?? 'no answer'}`);
    }
  }
  return problems;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
