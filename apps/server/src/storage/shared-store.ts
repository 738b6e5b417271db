/**
 * A Redis or Valkey that several processes share: scripts over keys that expire, and messages from one process to the others. It is
 * either there or away; away is also one that takes connections and never answers. Knows nothing of what is kept in it.
 */
import { Redis } from 'ioredis';
import { StartError } from '../start-error.ts';

/** Whoever asks goes on without it, or asks again later. */
export class SharedStoreUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis does not answer, or cannot take anything', options);
    this.name = 'SharedStoreUnavailableError';
  }
}

export type MessageListener = (message: Buffer) => void;

export interface SharedStoreOptions {
  /** `redis://…`, or `rediss://…` with TLS. */
  readonly url: string;
  /** Milliseconds that the opening waits for the first answer; the server starts without it after that. */
  readonly startTimeout?: number;
}

/** Milliseconds that a command may take. Longer than a process is late that still answers. */
const COMMAND_TIMEOUT = 2_000;
const CONNECT_TIMEOUT = 3_000;
/** Milliseconds between two looks at whether it answers. With what a look may take, a Redis that hangs is away within five seconds. */
const PULSE = 2_000;
const MOST_BETWEEN_ATTEMPTS = 2_000;
const START_TIMEOUT = 5_000;

/** Bytes of messages that Redis has not taken yet, of all senders. Senders are slowed down long before; beyond it, Redis is too slow to be there. */
const MOST_UNTAKEN = 64 * 1_048_576;

/**
 * What Redis and Valkey answer while they cannot run a command, whatever the command: their memory is full, their disk is, they load
 * their data, are a replica, or are busy with a script (the error codes of `server.c` and `script.c`).
 */
const CANNOT_NOW = /^(OOM|MISCONF|LOADING|READONLY|MASTERDOWN|NOREPLICAS|BUSY|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b/;

/** What every key and channel begins with: a Redis may be used by others too. */
const PREFIX = 'wirebench:';

export class SharedStore implements AsyncDisposable {
  readonly #commands: Redis;
  readonly #messages: Redis;
  /** Connections that had not finished their greeting at the last look. */
  readonly #greeting = new Set<Redis>();
  readonly #listeners = new Map<string, MessageListener>();
  readonly #onChange = new Set<(isUp: boolean) => void>();
  #untaken = 0;
  #isUp = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  private constructor({ url }: SharedStoreOptions) {
    const options = {
      lazyConnect: true,
      // What Redis and Valkey of any age speak.
      protocol: 2 as const,
      disableClientInfo: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT,
      commandTimeout: COMMAND_TIMEOUT,
      retryStrategy: (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 10), MOST_BETWEEN_ATTEMPTS),
    };
    try {
      this.#commands = new Redis(url, options);
      this.#messages = new Redis(url, options);
    } catch (error) {
      throw new StartError(['REDIS_URL cannot be used: check its parts.'], { cause: error });
    }
    for (const connection of [this.#commands, this.#messages]) {
      // Whoever is waiting hears of it; the rest follows from the connection's state.
      connection.on('error', () => undefined);
      connection.on('close', () => this.#setUp(false));
      connection.on('ready', () => void this.#look());
    }
    this.#messages.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      this.#listeners.get(channel.toString())?.(message);
    });
  }

  /** Resolves when Redis answers, or after the timeout without. */
  static async open(options: SharedStoreOptions): Promise<SharedStore> {
    const store = new SharedStore(options);
    const { promise: up, resolve } = Promise.withResolvers<void>();
    store.onChange((isUp) => {
      if (isUp) {
        resolve();
      }
    });
    store.#commands.connect().catch(() => undefined);
    store.#messages.connect().catch(() => undefined);
    store.#pulse();
    // By the process's own time: what is waited for is outside of every test's clock.
    const timer = setTimeout(resolve, options.startTimeout ?? START_TIMEOUT);
    await up;
    clearTimeout(timer);
    return store;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Bytes of messages that Redis has not taken yet. */
  get untaken(): number {
    return this.#untaken;
  }

  /** `listener` hears when Redis goes and when it is back. */
  onChange(listener: (isUp: boolean) => void): void {
    this.#onChange.add(listener);
  }

  /** Rejects with a `SharedStoreUnavailableError` when it does not answer. */
  async check(): Promise<void> {
    await this.#ask(() => this.#commands.ping());
  }

  /** A key as Redis has it, for scripts that make keys of values. */
  nameOf(key: string): string {
    return `${PREFIX}${key}`;
  }

  /** Runs a Lua script. Keys get the product's prefix. */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.#ask(() =>
      this.#commands.eval(script, keys.length, ...keys.map((key) => `${PREFIX}${key}`), ...values),
    );
  }

  /**
   * Sends `message` to every process that listens, this one included. What Redis does not take is lost, and Redis is away then.
   *
   * @returns Resolves when Redis has taken the message, or when it is lost.
   */
  publish(channel: string, message: Uint8Array): Promise<void> {
    if (!this.#isUp) {
      return Promise.resolve();
    }
    this.#untaken += message.length;
    if (this.#untaken > MOST_UNTAKEN) {
      this.#drop();
    }
    return this.#commands
      .publish(`${PREFIX}${channel}`, Buffer.from(message.buffer, message.byteOffset, message.byteLength))
      .then(
        () => undefined,
        () => this.#drop(),
      )
      .finally(() => {
        this.#untaken -= message.length;
      });
  }

  /** One listener for each channel. Resolves when messages arrive. */
  async subscribe(channel: string, listener: MessageListener): Promise<void> {
    this.#listeners.set(`${PREFIX}${channel}`, listener);
    try {
      await this.#ask(() => this.#messages.subscribe(`${PREFIX}${channel}`));
    } catch (error) {
      this.#listeners.delete(`${PREFIX}${channel}`);
      throw error;
    }
  }

  unsubscribe(channel: string): void {
    this.#listeners.delete(`${PREFIX}${channel}`);
    // When it is away, what still arrives later has no listener.
    this.#messages.unsubscribe(`${PREFIX}${channel}`).catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#onChange.clear();
    this.#commands.disconnect();
    this.#messages.disconnect();
    return Promise.resolve();
  }

  async #ask<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (!this.#isUp) {
      throw new SharedStoreUnavailableError();
    }
    try {
      return await ask();
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') {
        // It answers, and takes nothing for now: its connections stay.
        throw CANNOT_NOW.test(error.message) ? new SharedStoreUnavailableError({ cause: error }) : error;
      }
      this.#drop();
      throw new SharedStoreUnavailableError({ cause: error });
    }
  }

  #pulse(): void {
    const timer = setTimeout(() => {
      void this.#look().finally(() => {
        if (!this.#isClosed) {
          this.#pulse();
        }
      });
    }, PULSE).unref();
    this.#cancel = () => clearTimeout(timer);
  }

  /** Whether both connections answer. One that does not is begun anew. */
  async #look(): Promise<void> {
    const answers = await Promise.all(
      [this.#commands, this.#messages].map(async (connection) => {
        if (connection.status !== 'ready') {
          this.#endSilent(connection);
          return false;
        }
        this.#greeting.delete(connection);
        try {
          await connection.ping();
          return true;
        } catch {
          connection.disconnect(true);
          return false;
        }
      }),
    );
    if (!this.#isClosed) {
      this.#setUp(answers.every(Boolean));
    }
  }

  /** Ends a connection that was taken and has not been greeted since the last look: nothing else would. */
  #endSilent(connection: Redis): void {
    if (connection.status !== 'connect') {
      this.#greeting.delete(connection);
    } else if (this.#greeting.has(connection)) {
      this.#greeting.delete(connection);
      connection.disconnect(true);
    } else {
      this.#greeting.add(connection);
    }
  }

  #drop(): void {
    if (!this.#isClosed && this.#isUp) {
      this.#setUp(false);
      this.#commands.disconnect(true);
      this.#messages.disconnect(true);
    }
  }

  #setUp(isUp: boolean): void {
    if (this.#isUp !== isUp && !this.#isClosed) {
      this.#isUp = isUp;
      for (const listener of this.#onChange) {
        listener(isUp);
      }
    }
  }
}
