/**
 * A thread that is asked and answers, for work that would keep everybody else waiting on the main one. Knows neither what is asked
 * nor what is answered.
 */
import { Worker } from 'node:worker_threads';

/** What both sides name a question by: descriptors and paths are used again. */
interface Numbered {
  readonly id: number;
}

/** One question. It may take several messages until the thread answers. */
export interface Question<Message, Answer> {
  /** The id is added. */
  post(message: Omit<Message, 'id'>): void;
  /** Rejects with the error of a thread that ended. */
  readonly answer: Promise<Answer>;
}

interface Waiting<Answer> {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Started by the first question and again after it has failed. It keeps the process alive only while it owes an answer. */
export class AnsweringThread<Message extends Numbered, Answer extends Numbered> implements AsyncDisposable {
  readonly #module: URL;
  readonly #name: string;
  readonly #data: unknown;
  #worker: Worker | null = null;
  #ids = 0;
  readonly #waiting = new Map<number, Waiting<Answer>>();

  /** @param module what the thread runs. @param name as the process list and errors call it. @param data its `workerData` */
  constructor(module: URL, name: string, data?: unknown) {
    this.#module = module;
    this.#name = name;
    this.#data = data;
  }

  ask(): Question<Message, Answer> {
    const id = this.#ids++;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    // Who waits for the answer hears of it; a thread may fail before.
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
      // Without the options of a program that was given on the command line: with those no module starts.
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
