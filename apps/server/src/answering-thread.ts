/**
 * A worker thread that answers questions, for work that would block the main thread. The types of questions and
 * answers belong to its users.
 */
import { Worker } from 'node:worker_threads';

/**
 * The number that links an answer to its question. File descriptors and paths do not suffice, because they are
 * reused.
 */
interface Numbered {
  readonly id: number;
}

/** One question. It may take several messages until the thread answers. */
export interface Question<Message, Answer> {
  /** Sends a message. The id is added. */
  post(message: Omit<Message, 'id'>): void;
  /** Rejects with the error if the thread ends. */
  readonly answer: Promise<Answer>;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Starts its thread with the first question, and again after the thread has failed. It keeps the process alive only
 * while an answer is outstanding.
 */
export class AnsweringThread<Message extends Numbered, Answer extends Numbered> implements AsyncDisposable {
  readonly #module: URL;
  readonly #name: string;
  readonly #data: unknown;
  #worker: Worker | null = null;
  #ids = 0;
  readonly #waiting = new Map<number, Waiting<Answer>>();

  /**
   * @param module Module that the thread runs.
   * @param name Name of the thread in the process list and in errors.
   * @param data The thread's `workerData`.
   */
  constructor(module: URL, name: string, data?: unknown) {
    this.#module = module;
    this.#name = name;
    this.#data = data;
  }

  ask(): Question<Message, Answer> {
    const id = this.#ids++;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    // The caller handles the rejection. This handler covers a thread that fails before the caller awaits the
    // answer.
    promise.catch(() => undefined);
    this.#waiting.set(id, { resolve, reject });
    const worker = this.#running();
    worker.ref();
    return { post: (message) => worker.postMessage({ ...message, id }), answer: promise };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker === null) {
      // The thread must not inherit options such as a program from the command line: with those, no module starts.
      const worker = new Worker(this.#module, { name: this.#name, workerData: this.#data, execArgv: [] });
      worker.on('message', (answer: Answer) => this.#answered(answer));
      worker.on('error', (error) => this.#ended(worker, error));
      worker.on('exit', () => this.#ended(worker, new Error(`The ${this.#name} thread has ended`)));
      this.#worker = worker;
    }
    return this.#worker;
  }

  #answered(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) {
      this.#worker?.unref();
    }
    waiting?.resolve(answer);
  }

  #ended(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) {
      return;
    }
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) {
      reject(error);
    }
    this.#waiting.clear();
  }
}
