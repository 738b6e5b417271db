/**
 * A Redis or Valkey that several processes share: scripts over keys that expire, and messages between processes. It
 * is either up or down. A server that accepts connections but never answers counts as down.
 */
import { Redis } from 'ioredis';
import { StartError } from '../start-error.ts';

/** Redis is down. Callers continue without it, or retry later. */
export class SharedStoreUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super('Redis does not answer, or accepts no commands at the moment', options);
    this.name = 'SharedStoreUnavailableError';
  }
}

export type MessageListener = (message: Buffer) => void;

export interface SharedStoreOptions {
  /** `redis://…`, or `rediss://…` with TLS. */
  readonly url: string;
  /** Milliseconds that a command may take. By default longer than the delay of a busy process that still answers. */
  readonly commandTimeout?: number;
  /** Milliseconds to wait for the first answer. Then the server starts without it. */
  readonly startTimeout?: number;
}

/** Milliseconds. */
const COMMAND_TIMEOUT = 2_000;
const CONNECT_TIMEOUT = 3_000;
/**
 * Milliseconds between two checks. Together with the time of a check, a hanging Redis is noticed within five seconds.
 */
const PULSE = 2_000;
const MAX_BETWEEN_ATTEMPTS = 2_000;
const START_TIMEOUT = 5_000;

/**
 * Bytes of messages from all senders that wait for Redis. Senders are slowed much earlier. Beyond this, Redis is too
 * slow to count as up.
 */
const MAX_UNTAKEN = 64 * 1_048_576;

/**
 * Errors of Redis and Valkey while they cannot run any command: memory or disk is full, data is loading, the server
 * is a replica, or a script is running (the error codes of `server.c` and `script.c`).
 */
const CANNOT_NOW = /^(OOM|MISCONF|LOADING|READONLY|MASTERDOWN|NOREPLICAS|BUSY|CLUSTERDOWN|TRYAGAIN|UNKILLABLE)\b/;

/** Prefix of every key and channel, because other programs may use the same Redis. */
const PREFIX = 'wirebench:';

export class SharedStore implements AsyncDisposable {
  readonly #commands: Redis;
  readonly #messages: Redis;
  /** Connections that had not finished their handshake at the last check. */
  readonly #greeting = new Set<Redis>();
  readonly #listeners = new Map<string, MessageListener>();
  readonly #onChange = new Set<(isUp: boolean) => void>();
  #untaken = 0;
  #isUp = false;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  private constructor({ url, commandTimeout = COMMAND_TIMEOUT }: SharedStoreOptions) {
    const options = {
      lazyConnect: true,
      // The protocol that all versions of Redis and Valkey understand.
      protocol: 2 as const,
      disableClientInfo: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_TIMEOUT,
      commandTimeout,
      retryStrategy: (attempt: number) => Math.min(100 * 2 ** Math.min(attempt, 10), MAX_BETWEEN_ATTEMPTS),
    };
    try {
      this.#commands = new Redis(url, options);
      this.#messages = new Redis(url, options);
    } catch (error) {
      throw new StartError(['REDIS_URL cannot be used: check its parts.'], { cause: error });
    }
    for (const connection of [this.#commands, this.#messages]) {
      // Waiting callers get the error. Everything else follows from the connection's state.
      connection.on('error', () => undefined);
      connection.on('close', () => this.#setUp(false));
      connection.on('ready', () => void this.#look());
    }
    this.#messages.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      this.#listeners.get(channel.toString())?.(message);
    });
  }

  /** Connects. Resolves when Redis answers, or after the timeout. */
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
    // Uses a real timer, not a clock: Redis does not follow a test's clock.
    const timer = setTimeout(resolve, options.startTimeout ?? START_TIMEOUT);
    await up;
    clearTimeout(timer);
    return store;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Bytes of messages that wait for Redis. */
  get untaken(): number {
    return this.#untaken;
  }

  /** Registers the listener that is called when Redis goes down or comes up. */
  onChange(listener: (isUp: boolean) => void): void {
    this.#onChange.add(listener);
  }

  /** Rejects with a `SharedStoreUnavailableError` if Redis does not answer. */
  async check(): Promise<void> {
    await this.#ask(() => this.#commands.ping());
  }

  /** Returns the full name of a key, for scripts that build keys from values. */
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
   * Sends `message` to every listening process, including this one. A message that Redis does not accept is lost, and
   * Redis then counts as down.
   *
   * @returns Resolves when Redis has accepted the message, or when it is lost.
   */
  publish(channel: string, message: Uint8Array): Promise<void> {
    if (!this.#isUp) {
      return Promise.resolve();
    }
    this.#untaken += message.length;
    if (this.#untaken > MAX_UNTAKEN) {
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

  /** Sets the one listener of a channel. Resolves when messages arrive. */
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
    // If Redis is down, messages that arrive later find no listener.
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
        // Redis answers but accepts nothing at the moment. Its connections stay open.
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

  /** Checks that both connections answer. One that does not is reconnected. */
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

  /**
   * Ends a connection that was accepted but has not finished its handshake since the last check. No other timeout
   * covers this.
   */
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
